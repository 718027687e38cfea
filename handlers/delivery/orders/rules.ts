/** Rules for an order beyond the types of its fields (54-fz 4, 10, 15). Pure. */
import { isDeepStrictEqual } from "node:util";
import {
  formatRoubles,
  type Kopecks,
  kopecks,
  MAX_SUM,
  parseQuantity,
  parseRoubles,
  type Quantity,
  quantity,
  sumKopecks,
} from "@fiscald/shared/amounts.js";
import {
  type FoundRecords,
  type NamedRecords,
  NONE,
  namedOrNone,
  type Reference,
  referencesIn,
} from "../catalog/references.js";
import type { Problem } from "../http/api-errors.js";
import { MAX_ROUBLES } from "../http/wire-types.js";
import type { OrderEdit } from "./schema.js";
import type { DeliveryStatus, StoredItem, StoredOrder } from "./stored-order.js";

/** What an item costs: its total with the discount (negative) or markup. */
export function itemSum(item: Pick<StoredItem, "total" | "discountTotal">): Kopecks {
  return kopecks(toKopecks(item.total) + toKopecks(item.discountTotal));
}

export function orderTotal(order: Pick<StoredOrder, "goods" | "amountToPay">): Kopecks {
  return order.goods.length === 0 ? toKopecks(order.amountToPay) : sumKopecks(order.goods.map(itemSum));
}

/** The schema lets in at most two decimals. */
export function toKopecks(roubles: number): Kopecks {
  return parseRoubles(roubles) ?? kopecks(Math.round(roubles * 100));
}

/** In millionths. The schema lets in at most six decimals. */
export function toQuantity(count: number): Quantity {
  return parseQuantity(count) ?? quantity(0);
}

export interface OrderCheck {
  readonly before: StoredOrder | null;
  readonly after: StoredOrder;
  readonly place: string;
  readonly strictTransitions: boolean;
}

export function orderProblems(check: OrderCheck): readonly Problem[] {
  return [internetProblem, timeProblem, itemProblems, prepaymentProblem, refundProblem, statusProblem].flatMap((rule) =>
    rule(check),
  );
}

function internetProblem({ after, place }: OrderCheck): readonly Problem[] {
  if (after.isInternetPayment === 0 || (after.internetPaymentUrl ?? "").trim() !== "") return [];
  return [{ place: `${place}internetPaymentUrl`, message: "must be filled when isInternetPayment is 1" }];
}

/** Times are compared as text: their format sorts like the times. */
function timeProblem({ after, place }: OrderCheck): readonly Problem[] {
  if (after.deliveryTimeFrom <= after.deliveryTimeTo) return [];
  return [{ place: `${place}deliveryTimeTo`, message: `is before deliveryTimeFrom, ${after.deliveryTimeFrom}` }];
}

/** Accepted goods are not checked again: the last returned piece of a good takes the rest of the good's money. */
function itemProblems({ before, after, place }: OrderCheck): readonly Problem[] {
  if (isDeepStrictEqual(before?.goods, after.goods)) return [];
  return after.goods.flatMap((item, position) => {
    const at = `${place}goods[${position}]`;
    // A product this large is no valid total, and JavaScript's numbers of this size are not exact.
    const isBeyond = item.price * item.count > 2 * MAX_ROUBLES;
    const product = isBeyond ? null : kopecks(Math.round(Number((item.price * item.count * 100).toFixed(3))));
    if (product === null || Math.abs(toKopecks(item.total) - product) > roundingOf(item)) {
      const sum =
        product === null ? "" : `, ${formatRoubles(product)}; a discount goes into discountTotal, as a negative sum`;
      return [{ place: `${at}.total`, message: `must be price x count${sum}` }];
    }
    if (itemSum(item) < 0) return [{ place: `${at}.discountTotal`, message: "is larger than the total" }];
    if (itemSum(item) > MAX_SUM || itemSum(item) / item.count > MAX_SUM)
      return [{ place: `${at}.discountTotal`, message: "makes the position dearer than a receipt can hold" }];
    return [];
  });
}

/** Shops round the price of a piece, not the total. So a kopeck a piece is allowed, up to a rouble (54-fz 5). */
function roundingOf({ count }: StoredItem): number {
  return Math.min(100, Math.ceil(count));
}

function prepaymentProblem({ after, place }: OrderCheck): readonly Problem[] {
  if (after.isRefund || after.prePaymentSum === null) return [];
  const sum = toKopecks(after.prePaymentSum);
  if (sum >= 0 && sum <= orderTotal(after)) return [];
  return [{ place: `${place}prePaymentSum`, message: "must be between 0 and the order's total" }];
}

/** A refund order's payments are at most its total. Amounts that were accepted before are not checked again. */
function refundProblem({ before, after, place }: OrderCheck): readonly Problem[] {
  if (!after.isRefund || (before !== null && moneyTextOf(before) === moneyTextOf(after))) return [];
  let left: number = orderTotal(after);
  for (const [position, payment] of after.payments.entries()) {
    const at = `${place}payments[${position}].price`;
    if (payment.price < 0) return [{ place: at, message: "must not be negative" }];
    left -= toKopecks(payment.price);
    if (left < 0) return [{ place: at, message: "makes the payments more than the refund order comes to" }];
  }
  return [];
}

function moneyTextOf({ goods, amountToPay, payments }: StoredOrder): string {
  return JSON.stringify([goods, amountToPay, payments]);
}

function statusProblem({ before, after, place, strictTransitions }: OrderCheck): readonly Problem[] {
  if (!strictTransitions) return [];
  const [from, to] = [before?.deliveryStatusId ?? null, after.deliveryStatusId];
  if (from !== null && from !== to && !moves[from].includes(to)) {
    const message = `cannot go from ${from} to ${to}`;
    return [{ place: `${place}deliveryStatusId`, message }];
  }
  if (after.deliveryStatusId >= 5 && after.returnReasonId === null) {
    return [{ place: `${place}returnReasonId`, message: `is required for delivery status ${after.deliveryStatusId}` }];
  }
  return [];
}

const moves: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  0: [1, 5],
  1: [0, 2, 5],
  2: [1, 3, 4, 5],
  3: [6],
  4: [6],
  5: [6],
  6: [],
};

const namedRecords: NamedRecords = {
  courierId: "couriers",
  clientId: "clients",
  supplierId: "suppliers",
  returnReasonId: "orderReturnReasons",
  paymentId: "paymentTypes",
  "goods.goodId": "goods",
  "goods.taxId": "taxes",
  "goods.warehouses.warehouseId": "warehouses",
  "goods.specificities.specificityId": "specificities",
  "payments.paymentTypeId": "paymentTypes",
};

const optionalNames: ReadonlySet<string> = new Set([
  "courierId",
  "clientId",
  "supplierId",
  "returnReasonId",
  "goods.goodId",
  "goods.taxId",
]);

/** Clients write the id 0 for "no record". */
export function withoutZeros<Input extends OrderEdit>(input: Input, found: FoundRecords): Input {
  const { courierId, clientId, supplierId, returnReasonId, goods } = input;
  const ofGoods = (goods ?? []).flatMap((item) => [item.goodId, item.taxId]);
  const ids = [courierId, clientId, supplierId, returnReasonId, ...ofGoods];
  if (!ids.includes(NONE)) return input;
  return {
    ...input,
    courierId: namedOrNone(found, "couriers", courierId),
    clientId: namedOrNone(found, "clients", clientId),
    supplierId: namedOrNone(found, "suppliers", supplierId),
    returnReasonId: namedOrNone(found, "orderReturnReasons", returnReasonId),
    goods: goods?.map((item) => ({
      ...item,
      goodId: namedOrNone(found, "goods", item.goodId),
      taxId: namedOrNone(found, "taxes", item.taxId),
    })),
  };
}

export function orderReferences(input: Partial<StoredOrder> | OrderEdit, place: string): readonly Reference[] {
  return referencesIn(input, namedRecords, place, (path) => optionalNames.has(path));
}
