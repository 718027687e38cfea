/**
 * Whether a job may be printed by another register than its own (domain 4.3, design 7.7). Pure. What the other model cannot
 * print its compiler says, before the first byte.
 */
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { hasRowFor, type TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { Job } from "../../store/job.js";
import type { RegisterSettings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

/** Faults of a missing feature: this register cannot print this receipt, but it can print others. */
export const lacksForReceipt: readonly FaultCode[] = ["receipt.unsupported", "device.tax-unknown"];

/** What of a register decides it. */
export interface MoveParty extends Pick<RegisterSnapshot, "identity" | "tables"> {
  readonly settings: Pick<RegisterSettings, "group" | "taxSystem" | "defaultTax">;
}

export interface MoveQuestion {
  readonly job: Pick<Job, "receipt" | "doneParts" | "taxes" | "taxpayer">;
  readonly from: MoveParty;
  readonly to: MoveParty;
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
  const hasRows = hasTaxRows(job.taxes, receipt, from, { settings: to.settings, tables: to.tables });
  return hasRows ? null : never("the other register has no tax row of this meaning");
}

const notKnown: MoveObstacle = { reason: "who the registers are is not known yet", unknown: true };

function never(reason: string): MoveObstacle {
  return { reason, unknown: false };
}

function hasTaxRows(
  taxes: readonly TaxMeaning[],
  receipt: SaleReceipt,
  from: Pick<MoveParty, "settings">,
  to: Pick<MoveParty, "settings"> & { readonly tables: RegisterTables },
): boolean {
  const { defaultTax } = to.settings;
  const neitherHasDefault = from.settings.defaultTax === null && defaultTax === null;
  return itemsOf(receipt).every(({ tax }) => {
    // Both registers get such a position without a rate.
    if (tax === null && neitherHasDefault && taxes.every(({ id, vat }) => id !== null || vat === null)) return true;
    return hasRowFor({ taxes: to.tables.taxes, defaultTax }, tax, taxes);
  });
}

function sameTaxSystem(receipt: SaleReceipt, from: MoveParty, to: MoveParty): boolean {
  const registeredFor = to.identity?.taxSystems ?? 0;
  const wanted = receipt.taxSystem ?? from.settings.taxSystem;
  if (wanted !== null && registeredFor !== 0 && (registeredFor & wanted) === 0) return false;
  if (receipt.taxSystem !== null) return true;
  if (from.settings.taxSystem !== to.settings.taxSystem) return false;
  return wanted !== null || from.identity?.taxSystems === registeredFor;
}
