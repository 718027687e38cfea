import { randomUUID } from "node:crypto";
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { type OrderWarning, problem, throwIfAny, warning } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { type OrderReceipt, warningsOf } from "@fiscald/shared/receipt/formats/read-order.js";
import { hasUnseen, identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { RepeatRefusal } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import type { Texts } from "@fiscald/shared/texts.js";
import { z } from "zod";
import type { CallersTransaction } from "../../store/callers-transaction.js";
import { aKey, within as ownTransaction, throwIfWrongOptions } from "../check-options.js";
import { type OrderAnswer, readOrderAnswer } from "../order-body.js";
import { inTransaction, type ReceiptState, type ReceiptTx, type ShopReceipts } from "../receipt-tables.js";
import { type EarlierRow, earlierRows, lockOrders, receiptsOfOrder } from "./order-receipts.js";
import { type IdSource, idOfContent, idOfKey } from "./receipt-ids.js";
import { changeReceipt, tellChanges, wakePolls } from "./receipt-signals.js";
import { returnWarnings } from "./return-warnings.js";
import { differingFields, queuedRow, type ReceiptRow, receiptOf, resultOf } from "./stored-receipt.js";

export interface OwnTransaction {
  /** The site's own open transaction on the same database. The receipt is queued when that one is committed. */
  readonly within?: CallersTransaction;
}

export interface EnqueueOptions extends OwnTransaction {
  /** The id of the refund or payment: the same key of an order is the same receipt, whatever its content. */
  readonly key?: string;
  /** Prints a further sale of the order. Needs a `key`, or a receipt with a `receiptId`. */
  readonly printAnyway?: boolean;
  /** Returns more than is known to be sold. Needs a `key`, or a receipt with a `receiptId`. */
  readonly beyondSold?: boolean;
}

export interface Enqueued {
  readonly receiptId: string;
  /** True = this call has queued the receipt. False = the receipt is known, and `state` says what became of it. */
  readonly isNew: boolean;
  readonly state: ReceiptState;
  /** What is odd although the receipt can be printed, such as a position without a rate. Each kind is logged once. */
  readonly warnings: readonly OrderWarning[];
}

export type EnqueuedReceipt = Enqueued & { readonly receiptId: ReceiptId };

export type EnqueueReceiptOptions = ShopReceipts & { readonly rules?: ReceiptRules; readonly strict?: boolean };

/** A strict store refuses an order with oversights. */
export type FoundOdd = Pick<OrderReceipt, "warnings" | "oversights">;

const enqueueOptions = z
  .strictObject({ key: aKey, printAnyway: z.boolean(), beyondSold: z.boolean(), within: ownTransaction })
  .partial();

export function createEnqueue(kit: EnqueueReceiptOptions) {
  const { resource, rules, strict = false, clock } = kit;

  /** `asSent`: what is odd in the order as the shop sent it, in place of what would be found in `answer`. */
  async function enqueue(
    answer: OrderAnswer,
    options: EnqueueOptions = {},
    asSent?: FoundOdd,
  ): Promise<EnqueuedReceipt> {
    const read = readOrderAnswer(answer, clock.now(), rules);
    const { receipt } = read;
    const found = asSent ?? read;
    if (strict)
      throwIfAny(found.oversights.map(({ path, message: en, ru }) => problem("order.wrong-value", path, { en, ru })));
    throwIfWrongOptions(enqueueOptions, options);
    checkIdentity(receipt, options);
    const odd = warningsOf(found);
    const enqueued = await inTransaction(kit, options.within, (tx) => add(tx, receipt, options, odd));
    logOnce(kit, receipt, odd, enqueued.warnings);
    return enqueued;
  }

  async function add(
    tx: ReceiptTx,
    receipt: Receipt,
    options: EnqueueOptions,
    odd: readonly OrderWarning[],
  ): Promise<EnqueuedReceipt> {
    const ids = await idSource(tx, kit);
    const { key, printAnyway = false, beyondSold = false } = options;
    const offered = key === undefined ? receipt : { ...receipt, receiptId: idOfKey(ids, receipt, key) };
    const rows = await rowsFor(tx, offered);
    const lifted = { printAnyway, beyondSold };
    const earlier = earlierRows(offered, rows);
    const decision = decideRepeat({ receipt: offered, key, from: "shop", lifted }, earlier);
    if (decision.action === "refuse") throw refusalFault(decision, offered);
    const self = "of" in decision ? decision.of : null;
    const others = earlier.filter((other) => other !== self);
    // With `beyondSold` the caller answers for what was sold, perhaps in an order with another id.
    const warnings = [...odd, ...(beyondSold ? [] : returnWarnings(offered, others))];
    if ("reason" in decision) return renew(tx, decision.of, offered, warnings);
    warnOfOddities(kit, receipt);
    for (const { row } of decision.replaces) await changeReceipt(tx, kit, row, { state: "replaced" });
    const content_key = idOfContent(ids, offered, rows);
    const ownId = offered.receiptId ?? (offered.orderId === null ? randomUUID() : content_key);
    const receiptId = toReceiptId(decision.action === "again" ? decision.of.row.receipt_id : ownId);
    const isReturn = offered.kind === "receipt" && offered.operation === "return";
    const forced = (isReturn ? beyondSold : printAnyway) ? 1 : 0;
    const given = { resource, content_key, forced, holder: holderBefore(offered, rows), created_at: clock.now() };
    const shop_key = key ?? null;
    const row = { ...queuedRow({ ...offered, receiptId }, given), shop_key, warnings: JSON.stringify(warnings) };
    // A failed or withdrawn receipt of the same id is queued again, as the newest one of its order.
    const before = rows.find(({ receipt_id }) => receipt_id === receiptId);
    if (before !== undefined) await tx.deleteFrom("print_receipts").where("seq", "=", before.seq).execute();
    const messages = before?.messages ?? row.messages;
    const insert = tx.insertInto("print_receipts").values({ ...row, messages });
    await insert.execute();
    await wakePolls(tx, kit, [offered.kkm]);
    await tellChanges(tx, kit, [receiptId]);
    return { receiptId, isNew: true, state: "queued", warnings };
  }

  /** A receipt that was never handed out gets the newest content. For any other the new content comes too late. */
  async function renew(tx: ReceiptTx, of: EarlierRow, offered: Receipt, warnings: readonly OrderWarning[]) {
    const receiptId = idOfKnown(of, offered);
    const { row } = of;
    const { state } = row;
    const receipt = JSON.stringify({ ...offered, receiptId });
    const differing = differingFields(receiptOf(row), receiptOf({ receipt }));
    if (differing.length > 0 && state === "queued") {
      const change = { receipt, kkm: offered.kkm, warnings: JSON.stringify(warnings) };
      await changeReceipt(tx, kit, row, change);
      await wakePolls(tx, kit, [offered.kkm]);
    }
    const tooLate = texts.tooLate(state, documentOf(row).fdNumber ?? null);
    const late = state === "queued" ? [] : differing.map((field) => warning(field, tooLate));
    return { receiptId, isNew: false, state, warnings: [...warnings, ...late] };
  }

  /** The order's receipts, newest first, and the receipt with the same id. */
  async function rowsFor(tx: ReceiptTx, { orderId, receiptId }: Receipt): Promise<readonly ReceiptRow[]> {
    const order = identityOf(orderId);
    // Two nodes may get two orders with one `receiptId` at the same time.
    const id = receiptId === null ? null : toOrderId(`receiptId ${receiptId}`);
    await lockOrders(tx, kit, [order ?? [], id ?? []].flat());
    const rows = order === null ? [] : await receiptsOfOrder(tx, kit, order);
    if (receiptId === null || rows.some((row) => row.receipt_id === receiptId)) return rows;
    const find = tx.selectFrom("print_receipts").selectAll().where("receipt_id", "=", receiptId);
    // A job without an order number is handed out under the lock of its row alone.
    const row = await find.$if(kit.store.kind === "postgres", (query) => query.forUpdate()).executeTakeFirst();
    // With one id in two shops, a result could not say which of the receipts it belongs to.
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

/** An exception from the rules needs an identity: without one each call would print once more. */
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

const texts = {
  tooLate: (state: string, fd: string | null) => ({
    en: `is not as in the ${state} receipt${fd === null ? "" : ` (FD ${fd})`}: this was neither kept nor printed`,
    ru: `не как в отданном чеке (${state}${fd === null ? "" : `, ФД ${fd}`}): новое не сохранено и не печатается`,
  }),
} satisfies Texts;

/** What each log was told already: a mistake in the site's code is in each of the site's orders. */
const told = new WeakMap<Logger, Set<string>>();
const MOST_TOLD = 1000;

/** `ofForm`: warnings of the order's form, which are logged once a shop. Others are logged once an order. */
function logOnce(
  { logger, resource }: EnqueueReceiptOptions,
  { orderId }: Receipt,
  ofForm: readonly OrderWarning[],
  warnings: readonly OrderWarning[],
): void {
  const known = told.get(logger) ?? new Set();
  if (known.size > MOST_TOLD) known.clear();
  told.set(logger, known);
  for (const one of warnings) {
    const { path, message: reason } = one;
    const place = ofForm.includes(one) ? path.replaceAll(/\d+/g, "") : `${orderId} ${path}`;
    const key = JSON.stringify([resource, place, reason]);
    if (!known.has(key)) logger.warn("a receipt is odd", { order: orderId, path, problem: reason });
    known.add(key);
  }
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

/** A receipt with an id of its own is never answered with the id of another one. */
function idOfKnown({ row, name }: EarlierRow, { receiptId }: Receipt): ReceiptId {
  const { state } = row;
  if (receiptId === null || receiptId === row.receipt_id) return toReceiptId(row.receipt_id);
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

/** The document of the receipt that stands in the way, if a print server has reported one. */
function documentOf(row: ReceiptRow): { readonly fdNumber?: string } {
  const fdNumber = resultOf(row)?.fdNumber ?? null;
  return fdNumber === null ? {} : { fdNumber };
}

/** The daemon that had the order's unprinted receipt gets the next: it alone knows the outcome. Null = any caller. */
function holderBefore({ kind, kkm }: Receipt, rows: readonly ReceiptRow[]): string | null {
  const isOfAnotherTill = (row: ReceiptRow) => kind === "service" && row.kkm !== kkm;
  return rows.find((row) => row.state !== "printed" && !isOfAnotherTill(row))?.holder ?? null;
}
