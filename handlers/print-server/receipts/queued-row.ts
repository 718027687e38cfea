/** A receipt as the row that waits for a print server; pure. */
import { type ReceiptId, toSiteId } from "@fiscald/shared/ids.js";
import { orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Insertable } from "kysely";
import type { ReceiptTables } from "./receipt-tables.js";

export type QueuedRow = Insertable<ReceiptTables["print_receipts"]>;

export function queuedRow(
  receipt: Receipt & { readonly receiptId: ReceiptId },
  facts: {
    readonly resource: string;
    readonly contentKey: string;
    readonly forced: boolean;
    /** The only caller that may get it; null = the first that asks. */
    readonly holder: string | null;
    readonly now: number;
  },
): QueuedRow {
  return {
    receipt_id: receipt.receiptId,
    resource: facts.resource,
    order_id: receipt.orderId,
    kkm: receipt.kkm,
    content_key: facts.contentKey,
    receipt: JSON.stringify(receipt),
    state: "queued",
    holder: facts.holder,
    offers: 0,
    offer_due: 0,
    result: null,
    messages: "[]",
    forced: facts.forced ? 1 : 0,
    created_at: facts.now,
    finished_at: null,
  };
}

/** By content alone, with the key's version: keys of another version never seem equal. */
export function contentKeyOf(resource: string, receipt: Receipt): string {
  const { key, version } = orderKey({ site: toSiteId(resource), receipt: { ...receipt, receiptId: null } });
  return `v${version}:${key}`;
}
