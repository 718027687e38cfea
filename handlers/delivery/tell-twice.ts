/** What a person has to put right: one sale, or one return, with two fiscal documents (domain 5.3: nothing here does it). */
import type { CommitScope } from "./order-commit.js";
import { recordRegisterLog } from "./register-log.js";
import { jsonObject, textField } from "./stored-json.js";
import type { StoredOrder } from "./stored-order.js";

export interface TwiceTold {
  readonly order: Pick<StoredOrder, "orderId" | "courierId">;
  readonly operation: "sale" | "return";
  /** The kit's receipt that is, or may become, the further one. */
  readonly receiptId: string;
  /** `is printed twice` */
  readonly what: string;
}

/** In the log, and for the shop in its register log, with the numbers of what is printed so far. */
export async function tellTwice(scope: CommitScope, { order, operation, receiptId, what }: TwiceTold): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const documents = await tx
    .selectFrom("delivery_order_receipts")
    .select(["fn", "fd_number", "body"])
    .where("resource", "=", resource)
    .where("order_id", "=", order.orderId)
    .where("operation", "=", operation)
    .orderBy("id")
    .execute();
  const named = documents.map(({ fn, fd_number, body }) => {
    const sign = textField(jsonObject(body), "fiscalSign") ?? "";
    return `FD ${fd_number} of drive ${fn} (sign ${sign})`;
  });
  const text = `A ${operation} receipt of order ${order.orderId} ${what}: ${named.join(", ")}. One of them is to be put right at its register.`;
  backend.logger.error(text, { resource, order: order.orderId, receipt: receiptId });
  await recordRegisterLog(tx, {
    resource,
    now,
    frId: `twice:${receiptId}:${what}`,
    order,
    result: null,
    refusal: { code: "job.already-printed", text },
  });
}
