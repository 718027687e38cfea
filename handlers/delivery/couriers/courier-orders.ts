/** The orders that a courier carries, and the courier's reports about them. */
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import type { DeliveryCall } from "../backend/backend.js";
import { CABINET, sharesCourier } from "../catalog/records.js";
import { invalid, missing } from "../http/api-errors.js";
import type { Page } from "../http/paging.js";
import { type CommitScope, commitScope } from "../orders/order-change.js";
import { byCouriers, collectedSum, costToCollect, followCollection, goodsSum } from "../orders/receipt-policy.js";
import { parseStoredOrder } from "../orders/rows.js";
import { itemSum, toKopecks } from "../orders/rules.js";
import type { StoredItem, StoredOrder, StoredPayment } from "../orders/stored-order.js";
import type { Refundable } from "../refunds/link-refunds.js";
import { ordersOfPayments, savePayments } from "../refunds/refund-rows.js";
import { type ItemPointer, isMeant, PositionsLeft } from "../refunds/return-portions.js";
import type { OwnDocument } from "../settling/courier-documents.js";
import { commitAccounts } from "../settling/settle-accounts.js";
import type { Caller, CourierCaller } from "../store/access-tokens.js";
import { lockShop, type Reader, type Writer } from "../store/delivery-store.js";

export interface CarriedOrder {
  readonly resource: number;
  readonly order: StoredOrder;
}

export interface CarriedFilter {
  readonly orderId?: string | undefined;
  readonly resourceId?: number | undefined;
  readonly page?: Page | null;
}

/** Active orders of the courier's shop; for a courier of the cabinet, of every shop that shares the courier. */
export async function carriedOrders(
  db: Reader,
  { courierId, owner }: CourierCaller,
  { orderId, resourceId, page = null }: CarriedFilter = {},
): Promise<readonly CarriedOrder[]> {
  const rows = await db
    .selectFrom("delivery_orders as orders")
    .select(["orders.resource", "orders.body"])
    .where((is) => is.and({ "orders.courier_id": courierId, "orders.is_active": 1 }))
    .$if(owner !== CABINET, (query) => query.where("orders.resource", "=", owner))
    .$if(owner === CABINET, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("delivery_records as own")
              .select("own.owner")
              .where((is) => is.and({ "own.kind": "couriers", "own.record_id": courierId }))
              .whereRef("own.owner", "=", "orders.resource"),
          ),
        ),
      ),
    )
    .$if(orderId !== undefined, (query) => query.where("orders.order_id", "=", orderId ?? ""))
    .$if(resourceId !== undefined, (query) => query.where("orders.resource", "=", resourceId ?? 0))
    .orderBy("orders.resource")
    // With a sort, SQLite would not find a single order by its key.
    .$if(orderId === undefined, (query) => query.orderBy("orders.sort_key"))
    .orderBy("orders.is_refund")
    .$if(page !== null, (query) => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute();
  return rows.map((row) => ({ resource: row.resource, order: parseStoredOrder(row.body) }));
}

/** The courier's own shop, or the shop that a courier of the cabinet names. */
export async function shopOfCourier(
  db: Reader,
  { courier, resource }: Caller,
  { resourceId, place = "" }: { readonly resourceId: number | undefined; readonly place?: string },
): Promise<number> {
  if (resource !== CABINET) {
    if (resourceId === undefined || resourceId === resource) return resource;
    throw invalid(`${place}resourceId`, "is not the courier's shop");
  }
  if (resourceId === undefined) throw invalid(`${place}resourceId`, "is needed: the courier works for several shops");
  if (courier !== null && (await sharesCourier(db, resourceId, courier.courierId))) return resourceId;
  throw invalid(`${place}resourceId`, "is no shop of this courier");
}

export interface OrderPointer {
  readonly orderId: string;
  readonly resourceId?: number | undefined;
  readonly isRefund?: boolean | undefined;
}

export async function findCarried(
  db: Reader,
  courier: CourierCaller | null,
  pointer: OrderPointer,
): Promise<CarriedOrder> {
  const carried = courier === null ? [] : await carriedOrders(db, courier, pointer);
  const [found, second] = carried.filter(({ order }) => order.isRefund === (pointer.isRefund ?? false));
  if (found === undefined) {
    const isRefundOnly = carried.some(({ order }) => order.isRefund);
    throw missing("order", pointer.orderId, isRefundOnly ? "A refund order has this id: `isRefund` 1." : undefined);
  }
  if (second !== undefined) throw invalid("resourceId", "is needed: several shops have an order with this id");
  return found;
}

/** Also locks the order's shop. `scope`: what a change of the order needs. */
export async function carriedOrder(
  call: DeliveryCall<unknown, unknown>,
  tx: Writer,
  pointer: OrderPointer,
): Promise<{ readonly scope: CommitScope; readonly order: StoredOrder }> {
  const { backend, caller } = call;
  const { resource } = await findCarried(tx, caller.courier, pointer);
  await lockShop(backend.store.kind, tx, resource);
  const { order } = await findCarried(tx, caller.courier, { ...pointer, resourceId: resource });
  return { scope: { ...commitScope(call, tx), resource }, order };
}

/** Changes the first position that is meant and that the change fits. */
export function changeItem(
  items: readonly StoredItem[],
  pointer: ItemPointer,
  place: string,
  change: (item: StoredItem) => StoredItem | Fault,
): readonly StoredItem[] {
  let refusal = invalid(place, "names no position of the order");
  for (const [index, item] of items.entries()) {
    if (!isMeant(item, pointer)) continue;
    const changed = change(item);
    if (!isFault(changed)) return items.with(index, changed);
    refusal = changed;
  }
  throw refusal;
}

/** A known payment is ignored. Fault "api.invalid" for a payment that has changed, or belongs to another order. */
export async function addPayments(
  scope: CommitScope,
  order: StoredOrder,
  payments: readonly StoredPayment[],
): Promise<StoredOrder> {
  const ids = payments.map(({ paymentId }) => paymentId);
  const taken = await ordersOfPayments(scope.tx, scope.resource, ids);
  const reported = byCouriers(order);
  const named = [...(order.namedPayments ?? []), ...order.payments].filter((one) => !reported.includes(one));
  const added: StoredPayment[] = [];
  for (const [position, payment] of payments.entries()) {
    const { paymentId } = payment;
    const place = `payments[${position}].paymentId`;
    if (added.some((other) => other.paymentId === paymentId)) throw invalid(place, "stands in the array already");
    const known = [...named, ...reported].find((earlier) => earlier.paymentId === paymentId);
    const owner = taken.get(paymentId) ?? order.orderId;
    if (owner !== order.orderId) throw invalid(place, `is a payment of order ${owner}`);
    if (known !== undefined && !isSamePayment(known, payment)) {
      throw invalid(place, "was reported with another sum or type before");
    }
    // The shop may name a payment for an unpaid order, or for a refund order, before the courier has the money.
    if (known === undefined || ((order.isRefund || order.statusId === 0) && named.includes(known)))
      added.push({ ...payment, byCourier: true });
  }
  if (added.length === 0) return order;
  await savePayments(scope.tx, scope.resource, order.orderId, added);
  const isOther = ({ paymentId }: StoredPayment) => !added.some((one) => one.paymentId === paymentId);
  return followCollection(order, {
    ...order,
    payments: [...order.payments.filter(isOther), ...added],
    namedPayments: order.namedPayments?.filter(isOther) ?? [],
    paymentId: added.at(-1)?.paymentTypeId ?? order.paymentId,
  });
}

/** Money at the door is a fact: even too much is stored, and the account has an alert. */
export function warnOfExcess(warn: CommitScope["warn"], order: StoredOrder): void {
  const moved = collectedSum({ payments: byCouriers(order) });
  const due = order.isRefund ? goodsSum(order) : Math.max(0, costToCollect(order));
  if (moved <= due) return;
  const what = order.isRefund ? "the goods of the refund order cost" : "to be paid are";
  warn?.("payments", `come to ${formatRoubles(moved)}, and ${what} ${formatRoubles(kopecks(due))}`);
}

function isSamePayment(one: StoredPayment, other: StoredPayment): boolean {
  return toKopecks(one.price) === toKopecks(other.price) && one.paymentTypeId === other.paymentTypeId;
}

export interface ReturnedGood extends ItemPointer {
  readonly count: number;
  readonly returnReasonId?: string | null | undefined;
}

export interface CourierReturn {
  readonly refundId: string;
  readonly returnReasonId: string | null;
  readonly goods: readonly ReturnedGood[];
  readonly payments: readonly StoredPayment[];
  /** The courier's register printed the return, so it counts even where earlier refunds leave too little. */
  readonly isPrinted: boolean;
}

/** The refund order is paid. Fault "api.invalid" if earlier refunds have left less of the sale. */
export function refundOf(
  { sale, refunds }: Refundable,
  { refundId, returnReasonId, goods, payments, isPrinted }: CourierReturn,
): StoredOrder {
  const left = new PositionsLeft(sale, refunds);
  const items = goods.flatMap((returned, position) => {
    if (!left.names(returned)) throw invalid(`goods[${position}]`, "names no position that was sold");
    const ofSold = () => (isPrinted ? new PositionsLeft(sale, []).take(returned, returned.count) : null);
    const portions = left.take(returned, returned.count) ?? ofSold();
    if (portions === null) throw invalid(`goods[${position}].count`, "is more than is left of what was sold");
    const reason = returned.returnReasonId ?? returnReasonId;
    return portions.map((item): StoredItem => ({ ...item, returnReasonId: reason, canceledItems: [] }));
  });
  const sum = items.reduce((total, item) => total + itemSum(item), 0);
  return {
    ...sale,
    orderId: refundId,
    isRefund: true,
    originalOrderId: sale.orderId,
    returnReasonId,
    statusId: 1,
    deliveryStatusId: 6,
    amountToPay: sum / 100,
    prePaymentSum: null,
    goods: items,
    payments: payments.map((payment) => ({ ...payment, byCourier: true })),
    namedPayments: [],
    receiptStatusId: 0,
    frReceiptStatusId: 0,
    frUsedPaymentId: null,
    isReturned: false,
    isEdited: false,
    returnedOrder: null,
  };
}

type ReportedDocument = Omit<OwnDocument, "order" | "receipt"> & {
  readonly receipt: OwnDocument["receipt"] | undefined;
};

export function commitOne(
  scope: CommitScope,
  { before, after }: { readonly before: StoredOrder; readonly after: StoredOrder },
  document?: ReportedDocument,
) {
  return commitAccounts(scope, [{ before, after, place: "" }], { documents: documentsOf(after, document) });
}

export function documentsOf(order: StoredOrder, document?: ReportedDocument): readonly OwnDocument[] {
  return document?.receipt === undefined ? [] : [{ ...document, order, receipt: document.receipt }];
}
