/** Signals between the nodes of a receipt store. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Transaction, Updateable } from "kysely";
import type { Store } from "../../store/open-store.js";
import { createListeners, tellAll } from "../../store/opened-database.js";
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

/**
 * The polls that wait for a shop's receipts. A signal wakes only those for whose register it is meant. They hear of the
 * end from the store itself, which outlives the shop's part of it.
 */
export function watchWakes({ store, clock, resource }: Watched & Pick<ShopReceipts, "resource">) {
  const byRegister = createListeners();
  const anyRegister = ["", wakePayload(resource, null)];
  store.signals.subscribe(wakeChannel, (payload) => {
    if (anyRegister.includes(payload)) tellAll(byRegister);
    else byRegister.emit(payload, payload);
  });
  return {
    of(kkm: string) {
      const register = wakePayload(resource, kkm);
      const { wake, next } = createWaits(clock);
      byRegister.on(register, wake);
      return { next, end: () => void byRegister.off(register, wake) };
    },
  };
}

/** Call this before the first read, so that no signal is missed. */
export function watchSignals({ store, clock }: Watched, channel: string) {
  const { wake, next } = createWaits(clock);
  return { next, end: store.signals.subscribe(channel, wake) };
}

function createWaits(clock: Clock) {
  let isWoken = false;
  let finish = () => {};
  return {
    wake() {
      isWoken = true;
      finish();
    },
    /** Resolves at a call of `wake` since the last wait, after `ms`, or when `signal` aborts. */
    next(ms: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        finish = () => {
          timer.cancel();
          signal.removeEventListener("abort", finish);
          finish = () => {};
          isWoken = false;
          resolve();
        };
        const timer = clock.setTimer(ms, finish);
        signal.addEventListener("abort", finish);
        if (isWoken || signal.aborted) finish();
      });
    },
  };
}
