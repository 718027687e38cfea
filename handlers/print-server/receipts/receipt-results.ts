/** Stores results: finds the receipt that each result belongs to, and changes it. A printed receipt stays printed. */
import { toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { PrintResult } from "../host-callbacks.js";
import { ourReceipt } from "../order-body.js";
import type { ResultStanding } from "../own-receipt-store.js";
import { NEVER, type ReceiptState, type ReceiptTx, type ShopReceipts, selectReceipts } from "../receipt-tables.js";
import { idSource } from "./enqueue-receipt.js";
import { lockOrders, receiptsOfOrder } from "./order-receipts.js";
import { idOfContent } from "./receipt-ids.js";
import { changeReceipt, wakePolls } from "./receipt-signals.js";
import { queuedRow, type ReceiptRow, resultOf, type StoredReceipt, storedReceipt } from "./stored-receipt.js";
import { type SupersededReceipt, withdrawSuperseded } from "./withdraw-superseded.js";

export type RecordedResult =
  | { readonly standing: Exclude<ResultStanding, "unmatched">; readonly receipt: StoredReceipt }
  | { readonly standing: "unmatched"; readonly receipt: null };

/** How many ids of messages a receipt keeps. It has few results: `unknown`, then the final one. */
const REMEMBERED_MESSAGES = 20;

export function createReceiptResults(shop: ShopReceipts) {
  const { store, clock, logger } = shop;

  async function record(result: PrintResult): Promise<RecordedResult> {
    const { superseded, ...recorded } = await store.transaction((tx) => recordIn(tx, result));
    for (const other of superseded) warnOfSuperseded(recorded, other);
    return recorded;
  }

  async function recordIn(tx: ReceiptTx, result: PrintResult) {
    const row = pickReceipt(result, await lockCandidates(tx, result)) ?? (await addOfPerson(tx, result));
    if (row === undefined) return { standing: "unmatched", receipt: null, superseded: [] } as const;
    const standing = standingOf(row, result);
    if (standing !== "applied") return { standing, receipt: storedReceipt(row), superseded: [] };
    const now = clock.now();
    const messages = [...messagesOf(row), ...(result.messageId === null ? [] : [result.messageId])];
    const change = {
      state: result.outcome,
      result: JSON.stringify({ ...result, receipt: undefined }),
      messages: JSON.stringify(messages.slice(-REMEMBERED_MESSAGES)),
      finished_at: now,
    };
    await changeReceipt(tx, shop, row, change);
    const after = { ...row, ...change };
    const superseded = await withdrawSuperseded(tx, shop, after, now);
    if (row.state === "unknown") await wakePolls(tx, shop, [null]);
    return { standing, receipt: storedReceipt(after), superseded };
  }

  /** Adds a receipt that a person ordered at the till: it counts in the limits of the order's later returns. */
  async function addOfPerson(tx: ReceiptTx, { by, receipt, receiptId }: PrintResult): Promise<ReceiptRow | undefined> {
    if (by === undefined || receipt === undefined || receiptId === null) return undefined;
    const known = ourReceipt(receipt);
    const order = identityOf(known.orderId);
    // Two copies of one message may arrive together.
    if (order !== null) await lockOrders(tx, shop, [order]);
    const earlier = order === null ? [] : await receiptsOfOrder(tx, shop, order);
    const content_key = idOfContent(await idSource(tx, shop), known);
    // A retry goes to the daemon that had the order before, because it alone knows how this receipt ended.
    const holder = earlier.find((row) => row.holder !== null)?.holder ?? null;
    // The receipt is offered to nobody, and no other receipt of the order withdraws it.
    const given = { resource: shop.resource, content_key, forced: 1, holder, created_at: clock.now() };
    const row = { ...queuedRow({ ...known, receiptId: toReceiptId(receiptId) }, given), state: "handed" as const };
    await tx
      .insertInto("print_receipts")
      .values({ ...row, offer_due: NEVER })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return selectReceipts(tx, shop).selectAll().where("receipt_id", "=", receiptId).executeTakeFirst();
  }

  function warnOfSuperseded({ receipt }: RecordedResult, { receiptId, orderId, was }: SupersededReceipt): void {
    const fields = { order: orderId, receipt: receiptId, was, earlier: receipt?.receiptId, state: receipt?.state };
    if (was === "queued")
      logger.warn("a receipt is held or taken back: an earlier one of its order may be printed", fields);
    else if (was === "printed" && receipt?.state === "printed") logger.error("an order is printed twice", fields);
    else logger.error("an order may be printed twice: an earlier receipt of it was not given up after all", fields);
  }

  /** Two copies of one message may arrive together. The order is locked before its rows, as in every other change. */
  async function lockCandidates(tx: ReceiptTx, result: PrintResult): Promise<readonly ReceiptRow[]> {
    const found = candidates(tx, result);
    if (store.kind !== "postgres") return found.execute();
    const orders = (await found.execute()).flatMap(({ order_id }) => (order_id === null ? [] : [toOrderId(order_id)]));
    await lockOrders(tx, shop, [...new Set(orders)].toSorted());
    return found.forUpdate().execute();
  }

  function candidates(tx: ReceiptTx, result: PrintResult) {
    const rows = selectReceipts(tx, shop).selectAll().orderBy("seq");
    if (result.receiptId !== null) return rows.where("receipt_id", "=", result.receiptId);
    if (result.orderId !== null) return rows.where("order_id", "=", identityOf(toOrderId(result.orderId)));
    return rows
      .where("state", "=", "handed")
      .where((where) => where.or([where("kkm", "=", result.kkm), where("holder", "=", `kkm:${result.kkm}`)]));
  }

  function standingOf(row: ReceiptRow, result: PrintResult): Exclude<ResultStanding, "unmatched"> {
    const known = resultOf(row);
    const isKnownMessage = result.messageId !== null && messagesOf(row).includes(result.messageId);
    // The receipt was queued again. A repeat of an earlier result counts only if a print server has the receipt again.
    if (known === null) return isKnownMessage && row.state !== "handed" ? "outdated" : "applied";
    if (!isKnownMessage && row.state !== "printed") return "applied";
    if (result.outcome !== row.state) return "outdated";
    const [fd, otherFd] = [known.fdNumber, result.fdNumber];
    if (fd !== null && otherFd !== null && fd !== otherFd) {
      const fields = { receipt: row.receipt_id, order: row.order_id, fd, otherFd };
      logger.error("a second document was reported for one receipt", fields);
    }
    return "repeated";
  }

  return { record };
}

function pickReceipt(result: PrintResult, rows: readonly ReceiptRow[]): ReceiptRow | undefined {
  if (result.receiptId !== null) return rows[0];
  if (result.orderId === null) return rows.length === 1 ? rows[0] : undefined;
  const reported = rows.find((row) => isOf(row, result));
  if (reported !== undefined) return reported;
  const fitting = rows.filter((row) => fits(storedReceipt(row), result));
  return waitingOrder.map((state) => fitting.find((row) => row.state === state)).find((row) => row !== undefined);
}

const waitingOrder: readonly ReceiptState[] = ["handed", "unknown", "failed", "queued", "printed", "replaced"];

function isOf(row: ReceiptRow, result: PrintResult): boolean {
  const known = resultOf(row);
  if (known === null) return false;
  if (result.messageId !== null && messagesOf(row).includes(result.messageId)) return true;
  return result.fdNumber !== null && known.fdNumber === result.fdNumber && known.fn === result.fn;
}

/** A correction must not be taken for its sale: a known `operation` has to agree, and `correction` with it. */
function fits({ operation, receipt, totalKopecks }: StoredReceipt, result: PrintResult): boolean {
  const isCorrection = receipt.kind === "receipt" && receipt.correction !== undefined;
  const isSameSign = operation === result.operation && isCorrection === (result.correction ?? false);
  return (
    (result.operation === null || isSameSign) && (result.totalKopecks === null || totalKopecks === result.totalKopecks)
  );
}

function messagesOf(row: ReceiptRow): readonly string[] {
  const messages: unknown = JSON.parse(row.messages);
  return Array.isArray(messages) ? messages.map(String) : [];
}
