/** Signals between the nodes of a receipt store. */
import type { Transaction, Updateable } from "kysely";
import type { Store } from "../../store/open-store.js";
import { ASKED_AGAIN_MS } from "../../store/unchanged.js";
import type { ReceiptTables, ReceiptTx, ShopReceipts, ShopTables } from "../receipt-tables.js";
import type { ReceiptRow } from "./stored-receipt.js";

export const wakeChannel = "fiscald_receipts";
/** The payload of a signal is the id of the receipt that has changed. */
export const changeChannel = "fiscald_receipt_changes";

interface Notifying<Tables> {
  readonly store: Pick<Store<Tables>, "notifyAtCommit">;
  readonly resource: string;
}

/** Null stands for a receipt that any register may print. */
export function wakePolls<Tables>(
  tx: Transaction<Tables>,
  { store, resource }: Notifying<Tables>,
  kkms: readonly (string | null)[],
): Promise<void> {
  return store.notifyAtCommit(tx, wakeChannel, [...new Set(kkms.map((kkm) => wakePayload(resource, kkm)))]);
}

export function tellChanges(tx: ReceiptTx, { store }: ShopTables, receiptIds: readonly string[]): Promise<void> {
  return store.notifyAtCommit(tx, changeChannel, receiptIds);
}

export async function changeReceipt(
  tx: ReceiptTx,
  shop: ShopTables,
  { seq, receipt_id }: Pick<ReceiptRow, "seq" | "receipt_id">,
  change: Updateable<ReceiptTables["print_receipts"]>,
): Promise<void> {
  await tx.updateTable("print_receipts").set(change).where("seq", "=", seq).execute();
  await tellChanges(tx, shop, [receipt_id]);
}

function wakePayload(resource: string, kkm: string | null): string {
  return JSON.stringify([resource, kkm]);
}

interface Watched extends Pick<ShopReceipts, "clock"> {
  readonly store: Pick<Store<never>, "signals">;
}

export function watchWakes(shop: Watched & Pick<ShopReceipts, "resource">, kkm: string) {
  // An empty payload means that signals may have been missed.
  const meant = ["", wakePayload(shop.resource, null), wakePayload(shop.resource, kkm)];
  return watchSignals(shop, wakeChannel, (payload) => meant.includes(payload));
}

/** Call this before the first read, so that no signal is missed. */
export function watchSignals({ store, clock }: Watched, channel: string, isMeant: (payload: string) => boolean) {
  let isWoken = false;
  let wake = () => {};
  const end = store.signals.subscribe(channel, (payload) => {
    if (!isMeant(payload)) return;
    isWoken = true;
    wake();
  });
  return {
    /** Resolves at a signal since the last call, after `ms` (at most `ASKED_AGAIN_MS`), or when `signal` aborts. */
    next(ms: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const finish = () => {
          timer.cancel();
          signal.removeEventListener("abort", finish);
          wake = () => {};
          isWoken = false;
          resolve();
        };
        const timer = clock.setTimer(Math.min(ms, ASKED_AGAIN_MS), finish);
        signal.addEventListener("abort", finish);
        wake = finish;
        if (isWoken || signal.aborted) finish();
      });
    },
    end,
  };
}
