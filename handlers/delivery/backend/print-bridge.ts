/** Queues and withdraws receipts in the handler kit, and hands them to the register that asks (54-fz 15). */
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { mapTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { OrderPoll, SyncedRegister } from "../../print-server/host-callbacks.js";
import type { ReceiptTables } from "../../print-server/receipt-tables.js";
import { enqueueFirst } from "../../print-server/receipts/bulk-enqueue.js";
import { createEnqueue } from "../../print-server/receipts/enqueue-receipt.js";
import { wakePolls } from "../../print-server/receipts/receipt-signals.js";
import { ShopStores } from "../../print-server/receipts/receipt-store.js";
import { createWithdraw } from "../../print-server/receipts/withdraw-receipt.js";
import { ofKysely } from "../../store/callers-transaction.js";
import { codeTables, findRegisterTables, saveRegisterTables } from "../catalog/tax-rates.js";
import type { HttpContext } from "../http/endpoint.js";
import type { Writer } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";

export interface NewReceipt {
  readonly receipt: SaleReceipt;
  /** Tells the receipt from others of its order. Null: the order's first receipt, which the site may have enqueued. */
  readonly key: string | null;
}

export type PrintBridge = ReturnType<typeof createPrintBridge>;

/** The kit's receipt store, always used in the transaction that changes an order. */
export type KitReceipts = Pick<PrintBridge, "enqueue" | "withdraw">;

export function createPrintBridge({ store, clock, logger }: HttpContext) {
  const stores = new ShopStores({ database: store, clock, logger }, String);
  const receipts = store.withTables<ReceiptTables>();

  return {
    receiptsOf: (resource: number) => stores.of(resource),

    /** Returns for each receipt its id, or the fault with which the kit refuses it. */
    async enqueue(tx: Writer, resource: number, asked: readonly NewReceipt[]): Promise<readonly (ReceiptId | Fault)[]> {
      // Opens the shop's store, because only an open store warns of receipts that no print server asks for.
      void stores.of(resource);
      const kit = { store: receipts, resource: String(resource), clock, logger };
      const within = ofKysely(tx);
      const first = asked.filter(({ key }) => key === null).map(({ receipt }) => receipt);
      const ids = first.length === 0 ? [] : await enqueueFirst(kit, first, { within });
      const enqueueOne = createEnqueue(kit);
      const results: (ReceiptId | Fault)[] = [];
      for (const { receipt, key } of asked) {
        const id = key === null ? ids[first.indexOf(receipt)] : null;
        const judged = key === null ? {} : { key, printAnyway: true, beyondSold: true };
        const enqueued = id ?? (await enqueueOne(receipt, { within, ...judged }).catch(refusalOf));
        results.push(typeof enqueued === "string" || isFault(enqueued) ? enqueued : enqueued.receiptId);
      }
      return results;
    },

    /** Takes a receipt out of the queue. False: a print server already has the receipt. */
    withdraw(tx: Writer, resource: number, receiptId: string): Promise<boolean> {
      const take = createWithdraw({ store: receipts, resource: String(resource) }, ["queued"]);
      return take(toReceiptId(receiptId), { within: ofKysely(tx) });
    },

    /**
     * The next receipt, with the register's own numbers of tax rows. Null before the register's first sync, which sends
     * the rows. A receipt whose rate has no row on this register waits for another register.
     */
    async nextReceipt(
      resource: number,
      poll: OrderPoll,
      alertOfUnfit: (receiptIds: readonly string[]) => Promise<void>,
    ): Promise<Receipt | null> {
      const unfit = new Set<string>();
      const answer = await (await stores.of(resource)).nextReceipt(poll, async (receipt, db) => {
        if (receipt.kind !== "receipt") return receipt;
        // The register may have sent other tax rows during the poll.
        const tables = await findRegisterTables(db.withTables<DeliveryTables>(), resource, poll.kkm);
        if (tables === null) return null;
        const mapped = mapTaxes(receipt, codeTables, tables);
        if (mapped === null && receipt.receiptId !== null) unfit.add(receipt.receiptId);
        return mapped;
      });
      if (unfit.size > 0) await alertOfUnfit([...unfit]);
      return answer;
    },

    async recordSync(resource: number, registers: readonly SyncedRegister[]): Promise<void> {
      await store.transaction(async (tx) => {
        await saveRegisterTables(tx, { resource, now: clock.now() }, registers);
        const kkms = registers.map(({ kkm }) => kkm);
        await wakePolls(tx, { store, resource: String(resource) }, kkms);
      });
    },

    close: () => stores.close(),
  };
}

function refusalOf(error: unknown): Fault {
  if (!isFault(error) || error.code === "store.failed") throw error;
  return error;
}
