/** What changed in an order, for GET /journal: only the changed parameters of the document's list; pure. */
import type { FoundRecords } from "../catalog/references.js";
import { toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { StoredOrder } from "./stored-order.js";
import { renderClient } from "./view.js";

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

export interface JournalEntry {
  readonly event: "create" | "update";
  readonly beforeItem: JournalItem | null;
  readonly afterItem: JournalItem | null;
}

export type JournalItem = Partial<ReturnType<typeof journalParameters>>;

export function journalEntry(change: OrderChange, found: FoundRecords): JournalEntry {
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
