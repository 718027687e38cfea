/** A prepaid order that the courier's own register sells or gives back, with our returns on their way or coming late. */
import { newOrder } from "./delivery-world.js";
import { moneyOfEach } from "./money-of-each.js";
import { asRefund, byId, courierReceipt, paid, printAll, refundOrder, sale } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("what the courier's own register sells or gives back of a prepaid order", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const refundOne = () => money.shop.post("/orders", [refundOrder(1)], asRefund);
  const handedOut = async () => sale(await money.till.poll());
  const own = async (operation: "sale" | "return", fdNumber = "318") => {
    const receipt = { ...courierReceipt, fdNumber };
    const reply = await money.courier.post("/orders/receipts", { orderId: 1042, operation, receipt });
    expect(reply.status).toBe(204);
  };
  const toldToShop = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.filter(({ errorCode }: { errorCode: string | null }) => errorCode === "job.already-printed").length;
  };

  test.each(["the prepayment's return", "a refund order's share"])(
    "%s that had failed, and is printed after that sale, is told once",
    async (what) => {
      if (what === "the prepayment's return") await arrive(6);
      else await refundOne();
      const back = await handedOut();
      await money.till.report(back, { outcome: "failed" });
      await own("sale");
      expect(await toldToShop()).toBe(0);
      await money.till.report(back, { outcome: "unknown", messageId: "m1" });
      await money.till.report(back, { messageId: "m2" });
      await money.shop.put("/orders", { description: "ещё раз" }, byId);
      expect(await toldToShop()).toBe(1);
    },
  );

  test("a refund order's share leaves the sale that comes after it to be returned", async () => {
    await refundOne();
    await own("return");
    expect(await printAll(money.till)).toEqual([]);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("a refund order of the sale leaves status 6 nothing, as before", async () => {
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refundOne();
    await own("return");
    await arrive(6);
    expect(await printAll(money.till)).toEqual([]);
  });
});
