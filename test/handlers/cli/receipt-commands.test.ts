import { existsSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "@fiscald/shared/logger.js";
import { Command } from "commander";
import { addReceiptCommands } from "#handlers/cli/receipt-commands.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";
import { pollBy, refund, resultOf, sale } from "../print-server/receipt-world.js";

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

  test.each([[["list"]], [["release", "r-1"]]])("receipts %j does not create a missing database", async (words) => {
    await expect(run(...words)).rejects.toMatchObject({ code: "usage.wrong", place: database() });
    expect(existsSync(database())).toBe(false);
  });

  test("a receipt of a daemon that lost its database is listed, and once released goes to another daemon", async () => {
    const store = await open("12");
    const { receiptId } = await store.enqueue(sale());
    await store.nextReceipt(pollBy("lost"));
    expect(await store.nextReceipt(pollBy("new"))).toBeNull();
    const [header = "", line = ""] = await run("list", "--state", "handed");
    const first = ["receiptId", "resource", "orderId", "state", "holder", "createdAt", "kkm"];
    expect(header.split("\t").slice(0, 7)).toEqual(first);
    expect(line.split("\t").slice(0, 5)).toEqual([receiptId, "12", "A-1", "handed", "daemon:lost"]);
    expect(line.split("\t").at(6)).toBe("-");
    expect(JSON.parse((await run("list", "--json"))[0] ?? "")).toMatchObject([{ receiptId, holder: "daemon:lost" }]);
    await run("release", receiptId);
    const found = await waitFor("the receipt is found", () => store.nextReceipt(pollBy("new")));
    expect(found).toMatchObject({ receiptId });
    expect(await store.nextReceipt(pollBy("lost"))).toBeNull();
  });

  test("receipts list shows which receipts have failed since a time, the reason, and what replaced them", async () => {
    const store = await open();
    const failed: string[] = [];
    for (const order of ["A-1", "A-2"]) {
      failed.push((await store.enqueue(sale(order))).receiptId);
      await store.nextReceipt(pollBy("a"));
      const outcome = { outcome: "failed", resultInfo: "no paper", fdNumber: null } as const;
      await store.recordResult(resultOf({ receiptId: failed.at(-1) ?? "", orderId: null }, outcome));
    }
    const { receiptId: mended } = await store.enqueue(sale("A-1", "90.00"));
    const since = new Date(Date.now() - 60_000).toISOString();
    const [line = ""] = await run("list", "--state", "failed", "--since", since, "--json");
    expect(JSON.parse(line)).toMatchObject([
      { receiptId: failed[1], resultInfo: "no paper", finishedAt: expect.any(String), replacedBy: null },
      { receiptId: failed[0], replacedBy: mended },
    ]);
    expect((await run("list", "--state", "failed")).join()).toContain("no paper");
    expect(await run("list", "--since", new Date(Date.now() + 60_000).toISOString())).toHaveLength(1);
    await expect(run("list", "--since", "yesterday")).rejects.toMatchObject({ code: "usage.wrong", place: "--since" });
    expect(await store.list({ state: "failed", since: new Date(since), limit: 1 })).toMatchObject([{ orderId: "A-2" }]);
    expect(await store.list({ since: Date.now() + 60_000 })).toEqual([]);
    const [, newest = "", cut = ""] = await run("list", "--limit", "1");
    expect([newest, cut]).toEqual([expect.stringContaining("A-1"), expect.stringContaining("the newest 1: `--limit`")]);
    expect(await run("list", "--limit", "3")).toHaveLength(4);
    const misspelt: unknown = Reflect.apply(store.list, store, [{ status: "failed" }]);
    await expect(misspelt).rejects.toMatchObject({ code: "config.invalid" });
  });

  test("receipts withdraw takes a failed receipt out of use, and refuses a printed one", async () => {
    const store = await open("12");
    const { receiptId } = await store.enqueue(refund("A-1", "40.00"), { key: "r1" });
    await store.nextReceipt(pollBy("a"));
    await store.recordResult(resultOf({ receiptId, orderId: null }, { outcome: "failed", fdNumber: null }));
    expect(await run("withdraw", receiptId)).toEqual([`receipt ${receiptId} is replaced`]);
    expect(await run("list", "--state", "failed")).toHaveLength(1);
    expect(await store.nextReceipt(pollBy("a"))).toBeNull();
    await expect(store.enqueue(refund("A-1", "30.00"), { key: "r1" })).rejects.toMatchObject({
      code: "receipt.id-reused",
      message: expect.stringMatching(/^key r1 belongs to .*; this is .*: give it one of its own$/),
    });
    // The receipt may have been printed all the same.
    await store.recordResult(resultOf({ receiptId, orderId: null }, { messageId: "m2" }));
    expect(await store.list()).toMatchObject([{ receiptId, state: "printed" }]);
    await expect(run("withdraw", receiptId)).rejects.toMatchObject({
      code: "job.wrong-state",
      message: expect.stringContaining("is printed"),
    });
  });

  test("another refund or prepayment does not replace a failed one, but another sale does", async () => {
    const store = await open();
    const fail = async (...order: Parameters<typeof store.enqueue>) => {
      const { receiptId } = await store.enqueue(...order);
      await store.nextReceipt(pollBy("a"));
      await store.recordResult(resultOf({ receiptId, orderId: null }, { outcome: "failed", fdNumber: null }));
      return receiptId;
    };
    const print = async (...order: Parameters<typeof store.enqueue>) => {
      const { receiptId } = await store.enqueue(...order);
      await store.nextReceipt(pollBy("a"));
      await store.recordResult(resultOf({ receiptId, orderId: null }, { messageId: receiptId, fdNumber: receiptId }));
      return receiptId;
    };
    const replacedBy = async (receiptId: string) => (await store.findByReceiptId(receiptId))?.replacedBy;
    await print(sale("A-1", "100.00"));
    const refunded = await fail(refund("A-1", "40.00"), { key: "r1" });
    await print(refund("A-1", "40.00"), { key: "r2" });
    expect(await replacedBy(refunded)).toBeNull();
    const tea = (stage: "prepayment" | "settlement", price: string) =>
      taskTable[stage]({ orderId: "B-1" }).item({ name: "Tea", price });
    const prepaid = await fail(tea("prepayment", "30.00").payRest("cash").build());
    await print(tea("prepayment", "20.00").payRest("cash").build());
    await print(tea("settlement", "90.00").payment("prepayment", "20.00").payRest("cash").build());
    expect(await replacedBy(prepaid)).toBeNull();
    const sold = await fail(sale("C-1", "100.00"));
    const mended = await print(sale("C-1", "90.00"));
    await print(sale("C-1", "10.00"), { key: "further", printAnyway: true });
    expect(await replacedBy(sold)).toBe(mended);
  });

  test("receipts release refuses a receipt whose order another daemon is printing, and says why", async () => {
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

  test("receipts list names a daemon whose id two machines use, and receipts admit allows the id again", async () => {
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

  test("receipts release, list and admit refuse an unknown receipt, state and daemon", async () => {
    const store = await open();
    const { receiptId } = await store.enqueue(sale());
    await expect(run("release", receiptId)).rejects.toMatchObject({ code: "job.wrong-state" });
    // The advice names this command, not the daemon's.
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
