import type { OrderId } from "../ids.js";

/** How many hex digits of the key follow the order id. */
export const MARK_DIGITS = 8;

/**
 * Text of tag 1086 (up to 256 characters): the order id, a space, 8 hex of the order key. It is compared after being read
 * back from a fiscal drive, so only characters are used that every register takes as they are: ё, which a PIRIT has no place
 * for (reference, section 3), becomes е, and what is in no code page "?".
 */
export function orderMark(options: { readonly orderId: OrderId; readonly short: string }): string {
  const { orderId, short } = options;
  const plain = orderId.normalize("NFC").replaceAll("ё", "е");
  return `${plain.replace(/[^\x20-\x7E\u0410-\u044F\u0401]/gu, "?")} ${short}`;
}
