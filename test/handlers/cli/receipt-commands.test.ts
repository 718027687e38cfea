import { existsSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "@fiscald/shared/logger.js";
import { Command } from "commander";
import { addReceiptCommands } from "#handlers/cli/receipt-commands.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { pollBy, resultOf, sale } from "../print-server/receipt-world.js";

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

  const opened: ReceiptStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function open(resource = ""): Promise<ReceiptStore> {
    const store = await openReceiptStore({ database: database(), resource, logger: silentLogger });
    opened.push(store);
    return store;
  }

  test.each([[["list"]], [["release", "r-1"]]])("receipts %j makes no database where none is", async (words) => {
    await expect(run(...words)).rejects.toMatchObject({ code: "usage.wrong", place: database() });
    expect(existsSync(database())).toBe(false);
  });

  test("receipts shows a receipt of a daemon that lost its database, and releases it to the next daemon", async () => {
    const store = await open("12");
    const { receiptId } = await store.enqueue(sale());
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
  });

  test("receipts refuses to release a receipt whose order is printed by another daemon, and says that it is", async () => {
    const store = await open();
    const { receiptId: first } = await store.enqueue(sale("A-1", "10.00"));
    await store.nextReceipt(pollBy("a"));
    await store.recordResult(resultOf({ receiptId: first, orderId: null }, { outcome: "failed", fdNumber: null }));
    const { receiptId: second } = await store.enqueue(sale("A-1", "20.00"));
    await store.nextReceipt(pollBy("a"));
    await store.recordResult(resultOf({ receiptId: first, orderId: null }));
    expect((await run("release", second)).join()).toContain("was withdrawn: another receipt of its order is printed");
    expect(await store.nextReceipt(pollBy("new"))).toBeNull();
  });

  test("receipts list names a daemon whose id asks from two machines, and admit lets it in again", async () => {
    const store = await open();
    const start = Date.now();
    const poll = (run: string, messageId: string, sentAt: number) =>
      store.nextReceipt(pollBy("till-7", { signed: { messageId, sentAt: start + sentAt, run } }));
    await poll("r1", "m1", 1000);
    await poll("r2", "m2", 2000);
    await expect(poll("r1", "m3", 3000)).rejects.toMatchObject({ code: "call.copied-daemon" });
    expect((await run("list")).at(-1)).toMatch(/^! daemon till-7 .*receipts admit till-7/);
    await run("admit", "till-7");
    expect(await run("list")).toHaveLength(1);
    expect(await poll("r2", "m4", 4000)).toBeNull();
  });

  test("receipts refuses an unknown receipt, a receipt that was not handed out, and an unknown state", async () => {
    const store = await open();
    const { receiptId } = await store.enqueue(sale());
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
  });
});
