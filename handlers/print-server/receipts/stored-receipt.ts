import { isDeepStrictEqual } from "node:util";
import type { OrderWarning } from "@fiscald/shared/exchange/order-problem.js";
import type { ReceiptId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { itemsOf, type Operation, prepaidPart, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { isPrepayment } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { Insertable, Selectable } from "kysely";
import type { PrintResult, ReceiptStage } from "../host-callbacks.js";
import type { ReceiptState, ReceiptTables } from "../receipt-tables.js";

export type ReceiptRow = Selectable<ReceiptTables["print_receipts"]>;

export interface StoredReceipt {
  readonly receiptId: string;
  /** The shop, as in `ReceiptStoreOptions.resource`. */
  readonly resource: string;
  /** The order number as it came. */
  readonly orderId: string | null;
  /** The `key` with which the receipt was enqueued; null = none. */
  readonly key: string | null;
  /** Null = any register may print the receipt. */
  readonly kkm: string | null;
  readonly state: ReceiptState;
  /** The only caller that gets the receipt: `daemon:ID`, or `kkm:NUMBER` for callers without an id. Null = any. */
  readonly holder: string | null;
  readonly receipt: Receipt;
  /** Null for a service job. */
  readonly operation: Operation | null;
  /** Null for a service job. */
  readonly stage: ReceiptStage | null;
  readonly totalKopecks: number | null;
  readonly warnings: readonly OrderWarning[];
  /** The later receipt of the order that replaced this failed one. Null = a failed one still has to be mended. */
  readonly replacedBy: string | null;
  /** Null = no result has come yet. */
  readonly result: PrintResult | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export function storedReceipt(row: ReceiptRow, replacedBy: string | null = null): StoredReceipt {
  const receipt = receiptOf(row);
  const fiscal = receipt.kind === "receipt" ? receipt : null;
  const result = resultOf(row);
  const stage = stageOf(receipt);
  const { resource, state, holder } = row;
  return {
    ...{ resource, state, holder, receipt, orderId: receipt.orderId },
    receiptId: row.receipt_id,
    key: row.shop_key,
    kkm: row.kkm,
    operation: fiscal?.operation ?? null,
    stage,
    totalKopecks: fiscal === null ? null : totalOf(fiscal),
    warnings: JSON.parse(row.warnings),
    replacedBy,
    result: result === null ? null : { ...result, stage },
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

function stageOf(receipt: Receipt): ReceiptStage | null {
  if (receipt.kind !== "receipt") return null;
  if (itemsOf(receipt).length > 0 && isPrepayment(receipt)) return "prepayment";
  return prepaidPart(receipt) > 0 ? "settlement" : "whole";
}

/** `enqueue` wrote the JSON from a checked receipt. */
export function receiptOf(row: Pick<ReceiptRow, "receipt">): Receipt {
  const receipt: Receipt = JSON.parse(row.receipt);
  return receipt;
}

/** The JSON was written from a result that a schema had read. */
export function resultOf(row: ReceiptRow): PrintResult | null {
  if (row.result === null) return null;
  const result: PrintResult = JSON.parse(row.result);
  return result;
}

/** Fields that are no content: they say the same in another way, or the rules for repeated orders compare them. */
const notContent: readonly string[] = ["receiptId", "orderId", "format"];

export function differingFields(one: Receipt, other: Receipt): readonly string[] {
  const [fields, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...fields.keys(), ...others.keys()])].filter(
    (name) => !notContent.includes(name) && !isDeepStrictEqual(fields.get(name), others.get(name)),
  );
}

export type QueuedRow = Insertable<ReceiptTables["print_receipts"]>;

export function queuedRow(
  receipt: Receipt & { readonly receiptId: ReceiptId },
  given: Pick<ReceiptRow, "resource" | "content_key" | "forced" | "holder" | "created_at">,
): QueuedRow {
  const { receiptId: receipt_id, orderId, kkm } = receipt;
  const content = { receipt_id, order_id: identityOf(orderId), kkm, receipt: JSON.stringify(receipt) };
  const waits = { state: "queued", offers: 0, offer_due: 0, result: null, messages: "[]", finished_at: null } as const;
  return { ...given, ...content, ...waits };
}
