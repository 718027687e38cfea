/** A prepaid order of which the courier's own register prints a part: ours counts its own receipts once, or a person is told. */
import type { TestDatabase } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { newOrder } from "./delivery-world.js";
import {
  asRefund,
  byId,
  courierReceipt,
  type MoneyWorld,
  openMoneyWorld,
  paid,
  printAll,
  refundOrder,
  sale,
} from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("a prepaid order and the courier's own register", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let logged: string[];

  beforeEach(async () => {
    logged = [];
    database = await newDatabase();
    const logger = createTestLogger((line) => logged.push(line));
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true, logger });
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });
  afterEach(async () => {
    await money.close();
    await database.drop();
  });

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const refundOne = () => money.shop.post("/orders", [refundOrder(1)], asRefund);
  const handedOut = async () => sale(await money.till.poll());
  const own = async (operation: "sale" | "return") => {
    const reply = await money.courier.post("/orders/receipts", { orderId: 1042, operation, receipt: courierReceipt });
    expect(reply.status).toBe(204);
  };

  test.each(["failed on our till", "nobody has yet"])(
    "a refund order whose receipt %s, and is of that register, counts once",
    async (what) => {
      await refundOne();
      if (what === "failed on our till") await money.till.report(await handedOut(), { outcome: "failed" });
      await own("return");
      const other = { orderId: 1042, goods: [{ goodId: 501, count: 1 }], payments: [] };
      expect((await money.courier.post("/orders/returns", other)).status).toBe(204);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    },
  );

  test("a settlement that failed on our till, and is of that register, uses no prepayment of ours", async () => {
    await arrive(3);
    await money.till.report(await handedOut(), { outcome: "failed" });
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    const sold = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", sold)).status).toBe(204);
    expect(await printAll(money.till)).toEqual([]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });
});
