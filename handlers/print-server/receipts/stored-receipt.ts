/** A receipt as the row that waits for a print server, and a row as the site sees it; pure. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { type Kkm, type OrderId, type ReceiptId, toKkm, toReceiptId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Operation, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Insertable, Selectable } from "kysely";
import type { PrintResult } from "../host-callbacks.js";
import type { ReceiptState, ReceiptTables } from "./receipt-tables.js";

export type ReceiptRow = Selectable<ReceiptTables["print_receipts"]>;

export interface StoredReceipt {
  readonly receiptId: ReceiptId;
  /** `ReceiptStoreOptions.resource` */
  readonly resource: string;
  /** As it came. */
  readonly orderId: OrderId | null;
  /** The register that it is meant for; null = any. */
  readonly kkm: Kkm | null;
  readonly state: ReceiptState;
  /**
   * The only caller that it is offered to again: `daemon:ID`, or `kkm:NUMBER` for callers without an id; null = any.
   */
  readonly holder: string | null;
  readonly receipt: Receipt;
  /** Null for a service job. */
  readonly operation: Operation | null;
  readonly total: Kopecks | null;
  /** The present result; null = none yet. */
  readonly result: PrintResult | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export function storedReceipt(row: ReceiptRow): StoredReceipt {
  const receipt = receiptOf(row);
  const fiscal = receipt.kind === "receipt" ? receipt : null;
  return {
    receiptId: toReceiptId(row.receipt_id),
    resource: row.resource,
    orderId: receipt.orderId,
    kkm: row.kkm === null ? null : toKkm(row.kkm),
    state: row.state,
    holder: row.holder,
    receipt,
    operation: fiscal?.operation ?? null,
    total: fiscal === null ? null : totalOf(fiscal),
    result: resultOf(row),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** Our own JSON, written by `enqueue` from a checked receipt. */
export function receiptOf(row: Pick<ReceiptRow, "receipt">): Receipt {
  const receipt: Receipt = JSON.parse(row.receipt);
  return receipt;
}

/** Our own JSON, written from a result that was read by its schema. */
export function resultOf(row: ReceiptRow): PrintResult | null {
  if (row.result === null) return null;
  const result: PrintResult = JSON.parse(row.result);
  return result;
}

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
    order_id: identityOf(receipt.orderId),
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
