/**
 * Schemas of the JSON columns with data of registers (identity, tables, witness, baseline, documents) and of tax rates:
 * what a job's tax ids mean, and the rows that a site has.
 */

import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { Baseline, Identity, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { isVatCode, type RegisterTables, type TaxRow, type VatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Taxpayer } from "../job.js";

const money = z.int().transform(kopecks);
const operation = z.enum(["sale", "return"]);
const fn = z.string().transform(toFnSerial);

export const localTimeColumn = z.string().transform((value, context) => {
  const time = parseLocalTime(value);
  if (time !== null) return time;
  context.addIssue({ code: "custom", message: "not a local time" });
  return z.NEVER;
});

export const identitySchema: z.ZodType<Identity, unknown> = z.object({
  kkm: z.string().transform(toKkm),
  inn: z.string().transform(toInn),
  fn,
  serial: z.string(),
  model: z.string(),
  firmware: z.string(),
  ffd: z.string().nullable(),
  taxSystems: z.int(),
});

const vat = z
  .int()
  .refine((code): code is VatCode => isVatCode(code))
  .nullable();

export const taxRowSchema: z.ZodType<TaxRow, unknown> = z.object({
  id: z.int(),
  title: z.string(),
  vat,
  inSale: z.int().refine(isVatCode).optional(),
});

export const tablesSchema: z.ZodType<RegisterTables, unknown> = z.object({
  taxes: z.array(taxRowSchema),
  paymentTypes: z.array(z.object({ id: z.int(), title: z.string() })),
});

export const witnessSchema: z.ZodType<Witness, unknown> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("receipt"),
    // Attempts on record from before corrections were printed are of receipts.
    document: z.enum(["receipt", "correction"]).default("receipt"),
    operation,
    total: money,
    mark: z.string().nullable(),
  }),
  z.object({ kind: z.literal("shift-open") }),
  z.object({ kind: z.literal("shift-close") }),
  z.object({ kind: z.literal("drawer"), direction: z.enum(["in", "out"]), sum: money }),
  z.object({ kind: z.literal("none") }),
]);

export const baselineSchema: z.ZodType<Baseline, unknown> = z.object({
  fn,
  lastFd: z.int(),
  shift: z.object({ number: z.int(), state: z.enum(["closed", "open", "expired"]) }),
  drawer: z.object({ cash: money, cashIn: money, cashOut: money }).nullable(),
  requestId: z.string().nullable().default(null),
});

export const shiftTotalsSchema: z.ZodType<ShiftTotals, unknown> = z.object({
  shift: z.int(),
  sales: money,
  returns: money,
  saleCount: z.int().nullable(),
  returnCount: z.int().nullable(),
});

export const documentSchema: z.ZodType<FiscalDocument, unknown> = z.object({
  fd: z.int(),
  type: z.enum(["receipt", "correction", "shift-open", "shift-close", "other", "unknown"]),
  operation: z.enum(["sale", "return", "other"]).nullable(),
  total: money.nullable(),
  fiscalSign: z.string(),
  time: localTimeColumn.nullable(),
  shift: z.int().nullable(),
  receiptNumber: z.int().nullable(),
  mark: z.string().nullable(),
  body: z.enum(["full", "header", "unreadable"]),
  items: z.array(z.object({ name: z.string(), price: money, quantity: z.number(), sum: money })),
  contact: z.string().nullable(),
});

export const taxesSchema: z.ZodType<readonly TaxMeaning[], unknown> = z.array(
  z.object({ id: z.int().nullable(), vat, title: z.string().nullable() }),
);

export const taxpayerSchema: z.ZodType<Taxpayer, unknown> = z.object({
  inn: z.string().transform(toInn),
  taxSystems: z.int(),
});
