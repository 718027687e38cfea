/** Documents of the fake fiscal drive, as the state file holds them. */
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import { fiscalTagSchema } from "./fiscal-tag.js";

export const kopecksSchema = z.int().transform((value) => kopecks(value));
const quantitySchema = z.int().transform((value) => quantity(value));
export const localTimeSchema = z.string().transform((text, context): LocalTime => {
  const time = parseLocalTime(text);
  if (time !== null) return time;
  context.addIssue({ code: "custom", message: "not a local time" });
  return z.NEVER;
});

/** Tag 1054, 1 to 4 in this order. */
export const operations = ["sale", "return", "purchase", "purchase-return"] as const;
export const operationSchema = z.enum(operations);
export type CoreOperation = z.infer<typeof operationSchema>;

/** Forms of documents; the number is the form's tag (54-fz 1). */
export const documentForms = {
  registration: 1,
  "shift-open": 2,
  receipt: 3,
  "shift-close": 5,
} as const;
export type DocumentType = keyof typeof documentForms;

export const lineSchema = z.object({
  /** Tag 1030. */
  name: z.string(),
  /** Tag 1079. */
  price: kopecksSchema,
  /** Tag 1023, millionths. */
  quantity: quantitySchema,
  /** Tag 1043. */
  sum: kopecksSchema,
  /** Row of the register's tax table. */
  tax: z.int(),
  /** Tag 1199. */
  vat: z.int().min(1).max(12),
  /** Tag 1200: VAT inside the sum. */
  vatSum: kopecksSchema,
  department: z.int(),
  /** Tag 1212. */
  subject: z.int(),
  /** Tag 1214. */
  method: z.int(),
  /** Everything else of tag 1059 that was sent. */
  tags: z.array(fiscalTagSchema).readonly(),
  /** Marking code bound to the line, hex of its bytes. */
  mark: z.string().nullable(),
});
export type StoredLine = z.infer<typeof lineSchema>;

export const paymentSchema = z.object({
  /** 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision (tags 1031, 1081, 1215, 1216, 1217). */
  typeClose: z.int().min(0).max(4),
  /** The register's own payment row, 1 = cash. */
  row: z.int(),
  /** The paid sum: cash without the change. */
  sum: kopecksSchema,
  /** The sum that the customer handed over: cash with the change. */
  given: kopecksSchema,
});
export type StoredPayment = z.infer<typeof paymentSchema>;

export const documentSchema = z.object({
  /** Tag 1041: the drive that holds it. */
  fn: z.string(),
  /** Tag 1040. */
  fd: z.int(),
  type: z.enum(["registration", "shift-open", "receipt", "shift-close"]),
  /** Tag 1012. */
  time: localTimeSchema,
  /** Tag 1077, its last four bytes as a number. */
  fiscalSign: z.int(),
  /** Tag 1038. */
  shift: z.int(),
  /** Tag 1042; null for anything but a receipt. */
  receiptNumber: z.int().nullable(),
  operation: operationSchema.nullable(),
  /** Tag 1020. */
  total: kopecksSchema.nullable(),
  /** Tag 1055. */
  taxSystem: z.int().nullable(),
  lines: z.array(lineSchema).readonly(),
  payments: z.array(paymentSchema).readonly(),
  change: kopecksSchema,
  /** Requisites of the document itself: 1008, 1021, 1203, 1125, 1187, 1084 and all others that were sent. */
  tags: z.array(fiscalTagSchema).readonly(),
  /** False: no paper was asked for. */
  printed: z.boolean(),
});
export type StoredDocument = z.infer<typeof documentSchema>;
