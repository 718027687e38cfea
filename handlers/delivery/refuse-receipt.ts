/** What is told of an order while its receipt is made: that there can be none, or that its own sum is another. */
import { randomUUID } from "node:crypto";
import type { Fault } from "@fiscald/shared/fault.js";
import { type FiscalTask, setTask } from "./fiscal-tasks.js";
import { type CommitScope, commitOrders } from "./order-commit.js";
import type { OrderChange } from "./order-journal.js";
import { toKopecks } from "./order-rules.js";
import { recordRegisterLog } from "./register-log.js";
import type { StoredOrder } from "./stored-order.js";

/** The shop reads why in its register log, and its order says that there is an error. */
export async function refuseReceipt(
  scope: CommitScope,
  { after: order, isHidden = false }: OrderChange,
  task: FiscalTask,
  fault: Fault,
): Promise<void> {
  const { backend, tx, resource, now } = scope;
  backend.store.afterCommit(tx, () =>
    backend.logger.warn("no receipt can be made of an order", { resource, order: order.orderId, fault }),
  );
  await setTask(tx, task.id, { state: "refused", now });
  await recordRegisterLog(tx, {
    resource,
    now,
    frId: `refused:${randomUUID()}`,
    order,
    result: null,
    refusal: { code: fault.code, text: fault.message },
  });
  if (order.frReceiptStatusId === 2) return;
  const refused: OrderChange = { before: order, after: { ...order, frReceiptStatusId: 2 }, isHidden };
  await commitOrders({ ...scope, isResult: true }, [refused]);
}

/** The receipt goes by the positions (domain 3.4); in `amountToPay` the discount is not applied. */
export function warnOfOtherAmount({ backend, tx }: CommitScope, order: StoredOrder): void {
  const gross = order.goods.reduce((sum, item) => sum + toKopecks(item.total), 0);
  if (gross === toKopecks(order.amountToPay)) return;
  const { orderId, amountToPay } = order;
  backend.store.afterCommit(tx, () =>
    backend.logger.warn("amountToPay differs from the positions", { order: orderId, amountToPay, total: gross / 100 }),
  );
}
