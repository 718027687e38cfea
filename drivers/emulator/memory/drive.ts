import { createHash } from "node:crypto";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import { type CoreAnswer, done, type Refusal, refused } from "./refusals.js";

const DAY = 86_400;
/** A drive for 15 months; documents as FF63h of a real one shows them. */
const DRIVE_DAYS = 470;
/** An FN stops when its oldest unsent document is this old (domain 4.2). */
const OFD_DAYS = 30;
/** How far the clock may be behind the last document: what an FN calls a time step. */
const CLOCK_STEP_SECONDS = 5 * 60;

export interface DriveView {
  readonly now: LocalTime;
  readonly lastDocumentAt: LocalTime | null;
  readonly activatedAt: LocalTime;
  readonly firstUnsentAt: LocalTime | null;
  readonly documentsLeft: number;
}

/** Whether the drive takes another document. */
export function checkDrive(look: DriveView): CoreAnswer<null> {
  const refusal = refusalOf(look);
  return refusal === null ? done(null) : refused(refusal);
}

function refusalOf(look: DriveView): Refusal | null {
  if (look.documentsLeft <= 0) return "drive-full";
  if (driveDaysLeft(look) < 0) return "drive-expired";
  if (look.firstUnsentAt !== null && secondsBetween(look.firstUnsentAt, look.now) > OFD_DAYS * DAY)
    return "ofd-blocked";
  const behind = look.lastDocumentAt === null ? 0 : secondsBetween(look.now, look.lastDocumentAt);
  return behind > CLOCK_STEP_SECONDS ? "clock-behind" : null;
}

export function driveDaysLeft({ activatedAt, now }: Pick<DriveView, "activatedAt" | "now">): number {
  return DRIVE_DAYS - Math.floor(secondsBetween(activatedAt, now) / DAY);
}

/** The same document always gets the same sign. */
export function fiscalSignOf(parts: readonly (string | number)[]): number {
  return createHash("sha256").update(parts.join("|")).digest().readUInt32BE(0);
}
