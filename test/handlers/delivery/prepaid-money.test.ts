/** A prepayment that was registered is given back as one, when its goods were never handed over (domain 5.4). */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { newOrder } from "./delivery-world.js";
import { asRefund, byId, type MoneyWorld, openMoneyWorld, paid, printAll, refundOrder, sale } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("the return of a prepayment", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;

  beforeEach(async () => {
    database = await newDatabase();
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 200.01 })]);
  });
  afterEach(async () => {
    await money.close();
    await database.drop();
  });

  test("by status 6 is what was prepaid, with its method", async () => {
    expect(await printAll(money.till)).toEqual(["sale 20001"]);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    const receipt = sale(await money.till.printNext());
    expect(receipt).toMatchObject({ operation: "return", payments: [{ typeClose: 1, sum: 20001 }] });
    expect(itemsOf(receipt).map(({ method }) => method)).toEqual(itemsOf(receipt).map(() => 2));
    expect(itemsOf(receipt).reduce((sum, line) => sum + line.total, 0)).toBe(20001);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("by refund orders is their share of it, no more in all", async () => {
    await printAll(money.till);
    for (const orderId of [1042, "1042"]) {
      const { status } = await money.shop.post("/orders", [refundOrder(2, { orderId })], asRefund);
      expect(status).toBe(orderId === 1042 ? 201 : 422);
    }
    expect(await printAll(money.till)).toEqual(["return 20001"]);
  });

  test("waits for the prepayment's own result", async () => {
    const prepayment = sale(await money.till.poll());
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    await money.till.report(prepayment, { outcome: "unknown", messageId: "m1" });
    expect(await money.till.poll()).toBeNull();
    await money.till.report(prepayment, { outcome: "printed", messageId: "m2" });
    expect(await printAll(money.till)).toEqual(["return 20001"]);
  });

  test("after the settlement is the whole price again", async () => {
    await printAll(money.till);
    await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await money.shop.post("/orders", [refundOrder(2)], asRefund);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });
});
