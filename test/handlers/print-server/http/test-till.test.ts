import { execFileSync } from "node:child_process";
import { createPrintServerRouter, createTestTill, openReceiptStore, preview, taskTable } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";

const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Чай", price: "120.00", quantity: 2 }).payRest("cash");

test("a test till plays the print server for a router without a store, and reports every outcome", async () => {
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  const outcomes: string[] = [];
  const site = createPrintServerRouter({
    store,
    auth: { kind: "none" },
    logger: silentLogger,
    onResult: ({ outcome }) => void outcomes.push(outcome),
  });
  const till = createTestTill({ site });
  await store.enqueue(order.build());
  const receipt = await till.poll();
  expect(receipt).toMatchObject({ orderId: "A-1", operation: "sale" });
  if (receipt !== null) {
    await till.report(receipt, { outcome: "unknown" });
    await till.report(receipt);
  }
  expect(await till.printNext()).toBeNull();
  expect(outcomes).toEqual(["unknown", "printed"]);
  await till.close();
  await store.close();
});

test("a test till throws the daemon's fault for an order that cannot be printed", async () => {
  const broken = {
    response: { orderId: "A-1", taskTable: [{ type: "OpenCheckSell" }, { type: "CloseCheck" }] },
  } as const;
  const site = createPrintServerRouter({ nextReceipt: () => broken, auth: { kind: "none" }, logger: silentLogger });
  const till = createTestTill({ site });
  await expect(till.poll()).rejects.toMatchObject({ code: "receipt.no-items" });
  await till.close();
});

test("a test till says when the site has refused its report", async () => {
  const onResult = () => Promise.reject(new Error("the shop's database is away"));
  const options = { nextReceipt: () => order.build(), onResult, auth: { kind: "none" }, logger: silentLogger } as const;
  const till = createTestTill({ site: createPrintServerRouter(options) });
  await expect(till.printNext()).rejects.toMatchObject({ code: "site.refused" });
  await till.close();
});

test("a preview shows the paper of a receipt that is not registered", () => {
  const { text, svg } = preview(order.build(), { columns: 32 });
  expect(text).toContain("НЕ ЗАРЕГИСТРИРОВАН");
  expect(text).toContain("240.00");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBe(32);
  expect(svg).toMatch(/^<svg /);
});

test("the package can be required from CommonJS", () => {
  const script = 'process.stdout.write(Object.keys(require("@fiscald/handlers")).join())';
  const names = execFileSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(names.split(",")).toEqual(
    expect.arrayContaining(["createPrintServerRouter", "openReceiptStore", "taskTable"]),
  );
});
