import type { Clock } from "@fiscald/shared/clock.js";
import { OUTBOX_CHANNEL } from "../delivery/callbacks/callback-outbox.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import type { PrintResult } from "../print-server/host-callbacks.js";
import type { ReceiptTables } from "../print-server/receipt-tables.js";
import { findReceipts } from "../print-server/receipts/list-receipts.js";
import { uuidOfName } from "../print-server/receipts/receipt-ids.js";
import { ofKysely } from "../store/callers-transaction.js";
import { toWire } from "./receipt-operations.js";
import { type ResultTables, resultKind } from "./result-address.js";
import { sidecarResource } from "./sidecar-context.js";
import type { Language } from "./sidecar-errors.js";

/** Puts the present receipt into the outbox of callbacks. A shop without an address asks for its results itself. */
export async function sendResult(
  store: DeliveryStore,
  { clock, shop, language }: { readonly clock: Clock; readonly shop: number; readonly language: Language },
  { receiptId, outcome, messageId, resultInfo }: PrintResult,
): Promise<void> {
  if (receiptId === null) return;
  await store.transaction(async (tx) => {
    const own = tx.withTables<ResultTables>().selectFrom("sidecar_result_addresses").select("url");
    const url = (await own.where("receipt_id", "=", receiptId).executeTakeFirst())?.url ?? null;
    const targets = await tx
      .selectFrom("delivery_callbacks")
      .select("kind")
      .where("resource", "=", shop)
      .where("kind", "in", [resultKind(url), resultKind(null)])
      .where("is_active", "=", 1)
      .execute();
    // The shop's own address replaces one that does not count any more.
    const kind = [resultKind(url), resultKind(null)].find((one) => targets.some((target) => target.kind === one));
    const ofShop = { resource: sidecarResource(shop), receiptId };
    const [receipt] = await findReceipts(ofKysely(tx).withTables<ReceiptTables>(), ofShop);
    if (kind === undefined || receipt === undefined) return;
    // A repeat after a lost answer has the same id, by which this kit and the shop recognise it.
    const webhookId = `msg_${uuidOfName(receiptId, JSON.stringify([outcome, messageId ?? resultInfo]))}`;
    // Callbacks of delivery orders have a sequence. The index of the others is small.
    const known = tx.selectFrom("delivery_outbox").select("id").where("sequence", "is", null);
    if ((await known.where((is) => is.and({ webhook_id: webhookId, kind })).executeTakeFirst()) !== undefined) return;
    const now = clock.now();
    await tx
      .insertInto("delivery_outbox")
      .values({
        ...{ resource: shop, kind, lane: `receipt:${shop}:${receiptId}`, subject: receiptId, state: "sending" },
        ...{ webhook_id: webhookId, sequence: null, body: JSON.stringify(toWire(receipt, language)), attempts: 0 },
        ...{ due_at: now, claimed_until: 0, last_error: null, created_at: now },
      })
      .execute();
    await store.notifyAtCommit(tx, OUTBOX_CHANNEL);
  });
}
