import type { Difference } from "@fiscald/drivers/compare-tags.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { shownValue } from "@fiscald/shared/receipt/shown-value.js";
import { differenceReasons } from "../messages/reasons/difference-reasons.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";

/** Stands in place of a document's number when the register refused the receipt. */
export const NO_DOCUMENT = 0;

export function describeDifference(
  { tag, sent, read }: Pick<Difference, "tag" | "sent" | "read">,
  fd: number,
): FaultText {
  if (fd === NO_DOCUMENT) return differenceReasons.refused(tag);
  return differenceReasons.differs(tag, fd, shownValue(tag, sent), read === null ? null : shownValue(tag, read));
}

export function shown({ tag, sent, read }: Pick<Difference, "tag" | "sent" | "read">) {
  return { tag, sent: shownValue(tag, sent), read: read === null ? null : shownValue(tag, read) };
}

/** The fault with which receipts that contain the altered value wait. */
export function alteredFault(difference: Pick<Difference, "tag" | "sent" | "read">, fd: number): Fault {
  const { tag, sent, read } = shown(difference);
  const message =
    fd === NO_DOCUMENT
      ? orderReasons.tagRefused({ tag })
      : read === null
        ? orderReasons.notRegistered({ tag, sent, fd })
        : orderReasons.registeredOther({ tag, sent, read, fd });
  return new Fault("register.alters-receipts", { message, details: { tag, sent, read, fd } });
}
