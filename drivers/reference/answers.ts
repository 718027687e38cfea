import { isVatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { tagsOfJson } from "../codec/tag-values.js";
import { documentFields, drawer, fn, shiftState, money as sum, time } from "../fact-schemas.js";

export const stateSchema = z.object({
  fn,
  lastFd: z.int(),
  shift: shiftState.extend({ openedAt: time.nullable() }),
  paper: z.enum(["present", "out"]),
  coverOpen: z.boolean(),
  receipt: z.object({ operation: z.enum(["sale", "return"]).nullable(), subtotal: sum, items: z.int() }).nullable(),
  print: z.enum(["idle", "unfinished"]),
  drawer,
  unsent: z.object({ count: z.int(), firstFd: z.int().nullable(), firstAt: time.nullable() }),
  clock: time,
  fnWarnings: z.int(),
  fnDaysLeft: z.int().nullable(),
  fnDocumentsLeft: z.int().nullable(),
});
export type AnsweredState = z.infer<typeof stateSchema>;

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
  ...documentFields,
  type: z.enum(["receipt", "correction", "shift-open", "shift-close", "other"]),
  time,
  tags: z.record(z.string(), z.unknown()).transform((tags) => tagsOfJson(tags, "kopecks")),
});
