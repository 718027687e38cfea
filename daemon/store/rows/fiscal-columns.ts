/** Schemas of the JSON columns with data of registers (tables, witness, baseline, documents) and of tax rates. */

import { documentFields, drawer, fn, money, shiftState, time } from "@fiscald/drivers/fact-schemas.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { Baseline, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { isVatCode, type RegisterTables, type TaxRow, type VatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Taxpayer } from "../job.js";

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
    // Attempts recorded before corrections were printed belong to receipts.
    document: z.enum(["receipt", "correction"]).default("receipt"),
    operation: z.enum(["sale", "return"]),
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
  shift: shiftState,
  drawer: drawer.nullable(),
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
  ...documentFields,
  type: z.enum(["receipt", "correction", "shift-open", "shift-close", "other", "unknown"]),
  time: time.nullable(),
  body: z.enum(["full", "header", "unreadable"]),
});

export const taxesSchema: z.ZodType<readonly TaxMeaning[], unknown> = z.array(
  z.object({ id: z.int().nullable(), vat, title: z.string().nullable() }),
);

export const taxpayerSchema: z.ZodType<Taxpayer, unknown> = z.object({
  inn: z.string().transform(toInn),
  taxSystems: z.int(),
});
