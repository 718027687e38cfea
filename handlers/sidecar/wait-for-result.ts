import type { ReceiptState } from "../print-server/receipt-tables.js";
import { changeChannel, watchSignals } from "../print-server/receipts/receipt-signals.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import type { SidecarContext } from "./sidecar-context.js";

const finished: readonly ReceiptState[] = ["printed", "failed", "replaced"];

export async function waitForResult(
  { store, clock, stopping }: Pick<SidecarContext, "store" | "clock" | "stopping">,
  find: () => Promise<StoredReceipt | undefined>,
  waitMs: number,
): Promise<StoredReceipt | undefined> {
  const until = clock.monotonic() + waitMs;
  const changes = watchSignals({ store, clock }, changeChannel);
  try {
    const first = await find();
    let found = first;
    for (;;) {
      const leftMs = until - clock.monotonic();
      const isOver = found === undefined || finished.includes(found.state);
      const isNews = found?.state === "unknown" && first?.state !== "unknown";
      if (isOver || isNews || leftMs <= 0 || stopping.aborted) return found;
      await changes.next(leftMs, stopping);
      if (stopping.aborted) return found;
      found = await find();
    }
  } finally {
    changes.end();
  }
}
