/** Which receipts of an order there are, and how far each has come: at most one row for each purpose at a time. */
import { randomUUID } from "node:crypto";
import type { OrderKey } from "../orders/rows.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import type { ReceiptPurpose } from "./due-receipts.js";

/**
 * `waiting`: due, but an earlier receipt of the order comes first. `queued`: in the kit's receipt store. `printed`,
 * `failed`, `unknown`: its result. `refused`: no receipt could be made of the order. `elsewhere`: printed by the
 * courier's own register. `covered`: a refund of a prepayment that has gone back already.
 */
export type TaskState = "waiting" | "queued" | "printed" | "failed" | "unknown" | "refused" | "elsewhere" | "covered";

/** What a return is of. Decided once: as the sale stands then, or when its settlement is made (prepayment-ledger.ts). */
export type ReturnOf = "prepayment" | "sale";

export interface FiscalTask {
  readonly id: number;
  readonly purpose: string;
  readonly state: string;
  /** The kit's id of the receipt, once it is queued. */
  readonly receiptId: string;
  /** A `ReturnOf`, of a return without a receipt of ours (`elsewhere`, `covered`); null: not decided. */
  readonly returnOf: string | null;
}

/** The tasks of one order. */
export async function findTasks(db: Reader, resource: number, key: OrderKey): Promise<readonly FiscalTask[]> {
  return db
    .selectFrom("delivery_fiscal_tasks")
    .select(["id", "purpose", "state", "receipt_id as receiptId", "return_of as returnOf"])
    .where("resource", "=", resource)
    .where("order_id", "=", key.orderId)
    .where("is_refund", "=", key.isRefund ? 1 : 0)
    .orderBy("id")
    .execute();
}

/** A task whose words are those of this version; tasks of later versions are left alone. */
export interface OrderTask extends FiscalTask {
  readonly purpose: ReceiptPurpose;
  readonly state: TaskState;
}

const purposes: readonly ReceiptPurpose[] = ["prepayment", "prepayment-return", "sale", "return"];
const states: readonly TaskState[] = [
  "waiting",
  "queued",
  "printed",
  "failed",
  "unknown",
  "refused",
  "elsewhere",
  "covered",
];

export function orderTasks(tasks: readonly FiscalTask[]): readonly OrderTask[] {
  return tasks.flatMap((task) => {
    const purpose = purposes.find((known) => known === task.purpose);
    const state = states.find((known) => known === task.state);
    return purpose === undefined || state === undefined ? [] : [{ ...task, purpose, state }];
  });
}

const registeredStates: readonly string[] = ["printed", "elsewhere"] satisfies TaskState[];
/** Whether it is registered is not known yet. */
const openStates: readonly string[] = ["waiting", "queued", "unknown"] satisfies TaskState[];

/** What of an order is registered, by its tasks; `open`: that is not known yet. `prepaid`: its prepayment, and no settlement. */
export type SaleStanding = "registered" | "prepaid" | "open" | "none";

export function saleStanding(tasks: readonly FiscalTask[]): SaleStanding {
  const statesOf = (wanted: ReceiptPurpose) =>
    tasks.filter(({ purpose }) => purpose === wanted).map(({ state }) => state);
  const [sales, prepayments] = [statesOf("sale"), statesOf("prepayment")];
  if (sales.some((state) => registeredStates.includes(state))) return "registered";
  if (isOnItsWay(tasks, "sale") || prepayments.some((state) => openStates.includes(state))) return "open";
  // A settlement that waits is not begun: it waits for what becomes of the prepayment.
  if (prepayments.some((state) => registeredStates.includes(state))) return "prepaid";
  return sales.some((state) => openStates.includes(state)) ? "open" : "none";
}

/** What the courier's own register gives back now: of the prepayment before any settlement. Null: nobody can say yet. */
export function returnOfNow(sale: readonly FiscalTask[]): ReturnOf | null {
  const standing = saleStanding(sale);
  if (standing === "prepaid") return "prepayment";
  return standing === "registered" ? "sale" : null;
}

/** Stands before the number that a task has while it has no receipt. */
const NO_RECEIPT = "none:";

function noReceipt(): string {
  return `${NO_RECEIPT}${randomUUID()}`;
}

/** The order has this receipt; without a purpose: any. */
export function isRegistered(tasks: readonly FiscalTask[], wanted?: ReceiptPurpose): boolean {
  return tasks.some(({ purpose, state }) => (wanted ?? purpose) === purpose && registeredStates.includes(state));
}

/** What becomes of the receipt for this, or of any, is not known yet. */
export function isOnItsWay(tasks: readonly FiscalTask[], wanted?: ReceiptPurpose): boolean {
  return tasks.some(
    ({ purpose, state }) => (wanted ?? purpose) === purpose && (state === "queued" || state === "unknown"),
  );
}

/** Of the order's prepayment: registered by us, not registered yet, or neither. */
export function prepaymentStanding(tasks: readonly FiscalTask[]): "registered" | "open" | "none" {
  const state = tasks.find(({ purpose }) => purpose === "prepayment")?.state ?? "";
  if (registeredStates.includes(state)) return "registered";
  return openStates.includes(state) ? "open" : "none";
}

/** Adds what is not there yet. */
export async function addTasks(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  tasks: readonly {
    readonly key: OrderKey;
    readonly purpose: string;
    readonly state: TaskState;
    readonly receiptId?: string;
    readonly returnOf?: ReturnOf | null;
  }[],
): Promise<void> {
  if (tasks.length === 0) return;
  await tx
    .insertInto("delivery_fiscal_tasks")
    .values(
      tasks.map(({ key, purpose, state, receiptId, returnOf }) => ({
        resource: where.resource,
        order_id: key.orderId,
        is_refund: key.isRefund ? 1 : 0,
        purpose,
        // The kit's own id takes its place when the receipt is queued.
        receipt_id: receiptId ?? noReceipt(),
        return_of: returnOf ?? null,
        state,
        updated_at: where.now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function setTask(
  tx: Writer,
  id: number,
  change: { readonly state: TaskState; readonly receiptId?: string; readonly now: number },
): Promise<void> {
  await tx
    .updateTable("delivery_fiscal_tasks")
    .set({
      state: change.state,
      updated_at: change.now,
      ...(change.receiptId === undefined ? {} : { receipt_id: change.receiptId }),
    })
    .where("id", "=", id)
    .execute();
}

/** That is decided of a return that is none of the sale. */
export async function setOfPrepayment(tx: Writer, { id }: Pick<FiscalTask, "id">): Promise<void> {
  const returnOf: ReturnOf = "prepayment";
  await tx.updateTable("delivery_fiscal_tasks").set({ return_of: returnOf }).where("id", "=", id).execute();
}

/** Stands before the document's key, as the purpose of a return receipt that is kept for its return: the sale's until that comes. */
const KEPT_RETURN = "kept-return:";

export function keptReturn(document: string): string {
  return `${KEPT_RETURN}${document}`;
}

/** The key of the document of the courier's register (known-document.ts); null for a task that stands for no kept return. */
export function keptDocument(purpose: string): string | null {
  return purpose.startsWith(KEPT_RETURN) ? purpose.slice(KEPT_RETURN.length) : null;
}

/** What was kept is the return of this order, which has none. */
export async function giveReturn(tx: Writer, id: number, { orderId, isRefund }: OrderKey): Promise<void> {
  await tx
    .updateTable("delivery_fiscal_tasks")
    .set({ order_id: orderId, is_refund: isRefund ? 1 : 0, purpose: "return" })
    .where("id", "=", id)
    .execute();
}

/** A registered receipt makes room for a further one of its purpose. Its own word stands before the colon. */
export async function setAside(tx: Writer, { id, purpose }: FiscalTask): Promise<void> {
  await tx
    .updateTable("delivery_fiscal_tasks")
    .set({ purpose: `${purpose}:${id}` })
    .where("id", "=", id)
    .execute();
}

/** Its receipt is none of the order's any more, and another one is due. */
export async function makeDueAnew(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  key: OrderKey,
  task: FiscalTask,
): Promise<void> {
  await keepEarlierReceipt(tx, resource, key, task);
  await setTask(tx, task.id, { state: "waiting", receiptId: noReceipt(), now });
}

/** The order is no longer due for it. */
export async function removeTask(tx: Writer, resource: number, key: OrderKey, task: FiscalTask): Promise<void> {
  await keepEarlierReceipt(tx, resource, key, task);
  await tx.deleteFrom("delivery_fiscal_tasks").where("id", "=", task.id).execute();
}

export interface ReceiptOwner {
  readonly key: OrderKey;
  readonly purpose: string;
  /** Null when the order is no longer due for it. */
  readonly task: FiscalTask | null;
  /** The task stands for a later receipt, or is gone. */
  readonly isEarlier: boolean;
}

/** Which order and purpose a receipt of the kit belongs to, or belonged to before it was made anew; null for no order's. */
export async function findReceiptOwner(db: Reader, resource: number, receiptId: string): Promise<ReceiptOwner | null> {
  const columns = ["order_id", "is_refund", "purpose"] as const;
  const current = await db
    .selectFrom("delivery_fiscal_tasks")
    .select(columns)
    .where("resource", "=", resource)
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
  const found =
    current ??
    (await db
      .selectFrom("delivery_earlier_receipts")
      .select(columns)
      .where("resource", "=", resource)
      .where("receipt_id", "=", receiptId)
      .executeTakeFirst());
  if (found === undefined) return null;
  const { purpose } = found;
  const key = { orderId: found.order_id, isRefund: found.is_refund === 1 };
  const task = (await findTasks(db, resource, key)).find((other) => other.purpose === purpose) ?? null;
  return { key, purpose, task, isEarlier: current === undefined };
}

/** Before a task stands for another receipt, or for none: the one that it stood for may still have a result. */
export async function keepEarlierReceipt(
  tx: Writer,
  resource: number,
  key: OrderKey,
  { receiptId, purpose }: FiscalTask,
): Promise<void> {
  if (receiptId.startsWith(NO_RECEIPT)) return;
  await tx
    .insertInto("delivery_earlier_receipts")
    .values({ resource, receipt_id: receiptId, order_id: key.orderId, is_refund: key.isRefund ? 1 : 0, purpose })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
