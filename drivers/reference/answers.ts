/** The reference register's answers, checked and in our own terms. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import { isVatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { tagsOfJson } from "../codec/tag-values.js";

const sum = z.int().transform((value) => kopecks(value));
const time = z.string().transform((text, context): LocalTime => {
  const parsed = parseLocalTime(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: "custom", message: "not a local time" });
  return z.NEVER;
});
const fn = z.string().transform(toFnSerial);
const operation = z.enum(["sale", "return"]);

export const identitySchema = z.object({
  kkm: z.string().transform(toKkm),
  inn: z.string().transform(toInn),
  fn,
  serial: z.string(),
  model: z.string(),
  firmware: z.string(),
  ffd: z.string().nullable(),
  taxSystems: z.int(),
});

export const stateSchema = z.object({
  fn,
  lastFd: z.int(),
  shift: z.object({
    number: z.int(),
    state: z.enum(["closed", "open", "expired"]),
    openedAt: time.nullable(),
  }),
  paper: z.enum(["present", "out"]),
  coverOpen: z.boolean(),
  receipt: z.object({ operation: operation.nullable(), subtotal: sum, items: z.int() }).nullable(),
  print: z.enum(["idle", "unfinished"]),
  drawer: z.object({ cash: sum, cashIn: sum, cashOut: sum }),
  unsent: z.object({ count: z.int(), firstFd: z.int().nullable(), firstAt: time.nullable() }),
  clock: time,
  fnWarnings: z.int(),
  fnDaysLeft: z.int().nullable(),
  fnDocumentsLeft: z.int().nullable(),
});
export type RegisterState = z.infer<typeof stateSchema>;

export const documentNumbersSchema = z.object({
  fn,
  fd: z.int(),
  fiscalSign: z.string(),
  shift: z.int(),
  receiptNumber: z.int().nullable(),
  time,
});

export const subtotalSchema = z.object({ sum });

/** Tax ids are codes of tag 1199. A code that is newer than this driver keeps its title and has no known rate. */
export const tablesSchema = z.object({
  taxes: z.array(
    z
      .object({ id: z.int(), title: z.string() })
      .transform((row) => ({ ...row, vat: isVatCode(row.id) ? row.id : null })),
  ),
  paymentTypes: z.array(z.object({ id: z.int(), title: z.string() })),
});

export const totalsSchema = z.object({
  shift: z.int(),
  sales: sum,
  returns: sum,
  saleCount: z.int(),
  returnCount: z.int(),
});

export const documentSchema = z.object({
  fd: z.int(),
  type: z.enum(["receipt", "correction", "shift-open", "shift-close", "other"]),
  operation: z.enum(["sale", "return", "other"]).nullable(),
  total: sum.nullable(),
  fiscalSign: z.string(),
  time,
  shift: z.int().nullable(),
  receiptNumber: z.int().nullable(),
  mark: z.string().nullable(),
  contact: z.string().nullable(),
  items: z.array(z.object({ name: z.string(), price: sum, quantity: z.int(), sum })),
  tags: z.record(z.string(), z.unknown()).transform((tags) => tagsOfJson(tags, "kopecks")),
});
