import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Transaction } from "kysely";
import { insertRows } from "../../store/insert-rows.js";
import type { NoTables } from "../../store/opened-database.js";
import { type OrderAnswer, toReceipt } from "../order-body.js";
import type { ReceiptTables } from "../receipt-tables.js";
import {
  type createEnqueue,
  type Enqueued,
  type EnqueueReceiptOptions,
  idSource,
  type OwnTransaction,
  warnOfOddities,
} from "./enqueue-receipt.js";
import { lockOrders, ordersWithReceipts } from "./order-receipts.js";
import { type IdSource, idOfContent } from "./receipt-ids.js";
import { tellChanges, wakePolls } from "./receipt-signals.js";
import { type QueuedRow, queuedRow } from "./stored-receipt.js";

export interface EnqueuedMany {
  readonly added: readonly Enqueued[];
  readonly known: readonly Enqueued[];
  /** Orders that were refused; all others of the call are enqueued. */
  readonly refused: readonly { readonly order: OrderAnswer; readonly fault: Fault }[];
}

export function createEnqueueMany(enqueue: ReturnType<typeof createEnqueue>) {
  return async (orders: readonly OrderAnswer[], options: OwnTransaction = {}): Promise<EnqueuedMany> => {
    const answers: Enqueued[] = [];
    const refused: EnqueuedMany["refused"][number][] = [];
    for (const order of orders) {
      try {
        answers.push(await enqueue(order, options));
      } catch (error) {
        if (!isFault(error) || error.code === "config.invalid" || error.code.startsWith("store.")) throw error;
        refused.push({ order, fault: error });
      }
    }
    return { added: answers.filter(({ isNew }) => isNew), known: answers.filter(({ isNew }) => !isNew), refused };
  };
}

/** The ids in the same order. Null = `enqueue` has to decide: a known order, an id of its own, or a wrong receipt. */
export async function enqueueFirst(
  kit: EnqueueReceiptOptions,
  receipts: readonly SaleReceipt[],
  { within }: { readonly within: Transaction<NoTables> },
): Promise<readonly (ReceiptId | null)[]> {
  const tx = within.withoutPlugins().withTables<ReceiptTables>();
  const orderIds = receipts.flatMap(({ orderId }) => identityOf(orderId) ?? []);
  await lockOrders(tx, kit, orderIds);
  const known = new Set([...(await ordersWithReceipts(tx, kit, orderIds)), null]);
  const ids = await idSource(tx, kit);
  const rows = receipts.map((receipt) => {
    const order = identityOf(receipt.orderId);
    const row = known.has(order) ? null : rowOf(kit, ids, receipt);
    known.add(order);
    return row;
  });
  const added = rows.flatMap((row) => row ?? []);
  await insertRows({ tx, table: "print_receipts", rows: added });
  const kkms = added.map(({ kkm = null }) => kkm);
  await wakePolls(tx, kit, kkms);
  const addedIds = added.map(({ receipt_id }) => receipt_id);
  await tellChanges(tx, kit, addedIds);
  return rows.map((row) => (row === null ? null : toReceiptId(row.receipt_id)));
}

function rowOf(kit: EnqueueReceiptOptions, ids: IdSource, given: SaleReceipt): QueuedRow | null {
  const { resource, clock, rules } = kit;
  const now = clock.now();
  try {
    const receipt = toReceipt(given, now, rules);
    if (receipt.receiptId !== null) return null;
    warnOfOddities(kit, receipt);
    const receiptId = idOfContent(ids, receipt);
    const facts = { resource, content_key: receiptId, forced: 0, holder: null, created_at: now };
    return queuedRow({ ...receipt, receiptId }, facts);
  } catch (error) {
    if (!isFault(error)) throw error;
    return null;
  }
}
