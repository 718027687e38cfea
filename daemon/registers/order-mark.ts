import { createHash } from "node:crypto";
import { MARK_DIGITS, orderMark } from "@fiscald/shared/receipt/mark.js";
import type { Job } from "../store/job.js";

/**
 * The value of tag 1086 that tells this job's receipt from every other one: order id and 8 hex digits of the job's key.
 * A print that the operator forced has digits of its own. Null for service jobs: they leave no receipt.
 */
export function markOf({ receipt, key, forced, id }: Job): string | null {
  if (receipt.kind !== "receipt") return null;
  const short = key === null || forced ? hash(`${key?.key ?? ""}#${id}`) : key.key;
  return orderMark({ orderId: receipt.orderId, short: short.slice(0, MARK_DIGITS) });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Both name one order; only the digits, in which the site's id and the content have a part, may differ. */
export function nameSameOrder(one: string, other: string): boolean {
  return one.slice(0, -MARK_DIGITS) === other.slice(0, -MARK_DIGITS);
}

/** `alike`: the digits are the same, the order id before them was respelt on the way. */
export function compareMarks(found: string, own: string): "same" | "alike" | "other" {
  if (found === own) return "same";
  return found.slice(-MARK_DIGITS) === own.slice(-MARK_DIGITS) ? "alike" : "other";
}

/**
 * Whether it may be one of ours: another program writes something else into the same tag. Eight figures may be a date: one of
 * ours in fifty is not known for it, and the next one is.
 */
export function isOrderMark(text: string): boolean {
  return ORDER_MARK.test(text);
}

const ORDER_MARK = new RegExp(`^.+ (?=\\d*[a-f])[0-9a-f]{${MARK_DIGITS}}$`, "u");
