/** Whether a job may be printed by another register than its own (domain 4.3, design 7.7). Pure. */
import type { FiscalCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { mapTaxes } from "@fiscald/shared/receipt/map-tax.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { type FiscalFeatures, usedFeatures } from "@fiscald/shared/receipt/used-features.js";
import type { RegisterTables, VatCode } from "@fiscald/shared/receipt/vat.js";
import type { TaxSource } from "../../store/tax-table-versions.js";
import type { RegisterSettings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

export interface MoveQuestion {
  readonly receipt: Receipt;
  readonly doneParts: number;
  readonly from: RegisterSnapshot;
  readonly to: RegisterSnapshot;
  /** The register whose tax ids the receipt uses; null = never identified. */
  readonly taxSource: TaxSource | null;
}

export interface MoveObstacle {
  readonly reason: string;
  /** The other register was not connected yet: it may prove to be able. */
  readonly unknown: boolean;
}

/** Why the job must stay where it is; null = it may move. It must be queued: proven not registered, if it ever began. */
export function findMoveObstacle(question: MoveQuestion): MoveObstacle | null {
  const { receipt, from, to } = question;
  if (receipt.kind !== "receipt")
    return never("only receipts move: drawer, shift and reports are those of one register");
  if (question.doneParts > 0) return never("a part of it is done on its register");
  const { group } = from.settings;
  if (group === null || group !== to.settings.group) return never("the registers are not in one group");
  if (from.identity === null || to.identity === null || to.tables === null) return notKnown;
  if (from.identity.inn !== to.identity.inn) return never("the registers belong to different taxpayers");
  if (!sameTaxSystem(receipt, from, to)) return never("the registers have different tax systems");
  const { taxSource } = question;
  if (taxSource !== null && taxSource.identity.inn !== to.identity.inn) {
    return never("it was taken in for another taxpayer");
  }
  if (taxSource === null || mapTaxes({ receipt, from: taxSource.tables, to: to.tables }) === null) {
    return never("the other register has no tax row of this meaning");
  }
  const features = usedFeatures(receipt).fiscal;
  if (features?.untaxed === true && !sameDefaultTax(from, to, taxSource)) {
    return never("the other register takes another rate for positions without tax");
  }
  if (to.capabilities === null) return notKnown;
  const lack = findLack(features, to);
  return lack === null ? null : never(`the other register cannot do ${lack}`);
}

const notKnown: MoveObstacle = { reason: "who the registers are is not known yet", unknown: true };

function never(reason: string): MoveObstacle {
  return { reason, unknown: false };
}

/** The feature that the register lacks; null = none, or the register was not connected yet. */
export function findLack(features: FiscalFeatures | null, register: RegisterSnapshot): string | null {
  const { tables, capabilities } = register;
  if (features === null || tables === null || capabilities === null) return null;
  return findMissing(features, register, tables, capabilities.fiscal);
}

function sameTaxSystem(receipt: SaleReceipt, from: RegisterSnapshot, to: RegisterSnapshot): boolean {
  const registeredFor = to.identity?.taxSystems ?? 0;
  const wanted = receipt.taxSystem ?? from.settings.taxSystem;
  if (wanted !== null && registeredFor !== 0 && (registeredFor & wanted) === 0) return false;
  if (receipt.taxSystem !== null) return true;
  if (from.settings.taxSystem !== to.settings.taxSystem) return false;
  return wanted !== null || from.identity?.taxSystems === registeredFor;
}

/**
 * The tax of positions without one: the row of `defaultTax` by its meaning (when the job was accepted), or the
 * register's own default.
 */
function sameDefaultTax(from: RegisterSnapshot, to: RegisterSnapshot, taxSource: TaxSource): boolean {
  if (from.settings.defaultTax === null || to.settings.defaultTax === null) {
    return from.settings.defaultTax === to.settings.defaultTax;
  }
  // A job that was moved here took this register's row for its own.
  const before = taxSource.id === from.settings.id ? taxSource.tables : from.tables;
  const vat = defaultVatOf(from.settings, before);
  return vat !== null && vat === defaultVatOf(to.settings, to.tables);
}

function defaultVatOf(
  { defaultTax }: Pick<RegisterSettings, "defaultTax">,
  tables: RegisterTables | null,
): VatCode | null {
  return tables?.taxes.find(({ id }) => id === defaultTax)?.vat ?? null;
}

function findMissing(
  features: FiscalFeatures,
  { settings }: RegisterSnapshot,
  tables: RegisterTables,
  can: FiscalCapabilities,
): string | null {
  const missing: readonly (readonly [string, boolean])[] = [
    ["internet receipts", features.internet && !can.internet],
    ["the place of settlement", features.settlementPlace && !can.settlementPlace],
    ["agents", features.agents && !can.agents],
    ["goods codes", features.goodsCode && !can.goodsCode],
    ["marked goods", features.marking && !can.marking],
    ["marked goods by measure", features.measuredMarks && !can.measuredMarks],
    ["marked goods whose price does not make their sum", features.roundedMarks && !can.roundedMarks],
    ["country and customs declaration", features.countryAndCustoms && !can.countryAndCustoms],
    ["a total of zero", features.zeroTotal && !can.zeroTotal],
    ["such a fine quantity", features.quantityDecimals > can.quantityDecimals],
    ["so many positions", features.positions > can.maxItems],
    ["positions without tax", features.untaxed && can.taxRequired && settings.defaultTax === null],
    [
      "one of its payment types",
      features.paymentTypes.some((type) => !tables.paymentTypes.some(({ id }) => id === type)),
    ],
  ];
  return missing.find(([, isMissing]) => isMissing)?.[0] ?? null;
}
