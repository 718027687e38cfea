/** Results: the receipt that each belongs to, and the change that it makes. A printed receipt stays printed. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { Selectable, Transaction } from "kysely";
import type { PrintResult } from "../host-callbacks.js";
import type { ResultStanding } from "../own-receipt-store.js";
import { lockOrders } from "./order-receipts.js";
import { tellChanges } from "./receipt-signals.js";
import type { ReceiptState, ReceiptTables, ShopReceipts } from "./receipt-tables.js";
import { type ReceiptRow, resultOf, type StoredReceipt, storedReceipt } from "./stored-receipt.js";
import { type SupersededReceipt, withdrawSuperseded } from "./withdraw-superseded.js";

export type RecordedResult =
  | { readonly standing: Exclude<ResultStanding, "unmatched">; readonly receipt: StoredReceipt }
  | { readonly standing: "unmatched"; readonly receipt: null };

interface Recording {
  readonly recorded: RecordedResult;
  readonly superseded: readonly SupersededReceipt[];
}

/** A receipt has few results: unknown, then the final one. */
const REMEMBERED_MESSAGES = 20;

export function createReceiptResults(shop: ShopReceipts) {
  const { store, resource, clock, logger } = shop;

  async function record(result: PrintResult): Promise<RecordedResult> {
    const { recorded, superseded } = await store.transaction(async (tx): Promise<Recording> => {
      await lockOrderOfResult(tx, result);
      const row = pickReceipt(
        result,
        await candidates(tx, result)
          .$if(store.kind === "postgres", (query) => query.forUpdate())
          .execute(),
      );
      if (row === undefined) return { recorded: { standing: "unmatched", receipt: null }, superseded: [] };
      const standing = standingOf(row, result);
      if (standing !== "applied") return { recorded: { standing, receipt: storedReceipt(row) }, superseded: [] };
      const change = {
        state: result.outcome,
        result: JSON.stringify(result),
        messages: JSON.stringify(withMessage(messagesOf(row), result.messageId)),
        finished_at: clock.now(),
      };
      await tx.updateTable("print_receipts").set(change).where("seq", "=", row.seq).execute();
      await tellChanges(tx, shop, [row.receipt_id]);
      const after = { ...row, ...change };
      const superseded = await withdrawSuperseded(tx, shop, { row: after, now: clock.now() });
      return { recorded: { standing, receipt: storedReceipt(after) }, superseded };
    });
    for (const other of superseded) warnOfSuperseded(recorded, other);
    return recorded;
  }

  function warnOfSuperseded({ receipt }: RecordedResult, { receiptId, orderId, was }: SupersededReceipt): void {
    const fields = { order: orderId, receipt: receiptId, was, earlier: receipt?.receiptId, state: receipt?.state };
    if (was === "queued")
      logger.warn("a receipt is held or taken back: an earlier one of its order may be printed", fields);
    else if (was === "printed" && receipt?.state === "printed") logger.error("an order is printed twice", fields);
    else logger.error("an order may be printed twice: an earlier receipt of it was not given up after all", fields);
  }

  /** Locks the order before its rows, in the same sequence as every other change of its receipts. */
  async function lockOrderOfResult(tx: Transaction<ReceiptTables>, result: PrintResult): Promise<void> {
    if (store.kind !== "postgres") return;
    const rows = await candidates(tx, result).execute();
    for (const orderId of new Set(rows.flatMap(({ order_id }) => (order_id === null ? [] : [order_id])).toSorted())) {
      await lockOrders(tx, shop, [toOrderId(orderId)]);
    }
  }

  /** To be locked until the result is written: two copies of one message may arrive together. */
  function candidates(tx: Transaction<ReceiptTables>, result: PrintResult) {
    const rows = tx.selectFrom("print_receipts").selectAll().where("resource", "=", resource).orderBy("seq");
    if (result.receiptId !== null) return rows.where("receipt_id", "=", result.receiptId);
    if (result.orderId !== null) return rows.where("order_id", "=", identityOf(result.orderId));
    return rows
      .where("state", "=", "handed")
      .where((where) => where.or([where("kkm", "=", result.kkm), where("holder", "=", `kkm:${result.kkm}`)]));
  }

  function standingOf(row: ReceiptRow, result: PrintResult): Exclude<ResultStanding, "unmatched"> {
    const known = resultOf(row);
    const isKnownMessage = result.messageId !== null && messagesOf(row).includes(result.messageId);
    // It was put back: a repeat of what it had before is of interest only while a print server has it again.
    if (known === null) return isKnownMessage && row.state !== "handed" ? "outdated" : "applied";
    if (!isKnownMessage && row.state !== "printed") return "applied";
    if (result.outcome !== row.state) return "outdated";
    if (isOtherDocument(known, result)) {
      logger.error("a second document was reported for one receipt", {
        receipt: row.receipt_id,
        order: row.order_id,
        fd: known.fdNumber,
        otherFd: result.fdNumber,
      });
    }
    return "repeated";
  }

  return { record };
}

/** Picks the receipt of a result: by `receiptId`, else among the order's by document, content and state. */
function pickReceipt(result: PrintResult, rows: readonly ReceiptRow[]): ReceiptRow | undefined {
  if (result.receiptId !== null) return rows[0];
  if (result.orderId === null) return rows.length === 1 ? rows[0] : undefined;
  const reported = rows.find((row) => isOf(row, result));
  if (reported !== undefined) return reported;
  const fitting = rows.filter((row) => fits(storedReceipt(row), result));
  return waitingOrder.map((state) => fitting.find((row) => row.state === state)).find((row) => row !== undefined);
}

const waitingOrder: readonly ReceiptState[] = ["handed", "unknown", "failed", "queued", "printed", "replaced"];

/** The row already has this very result. */
function isOf(row: ReceiptRow, result: PrintResult): boolean {
  const known = resultOf(row);
  if (known === null) return false;
  if (result.messageId !== null && messagesOf(row).includes(result.messageId)) return true;
  return result.fdNumber !== null && known.fdNumber === result.fdNumber && known.fn === result.fn;
}

function fits({ operation, total }: StoredReceipt, result: PrintResult): boolean {
  return (
    (result.operation === null || operation === result.operation) && (result.total === null || total === result.total)
  );
}

function isOtherDocument(known: PrintResult, result: PrintResult): boolean {
  return known.fdNumber !== null && result.fdNumber !== null && known.fdNumber !== result.fdNumber;
}

function messagesOf(row: Selectable<ReceiptTables["print_receipts"]>): readonly string[] {
  const messages: unknown = JSON.parse(row.messages);
  return Array.isArray(messages) ? messages.map(String) : [];
}

function withMessage(messages: readonly string[], id: string | null): readonly string[] {
  return id === null ? messages : [...messages, id].slice(-REMEMBERED_MESSAGES);
}
