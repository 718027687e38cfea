/** Waits for the result of a receipt, so that a shop need not ask again and again. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { ReceiptState, ReceiptTables } from "../print-server/receipt-tables.js";
import { changeChannel } from "../print-server/receipts/receipt-signals.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import type { Store } from "../store/open-store.js";
import { ASKED_AGAIN_MS } from "../store/unchanged.js";

const finished: readonly ReceiptState[] = ["printed", "failed", "replaced"];

interface Waiting {
  readonly store: Pick<Store<ReceiptTables>, "signals">;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/** The receipt once it has a result that it had not before, or after `waitMs` as it is then. */
export async function waitForResult(
  { store, clock, stopping }: Waiting,
  find: () => Promise<StoredReceipt | undefined>,
  waitMs: number,
): Promise<StoredReceipt | undefined> {
  const until = clock.monotonic() + waitMs;
  let wake = new AbortController();
  // Subscribed before the first read, so that no change is missed.
  const end = store.signals.subscribe(changeChannel, () => wake.abort());
  try {
    const first = await find();
    let found = first;
    for (;;) {
      const leftMs = until - clock.monotonic();
      const isOver = found === undefined || finished.includes(found.state);
      const isNews = found?.state === "unknown" && first?.state !== "unknown";
      if (isOver || isNews || leftMs <= 0 || stopping.aborted) return found;
      const signal = AbortSignal.any([wake.signal, stopping]);
      // A signal may be lost with the connection that brings it.
      await clock.sleep(Math.min(leftMs, ASKED_AGAIN_MS), signal).catch(() => {});
      if (stopping.aborted) return found;
      wake = new AbortController();
      found = await find();
    }
  } finally {
    end();
  }
}
