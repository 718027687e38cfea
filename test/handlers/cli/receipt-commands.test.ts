import { join } from "node:path";
import { addReceiptCommands } from "@fiscald/handlers/cli/receipt-commands.js";
import type { OrderPoll } from "@fiscald/handlers/print-server/host-callbacks.js";
import { openReceiptStore } from "@fiscald/handlers/print-server/receipt-store.js";
import { taskTable } from "@fiscald/handlers/receipts/task-table-builder.js";
import { toKkm } from "@fiscald/shared/ids.js";
import { Command } from "commander";
import { useTempFolder } from "../../support/temp-folder.js";

describe("fiscald-site receipts", () => {
  const folder = useTempFolder();
  const database = () => join(folder(), "site.sqlite");

  async function run(...words: string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    const program = new Command().exitOverride();
    addReceiptCommands(program, { print: (line) => lines.push(line) });
    await program.parseAsync(["receipts", ...words, "--database", database()], { from: "user" });
    return lines;
  }

  const pollBy = (daemonId: string): OrderPoll => ({
    kkm: toKkm("0001"),
    daemonId,
    waitMs: 0,
    signal: new AbortController().signal,
  });

  test("a receipt whose daemon lost its database is shown with its holder and released to the next one", async () => {
    const store = await openReceiptStore({ database: database(), resource: "12" });
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash").build();
    const receiptId = await store.enqueue(order);
    await store.nextReceipt(pollBy("lost"));
    expect(await store.nextReceipt(pollBy("new"))).toBeNull();
    const [line = ""] = await run("list", "--state", "handed");
    expect(line.split("\t").slice(0, 5)).toEqual([receiptId, "12", "A-1", "handed", "daemon:lost"]);
    expect(JSON.parse((await run("list", "--json"))[0] ?? "")).toMatchObject([{ receiptId, holder: "daemon:lost" }]);
    await run("release", receiptId);
    expect(await store.nextReceipt(pollBy("new"))).toMatchObject({ receiptId });
    expect(await store.nextReceipt(pollBy("lost"))).toBeNull();
    await store.close();
  });

  test("an unknown receipt, one that nobody has, and an unknown state are refused", async () => {
    const store = await openReceiptStore({ database: database() });
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash").build();
    const receiptId = await store.enqueue(order);
    await expect(run("release", receiptId)).rejects.toMatchObject({ code: "job.wrong-state" });
    await expect(run("release", "none")).rejects.toMatchObject({ code: "job.not-found" });
    await expect(run("list", "--state", "gone")).rejects.toMatchObject({ code: "usage.wrong", place: "state" });
    expect(await run("list", "--state", "printed")).toEqual([]);
    await store.close();
  });
});
