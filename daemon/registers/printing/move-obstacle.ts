/** Whether a job may be printed by another register than its own (domain 4.3, design 7.7). Pure. */
import type { FiscalCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { hasRowFor, type TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { type FiscalFeatures, usedFeatures } from "@fiscald/shared/receipt/used-features.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { Job } from "../../store/job.js";
import type { RegisterSettings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

export interface MoveQuestion {
  readonly job: Pick<Job, "receipt" | "doneParts" | "taxes" | "taxpayer">;
  readonly from: RegisterSnapshot;
  readonly to: RegisterSnapshot;
}

export interface MoveObstacle {
  readonly reason: string;
  /** The other register was not connected yet: it may prove to be able. */
  readonly unknown: boolean;
}

/** Why the job must stay where it is; null = it may move. It must be queued: proven not registered, if it ever began. */
export function findMoveObstacle({ job, from, to }: MoveQuestion): MoveObstacle | null {
  const { receipt, taxpayer } = job;
  if (receipt.kind !== "receipt")
    return never("only receipts move: drawer, shift and reports are those of one register");
  if (job.doneParts > 0) return never("a part of it is done on its register");
  const { group } = from.settings;
  if (group === null || group !== to.settings.group) return never("the registers are not in one group");
  if (from.identity === null || to.identity === null || to.tables === null) return notKnown;
  if (from.identity.inn !== to.identity.inn) return never("the registers belong to different taxpayers");
  if (!sameTaxSystem(receipt, from, to)) return never("the registers have different tax systems");
  if (taxpayer !== null && taxpayer.inn !== to.identity.inn) return never("it was accepted for another taxpayer");
  if (!hasTaxRows(job.taxes, receipt, from, { settings: to.settings, tables: to.tables })) {
    return never("the other register has no tax row of this meaning");
  }
  const features = usedFeatures(receipt).fiscal;
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

function hasTaxRows(
  taxes: readonly TaxMeaning[],
  receipt: SaleReceipt,
  from: Pick<RegisterSnapshot, "settings">,
  to: { readonly settings: RegisterSettings; readonly tables: RegisterTables },
): boolean {
  const { defaultTax } = to.settings;
  const neitherHasDefault = from.settings.defaultTax === null && defaultTax === null;
  return itemsOf(receipt).every(({ tax }) => {
    // Both registers get such a position without a rate.
    if (tax === null && neitherHasDefault && taxes.every(({ id, vat }) => id !== null || vat === null)) return true;
    return hasRowFor({ taxes: to.tables.taxes, defaultTax }, tax, taxes);
  });
}

function sameTaxSystem(receipt: SaleReceipt, from: RegisterSnapshot, to: RegisterSnapshot): boolean {
  const registeredFor = to.identity?.taxSystems ?? 0;
  const wanted = receipt.taxSystem ?? from.settings.taxSystem;
  if (wanted !== null && registeredFor !== 0 && (registeredFor & wanted) === 0) return false;
  if (receipt.taxSystem !== null) return true;
  if (from.settings.taxSystem !== to.settings.taxSystem) return false;
  return wanted !== null || from.identity?.taxSystems === registeredFor;
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
