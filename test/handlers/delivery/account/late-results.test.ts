/** Results that come after the order has gone on: what is printed is not printed again, and what is printed twice is said. */
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { newOrder } from "../delivery-world.js";
import { byId, courierReceipt, type MoneyWorld, openMoneyWorld, paid, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

describeOnBothStores("a receipt that had failed and turns out to be printed", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let warnings: string[];

  beforeEach(async () => {
    warnings = [];
    database = await newDatabase();
    money = await openMoneyWorld(database, { logger: createTestLogger((line) => warnings.push(line)) });
    await money.shop.post("/orders", [newOrder(paid)]);
  });
  afterEach(async () => {
    await money.close();
    await database.drop();
  });

  const orderNow = async () => (await money.shop.get("/orders", byId.query)).body;
  const edit = (description: string) => money.shop.put("/orders", { description }, byId);
  const printedDocuments = async () => {
    const { store } = money.world.backend;
    return (await store.db.selectFrom("delivery_order_receipts").select("fd_number").execute()).length;
  };
  const registerLog = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 9 });
    return body.map((entry: { errorCode: string | null }) => entry.errorCode);
  };

  /** The first receipt, told as failed; the order is sent again, so that it has another. */
  async function failedOnce() {
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed", messageId: "m1" });
    await edit("у двери");
    return first;
  }

  test("takes the one that was made anew out of the queue", async () => {
    const first = await failedOnce();
    await money.till.report(first, { outcome: "printed", messageId: "m2" });
    expect(await money.till.poll()).toBeNull();
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
    expect((await money.shop.get("/orderReceipts", byId.query)).status).toBe(200);
    await edit("звонить");
    expect(await money.till.poll()).toBeNull();
    expect(warnings.join()).not.toContain("twice");
  });

  test("is said as an error where the new one is handed out already, which is not made anew when it fails", async () => {
    const first = await failedOnce();
    const second = sale(await money.till.poll());
    await money.till.report(first, { outcome: "printed", messageId: "m2" });
    expect(warnings.join()).toContain("may be printed twice");
    expect(await registerLog()).toContain("job.already-printed");
    await money.till.report(second, { outcome: "failed", messageId: "m3" });
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
    await edit("звонить");
    expect(await money.till.poll()).toBeNull();
    expect(await printedDocuments()).toBe(1);
  });

  test.each(["first", "second"] as const)("with both printed, the %s first, both are recorded", async (which) => {
    const first = await failedOnce();
    const second = sale(await money.till.poll());
    const [one, other] = which === "first" ? [first, second] : [second, first];
    await money.till.report(one, { outcome: "printed", messageId: "m2" });
    await money.till.report(other, { outcome: "printed", messageId: "m3" });
    expect(await printedDocuments()).toBe(2);
    expect(warnings.join()).toContain("is printed twice");
    expect(await registerLog()).toContain("job.already-printed");
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1 });
  });

  test("after the order was taken back and paid again is its receipt still", async () => {
    const first = await failedOnce();
    await money.shop.put("/orders", { statusId: 0 }, byId);
    await money.till.report(first, { outcome: "printed", messageId: "m2" });
    await money.shop.put("/orders", { statusId: 1 }, byId);
    expect(await money.till.poll()).toBeNull();
    expect((await money.shop.get("/orderReceipts", byId.query)).status).toBe(200);
  });

  test("that is in doubt again holds the new one back", async () => {
    const first = await failedOnce();
    await money.till.report(first, { outcome: "unknown", messageId: "m2" });
    expect(await money.till.poll()).toBeNull();
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 2 });
    await money.till.report(first, { outcome: "failed", messageId: "m3" });
    await edit("звонить");
    expect(await money.till.printNext()).not.toBeNull();
  });

  test.each(["failed", "printed"] as const)(
    "by the courier's own register, while ours was handed out and %s, is not printed anew",
    async (outcome) => {
      const ours = sale(await money.till.poll());
      const own = { orderId: 1042, operation: "sale", receipt: courierReceipt };
      expect((await money.courier.post("/orders/receipts", own)).status).toBe(204);
      await money.till.report(ours, { outcome, messageId: "m1" });
      await edit("звонить");
      expect(await money.till.poll()).toBeNull();
      expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
      expect(await printedDocuments()).toBe(outcome === "printed" ? 2 : 1);
      expect(warnings.join().includes("is printed twice")).toBe(outcome === "printed");
    },
  );

  test.each(["ours", "the courier's"])(
    "and one of the courier's register, %s first, are told with both documents' numbers, to the shop too",
    async (first) => {
      const ours = sale(await money.till.poll());
      const own = { orderId: 1042, operation: "sale", receipt: courierReceipt };
      if (first === "ours") await money.till.report(ours);
      expect((await money.courier.post("/orders/receipts", own)).status).toBe(204);
      if (first !== "ours") await money.till.report(ours);
      const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 9 });
      const told = body.filter(({ errorCode }: { errorCode: string | null }) => errorCode === "job.already-printed");
      const text = told.map((entry: { errorText: string }) => entry.errorText).join();
      for (const document of ["FD 318 of drive 9999078900000002 (sign 1234567890)", "FD 1 of drive 9999078900000001"]) {
        expect(text).toContain(document);
        expect(warnings.join()).toContain(document);
      }
    },
  );
});

describeOnBothStores("a prepayment that had failed and is in doubt again", (newDatabase) => {
  test("holds its settlement back until it is known", async () => {
    const database = await newDatabase();
    const money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
    try {
      await money.shop.post("/orders", [newOrder({ prePaymentSum: 200, statusId: 1 })]);
      const prepayment = sale(await money.till.poll());
      await money.till.report(prepayment, { outcome: "failed", messageId: "m1" });
      await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
      await money.till.report(prepayment, { outcome: "unknown", messageId: "m2" });
      expect(await money.till.poll()).toBeNull();
      await money.till.report(prepayment, { outcome: "printed", messageId: "m3" });
      expect(sale(await money.till.poll()).payments).toContainEqual({ typeClose: 2, sum: 20000 });
    } finally {
      await money.close();
      await database.drop();
    }
  });
});
