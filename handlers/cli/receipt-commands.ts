import { type Command, Option } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { admitDaemon, adviceForCopiedDaemon, copiedDaemons } from "../print-server/print-callers.js";
import { type ReceiptState, type ReceiptTables, receiptStates } from "../print-server/receipt-tables.js";
import { findReceipts } from "../print-server/receipts/list-receipts.js";
import { openReceiptStore, type ReceiptStore, type SharedStore } from "../print-server/receipts/receipt-store.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import { type CommandOutput, type DatabaseFlags, onDatabase, wholeNumberOption } from "./on-database.js";

interface ListFlags extends DatabaseFlags {
  readonly state?: ReceiptState;
  readonly since?: string;
  readonly limit: string;
}

export function addReceiptCommands(program: Command, { print }: CommandOutput): void {
  const receipts = program.command("receipts").description("receipts for the print servers of all shops");
  const list = onDatabase<ListFlags>(receipts, "list", "newest first, with who holds each", async (store, _, flags) => {
    const wanted = { state: flags.state, since: flags.since === undefined ? undefined : timeOf(flags.since) };
    const limit = wholeNumberOption(flags.limit, "--limit");
    const found = await findReceipts(store.withTables<ReceiptTables>().db, wanted, limit + 1);
    const shown = found.slice(0, limit);
    const isCut = found.length > limit;
    if (flags.json === true) print(JSON.stringify(shown.map(toJson)));
    else await printTable(store, shown);
    // A program reads the JSON from stdout, so all other text goes to stderr.
    const tell = flags.json === true ? console.error : print;
    if (isCut) tell(`! these are the newest ${limit}: \`--limit\` with a higher number shows older ones`);
  });
  list
    .addOption(new Option("--state <state>").choices(receiptStates))
    .option("--since <time>", "enqueued or finished since then: 2026-11-28 or 2026-11-28T21:00")
    .option("--limit <number>", "at most so many", "50")
    .option("--json", "one JSON array");

  async function printTable(store: SharedStore, found: readonly StoredReceipt[]): Promise<void> {
    print(columns.join("\t"));
    for (const one of found) {
      const row = toJson(one);
      print(columns.map((column) => String(row[column] ?? "-")).join("\t"));
    }
    for (const daemon of await copiedDaemons(store)) {
      print(`! daemon ${daemon} asks from two machines and is offered nothing: ${adviceForCopiedDaemon(daemon)}`);
    }
  }

  const admits =
    "offers receipts again to a daemon whose id had asked from two machines (a copied till PC); only once the copy is " +
    "stopped and has an id of its own: look at what the copy printed first, `receipts list --state handed`";
  onDatabase(receipts, "admit <daemon>", admits, async (store, [daemon = ""]) => {
    if (!(await admitDaemon(store, daemon))) {
      throw new Fault("usage.wrong", { message: `no daemon ${daemon} has asked here`, place: "daemon" });
    }
    print(`daemon ${daemon} is offered receipts again`);
  });
  const releases =
    "lets another print server have a receipt whose holder is gone for good (its database was lost, its till replaced); " +
    "only when it is certain that the holder has not printed it, and has no result to deliver yet: look at the " +
    "register's documents first";
  onDatabase(receipts, "release <id>", releases, async (store, [id = ""]) => {
    const receiptId = toReceiptId(id);
    const outcome = await inShopOf(store, receiptId, (shop) => shop.release(receiptId));
    const end =
      outcome === "queued"
        ? "goes to whichever print server asks next"
        : "was withdrawn: another receipt of its order is printed";
    print(`receipt ${id} ${end}`);
  });
  const takesBack = "takes back a queued receipt, or puts away a failed one that is not wanted any more";
  onDatabase(receipts, "withdraw <id>", takesBack, async (store, [id = ""]) => {
    const receiptId = toReceiptId(id);
    await inShopOf(store, receiptId, async (shop) => {
      if (await shop.withdraw(receiptId)) return;
      const state = (await shop.findByReceiptId(receiptId))?.state;
      throw new Fault("job.wrong-state", {
        message: `Only a queued or failed receipt can be taken back; receipt ${receiptId} is ${state}.`,
      });
    });
    print(`receipt ${id} is replaced`);
  });
}

async function inShopOf<T>(store: DeliveryStore, receiptId: ReceiptId, work: (shop: ReceiptStore) => Promise<T>) {
  const [found] = await findReceipts(store.withTables<ReceiptTables>().db, { receiptId });
  if (found === undefined) throw new Fault("job.not-found", { message: `There is no receipt ${receiptId}.` });
  const shop = await openReceiptStore({ database: store, resource: found.resource });
  return work(shop).finally(() => shop.close());
}

/** A column that is not named here goes to the end. */
const columns = [
  ...(["receiptId", "resource", "orderId", "state", "holder", "createdAt", "kkm"] as const),
  ...(["finishedAt", "replacedBy", "resultInfo"] as const),
];

function toJson({ createdAt, finishedAt, result, ...receipt }: StoredReceipt) {
  const { receiptId, resource, orderId, state, holder, kkm, replacedBy } = receipt;
  return {
    ...{ receiptId, resource, orderId, state, holder, kkm, replacedBy },
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    resultInfo: result?.resultInfo ?? null,
  };
}

/** A day begins at midnight in this machine's zone. */
function timeOf(text: string): number {
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (!Number.isNaN(time)) return time;
  throw new Fault("usage.wrong", { message: "must be a time such as 2026-11-28T21:00", place: "--since" });
}
