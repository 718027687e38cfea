/**
 * The order mark: tag 1084 {1085 "Заказ", 1086 `ORDERID ISSUER.DIGITS`}. It distinguishes one order's receipt from
 * every other receipt on a fiscal drive, whichever program printed it: different shops often use the same order
 * numbers.
 */
import { createHash } from "node:crypto";
import type { OrderId } from "../ids.js";

export interface OrderMark {
  /** 8 hex: the issuer of the order id. */
  readonly issuer: string;
  /** 8 hex: which receipt of the order. */
  readonly digits: string;
}

/** A mark that was read from a document. */
export interface FoundMark {
  readonly orderId: string;
  /** Null: the former form `ORDERID HEX8`, which names no issuer. */
  readonly issuer: string | null;
  readonly digits: string;
}

const SHORT = 8;

/** The first 8 hex of the text's SHA-256. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, SHORT);
}

/** Text of tag 1086, up to 146 of its 256 characters. Its order id is for people: marks are compared without it. */
export function formatMark(orderId: OrderId, { issuer, digits }: OrderMark): string {
  return `${markedOrderId(orderId)} ${issuer}.${digits}`;
}

/**
 * Only characters that every register accepts: ё, which PIRIT's code page lacks (reference, section 3), becomes е,
 * and a character outside all code pages "?".
 */
export function markedOrderId(orderId: string): string {
  return orderId
    .normalize("NFC")
    .replaceAll("ё", "е")
    .replace(/[^\x20-\x7E\u0410-\u044F\u0401]/gu, "?");
}

const present = /^(.+) ([0-9a-f]{8})\.([0-9a-f]{8})$/u;
/** Eight figures without a letter may be a date that another program wrote. */
const former = /^(.+) (?=\d*[a-f])([0-9a-f]{8})$/u;

/** Null: another program wrote it. */
export function parseMark(text: string): FoundMark | null {
  const found = present.exec(text);
  if (found !== null) return { orderId: found[1] ?? "", issuer: found[2] ?? "", digits: found[3] ?? "" };
  const old = former.exec(text);
  return old === null ? null : { orderId: old[1] ?? "", issuer: null, digits: old[2] ?? "" };
}
