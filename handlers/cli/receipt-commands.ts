/** Commands of `fiscald-site` on the receipts that wait for their print servers. */

import type { Command } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import { formatWireTime } from "../delivery/wire-time.js";
import { listAllReceipts, type ReceiptOfShop, resourceOfReceipt } from "../print-server/all-receipts.js";
import { openReceiptStore } from "../print-server/receipt-store.js";
import { type ReceiptState, receiptStates } from "../print-server/receipt-tables.js";
import { type CommandOutput, type DatabaseOption, onExistingStore, withDatabase } from "./on-database.js";

interface ListFlags extends DatabaseOption {
  readonly state?: string;
  readonly json?: boolean;
}

/** Adds `receipts list` and `receipts release`. */
export function addReceiptCommands(program: Command, { print }: CommandOutput): void {
  const receipts = program.command("receipts").description("receipts for the print servers of all shops");
  withDatabase(receipts.command("list"))
    .description("newest first, with who holds each")
    .option("--state <state>", receiptStates.join(", "))
    .option("--json", "one JSON array")
    .action((options: ListFlags) =>
      onExistingStore(options, async (store) => {
        const found = await listAllReceipts(store, {
          state: options.state === undefined ? undefined : stateOf(options.state),
        });
        if (options.json === true) print(JSON.stringify(found.map(toJson)));
        else for (const one of found) print(Object.values(toJson(one)).map(String).join("\t"));
      }),
    );
  withDatabase(receipts.command("release <id>"))
    .description(
      "lets another print server have a receipt whose holder is gone for good (its database was lost, its till replaced); " +
        "only when it is certain that the holder has not printed it: look at the register's documents first",
    )
    .action((id: string, options: DatabaseOption) =>
      onExistingStore(options, async (store) => {
        const receiptId = toReceiptId(id);
        const resource = await resourceOfReceipt(store, receiptId);
        if (resource === null) throw new Fault("job.not-found", { message: `There is no receipt ${id}.` });
        const outcome = await (await openReceiptStore({ database: store, resource })).release(receiptId);
        print(
          outcome === "queued"
            ? `receipt ${id} goes to whichever print server asks next`
            : `receipt ${id} was taken back and goes to nobody: another receipt of its order is printed`,
        );
      }),
    );
}

function stateOf(text: string): ReceiptState {
  const state = receiptStates.find((known) => known === text);
  if (state !== undefined) return state;
  throw new Fault("usage.wrong", { message: `must be one of ${receiptStates.join(", ")}`, place: "state" });
}

function toJson({ resource, receipt }: ReceiptOfShop) {
  return {
    receiptId: receipt.receiptId,
    resource,
    orderId: receipt.orderId,
    state: receipt.state,
    holder: receipt.holder,
    createdAt: formatWireTime(receipt.createdAt),
  };
}
