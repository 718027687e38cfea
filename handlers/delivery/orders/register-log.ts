/** The shop's register log (`GET /fiscalRegistratorLogs`): results of receipts, and why none could be made. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { formatWireTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { Writer } from "../store/delivery-store.js";
import type { StoredOrder } from "./stored-order.js";

export interface RegisterLogEntry {
  readonly resource: number;
  readonly now: number;
  readonly frId: string;
  readonly order: Pick<StoredOrder, "orderId" | "courierId">;
  readonly result: Pick<PrintResult, "kkm" | "resultCode" | "resultInfo" | "total"> | null;
  /** When there is no result: why no receipt could be made, or what is wrong; without a code: what is right again. */
  readonly refusal?: { readonly code: string | null; readonly text: string };
}

/** False when it is there already, by its `frId`. */
export async function recordRegisterLog(tx: Writer, entry: RegisterLogEntry): Promise<boolean> {
  const { resource, now, frId, order, result, refusal } = entry;
  const failed = result !== null && result.resultCode !== 0;
  const body = {
    frId,
    courierId: toWireIdOrNull(order.courierId),
    errorCode: failed ? String(result.resultCode) : (refusal?.code ?? null),
    errorText: failed ? result.resultInfo : (refusal?.text ?? null),
    serialNumber: result?.kkm ?? null,
    amount: result?.total == null ? null : formatRoubles(result.total),
    orderId: toWireId(order.orderId),
    commandExecutedAt: formatWireTime(now),
  };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("delivery_feed_records")
    .values({
      resource,
      kind: "register",
      record_id: frId,
      courier_id: order.courierId,
      order_id: order.orderId,
      body: JSON.stringify(body),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}
