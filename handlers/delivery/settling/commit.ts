/** Writes orders in one transaction: row, journal, status history, callback. Receipts: `settle-accounts.ts`. */

import { insertRows } from "../../store/insert-rows.js";
import { addCallbacks, findCallback, OUTBOX_CHANNEL } from "../callbacks/callback-outbox.js";
import { type FoundRecords, loadReferences } from "../catalog/references.js";
import type { CommitScope, OrderChange } from "../orders/order-change.js";
import { keyText, saveOrders } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { renderOrder, viewReferences } from "../orders/view.js";
import { journalItem } from "../orders/view-schema.js";

/** Returns the records that a view of these orders needs. `known`: records that were read already. */
export async function commitOrders(
  scope: CommitScope,
  asked: readonly OrderChange[],
  known: FoundRecords = new Map(),
): Promise<FoundRecords> {
  const { tx, resource } = scope;
  const orders = asked.map((change) => change.after);
  const shown = [...orders, ...asked.flatMap(({ before }) => (before === null ? [] : [before]))];
  const found = await loadReferences(tx, resource, viewReferences(shown), known);
  const changes = asked.filter(isRealChange);
  if (changes.length > 0) {
    await saveOrders(tx, scope, changes);
    const shownInJournal = changes.filter(({ isHidden }) => isHidden !== true);
    await writeJournal(
      scope,
      shownInJournal.map((change) => ({ order: change.after, entry: journalEntry(change, found) })),
    );
    await writeStatusChanges(scope, changes);
    await queueCallback(scope, changes);
  }
  return found;
}

/** A request that changes nothing leaves no trace. */
function isRealChange({ before, after, isRestored }: OrderChange): boolean {
  return before === null || isRestored === true || JSON.stringify(before) !== JSON.stringify(after);
}

interface JournalRow {
  readonly order: StoredOrder;
  readonly entry: ReturnType<typeof journalEntry>;
}

export async function writeJournal(scope: CommitScope, entries: readonly JournalRow[]): Promise<void> {
  const rows = entries.map(({ order, entry }) => ({
    resource: scope.resource,
    order_id: order.orderId,
    is_refund: order.isRefund ? 1 : 0,
    source: scope.source,
    courier_id: order.courierId,
    created_at: scope.now,
    ...entry,
  }));
  await insertRows({ tx: scope.tx, table: "delivery_journal", rows });
}

const journalParameters = Object.keys(journalItem.shape);

/** Only the parameters that the API's document lists. */
function journalEntry({ before, after }: OrderChange, found: FoundRecords) {
  const shown = (order: StoredOrder) => new Map(Object.entries(renderOrder({ ...order, goods: [] }, found)));
  const textOf = (item: ReadonlyMap<string, unknown>, names: readonly string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, item.get(name)])));
  const now = shown(after);
  if (before === null) return { event: "create", before_item: null, after_item: textOf(now, journalParameters) };
  const was = shown(before);
  const changed = journalParameters.filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(now.get(name)));
  return { event: "update", before_item: textOf(was, changed), after_item: textOf(now, changed) };
}

async function writeStatusChanges(scope: CommitScope, changes: readonly OrderChange[]): Promise<void> {
  const moved = changes.filter(({ before, after }) => before?.deliveryStatusId !== after.deliveryStatusId);
  if (moved.length === 0) return;
  const rows = moved.map(({ after }) => ({
    resource: scope.resource,
    order_id: after.orderId,
    is_refund: after.isRefund ? 1 : 0,
    status_id: after.deliveryStatusId,
    return_reason_id: after.returnReasonId,
    longitude: scope.at?.longitude ?? null,
    latitude: scope.at?.latitude ?? null,
    accuracy: scope.at?.accuracy ?? null,
    created_at: scope.now,
  }));
  await insertRows({ tx: scope.tx, table: "delivery_status_changes", rows });
}

/** Also for changes that none of the orders' own fields shows. */
export async function queueCallback(scope: CommitScope, changes: readonly OrderChange[]): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const callback = await findCallback(tx, resource, "order");
  const shown = changes.filter(({ isHidden }) => isHidden !== true);
  if (callback?.is_active !== 1 || shown.length === 0) return;
  const callbacks = shown.map(({ after }) => ({ kind: "order" as const, resource, subject: keyText(after) }));
  await addCallbacks(tx, callbacks, { now, delayMs: backend.rules.coalesceMs, cause: scope.requestId });
  await backend.store.notifyAtCommit(tx, OUTBOX_CHANNEL);
}
