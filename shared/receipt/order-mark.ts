/**
 * The order mark: tag 1084 (property of the user) with the name (1085) "Заказ" and the value (1086) `ORDERID
 * ISSUER.DIGITS`. Different shops often use the same order numbers. The mark distinguishes one order's receipt from
 * every other receipt on a fiscal drive, whichever program printed it.
 */
import { createHash } from "node:crypto";
import type { OrderId } from "../ids.js";

export interface OrderMark {
  /** The site whose order it is, as a hash of 8 hex digits. */
  readonly issuer: string;
  /** Which receipt of the order it is, as 8 hex digits. */
  readonly digits: string;
}

export interface FoundMark {
  readonly orderId: string;
  /** Null: the mark has the former form `ORDERID HEX8`, which names no issuer. */
  readonly issuer: string | null;
  readonly digits: string;
}

const SHORT = 8;

export function shortHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, SHORT);
}

/** Text of tag 1086 (value), up to 146 of its 256 characters. The order's number is there for people only. */
export function formatMark(orderId: OrderId, { issuer, digits }: OrderMark): string {
  return `${markedOrderId(orderId)} ${issuer}.${digits}`;
}

/** Keeps characters that every register accepts: ё becomes е, any other foreign character "?". */
export function markedOrderId(orderId: string): string {
  return orderId
    .normalize("NFC")
    .replaceAll("ё", "е")
    .replace(/[^\x20-\x7E\u0410-\u044F\u0401]/gu, "?");
}

const present = /^(.+) ([0-9a-f]{8})\.([0-9a-f]{8})$/u;
/** The eight digits of the former form must contain a letter: without one they may be a date by another program. */
const former = /^(.+) (?=\d*[a-f])([0-9a-f]{8})$/u;

/** Null: another program wrote the text. */
export function parseMark(text: string): FoundMark | null {
  const found = present.exec(text);
  if (found !== null) return { orderId: found[1] ?? "", issuer: found[2] ?? "", digits: found[3] ?? "" };
  const old = former.exec(text);
  return old === null ? null : { orderId: old[1] ?? "", issuer: null, digits: old[2] ?? "" };
}
