/** The verdict on a marking code by tag 2106 (54-fz 17), the same on every register of format 1.2. */
import { Fault } from "@fiscald/shared/fault.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";

const bits = { byDrive: 1, driveGood: 2, bySystem: 4, systemGood: 8, standsAlone: 16 } as const;

/** `unasked`: nothing refused the code, but a connected register did not ask the marking system. */
export type MarkVerdict = "good" | "refused by the drive" | "refused by the marking system" | "unasked";

export function markVerdict(result: number): MarkVerdict {
  const has = (bit: number) => (result & bit) !== 0;
  if (has(bits.byDrive) && !has(bits.driveGood)) return "refused by the drive";
  if (has(bits.bySystem)) return has(bits.systemGood) ? "good" : "refused by the marking system";
  return has(bits.standsAlone) ? "good" : "unasked";
}

export function requireGoodMark(verdict: MarkVerdict, details: Readonly<Record<string, unknown>> = {}): void {
  if (verdict === "good" || verdict === "unasked") return;
  throw new Fault("device.marking-refused", { message: `the code was ${verdict}`, details });
}

/** A warning about a code that is sold although its check is incomplete. Null: the check is complete. */
export function uncheckedWarning(verdict: MarkVerdict): Fault | null {
  return verdict === "unasked" ? new Fault("device.marking-unavailable", { message: unfitTexts.markUnasked }) : null;
}

const markedSubjects: Readonly<Record<number, number>> = { 1: 33, 2: 31 };

/** Tag 1212: marked goods that an order calls plain (1) or excisable (2) goods have the subject of marked ones, 33 or 31. */
export function subjectOf({ subject, markingCode }: Pick<ItemLine, "subject" | "markingCode">): number {
  return markingCode === null ? subject : (markedSubjects[subject] ?? subject);
}
