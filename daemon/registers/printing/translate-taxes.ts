/**
 * A job that was accepted for another device, or before the register's tables were programmed again, has the tax ids
 * of that time. They are translated by meaning, as between registers of a group; an id without an equal meaning is
 * not printed. Pure.
 */
import { Fault } from "@fiscald/shared/fault.js";
import { mapTaxes } from "@fiscald/shared/receipt/map-tax.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { TaxSource } from "../../store/tax-table-versions.js";
import type { ConnectedRegister } from "../connected-register.js";
import type { RegisterSettings } from "../register-settings.js";

export interface FormerDevice {
  readonly receipt: SaleReceipt;
  readonly from: TaxSource;
  readonly to: Pick<ConnectedRegister, "identity" | "tables">;
  readonly settings: Pick<RegisterSettings, "id" | "taxSystem" | "defaultTax">;
}

/** Faults `order.wrong-inn`, `device.tax-unknown`. */
export function translateTaxes({ receipt, from, to, settings }: FormerDevice): SaleReceipt {
  if (from.identity.inn !== to.identity.inn) {
    const message = `the order was accepted for taxpayer ${from.identity.inn}, the register belongs to taxpayer ${to.identity.inn}`;
    throw new Fault("order.wrong-inn", { message });
  }
  const named = receipt.taxSystem ?? settings.taxSystem;
  const [before, now] = [from.identity.taxSystems, to.identity.taxSystems];
  // 0: the device does not report it.
  if (named === null && before !== 0 && now !== 0 && before !== now) {
    throw unknown("the device that was there before is registered for other tax systems");
  }
  const items = itemsOf(receipt);
  const { defaultTax } = settings;
  const usesDefault = defaultTax !== null && from.id === settings.id && items.some(({ tax }) => tax === null);
  if (usesDefault && !isSame(defaultTax, from.tables, to.tables)) {
    throw unknown("the rate for positions without tax was another one");
  }
  const isRead = (tax: number) =>
    isSame(tax, from.tables, to.tables) || (from.id === settings.id && isNew(tax, from.tables, to.tables));
  const asBefore = items.every(({ tax }) => tax === null || isRead(tax));
  const mapped = asBefore ? receipt : mapTaxes({ receipt, from: from.tables, to: to.tables });
  if (mapped === null) throw unknown("it has no tax rows of the meaning that the order's had when it was taken in");
  return mapped;
}

/** The row has the same meaning. A row with an unknown rate is the same as long as its title is the same. */
function isSame(id: number, from: RegisterTables, to: RegisterTables): boolean {
  const rowOf = ({ taxes }: RegisterTables) => taxes.find((row) => row.id === id);
  const [before, now] = [rowOf(from), rowOf(to)];
  if (before === undefined || now === undefined) return false;
  return before.vat === null ? JSON.stringify(before) === JSON.stringify(now) : before.vat === now.vat;
}

/**
 * The register had no such row when the order named it, or it was not read right: only the present row can be meant.
 */
function isNew(id: number, from: RegisterTables, to: RegisterTables): boolean {
  const has = ({ taxes }: RegisterTables) => taxes.some((row) => row.id === id);
  return !has(from) && has(to);
}

function unknown(message: string): Fault {
  return new Fault("device.tax-unknown", { message });
}
