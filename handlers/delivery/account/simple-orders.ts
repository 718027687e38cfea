/**
 * Most orders of a request need no look at one receipt after the other: a few queries for all of them tell which. What is said
 * of them here is what receipt-queue.ts comes to with each alone.
 */
import { isFault } from "@fiscald/shared/fault.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { sql } from "kysely";
import type { ReceiptTables } from "../../print-server/receipts/receipt-tables.js";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import type { BackendRules } from "../backend.js";
import type { CommitScope } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { keyText } from "../orders/rows.js";
import type { Reader } from "../store/delivery-store.js";
import { duePurposes, RETURNED, type ReceiptPurpose } from "./due-receipts.js";
import type { FiscalTask, TaskState } from "./fiscal-tasks.js";
import type { GivenLine } from "./given-lines.js";
import { orderReceipt } from "./order-receipt.js";
import { effectOn } from "./receipt-change.js";
import { type CatalogFacts, loadCatalogFacts } from "./receipt-facts.js";
import { type ReceiptFacts, receiptLines } from "./receipt-lines.js";

export interface SortedOrders {
  /** Nothing is to be done: no receipt is there or due, or there is the sale's alone, and it stays as it is. */
  readonly settled: ReadonlySet<OrderChange>;
  /** No receipt is there, and one is due. */
  readonly first: readonly FirstReceipt[];
  /** Of all the others too; undefined where nobody needs it. */
  readonly catalog: CatalogFacts | undefined;
}

export interface FirstReceipt {
  readonly change: OrderChange;
  readonly purpose: ReceiptPurpose;
  readonly receipt: SaleReceipt;
  readonly lines: readonly GivenLine[];
}

interface Asked {
  readonly change: OrderChange;
  readonly tasks: readonly FiscalTask[];
  readonly due: readonly ReceiptPurpose[];
}

export async function sortOrders(
  { tx, resource }: CommitScope,
  changes: readonly OrderChange[],
  rules: BackendRules,
): Promise<SortedOrders> {
  const asked = await withTasks(tx, resource, changes, rules);
  const isAlone = onlyOnceIn(changes);
  const simple = asked.filter(({ change }) => isSimple(change) && isAlone(change));
  const idle = new Set(simple.filter(({ tasks, due }) => tasks.length === 0 && due.length === 0));
  const open = asked.filter((one) => !idle.has(one));
  if (open.length === 0) return { settled: changesOf(idle), first: [], catalog: undefined };

  const versions = open.flatMap(({ change: { before, after } }) => (before === null ? [after] : [before, after]));
  const catalog = await loadCatalogFacts(tx, resource, versions);
  // What has no prepayment of ours, and is not returned, has neither.
  const facts = { ...catalog, prepayment: null, sold: null };
  const takenBack = await idsTakenBack(tx, resource, simple);
  const kept = simple.filter(
    (one) => isKept(one, facts) && !one.tasks.some(({ receiptId }) => takenBack.has(receiptId)),
  );
  return {
    settled: changesOf([...idle, ...kept]),
    first: simple.flatMap((one) => firstReceipt(one, facts) ?? []),
    catalog,
  };
}

/** A sale of which nothing comes back, or came back: what its refund orders do is no matter of its receipts. */
function isSimple({ before, after }: OrderChange): boolean {
  if (after.isRefund || after.isReturned) return false;
  return after.deliveryStatusId !== RETURNED && before?.deliveryStatusId !== RETURNED;
}

function onlyOnceIn(changes: readonly OrderChange[]): (change: OrderChange) => boolean {
  const times = new Map<string, number>();
  for (const { after } of changes) times.set(keyText(after), (times.get(keyText(after)) ?? 0) + 1);
  return ({ after }) => times.get(keyText(after)) === 1;
}

function changesOf(asked: Iterable<Asked>): ReadonlySet<OrderChange> {
  return new Set([...asked].map(({ change }) => change));
}

const standingStates: readonly string[] = ["queued", "printed", "unknown", "elsewhere"] satisfies TaskState[];

/** The sale's receipt is the only one, still due, and says what the order says now; what was handed out may say it in other words. */
function isKept({ change: { before, after }, tasks, due }: Asked, facts: ReceiptFacts): boolean {
  const [task] = tasks;
  if (before === null || task === undefined || tasks.length > 1) return false;
  if (task.purpose !== "sale" || !standingStates.includes(task.state) || !due.includes("sale")) return false;
  const effect = effectOn({ before, after, purpose: "sale", facts, isElsewhere: task.state === "elsewhere" });
  return effect === "none" || (effect === "wording" && task.state !== "queued");
}

/** Null where there is none, or it cannot be made: that is told where receipts are looked at one by one. */
function firstReceipt({ change, tasks, due }: Asked, facts: ReceiptFacts): FirstReceipt | null {
  // Nothing can go back where nothing was taken.
  const [purpose, ...more] = due.filter((one) => one !== "prepayment-return");
  if (tasks.length > 0 || more.length > 0 || (purpose !== "sale" && purpose !== "prepayment")) return null;
  try {
    const { after } = change;
    const receipt = orderReceipt(after, purpose, facts);
    return { change, purpose, receipt, lines: receiptLines(after, purpose, facts) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return null;
  }
}

const tasksById = prepareQuery((db: Reader, resource: number, orderIds: readonly string[]) =>
  db
    .selectFrom("delivery_fiscal_tasks")
    .select(["order_id", "is_refund", "id", "purpose", "state", "receipt_id as receiptId", "return_of as returnOf"])
    .where("resource", "=", resource)
    .where("order_id", "in", orderIds),
);

/** A new order has no receipts yet, and most have none to come: of these nothing is read. */
async function withTasks(
  db: Reader,
  resource: number,
  changes: readonly OrderChange[],
  rules: BackendRules,
): Promise<readonly Asked[]> {
  const withDue = changes.map((change) => ({ change, due: duePurposes(change.after, rules) }));
  const toRead = withDue.filter(({ change, due }) => change.before !== null || due.length > 0);
  const orderIds = toRead.map(({ change }) => change.after.orderId);
  const rows = orderIds.length === 0 ? [] : await tasksById(db, resource, paddedList(orderIds));
  const tasks = new Map<string, FiscalTask[]>();
  for (const { order_id: orderId, is_refund: isRefund, ...task } of rows) {
    const key = keyText({ orderId, isRefund: isRefund === 1 });
    tasks.set(key, [...(tasks.get(key) ?? []), task]);
  }
  return withDue.map((one) => ({ ...one, tasks: tasks.get(keyText(one.change.after)) ?? [] }));
}

const replacedById = prepareQuery((db: Reader, resource: string, receiptIds: readonly string[]) =>
  db
    .withTables<ReceiptTables>()
    .selectFrom("print_receipts")
    .select("receipt_id")
    .where("resource", "=", resource)
    .where("receipt_id", "in", receiptIds)
    .where("state", "=", sql.lit("replaced")),
);

/** What the kit itself took out of the queue is to be made anew. */
async function idsTakenBack(db: Reader, resource: number, asked: readonly Asked[]): Promise<ReadonlySet<string>> {
  const queued = asked.flatMap(({ tasks }) => tasks.filter(({ state }) => state === "queued"));
  const receiptIds = queued.map(({ receiptId }) => receiptId);
  const rows = receiptIds.length === 0 ? [] : await replacedById(db, String(resource), paddedList(receiptIds));
  return new Set(rows.map((row) => row.receipt_id));
}
