/** Schemas of the JSON columns about tax rates: what a job's tax ids mean, and the rows that a site has. */
import { toInn, toKkm } from "@fiscald/shared/ids.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { isVatCode, type TaxRow, type VatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Taxpayer } from "../job.js";
import type { SyncedTaxes } from "../outbox-store.js";

const vat = z
  .int()
  .refine((code): code is VatCode => isVatCode(code))
  .nullable();

export const taxRowSchema: z.ZodType<TaxRow, unknown> = z.object({ id: z.int(), title: z.string(), vat });

export const taxesSchema: z.ZodType<readonly TaxMeaning[], unknown> = z.array(
  z.object({ id: z.int().nullable(), vat, title: z.string().nullable() }),
);

export const taxpayerSchema: z.ZodType<Taxpayer, unknown> = z.object({
  inn: z.string().transform(toInn),
  taxSystems: z.int(),
});

export const syncedTaxesSchema: z.ZodType<readonly SyncedTaxes[], unknown> = z.array(
  z.object({ kkm: z.string().transform(toKkm), taxes: z.array(taxRowSchema) }),
);
