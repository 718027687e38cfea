/** Writes orders: row, journal, status history and callback in one transaction. Their receipts: `account/settle-accounts.ts`. */
import { insertRows } from "../../store/insert-rows.js";
import type { Backend } from "../backend.js";
import { addCallbacks, findCallback, OUTBOX_CHANNEL, orderSubject } from "../callbacks/callback-outbox.js";
import { type FoundRecords, loadReferences } from "../catalog/references.js";
import type { Caller } from "../http/endpoint.js";
import { toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { Writer } from "../store/delivery-store.js";
import { saveOrders } from "./rows.js";
import type { StoredOrder } from "./stored-order.js";
import { renderClient, viewReferences } from "./view.js";

export interface OrderChange {
  /** Null: the order is new. */
  readonly before: StoredOrder | null;
  readonly after: StoredOrder;
  /** A change of a deleted order (its receipt is printed): it stays hidden and causes no callback. */
  readonly isHidden?: boolean;
  /** A deleted order is restored: a change even without others. */
  readonly isRestored?: boolean;
  /** Its path in the request, for faults: `[2].`, or empty for a request of one order. */
  readonly place?: string;
}

export interface CommitScope {
  readonly backend: Backend;
  readonly tx: Writer;
  /** The shop whose orders these are. */
  readonly resource: number;
  /** Initiator of the change in the journal. */
  readonly source: Caller["name"];
  readonly now: number;
  /** Where the courier was when a delivery status changed. */
  readonly at?: StatusPlace | undefined;
  /** The shop writes these orders: what no receipt can carry of a paid one is refused at its field. */
  readonly isWritten?: true;
}

export interface StatusPlace {
  readonly longitude: string | null;
  readonly latitude: string | null;
  readonly accuracy: number | null;
}

/**
 * Writes the changes; returns the records that a view of these orders needs. `known`: records that were read already.
 */
export async function commitOrders(
  scope: CommitScope,
  asked: readonly OrderChange[],
  known: FoundRecords = new Map(),
): Promise<FoundRecords> {
  const { backend, tx, resource } = scope;
  const orders = asked.map((change) => change.after);
  const shown = [...orders, ...asked.flatMap(({ before }) => (before === null ? [] : [before]))];
  const found = await loadReferences(tx, resource, viewReferences(shown), known);
  const changes = asked.filter(isRealChange);
  if (changes.length > 0) {
    await saveOrders(tx, { ...scope, kind: backend.store.kind }, changes);
    await writeJournal(scope, changes, found);
    await writeStatusChanges(scope, changes);
    await queueCallback(scope, changes);
  }
  return found;
}

/** A request that changes nothing leaves no trace. */
function isRealChange({ before, after, isRestored }: OrderChange): boolean {
  return before === null || isRestored === true || JSON.stringify(before) !== JSON.stringify(after);
}

async function writeJournal(scope: CommitScope, changes: readonly OrderChange[], found: FoundRecords): Promise<void> {
  const entries = changes.map((change) => {
    const { event, beforeItem, afterItem } = journalEntry(change, found);
    return {
      resource: scope.resource,
      order_id: change.after.orderId,
      is_refund: change.after.isRefund ? 1 : 0,
      event,
      source: scope.source,
      courier_id: change.after.courierId,
      before_item: beforeItem === null ? null : JSON.stringify(beforeItem),
      after_item: afterItem === null ? null : JSON.stringify(afterItem),
      created_at: scope.now,
    };
  });
  await insertRows({ tx: scope.tx, kind: scope.backend.store.kind, table: "delivery_journal", rows: entries });
}

interface JournalEntry {
  readonly event: "create" | "update";
  readonly beforeItem: JournalItem | null;
  readonly afterItem: JournalItem | null;
}

type JournalItem = Partial<ReturnType<typeof journalParameters>>;

/** What changed, for GET /journal: only the parameters of the document's list. */
function journalEntry(change: OrderChange, found: FoundRecords): JournalEntry {
  const after = journalParameters(change.after, found);
  if (change.before === null) return { event: "create", beforeItem: null, afterItem: after };
  const before = journalParameters(change.before, found);
  const isChanged = (name: string, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(new Map<string, unknown>(Object.entries(after)).get(name));
  const names = Object.entries(before)
    .filter(([name, value]) => isChanged(name, value))
    .map(([name]) => name);
  return { event: "update", beforeItem: pick(before, names), afterItem: pick(after, names) };
}

/** The parameters that can appear in the journal. */
function journalParameters(order: StoredOrder, found: FoundRecords) {
  const clientRecord = order.clientId === null ? undefined : found.get("clients")?.get(order.clientId)?.body;
  return {
    statusId: order.statusId,
    deliveryStatusId: order.deliveryStatusId,
    isAgreed: order.isAgreed,
    returnReasonId: toWireIdOrNull(order.returnReasonId),
    frReceiptStatusId: order.frReceiptStatusId,
    courierId: toWireIdOrNull(order.courierId),
    clientId: toWireIdOrNull(order.clientId),
    supplierId: toWireIdOrNull(order.supplierId),
    paymentId: toWireId(order.paymentId),
    amountToPay: order.amountToPay,
    phone: order.phone,
    deliveryTimeFrom: order.deliveryTimeFrom,
    deliveryTimeTo: order.deliveryTimeTo,
    client: renderClient(order, clientRecord),
    addressToEntity: order.addressToEntity,
    isReturned: order.isReturned,
    isEdited: order.isEdited,
    isRefund: order.isRefund,
    description: order.description,
  };
}

function pick<Item extends object>(item: Item, names: readonly string[]): Partial<Item> {
  const picked: Partial<Item> = { ...item };
  for (const name of Object.keys(picked)) if (!names.includes(name)) Reflect.deleteProperty(picked, name);
  return picked;
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
  await insertRows({ tx: scope.tx, kind: scope.backend.store.kind, table: "delivery_status_changes", rows });
}

/** Queues callbacks about orders, also for changes that none of their own fields shows. */
export async function queueCallback(scope: CommitScope, changes: readonly OrderChange[]): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const callback = await findCallback(tx, resource, "order");
  const shown = changes.filter(({ isHidden }) => isHidden !== true);
  if (callback?.is_active !== 1 || shown.length === 0) return;
  const callbacks = shown.map(({ after }) => ({ kind: "order" as const, resource, subject: orderSubject(after) }));
  await addCallbacks(tx, callbacks, { now, delayMs: backend.rules.coalesceMs });
  await backend.store.notifyAtCommit(tx, OUTBOX_CHANNEL);
}
