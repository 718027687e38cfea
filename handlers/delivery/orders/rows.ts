/** Orders in the database. A sale and its refund may share an order id; they are two rows. */
import { sql } from "kysely";
import { insertRows } from "../../store/insert-rows.js";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import { sortKeyOf } from "../catalog/records.js";
import { missing } from "../http/api-errors.js";
import type { Page } from "../http/paging.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import type { StoredOrder } from "./stored-order.js";

export interface SaleOrRefund {
  readonly orderId: string;
  readonly isRefund: boolean;
}

export function keyText({ orderId, isRefund }: SaleOrRefund): string {
  return `${isRefund ? "refund" : "sale"}:${orderId}`;
}

export function saleIdOf({ originalOrderId, orderId }: StoredOrder): string {
  return originalOrderId ?? orderId;
}

export function keyOfText(text: string): SaleOrRefund {
  const [kind = "", ...rest] = text.split(":");
  return { isRefund: kind === "refund", orderId: rest.join(":") };
}

export interface KnownOrder {
  readonly order: StoredOrder;
  readonly isActive: boolean;
}

const ordersById = prepareQuery((db: Reader, resource: number, orderIds: readonly string[]) =>
  db
    .selectFrom("delivery_orders")
    .select(["body", "is_active"])
    .where("resource", "=", resource)
    .where("order_id", "in", orderIds),
);

export function parseStoredOrder(body: string): StoredOrder {
  const order: StoredOrder = JSON.parse(body);
  return order;
}

/** Finds deleted orders too. The keys of the map are made by `keyText`. */
export async function findOrders(
  db: Reader,
  resource: number,
  orderIds: readonly string[],
): Promise<Map<string, KnownOrder>> {
  if (orderIds.length === 0) return new Map();
  const rows = await ordersById(db, resource, paddedList(orderIds));
  const known = rows.map((row) => ({ order: parseStoredOrder(row.body), isActive: row.is_active === 1 }));
  return new Map(known.map((found) => [keyText(found.order), found]));
}

/** Without `isRefund`: the sale, else the refund order. Fault "api.not-found" for a missing or deleted order. */
export async function requireOrder(
  db: Reader,
  resource: number,
  wanted: { readonly orderId: string; readonly isRefund?: boolean | undefined },
): Promise<StoredOrder> {
  const found = chooseOrder(await findOrders(db, resource, [wanted.orderId]), wanted);
  if (found === null) throw missing("order", wanted.orderId);
  return found;
}

export function chooseOrder(
  known: ReadonlyMap<string, KnownOrder>,
  { orderId, isRefund }: { readonly orderId: string; readonly isRefund?: boolean | undefined },
): StoredOrder | null {
  const kinds = isRefund === undefined ? [false, true] : [isRefund];
  for (const kind of kinds) {
    const found = known.get(keyText({ orderId, isRefund: kind }));
    if (found !== undefined) return found.isActive ? found.order : null;
  }
  return null;
}

export function saveOrders(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  changes: readonly { readonly after: StoredOrder; readonly isHidden?: boolean }[],
): Promise<void> {
  return insertRows({
    tx,
    table: "delivery_orders",
    rows: changes.map(({ after: order, isHidden = false }) => ({
      resource: where.resource,
      order_id: order.orderId,
      is_refund: order.isRefund ? 1 : 0,
      sort_key: sortKeyOf(order.orderId),
      is_active: isHidden ? 0 : 1,
      courier_id: order.courierId,
      body: JSON.stringify(order),
      callback_sequence: 0,
      updated_at: where.now,
    })),
    known: {
      key: ["resource", "order_id", "is_refund"],
      replace: ["is_active", "courier_id", "body", "updated_at"],
    },
  });
}

export async function hideOrder(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  key: SaleOrRefund,
): Promise<void> {
  await tx
    .updateTable("delivery_orders")
    .set({ is_active: 0, updated_at: where.now })
    .where((is) => is.and({ resource: where.resource, order_id: key.orderId, is_refund: key.isRefund ? 1 : 0 }))
    .execute();
}

const activeOrders = prepareQuery((db: Reader, resource: number, limit: number, offset: number) =>
  db
    .selectFrom("delivery_orders")
    .select("body")
    .where((is) => is.and({ resource, is_active: sql.lit(1) }))
    .orderBy("sort_key")
    .orderBy("is_refund")
    .limit(limit)
    .offset(offset),
);

export async function listOrders(db: Reader, resource: number, page: Page): Promise<readonly StoredOrder[]> {
  const rows = await activeOrders(db, resource, page.limit, page.offset);
  return rows.map((row) => parseStoredOrder(row.body));
}
