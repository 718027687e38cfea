/** Tax tables of a shop's registers, from their sync calls. */
import { type RegisterTables, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { SyncedRegister } from "../../print-server/host-callbacks.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { vatOfTitle } from "./tax-rates.js";

const titledIds = z.array(z.object({ id: z.number(), title: z.string() }));
const storedTables = z.object({ taxes: titledIds, paymentTypes: titledIds });

export async function saveRegisterTables(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  registers: readonly SyncedRegister[],
): Promise<void> {
  for (const { kkm, taxes, paymentTypes } of registers) {
    const body = JSON.stringify({ taxes, paymentTypes });
    await tx
      .insertInto("delivery_register_tables")
      .values({ resource, kkm, body, updated_at: now })
      .onConflict((conflict) => conflict.columns(["resource", "kkm"]).doUpdateSet({ body, updated_at: now }))
      .execute();
  }
}

/** Null until the register's first sync. Rows whose title names no rate have no meaning for us. */
export async function findRegisterTables(db: Reader, resource: number, kkm: string): Promise<RegisterTables | null> {
  const row = await db
    .selectFrom("delivery_register_tables")
    .select("body")
    .where("resource", "=", resource)
    .where("kkm", "=", kkm)
    .executeTakeFirst();
  return row === undefined ? null : tablesOf(row.body);
}

/** All registers of the shop that have sent their tables. */
export async function allRegisterTables(db: Reader, resource: number): Promise<readonly RegisterTables[]> {
  const rows = await db
    .selectFrom("delivery_register_tables")
    .select("body")
    .where("resource", "=", resource)
    .execute();
  return rows.map((row) => tablesOf(row.body));
}

function tablesOf(body: string): RegisterTables {
  const { taxes, paymentTypes } = storedTables.parse(JSON.parse(body));
  return { taxes: taxes.map((tax) => ({ ...tax, vat: vatOfTitle(tax.title) })), paymentTypes };
}

/** A table in which the id of every rate is its code of tag 1199: the receipts of the bridge use these ids. */
export const codeTables: RegisterTables = {
  taxes: vatCodes.map((vat) => ({ id: vat, title: vatRates[vat].title, vat })),
  paymentTypes: [],
};
