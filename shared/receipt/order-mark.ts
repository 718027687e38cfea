/**
 * The order mark: tag 1084 (property of the user) with the name (1085) "Заказ" and the value (1086) `ORDERID
 * ISSUER.DIGITS`. The mark distinguishes one order's receipt from every other receipt on a fiscal drive, whichever
 * program printed it: different shops often use the same order numbers.
 */
import { createHash } from "node:crypto";
import type { OrderId } from "../ids.js";

export interface OrderMark {
  /** The issuer of the order number, a hash of 8 hex digits. */
  readonly issuer: string;
  /** Which receipt of the order it is, as 8 hex digits. */
  readonly digits: string;
}

export interface FoundMark {
  readonly orderId: string;
  /** The issuer; null: the mark has the former form `ORDERID HEX8`, which names none. */
  readonly issuer: string | null;
  readonly digits: string;
}

const SHORT = 8;

export function shortHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, SHORT);
}

/** Text of tag 1086 (value), up to 146 of its 256 characters. The order id in it is for people only. */
export function formatMark(orderId: OrderId, { issuer, digits }: OrderMark): string {
  return `${markedOrderId(orderId)} ${issuer}.${digits}`;
}

/** The order number in characters that every register accepts: ё becomes е, a foreign character "?". */
export function markedOrderId(orderId: string): string {
  return orderId
    .normalize("NFC")
    .replaceAll("ё", "е")
    .replace(/[^\x20-\x7E\u0410-\u044F\u0401]/gu, "?");
}

const present = /^(.+) ([0-9a-f]{8})\.([0-9a-f]{8})$/u;
/** The former mark, which must have a letter: eight digits may be a date that another program wrote. */
const former = /^(.+) (?=\d*[a-f])([0-9a-f]{8})$/u;

/** Reads a mark. Null: another program wrote the text. */
export function parseMark(text: string): FoundMark | null {
  const found = present.exec(text);
  if (found !== null) return { orderId: found[1] ?? "", issuer: found[2] ?? "", digits: found[3] ?? "" };
  const old = former.exec(text);
  return old === null ? null : { orderId: old[1] ?? "", issuer: null, digits: old[2] ?? "" };
}
