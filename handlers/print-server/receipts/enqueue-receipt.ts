/** Enqueues a receipt: checks it and compares it with the order's other receipts, in one transaction. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { problem, throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat, isSameOrder } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import {
  type Decision,
  type Refusal,
  refuseReusedId,
  warningTexts,
} from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { NoTables } from "../../store/open-store.js";
import { aKey, checkOptions, within as ownTransaction } from "../check-options.js";
import { type OrderAnswer, toReceipt } from "../order-body.js";
import { type EarlierRow, earlierRow, earlierRows, lockOrders, readOrder } from "./order-receipts.js";
import { type IdSource, idOfContent, idOfKey } from "./receipt-ids.js";
import { tellChanges, wakePolls } from "./receipt-signals.js";
import type { ReceiptState, ReceiptTables, ShopTables } from "./receipt-tables.js";
import { type QueuedRow, queuedRow, type ReceiptRow, receiptOf } from "./stored-receipt.js";

export interface EnqueueOptions {
  /**
   * What tells this receipt from others of its order in place of its content: the id of the refund or payment. The same
   * key of an order is the same receipt.
   */
  readonly key?: string;
  /** Prints a further sale of the order. Needs a `key`, or a receipt with a `receiptId`. */
  readonly printAnyway?: boolean;
  /** Returns more than is known to be sold. Needs a `key`, or a receipt with a `receiptId`. */
  readonly beyondSold?: boolean;
  /** Enqueue within this open transaction of the same database: the receipt is there exactly when the order is paid. */
  readonly within?: Transaction<NoTables>;
}

export interface Enqueued {
  readonly receiptId: ReceiptId;
  /** This call has queued it; false = it is known, and is what `state` says. */
  readonly isNew: boolean;
  readonly state: ReceiptState;
}

export interface EnqueueReceiptOptions extends ShopTables {
  readonly rules?: ReceiptRules;
  readonly clock: Clock;
  readonly logger: Logger;
}

const enqueueOptions = z
  .strictObject({ key: aKey, printAnyway: z.boolean(), beyondSold: z.boolean(), within: ownTransaction })
  .partial();

export function createEnqueue(kit: EnqueueReceiptOptions) {
  const { store, resource, rules, clock } = kit;

  async function enqueue(answer: OrderAnswer, options: EnqueueOptions = {}): Promise<Enqueued> {
    const receipt = toReceipt(answer, clock.now(), rules);
    checkOptions(enqueueOptions, options);
    checkIdentity(receipt, options);
    const { within } = options;
    const work = (tx: Transaction<ReceiptTables>) => add(tx, receipt, options);
    return within === undefined ? store.transaction(work) : work(within.withoutPlugins().withTables<ReceiptTables>());
  }

  async function add(tx: Transaction<ReceiptTables>, receipt: Receipt, options: EnqueueOptions): Promise<Enqueued> {
    const ids = await idSource(tx, kit);
    const { key, printAnyway = false, beyondSold = false } = options;
    const offered = key === undefined ? receipt : { ...receipt, receiptId: idOfKey(ids, receipt, key) };
    const rows = await rowsFor(tx, offered);
    const earlier = earlierRows(offered, rows);
    const lifted = { printAnyway, beyondSold };
    const decision = decideReuse(offered, rows) ?? decideRepeat({ receipt: offered, from: "shop", lifted }, earlier);
    if ("warning" in decision && decision.warning !== null) {
      kit.logger.warn("a receipt is odd", { order: offered.orderId, problem: warningTexts[decision.warning] });
    }
    if (decision.action === "refuse") throw refusalFault(decision, offered);
    if (decision.action === "ignore" || decision.action === "result") return known(decision.of, offered);
    warnOfUnseen(kit, receipt);
    for (const { row } of decision.replaces) await markReplaced(tx, row);
    const contentKey = idOfContent(ids, offered, rows);
    const ownId = offered.receiptId ?? (offered.orderId === null ? randomUUID() : contentKey);
    const receiptId = toReceiptId(decision.action === "again" ? decision.of.row.receipt_id : ownId);
    const isReturn = offered.kind === "receipt" && offered.operation === "return";
    const forced = isReturn ? beyondSold : printAnyway;
    const facts = { resource, contentKey, forced, holder: holderBefore(offered, rows), now: clock.now() };
    await put(tx, queuedRow({ ...offered, receiptId }, facts), rows);
    await wakePolls(tx, kit, [offered.kkm]);
    await tellChanges(tx, kit, [receiptId]);
    return { receiptId, isNew: true, state: "queued" };
  }

  /** The rows of the receipt's order, newest first, and the row with its id. */
  async function rowsFor(tx: Transaction<ReceiptTables>, { orderId, receiptId }: Receipt) {
    const order = identityOf(orderId);
    // Two orders may come with one receiptId at once, on two nodes.
    const id = receiptId === null ? [] : [toOrderId(`receiptId ${receiptId}`)];
    await lockOrders(tx, kit, [...(order === null ? [] : [order]), ...id]);
    const rows = order === null ? [] : await readOrder(tx, kit, order);
    if (receiptId === null || rows.some((row) => row.receipt_id === receiptId)) return rows;
    const find = tx.selectFrom("print_receipts").selectAll().where("receipt_id", "=", receiptId);
    const row = await find.executeTakeFirst();
    if (row === undefined) return rows;
    if (row.resource === resource) return [...rows, row];
    // A result could not say which one it belongs to.
    const message = "another shop has a receipt of this id; make a new UUID";
    throwIfAny([problem("order.wrong-value", "receiptId", message)]);
    return rows;
  }

  /** A failed or withdrawn receipt of the same id is put back, as the newest one of its order. */
  async function put(tx: Transaction<ReceiptTables>, row: QueuedRow, rows: readonly ReceiptRow[]): Promise<void> {
    const before = rows.find(({ receipt_id }) => receipt_id === row.receipt_id);
    if (before !== undefined) await tx.deleteFrom("print_receipts").where("seq", "=", before.seq).execute();
    const messages = before?.messages ?? row.messages;
    await tx
      .insertInto("print_receipts")
      .values({ ...row, messages })
      .execute();
  }

  async function markReplaced(tx: Transaction<ReceiptTables>, { seq, receipt_id }: ReceiptRow): Promise<void> {
    await tx.updateTable("print_receipts").set({ state: "replaced" }).where("seq", "=", seq).execute();
    await tellChanges(tx, kit, [receipt_id]);
  }

  return enqueue;
}

/** A lift without an identity would print once more with each call. */
function checkIdentity({ receiptId }: Receipt, { key, printAnyway, beyondSold }: EnqueueOptions): void {
  if (key !== undefined && receiptId !== null) {
    throwIfAny([problem("order.wrong-value", "receiptId", "the receipt has one, and no `key` beside it")]);
  }
  const lift = printAnyway === true ? "printAnyway" : beyondSold === true ? "beyondSold" : null;
  if (lift === null || key !== undefined || receiptId !== null) return;
  throwIfAny([problem("order.missing-value", "receiptId", `\`${lift}\` needs a receiptId or a \`key\``)]);
}

export async function idSource(tx: Transaction<ReceiptTables>, { resource }: ShopTables): Promise<IdSource> {
  const { uuid } = await tx.selectFrom("print_namespace").select("uuid").executeTakeFirstOrThrow();
  return { namespace: uuid, resource };
}

export function warnOfUnseen({ logger }: Pick<EnqueueReceiptOptions, "logger">, { orderId }: Receipt): void {
  if (orderId === identityOf(orderId)) return;
  const compared = { order: orderId, comparedAs: identityOf(orderId) };
  logger.warn("an order number has characters that nobody sees; they do not count", compared);
}

/** A withdrawn receipt, too, keeps its id. */
function decideReuse(offered: Receipt, rows: readonly ReceiptRow[]): Decision<EarlierRow> | null {
  const row = rows.find(({ receipt_id }) => receipt_id === offered.receiptId);
  if (row === undefined || isSameOrder(offered, receiptOf(row))) return null;
  return refuseReusedId(offered, earlierRow(row, offered));
}

/** The promise: no receipt with an id of its own is answered with another one's. */
function known({ row, name }: EarlierRow, { receiptId }: Receipt): Enqueued {
  const { state } = row;
  if (receiptId === null || receiptId === row.receipt_id) {
    return { receiptId: toReceiptId(row.receipt_id), isNew: false, state };
  }
  const code = state === "printed" ? "job.already-printed" : "job.being-printed";
  const details = { receiptId: row.receipt_id, state };
  throw new Fault(code, { message: `${name} has taken its place and is ${state}`, details });
}

function refusalFault({ code, message, because }: Refusal<EarlierRow>, { orderId }: Receipt): Fault {
  if (because === null) return new Fault(code, { message });
  const { receipt_id: receiptId, state } = because.row;
  const details = { receiptId, state, orderId: because.receipt.orderId, offeredOrderId: orderId };
  return new Fault(code, { message, details });
}

/**
 * A corrected order, or a retry after `failed`, goes to the daemon that had the receipt before: only that daemon
 * knows its outcome. A receipt after a printed one may go to any.
 */
function holderBefore({ kind, kkm }: Receipt, rows: readonly ReceiptRow[]): string | null {
  const isOfAnotherTill = (row: ReceiptRow) => kind === "service" && row.kkm !== kkm;
  return rows.find((row) => row.state !== "printed" && !isOfAnotherTill(row))?.holder ?? null;
}
