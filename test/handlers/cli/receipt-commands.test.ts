import { existsSync } from "node:fs";
import { join } from "node:path";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { Command } from "commander";
import { addReceiptCommands } from "#handlers/cli/receipt-commands.js";
import type { OrderPoll } from "#handlers/print-server/host-callbacks.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { useTempFolder } from "../../support/temp-folder.js";

describe("the command fiscald-site receipts", () => {
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

  test.each([[["list"]], [["release", "r-1"]]])("receipts %j makes no database where none is", async (words) => {
    await expect(run(...words)).rejects.toMatchObject({ code: "usage.wrong", place: database() });
    expect(existsSync(database())).toBe(false);
  });

  test("receipts shows a receipt of a daemon that lost its database, and releases it to the next one", async () => {
    const store = await openReceiptStore({ database: database(), resource: "12", logger: silentLogger });
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash").build();
    const { receiptId } = await store.enqueue(order);
    await store.nextReceipt(pollBy("lost"));
    expect(await store.nextReceipt(pollBy("new"))).toBeNull();
    const [header = "", line = ""] = await run("list", "--state", "handed");
    expect(header.split("\t")).toEqual(["receiptId", "resource", "orderId", "state", "holder", "createdAt", "kkm"]);
    expect(line.split("\t").slice(0, 5)).toEqual([receiptId, "12", "A-1", "handed", "daemon:lost"]);
    expect(line.split("\t").at(-1)).toBe("-");
    expect(JSON.parse((await run("list", "--json"))[0] ?? "")).toMatchObject([{ receiptId, holder: "daemon:lost" }]);
    await run("release", receiptId);
    expect(await store.nextReceipt(pollBy("new"))).toMatchObject({ receiptId });
    expect(await store.nextReceipt(pollBy("lost"))).toBeNull();
    await store.close();
  });

  test("receipts refuses to release a receipt whose order is printed by another one, and says so", async () => {
    const store = await openReceiptStore({ database: database(), logger: silentLogger });
    const order = (price: string) =>
      taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price }).payRest("cash").build();
    const result = {
      ...{ messageId: null, kkm: toKkm("0001"), inn: toInn("7700000000"), fn: toFnSerial("9999078900000001") },
      ...{ resultCode: 0, resultInfo: "", orderId: null, shiftNumber: "5", link: null, fiscalSign: "1" },
      ...{ fdNumber: "1", receiptNumber: "1", time: null, operation: null, total: null },
    };
    const { receiptId: first } = await store.enqueue(order("10.00"));
    await store.nextReceipt(pollBy("a"));
    await store.recordResult({ ...result, receiptId: first, outcome: "failed", fdNumber: null });
    const { receiptId: second } = await store.enqueue(order("20.00"));
    await store.nextReceipt(pollBy("a"));
    await store.recordResult({ ...result, receiptId: first, outcome: "printed" });
    expect((await run("release", second)).join()).toContain("was withdrawn: another receipt of its order is printed");
    expect(await store.nextReceipt(pollBy("new"))).toBeNull();
    await store.close();
  });

  test("receipts list names a daemon whose id asks from two machines, and admit lets it in again", async () => {
    const store = await openReceiptStore({ database: database(), logger: silentLogger });
    const start = Date.now();
    const poll = (run: string, messageId: string, sentAt: number) =>
      store.nextReceipt({ ...pollBy("till-7"), signed: { messageId, sentAt: start + sentAt, run } });
    await poll("r1", "m1", 1000);
    await poll("r2", "m2", 2000);
    await expect(poll("r1", "m3", 3000)).rejects.toMatchObject({ code: "call.copied-daemon" });
    expect((await run("list")).at(-1)).toMatch(/^! daemon till-7 .*receipts admit till-7/);
    await run("admit", "till-7");
    expect(await run("list")).toHaveLength(1);
    expect(await poll("r2", "m4", 4000)).toBeNull();
    await store.close();
  });

  test("receipts refuses an unknown receipt, one that was not handed out, and an unknown state", async () => {
    const store = await openReceiptStore({ database: database(), logger: silentLogger });
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash").build();
    const { receiptId } = await store.enqueue(order);
    await expect(run("release", receiptId)).rejects.toMatchObject({ code: "job.wrong-state" });
    // What to do is said of this command, not only of the daemon's.
    await expect(run("release", "none")).rejects.toMatchObject({
      code: "job.not-found",
      hint: { en: expect.stringContaining("`fiscald-site receipts list`") },
    });
    await expect(run("list", "--state", "gone")).rejects.toThrow("Allowed choices are queued, handed, printed");
    expect(await run("list", "--state", "printed")).toHaveLength(1);
    await expect(run("admit", "none")).rejects.toMatchObject({
      code: "usage.wrong",
      place: "daemon",
      hint: { en: expect.not.stringContaining("`fiscald --help`") },
    });
    await store.close();
  });
});
