/** What a person has to put right: one sale, or one return, with two fiscal documents (domain 5.3: nothing here does it). */
import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import type { CommitScope } from "../orders/commit.js";
import { recordRegisterLog } from "../orders/register-log.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { jsonObject, textField } from "../store/stored-json.js";

export interface TwiceTold {
  readonly order: Pick<StoredOrder, "orderId" | "courierId">;
  readonly operation: "sale" | "return";
  /** The further one: the kit's receipt that it is, or may become, or a courier's document. */
  readonly receiptId: string;
  /** `is printed twice` */
  readonly what: string;
}

/** In the log, and for the shop in its register log, with the numbers of what is printed so far. */
export async function tellTwice(scope: CommitScope, { order, operation, receiptId, what }: TwiceTold): Promise<void> {
  const documents = await documentsOf(scope, [order.orderId], [operation]);
  const text = `A ${operation} receipt of order ${order.orderId} ${what}: ${documents}. One of them is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** A return of the prepayment was out when the courier's own register sold the order; likewise. */
export async function tellSoldElsewhere(
  scope: CommitScope,
  { order, receiptId }: Pick<TwiceTold, "order" | "receiptId">,
): Promise<void> {
  const what = "may go back besides the sale of the courier's own register";
  const documents = await documentsOf(scope, [order.orderId], ["sale", "return"]);
  const text = `A return receipt was handed out, with which the prepayment of order ${order.orderId} ${what}: ${documents}. If that sale was settled with it, one of them is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** The courier's own register gave back the order as a whole, and a receipt of ours may give back some of it too; likewise. */
export async function tellReturnedElsewhere(
  scope: CommitScope,
  { order, orderIds, receiptId }: Omit<Overdrawn, "excess">,
): Promise<void> {
  const what = "may go back besides the whole return of the courier's own register";
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `A return receipt was handed out, with which a part of order ${order.orderId} ${what}: ${documents}. If that return is of this part too, one of them is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** A refund order's share of a prepayment has gone back with other returns, as far as anybody can know; likewise. */
export async function tellCovered(
  scope: CommitScope,
  { order, orderIds, receiptId, refundId }: Omit<Overdrawn, "excess"> & { readonly refundId: string },
): Promise<void> {
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `Refund order ${refundId} has no receipt: its share of the prepayment of order ${order.orderId} has gone back without it: ${documents}. If none of these returns is of this part, it is to be given back at the register. Of a sale that is made of the order afterwards it is no return.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:is covered`, text });
}

/** The courier's own register gave something back while the settlement with the prepayment was on its way; likewise. */
export async function tellReturnedMeanwhile(
  scope: CommitScope,
  { order, orderIds, receiptId }: Omit<Overdrawn, "excess">,
): Promise<void> {
  const what = "was given back by the courier's own register while its settlement was on its way";
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `Order ${order.orderId} ${what}: ${documents}. That return counts as one of the sale once the settlement is printed, else as one of the prepayment. If it is of the other one, what is wrong is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** It did so before a sale that was made without the prepayment, whose receipt is printed only now; likewise. */
export async function tellReturnedBefore(
  scope: CommitScope,
  { order, orderIds, receiptId }: Omit<Overdrawn, "excess">,
): Promise<void> {
  const what = "was given back by the courier's own register before its prepayment was known to be printed";
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `Order ${order.orderId} ${what}: ${documents}. That return counts as one of the prepayment, and of the sale that was made meanwhile it is none. If it is of that sale, what is wrong is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** What it gave back of the prepayment came by itself, and no refund order says what it was; likewise. */
export async function tellUncounted(
  scope: CommitScope,
  { order, orderIds, receiptId }: Omit<Overdrawn, "excess">,
): Promise<void> {
  const what = "was given back by the courier's own register, and no refund order says how much of it";
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `The prepayment of order ${order.orderId} ${what}: ${documents}. Our settlement and returns count nothing of that: what is used twice is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** It came by itself, before the sale that status 6 gives back with it: nobody can say whether it is of that sale; likewise. */
export async function tellKeptBeforeSale(
  scope: CommitScope,
  { order, orderIds, receiptId }: Omit<Overdrawn, "excess">,
): Promise<void> {
  const what = "stands for its whole return, and came before its sale was known to be printed";
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `A return receipt of the courier's own register for order ${order.orderId} ${what}: ${documents}. Nothing more is given back: if it is not of all that was sold, the rest is to be given back at the register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:${what}`, text });
}

/** A receipt is printed after its order was changed: what was sold is what it says (status 6 gives back all of it); likewise. */
export async function tellOtherwise(
  scope: CommitScope,
  { order, receiptId, total }: { readonly order: StoredOrder; readonly receiptId: string; readonly total: Kopecks },
): Promise<void> {
  const documents = await documentsOf(scope, [order.orderId], [order.isRefund ? "return" : "sale"]);
  const text = `The receipt of ${formatRoubles(total)} that is printed of order ${order.orderId} says otherwise than the order does now: ${documents}. The order is to be changed to it, or it is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:says otherwise`, text });
}

/** An order has one sale and one return of it: what it is delivered for again has no receipt; likewise. */
export async function tellDeliveredAgain(
  scope: CommitScope,
  order: TwiceTold["order"],
  receiptId: string,
): Promise<void> {
  const documents = await documentsOf(scope, [order.orderId], ["sale", "return"]);
  const text = `Order ${order.orderId} is delivered although its sale was given back: ${documents}. Nothing more is printed of it: a further sale is a new order.`;
  await tell(scope, { order, receiptId, key: `${receiptId}:delivered again`, text });
}

export interface Overdrawn {
  readonly order: Pick<StoredOrder, "orderId" | "courierId">;
  /** The order and its refund orders. */
  readonly orderIds: readonly string[];
  /** The kit's receipt whose result showed it, or that is held back for it. */
  readonly receiptId: string;
  readonly excess: Kopecks;
}

/** A prepayment was settled with, or given back, twice, in whole or in part; likewise. */
export function tellOverdrawn(scope: CommitScope, facts: Overdrawn): Promise<void> {
  const returns = `The settlement and the returns of order ${facts.order.orderId}, printed or handed out,`;
  return tellExcess(scope, facts, { returns, of: "prepayment", what: "is used twice" });
}

/** A sale was given back twice, in whole or in part; likewise. */
export function tellBeyondSale(scope: CommitScope, facts: Overdrawn): Promise<void> {
  const returns = `The returns of order ${facts.order.orderId}, printed, handed out or asked for,`;
  return tellExcess(scope, facts, { returns, of: "sale", what: "is given back twice" });
}

/** The sum of what went back is right, and its rates are not; likewise. */
export async function tellBeyondRates(
  scope: CommitScope,
  { order, orderIds, receiptId, excess, of }: Overdrawn & { readonly of: "sale" | "prepayment" },
): Promise<void> {
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `The returns of order ${order.orderId} are in one tax rate ${formatRoubles(excess)} more than the ${of}: ${documents}. One of them is to be put right at its register.`;
  await tell(scope, { order, receiptId, key: `${order.orderId}:rates of the ${of}:${excess}`, text });
}

async function tellExcess(
  scope: CommitScope,
  { order, orderIds, receiptId, excess }: Overdrawn,
  { returns, of, what }: { readonly returns: string; readonly of: string; readonly what: string },
): Promise<void> {
  const documents = await documentsOf(scope, orderIds, ["sale", "return"]);
  const text = `${returns} are ${formatRoubles(excess)} more than the ${of}: ${documents}. Nothing more is given back; what is too much is to be put right at the register.`;
  await tell(scope, { order, receiptId, key: `${order.orderId}:${what}:${excess}`, text });
}

async function documentsOf(
  { tx, resource }: CommitScope,
  orderIds: readonly string[],
  operations: readonly ("sale" | "return")[],
): Promise<string> {
  const documents = await tx
    .selectFrom("delivery_order_receipts")
    .select(["fn", "fd_number", "body"])
    .where("resource", "=", resource)
    .where("order_id", "in", orderIds)
    .where("operation", "in", operations)
    .orderBy("id")
    .execute();
  const named = documents.map(({ fn, fd_number, body }) => {
    const sign = textField(jsonObject(body), "fiscalSign") ?? "";
    return `FD ${fd_number.startsWith("unknown:") ? "without number" : fd_number} of drive ${fn} (sign ${sign})`;
  });
  return named.join(", ");
}

/** Once: what the register log has already, by its key, is known. */
async function tell(
  { backend, tx, resource, now }: CommitScope,
  {
    order,
    receiptId,
    key,
    text,
  }: Pick<TwiceTold, "order" | "receiptId"> & { readonly key: string; readonly text: string },
): Promise<void> {
  const refusal = { code: "job.already-printed", text };
  const isNews = await recordRegisterLog(tx, { resource, now, frId: `twice:${key}`, order, result: null, refusal });
  if (!isNews) return;
  const fields = { resource, order: order.orderId, receipt: receiptId };
  backend.store.afterCommit(tx, () => backend.logger.error(text, fields));
}
