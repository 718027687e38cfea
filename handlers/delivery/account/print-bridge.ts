/** Orders to receipts of the handler kit, and print results back to orders (domain 8.5). */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { mapTaxes } from "@fiscald/shared/receipt/map-tax.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { OrderPoll, SyncedRegister } from "../../print-server/host-callbacks.js";
import type { OrderAnswer } from "../../print-server/order-body.js";
import { wakeSignal, watchWakes } from "../../print-server/receipts/receipt-signals.js";
import { openReceiptStore, type ReceiptStore } from "../../print-server/receipts/receipt-store.js";
import type { NoTables, Store } from "../../store/open-store.js";
import type { BackendRules, OrderBridge } from "../backend.js";
import { codeTables, findRegisterTables, saveRegisterTables } from "../catalog/register-tables.js";
import type { DeliveryStore } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import { createReceiptQueue } from "./receipt-queue.js";

export interface PrintBridgeOptions {
  readonly shared: Store<NoTables>;
  readonly store: DeliveryStore;
  readonly rules: BackendRules;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PrintBridge extends OrderBridge {
  /** The kit's receipts of one shop; a receipt of another is never among them. */
  receiptsOf(resource: number): Promise<ReceiptStore>;
  /**
   * The receipt for the register that asks, its taxes as rows of that very register; none before its first sync. What it has
   * no row for stays for others, and is told.
   */
  nextReceipt(
    resource: number,
    poll: OrderPoll,
    tellUnfit: (receiptIds: readonly string[]) => Promise<void>,
  ): Promise<OrderAnswer | null>;
  recordSync(resource: number, registers: readonly SyncedRegister[]): Promise<void>;
  close(): Promise<void>;
}

export function createPrintBridge(options: PrintBridgeOptions): PrintBridge {
  const { shared, store, clock, logger } = options;
  const stores = new Map<number, Promise<ReceiptStore>>();
  const queue = createReceiptQueue(options);

  function receiptsOf(resource: number): Promise<ReceiptStore> {
    const known = stores.get(resource);
    if (known !== undefined) return known;
    const opening = openReceiptStore({ database: shared, resource: String(resource), clock, logger });
    stores.set(resource, opening);
    opening.catch(() => stores.delete(resource));
    return opening;
  }

  /** A print server that asks before its sync is kept as long as it wants to wait, or it would ask again at once. */
  async function tablesOfFirstSync(
    resource: number,
    { kkm, waitMs, signal }: OrderPoll,
  ): Promise<RegisterTables | null> {
    const until = clock.monotonic() + waitMs;
    const wakes = watchWakes({ signals: store.signals, clock }, String(resource), kkm);
    try {
      logger.debug("receipts wait for the first sync of the register", { resource, kkm });
      for (;;) {
        const tables = await findRegisterTables(store.db, resource, kkm);
        const leftMs = until - clock.monotonic();
        if (tables !== null || leftMs <= 0 || signal.aborted) return tables;
        await wakes.next(leftMs, signal);
      }
    } finally {
      wakes.end();
    }
  }

  return {
    receiptsOf,
    followOrders: queue.followOrders,
    withdraw: queue.withdraw,
    withdrawReceipt: queue.withdrawReceipt,
    renewTakenBack: queue.renewTakenBack,
    takeBackUndecided: queue.takeBackUndecided,

    async nextReceipt(resource, poll, tellUnfit) {
      const until = clock.monotonic() + poll.waitMs;
      const known = await findRegisterTables(store.db, resource, poll.kkm);
      if (known === null && (await tablesOfFirstSync(resource, poll)) === null) return null;
      const waitMs = known === null ? Math.max(0, until - clock.monotonic()) : poll.waitMs;
      const unfit = new Set<string>();
      const answer = await (await receiptsOf(resource)).nextReceipt({ ...poll, waitMs }, async (receipt, db) => {
        if (receipt.kind !== "receipt") return receipt;
        // The register may have told other rows while the poll was held.
        const tables = await findRegisterTables(db.withTables<DeliveryTables>(), resource, poll.kkm);
        const mapped = tables === null ? null : mapTaxes({ receipt, from: codeTables, to: tables });
        if (mapped === null && receipt.receiptId !== null) unfit.add(receipt.receiptId);
        return mapped;
      });
      if (unfit.size > 0) await tellUnfit([...unfit]);
      return answer;
    },

    async recordSync(resource, registers) {
      await store.transaction(async (tx) => {
        await saveRegisterTables(tx, { resource, now: clock.now() }, registers);
        for (const { kkm } of registers) {
          const { channel, payload } = wakeSignal(String(resource), kkm);
          await store.notifyAtCommit(tx, channel, payload);
        }
      });
    },

    async close() {
      for (const opening of stores.values()) await (await opening).close();
    },
  };
}
