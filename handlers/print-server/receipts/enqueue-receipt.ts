/** Enqueues a receipt: checks it and compares it with the order's other receipts, in one transaction. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { problem, throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type OrderId, type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { NoTables } from "../../store/open-store.js";
import { checkOptions, within as ownTransaction } from "../check-options.js";
import { type OrderAnswer, toReceipt } from "../order-body.js";
import { decideEnqueue, type EarlierReceipt, type EnqueueDecision } from "./enqueue-rules.js";
import { lockOrder, readOrder } from "./order-receipts.js";
import { tellChanges, wakePolls } from "./receipt-signals.js";
import type { ReceiptTables, ShopTables } from "./receipt-tables.js";
import { contentKeyOf, queuedRow } from "./stored-receipt.js";

export interface EnqueueOptions {
  /** Prints even though the order has this or another sale already, or its returns exceed the sum sold. */
  readonly printAnyway?: boolean;
  /** Enqueue within this transaction of the same database: the receipt is there exactly when the order is paid. */
  readonly within?: Transaction<NoTables>;
}

export interface EnqueueReceiptOptions extends ShopTables {
  readonly rules?: ReceiptRules;
  readonly clock: Clock;
}

/**
 * A UUID of version 7, which begins with the time: the receipts of one batch are neighbours in the indexes of the
 * database. With random ids each receipt of a batch would write two pages of its own.
 */
export function receiptUuid(now: number): ReceiptId {
  const time = Math.trunc(now).toString(16).padStart(12, "0");
  return toReceiptId(`${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`);
}

const enqueueOptions = z.strictObject({ printAnyway: z.boolean(), within: ownTransaction }).partial();

export function createEnqueue(kit: EnqueueReceiptOptions) {
  const { store, resource, rules, clock } = kit;

  async function enqueue(answer: OrderAnswer, options: EnqueueOptions = {}): Promise<ReceiptId> {
    const receipt = toReceipt(answer, clock.now(), rules);
    checkOptions(enqueueOptions, options);
    const { within } = options;
    const work = (tx: Transaction<ReceiptTables>) => add(tx, receipt, options.printAnyway === true);
    return within === undefined ? store.transaction(work) : work(within.withoutPlugins().withTables<ReceiptTables>());
  }

  async function add(tx: Transaction<ReceiptTables>, receipt: Receipt, printAnyway: boolean): Promise<ReceiptId> {
    // The sender gave the receipt an id: an equal id means the same receipt.
    if (receipt.receiptId !== null && (await isKnown(tx, receipt.receiptId))) return receipt.receiptId;
    const contentKey = contentKeyOf(resource, receipt);
    const earlier = receipt.orderId === null ? [] : await earlierOf(tx, receipt.orderId, contentKey);
    const decision: EnqueueDecision = printAnyway
      ? { action: "add", replaced: [] }
      : decideEnqueue({ receipt, earlier, now: clock.now() });
    if (decision.action === "repeat") return decision.of.receiptId;
    if (decision.action === "refuse") {
      const { receiptId, state } = decision.because;
      throw new Fault(decision.code, { message: decision.message, details: { receiptId, state } });
    }
    for (const replaced of decision.replaced) await markReplaced(tx, replaced.receiptId);
    const receiptId = await insert(tx, receipt, {
      contentKey,
      forced: printAnyway,
      holder: holderBefore(receipt, earlier),
    });
    await wakePolls(tx, kit, [receipt.kkm]);
    await tellChanges(tx, kit, [receiptId]);
    return receiptId;
  }

  async function insert(
    tx: Transaction<ReceiptTables>,
    receipt: Receipt,
    facts: { readonly contentKey: string; readonly forced: boolean; readonly holder: string | null },
  ): Promise<ReceiptId> {
    const receiptId = receipt.receiptId ?? receiptUuid(clock.now());
    const row = queuedRow({ ...receipt, receiptId }, { resource, ...facts, now: clock.now() });
    await tx.insertInto("print_receipts").values(row).execute();
    return receiptId;
  }

  /** Fault `order.wrong-value` when another shop has a receipt of this id: a result could not say which one it is of. */
  async function isKnown(tx: Transaction<ReceiptTables>, receiptId: ReceiptId): Promise<boolean> {
    const row = await tx
      .selectFrom("print_receipts")
      .select("resource")
      .where("receipt_id", "=", receiptId)
      .executeTakeFirst();
    if (row === undefined || row.resource === resource) return row !== undefined;
    throwIfAny([problem("order.wrong-value", "receiptId", "another shop has a receipt of this id; make a new UUID")]);
    return false;
  }

  /** The order's receipts, newest first. */
  async function earlierOf(tx: Transaction<ReceiptTables>, orderId: OrderId, contentKey: string) {
    await lockOrder(tx, kit, orderId);
    const { rows, toEarlier } = await readOrder(tx, kit, orderId);
    return rows.map((row) => toEarlier(row, contentKey));
  }

  async function markReplaced(tx: Transaction<ReceiptTables>, receiptId: ReceiptId): Promise<void> {
    await tx.updateTable("print_receipts").set({ state: "replaced" }).where("receipt_id", "=", receiptId).execute();
  }

  return enqueue;
}

/**
 * A corrected order, or a retry after `failed`, goes to the daemon that had the receipt before: only that daemon
 * knows its outcome. A receipt after a printed one may go to any.
 */
function holderBefore({ kind, kkm }: Receipt, earlier: readonly EarlierReceipt[]): string | null {
  const isOfAnotherTill = (other: EarlierReceipt) => kind === "service" && other.receipt.kkm !== kkm;
  return earlier.find((other) => other.state !== "printed" && !isOfAnotherTill(other))?.holder ?? null;
}
