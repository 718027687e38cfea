/** Decides whether another register than its own may print a job (54-fz 8, exactly-once 7). Pure. */
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { hasRowFor } from "@fiscald/shared/receipt/tax-meaning.js";
import type { Job } from "../../store/job.js";
import type { RegisterSettings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

/** Faults of a missing feature: this register cannot print this receipt, but it can print others. */
export const lacksForReceipt: readonly FaultCode[] = [
  "receipt.unsupported",
  "receipt.no-correction",
  "device.tax-unknown",
  "register.alters-receipts",
  "register.setting-wrong",
];

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
  /** The only obstacle is that the other register was not connected yet. The register may prove to be able. */
  readonly unknown: boolean;
}

/** Null: the job may move. The job must be queued, and proven not registered if it ever began. */
export function findMoveObstacle({ job, from, to }: MoveQuestion): MoveObstacle | null {
  const { receipt, taxpayer } = job;
  if (receipt.kind !== "receipt")
    return never("only receipts move: drawer, shift and reports are those of one register");
  if (job.doneParts > 0) return never("a part of it is done on its register");
  const { group } = from.settings;
  if (group === null || group !== to.settings.group) return never("the registers are not in one group");
  if (from.identity === null || to.identity === null || to.tables === null) return notKnown;
  if (from.identity.inn !== to.identity.inn) return never("the registers belong to different taxpayers");
  // Which documents put a receipt right depends on the format.
  if (putsRight(receipt) && from.identity.ffd !== to.identity.ffd) return never("the registers have different formats");
  if (!sameTaxSystem(receipt, from, to)) return never("the registers have different tax systems");
  if (taxpayer !== null && taxpayer.inn !== to.identity.inn) return never("it was accepted for another taxpayer");
  const neitherHasDefault = from.settings.defaultTax === null && to.settings.defaultTax === null;
  // Both registers print a position without a tax id as a position without a rate.
  const isWithoutRate = neitherHasDefault && job.taxes.every(({ id, vat }) => id !== null || vat === null);
  const rows = { taxes: to.tables.taxes, defaultTax: to.settings.defaultTax };
  const hasRows = itemsOf(receipt).every(({ tax }) => {
    return (tax === null && isWithoutRate) || hasRowFor(rows, tax, job.taxes);
  });
  return hasRows ? null : never("the other register has no tax row of this meaning");
}

function putsRight({ correction, requisites }: SaleReceipt): boolean {
  return correction !== undefined || requisites?.additional !== undefined;
}

const notKnown: MoveObstacle = { reason: "who the registers are is not known yet", unknown: true };

function never(reason: string): MoveObstacle {
  return { reason, unknown: false };
}

function sameTaxSystem(receipt: SaleReceipt, from: MoveParty, to: MoveParty): boolean {
  const registeredFor = to.identity?.taxSystems ?? 0;
  const wanted = receipt.taxSystem ?? from.settings.taxSystem;
  if (wanted !== null && registeredFor !== 0 && (registeredFor & wanted) === 0) return false;
  if (receipt.taxSystem !== null) return true;
  if (from.settings.taxSystem !== to.settings.taxSystem) return false;
  return wanted !== null || from.identity?.taxSystems === registeredFor;
}
