/** Which receipts of an order there are, and how far each has come: at most one row for each purpose. */
import { randomUUID } from "node:crypto";
import type { ReceiptPurpose } from "./due-receipts.js";
import type { Reader, Writer } from "./operation.js";
import type { OrderKey } from "./order-rows.js";

/**
 * `waiting`: due, but an earlier receipt of the order comes first. `queued`: in the kit's receipt store. `printed`,
 * `failed`, `unknown`: its result. `refused`: no receipt could be made of the order. `elsewhere`: printed by the
 * courier's own register.
 */
export type TaskState = "waiting" | "queued" | "printed" | "failed" | "unknown" | "refused" | "elsewhere";

export interface FiscalTask {
  readonly id: number;
  readonly purpose: string;
  readonly state: string;
  /** The kit's id of the receipt, once it is queued. */
  readonly receiptId: string;
}

/** The tasks of one order. */
export async function findTasks(db: Reader, resource: number, key: OrderKey): Promise<readonly FiscalTask[]> {
  return db
    .selectFrom("delivery_fiscal_tasks")
    .select(["id", "purpose", "state", "receipt_id as receiptId"])
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

const purposes: readonly ReceiptPurpose[] = ["prepayment", "sale", "return"];
const states: readonly TaskState[] = ["waiting", "queued", "printed", "failed", "unknown", "refused", "elsewhere"];

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

/** Whether the sale of an order is registered, by its tasks; `open`: that is not known yet. */
export function saleStanding(tasks: readonly FiscalTask[]): "registered" | "open" | "none" {
  const sales = tasks.filter(({ purpose }) => purpose === "sale").map(({ state }) => state);
  if (sales.some((state) => registeredStates.includes(state))) return "registered";
  return sales.some((state) => openStates.includes(state)) ? "open" : "none";
}

/** Adds what is not there yet. */
export async function addTasks(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  tasks: readonly { readonly key: OrderKey; readonly purpose: ReceiptPurpose; readonly state: TaskState }[],
): Promise<void> {
  if (tasks.length === 0) return;
  await tx
    .insertInto("delivery_fiscal_tasks")
    .values(
      tasks.map(({ key, purpose, state }) => ({
        resource: where.resource,
        order_id: key.orderId,
        is_refund: key.isRefund ? 1 : 0,
        purpose,
        // The kit's own id takes its place when the receipt is queued.
        receipt_id: `none:${randomUUID()}`,
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

/** The order is no longer due for it. */
export async function removeTask(tx: Writer, id: number): Promise<void> {
  await tx.deleteFrom("delivery_fiscal_tasks").where("id", "=", id).execute();
}

/** Which order and purpose a receipt of the kit belongs to. */
export async function findTaskByReceipt(db: Reader, resource: number, receiptId: string) {
  return db
    .selectFrom("delivery_fiscal_tasks")
    .selectAll()
    .where("resource", "=", resource)
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
}
