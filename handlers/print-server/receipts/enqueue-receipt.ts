/** Enqueues a receipt: checks it and compares it with the order's other receipts, in one transaction. */
import { randomUUID } from "node:crypto";
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { type OrderWarning, problem, throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { warningsOf } from "@fiscald/shared/receipt/formats/read-order.js";
import { hasUnseen, identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { type RepeatRefusal, warningTexts } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { z } from "zod";
import type { CallersTransaction } from "../../store/callers-transaction.js";
import { aKey, within as ownTransaction, throwIfWrongOptions } from "../check-options.js";
import { type OrderAnswer, readOrderAnswer } from "../order-body.js";
import { inTransaction, type ReceiptState, type ReceiptTx, type ShopReceipts } from "../receipt-tables.js";
import { type EarlierRow, earlierRows, lockOrders, receiptsOfOrder } from "./order-receipts.js";
import { type IdSource, idOfContent, idOfKey } from "./receipt-ids.js";
import { changeReceipt, tellChanges, wakePolls } from "./receipt-signals.js";
import { queuedRow, type ReceiptRow, resultOf } from "./stored-receipt.js";

export interface OwnTransaction {
  /** The site's own open transaction on the same database: the receipt is queued exactly when the order is paid. */
  readonly within?: CallersTransaction;
}

export interface EnqueueOptions extends OwnTransaction {
  /**
   * The id of the refund or payment, which identifies the receipt in place of its content. The same key of an order is
   * the same receipt.
   */
  readonly key?: string;
  /** Prints a further sale of the order. Needs a `key`, or a receipt with a `receiptId`. */
  readonly printAnyway?: boolean;
  /** Returns more than is known to be sold. Needs a `key`, or a receipt with a `receiptId`. */
  readonly beyondSold?: boolean;
}

export interface Enqueued {
  readonly receiptId: string;
  /** This call has queued the receipt; false = the receipt is known, and `state` says what became of it. */
  readonly isNew: boolean;
  readonly state: ReceiptState;
  /** What is odd in the receipt, although it can be printed: a key that is not read, a position without a rate. */
  readonly warnings: readonly OrderWarning[];
}

/** The answer with the id in its own type, for the callers inside the kit. */
export type EnqueuedReceipt = Enqueued & { readonly receiptId: ReceiptId };

type Placed = Omit<EnqueuedReceipt, "warnings">;

export type EnqueueReceiptOptions = ShopReceipts & { readonly rules?: ReceiptRules };

const enqueueOptions = z
  .strictObject({ key: aKey, printAnyway: z.boolean(), beyondSold: z.boolean(), within: ownTransaction })
  .partial();

export function createEnqueue(kit: EnqueueReceiptOptions) {
  const { resource, rules, clock } = kit;

  async function enqueue(answer: OrderAnswer, options: EnqueueOptions = {}): Promise<EnqueuedReceipt> {
    const read = readOrderAnswer(answer, clock.now(), rules);
    const { receipt } = read;
    throwIfWrongOptions(enqueueOptions, options);
    checkIdentity(receipt, options);
    const enqueued = await inTransaction(kit, options.within, (tx) => add(tx, receipt, options));
    return { ...enqueued, warnings: warningsOf(read) };
  }

  async function add(tx: ReceiptTx, receipt: Receipt, options: EnqueueOptions): Promise<Placed> {
    const ids = await idSource(tx, kit);
    const { key, printAnyway = false, beyondSold = false } = options;
    const offered = key === undefined ? receipt : { ...receipt, receiptId: idOfKey(ids, receipt, key) };
    const rows = await rowsFor(tx, offered);
    const lifted = { printAnyway, beyondSold };
    const decision = decideRepeat({ receipt: offered, from: "shop", lifted }, earlierRows(offered, rows));
    // Who lifts the limit of the sale answers for what was sold, which may have another order's id.
    if ("warning" in decision && decision.warning !== null && !beyondSold) {
      kit.logger.warn("a receipt is odd", { order: offered.orderId, problem: warningTexts[decision.warning] });
    }
    if (decision.action === "refuse") throw refusalFault(decision, offered);
    if ("reason" in decision) return known(decision.of, offered);
    warnOfOddities(kit, receipt);
    for (const { row } of decision.replaces) await changeReceipt(tx, kit, row, { state: "replaced" });
    const content_key = idOfContent(ids, offered, rows);
    const ownId = offered.receiptId ?? (offered.orderId === null ? randomUUID() : content_key);
    const receiptId = toReceiptId(decision.action === "again" ? decision.of.row.receipt_id : ownId);
    const isReturn = offered.kind === "receipt" && offered.operation === "return";
    const forced = (isReturn ? beyondSold : printAnyway) ? 1 : 0;
    const given = { resource, content_key, forced, holder: holderBefore(offered, rows), created_at: clock.now() };
    const row = queuedRow({ ...offered, receiptId }, given);
    // A failed or withdrawn receipt of the same id is put back, as the newest one of its order.
    const before = rows.find(({ receipt_id }) => receipt_id === receiptId);
    if (before !== undefined) await tx.deleteFrom("print_receipts").where("seq", "=", before.seq).execute();
    const messages = before?.messages ?? row.messages;
    const insert = tx.insertInto("print_receipts").values({ ...row, messages });
    await insert.execute();
    await wakePolls(tx, kit, [offered.kkm]);
    await tellChanges(tx, kit, [receiptId]);
    return { receiptId, isNew: true, state: "queued" };
  }

  /** The rows of the receipt's order, newest first, and the row with its id. */
  async function rowsFor(tx: ReceiptTx, { orderId, receiptId }: Receipt): Promise<readonly ReceiptRow[]> {
    const order = identityOf(orderId);
    // Two orders may come with one receiptId at the same time, on two nodes.
    const id = receiptId === null ? null : toOrderId(`receiptId ${receiptId}`);
    await lockOrders(tx, kit, [order ?? [], id ?? []].flat());
    const rows = order === null ? [] : await receiptsOfOrder(tx, kit, order);
    if (receiptId === null || rows.some((row) => row.receipt_id === receiptId)) return rows;
    const find = tx.selectFrom("print_receipts").selectAll().where("receipt_id", "=", receiptId);
    const row = await find.executeTakeFirst();
    // The id must not belong to another shop: a result could not say which of the two receipts it belongs to.
    const message = {
      en: "another shop has a receipt of this id; make a new UUID",
      ru: "у другого магазина есть чек с этим номером; создайте новый UUID",
    };
    const isForeign = row !== undefined && row.resource !== resource;
    throwIfAny(isForeign ? [problem("order.wrong-value", "receiptId", message)] : []);
    return row === undefined ? rows : [...rows, row];
  }

  return enqueue;
}

/** An exception from the rules needs an identity: without one it would print once more with each call. */
function checkIdentity({ receiptId }: Receipt, { key, printAnyway, beyondSold }: EnqueueOptions): void {
  if (key !== undefined && receiptId !== null) {
    const message = {
      en: "the receipt has one, and no `key` beside it",
      ru: "уже есть у чека, `key` рядом с ним не нужен",
    };
    throwIfAny([problem("order.wrong-value", "receiptId", message)]);
  }
  const lift = printAnyway === true ? "printAnyway" : beyondSold === true ? "beyondSold" : null;
  if (lift === null || key !== undefined || receiptId !== null) return;
  const message = {
    en: `\`${lift}\` needs a receiptId or a \`key\``,
    ru: `для \`${lift}\` нужен receiptId или \`key\``,
  };
  throwIfAny([problem("order.missing-value", "receiptId", message)]);
}

export async function idSource(tx: ReceiptTx, { resource }: Pick<ShopReceipts, "resource">): Promise<IdSource> {
  const { uuid } = await tx.selectFrom("print_namespace").select("uuid").executeTakeFirstOrThrow();
  return { namespace: uuid, resource };
}

/** The default of the daemon's setting `largestReceipt`. */
const LARGEST = kopecks(100_000_000);

export function warnOfOddities({ logger }: Pick<EnqueueReceiptOptions, "logger">, receipt: Receipt): void {
  const { orderId } = receipt;
  if (hasUnseen(orderId)) {
    const compared = { order: orderId, comparedAs: identityOf(orderId) };
    logger.warn("an order number has characters that nobody sees; they do not count", compared);
  }
  if (receipt.kind !== "receipt" || totalOf(receipt) <= LARGEST) return;
  const fields = { order: orderId, roubles: formatRoubles(totalOf(receipt)), limit: formatRoubles(LARGEST) };
  logger.warn("a receipt is so large that the till may hold it for a person (largestReceipt)", fields);
}

/** The promise: no receipt with an id of its own is answered with another one's. */
function known({ row, name }: EarlierRow, { receiptId }: Receipt): Placed {
  const { state } = row;
  if (receiptId === null || receiptId === row.receipt_id) {
    return { receiptId: toReceiptId(row.receipt_id), isNew: false, state };
  }
  const code = state === "printed" ? "job.already-printed" : "job.being-printed";
  const details = { receiptId: row.receipt_id, state, ...documentOf(row) };
  throw new Fault(code, { message: `${name.en} has taken its place and is ${state}`, details });
}

function refusalFault({ code, message, because }: RepeatRefusal<EarlierRow>, { orderId }: Receipt): Fault {
  const { receipt_id: receiptId, state } = because.row;
  const details = {
    receiptId,
    state,
    ...documentOf(because.row),
    orderId: because.receipt.orderId,
    offeredOrderId: orderId,
  };
  return new Fault(code, { message, details });
}

/** The number of the document that stands in the way, if the till has reported one. */
function documentOf(row: ReceiptRow): { readonly fdNumber?: string } {
  const fdNumber = resultOf(row)?.fdNumber ?? null;
  return fdNumber === null ? {} : { fdNumber };
}

/**
 * The caller that a new receipt has to wait for: a corrected order, or a retry after `failed`, goes to the daemon that
 * had the receipt before, because only that daemon knows its outcome. A receipt after a printed one may go to any.
 */
function holderBefore({ kind, kkm }: Receipt, rows: readonly ReceiptRow[]): string | null {
  const isOfAnotherTill = (row: ReceiptRow) => kind === "service" && row.kkm !== kkm;
  return rows.find((row) => row.state !== "printed" && !isOfAnotherTill(row))?.holder ?? null;
}
