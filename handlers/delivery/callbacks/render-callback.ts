/** Bodies of callbacks, made from the present data. */
import { formatApiTime, toWireId } from "../http/wire-types.js";
import { keyOfText, parseStoredOrder } from "../orders/rows.js";
import { renderOrders } from "../orders/view.js";
import type { Writer } from "../store/delivery-store.js";
import type { OutboxRow } from "../store/delivery-tables.js";

/** Makes the body at the first try, so that all changes up to then are in it. Null: there is nothing to report any more. */
export async function renderCallback(tx: Writer, row: OutboxRow) {
  return row.kind === "order" ? renderOrderCallback(tx, row) : renderSessionCallback(tx, row);
}

async function renderOrderCallback(tx: Writer, row: OutboxRow) {
  const { orderId, isRefund } = keyOfText(row.subject);
  const found = await tx
    .updateTable("delivery_orders")
    .set((expression) => ({ callback_sequence: expression("callback_sequence", "+", 1) }))
    .where((is) => is.and({ resource: row.resource, order_id: orderId, is_refund: isRefund ? 1 : 0 }))
    .returning(["body", "callback_sequence"])
    .executeTakeFirst();
  if (found === undefined) return null;
  const items = await renderOrders(tx, row.resource, [parseStoredOrder(found.body)]);
  return { body: { items }, sequence: found.callback_sequence };
}

async function renderSessionCallback(tx: Writer, row: OutboxRow) {
  const session = await tx
    .selectFrom("delivery_sessions")
    .selectAll()
    .where("id", "=", Number(row.subject))
    .executeTakeFirst();
  if (session === undefined || session.finished_at === null) return null;
  const body = {
    sessionId: session.id,
    courierId: toWireId(session.courier_id),
    deviceId: session.device_id,
    deviceTitle: session.device_title,
    sessionStartAt: formatApiTime(session.started_at),
    sessionFinishAt: formatApiTime(session.finished_at),
  };
  return { body, sequence: null };
}
