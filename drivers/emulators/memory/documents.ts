import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { readBy } from "@fiscald/shared/exchange/lenient-fields.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import { fiscalTagSchema } from "./fiscal-tag.js";

export const kopecksSchema = z.int().transform((value) => kopecks(value));
const quantitySchema = z.int().transform((value) => quantity(value));
export const localTimeSchema = z.string().transform(readBy(parseLocalTime, "not a local time"));

/** Operations by tag 1054, from 1 on. */
export const operations = ["sale", "return", "purchase", "purchase-return"] as const;
export const operationSchema = z.enum(operations);
export type CoreOperation = z.infer<typeof operationSchema>;

/** Forms of documents; the number is the form's tag (54-fz 1). */
export const documentForms = {
  registration: 1,
  "shift-open": 2,
  receipt: 3,
  "shift-close": 5,
  correction: 31,
} as const;
export type DocumentType = keyof typeof documentForms;

export const lineSchema = z.object({
  /** Tag 1030 (name). */
  name: z.string(),
  /** Tag 1079 (price). */
  price: kopecksSchema,
  /** Tag 1023 (quantity), in millionths. */
  quantity: quantitySchema,
  /** Tag 1043 (sum of the line). */
  sum: kopecksSchema,
  tax: z.int(),
  /** Tag 1199 (VAT rate). */
  vat: z.int().min(1).max(12),
  /** Tag 1200 (VAT inside the sum). */
  vatSum: kopecksSchema,
  department: z.int(),
  /** Tag 1212 (subject). */
  subject: z.int(),
  /** Tag 1214 (method). */
  method: z.int(),
  tags: z.array(fiscalTagSchema).readonly(),
  mark: z.string().nullable(),
});
export type StoredLine = z.infer<typeof lineSchema>;

export const paymentSchema = z.object({
  /** 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision (tags 1031, 1081, 1215, 1216, 1217). */
  typeClose: z.int().min(0).max(4),
  /** The register's own payment row, 1 = cash. */
  row: z.int(),
  sum: kopecksSchema,
  /** What the customer handed over: cash with the change. */
  given: kopecksSchema,
});
export type StoredPayment = z.infer<typeof paymentSchema>;

export const documentSchema = z.object({
  /** Tag 1041: serial number of the drive that holds the document. */
  fn: z.string(),
  /** Tag 1040 (number of the document). */
  fd: z.int(),
  type: z.enum(["registration", "shift-open", "receipt", "shift-close", "correction"]),
  /** Tag 1012 (date and time). */
  time: localTimeSchema,
  /** Tag 1077 (fiscal sign), its last four bytes as a number. */
  fiscalSign: z.int(),
  /** Tag 1038 (number of the shift). */
  shift: z.int(),
  /** Tag 1042 (number of the receipt in its shift). Corrections have this number too; null for any other document. */
  receiptNumber: z.int().nullable(),
  operation: operationSchema.nullable(),
  /** Tag 1020 (total). */
  total: kopecksSchema.nullable(),
  /** Tag 1055 (tax system). */
  taxSystem: z.int().nullable(),
  lines: z.array(lineSchema).readonly(),
  payments: z.array(paymentSchema).readonly(),
  change: kopecksSchema,
  /** The document's own tags: 1008, 1021, 1203, 1125, 1187, 1084 and all others that were sent. */
  tags: z.array(fiscalTagSchema).readonly(),
  printed: z.boolean(),
});
export type StoredDocument = z.infer<typeof documentSchema>;
