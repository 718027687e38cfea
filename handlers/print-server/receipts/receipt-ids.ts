/**
 * Makes ids for receipts whose caller gives none. They are UUIDs of version 5 over the content, so that a restored
 * database makes the same ids again. The namespace is a UUID of the database: other shops have the same order numbers
 * and prices, and a print server distinguishes receipts by these ids alone.
 */
import { createHash } from "node:crypto";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import { contentText, identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { withoutUnseen } from "@fiscald/shared/receipt/text-hygiene.js";
import type { ReceiptRow } from "./stored-receipt.js";

export interface IdSource {
  readonly namespace: string;
  readonly resource: string;
}

/** `rows`: the order's receipts. A service job counts as new after equal ones that are done. */
export function idOfContent(
  { namespace, resource }: IdSource,
  receipt: Receipt,
  rows: readonly Pick<ReceiptRow, "receipt_id" | "state">[] = [],
): ReceiptId {
  const content = [resource, contentText(receipt)];
  if (receipt.kind !== "service") return uuidOfName(namespace, JSON.stringify(content));
  const done = new Set(rows.flatMap(({ receipt_id, state }) => (state === "printed" ? [receipt_id] : [])));
  for (let number = 0; ; number += 1) {
    // Each register has a drawer and a shift of its own.
    const id = uuidOfName(namespace, JSON.stringify([...content, receipt.kkm, number]));
    if (!done.has(id)) return id;
  }
}

export function idOfKey({ namespace, resource }: IdSource, receipt: Receipt, key: string): ReceiptId {
  // Each register has a drawer and a shift of its own.
  const direction = receipt.kind === "receipt" ? receipt.operation : `service ${receipt.kkm}`;
  return uuidOfName(
    namespace,
    JSON.stringify([resource, direction, identityOf(receipt.orderId), "key", withoutUnseen(key).normalize("NFC")]),
  );
}

const ofTime = /^.{14}7/;
/** Earlier versions of the kit wrote `content_key` as a version and a hash; now it is a UUID. */
const olderKey = /^v\d+:/u;

/** Whether the caller gave no id. Earlier versions of the kit made ids of UUID version 7. */
export function isAnonymous({ receipt_id, content_key }: Pick<ReceiptRow, "receipt_id" | "content_key">): boolean {
  return receipt_id === content_key || (ofTime.test(receipt_id) && olderKey.test(content_key));
}

/** A UUID of version 5 (RFC 9562). */
export function uuidOfName(namespace: string, name: string): ReceiptId {
  const bytes = Buffer.from(namespace.replaceAll("-", ""), "hex");
  const hash = createHash("sha1").update(bytes).update(name, "utf8").digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return toReceiptId(hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
}
