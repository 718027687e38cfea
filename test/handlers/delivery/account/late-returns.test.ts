/** Late results where a sale is given back: the same goods are not paid back twice, or a person is told. */
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, paid, printAll, refundOrder, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a return that had failed and turns out to be printed", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase);
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await pay();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  const returnAll = () => money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
  let messages = 0;
  const report = (receipt: SaleReceipt, outcome: "printed" | "failed" | "unknown") => {
    messages += 1;
    return money.till.report(receipt, { outcome, messageId: `late-${messages}` });
  };
  /** A courier's payment of nothing in the end: refund orders of other ids name the sale by it. */
  async function pay() {
    const of = { paymentTypeId: "1", paidIn: "2026-11-20 10:00:00" };
    const payments = [
      { ...of, paymentId: "p-1", price: 1 },
      { ...of, paymentId: "p-2", price: -1 },
    ];
    expect((await money.courier.post("/orders/payments", { orderId: 1042, payments })).status).toBe(204);
  }
  const refundByPayment = (count: number) => {
    const payments = [{ paymentId: "p-1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
    return money.shop.post("/orders", [refundOrder(count, { orderId: "r-1", payments })], asRefund);
  };
  const expectTold = async (isTold = true) => {
    expect(logged.join("\n").includes("more than the sale")).toBe(isTold);
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const codes = body.map((entry: { errorCode: string | null }) => entry.errorCode);
    expect(codes.includes("job.already-printed")).toBe(isTold);
  };

  /** The return of all is told failed; a refund order of one piece is made instead. */
  async function wholeFailedAndRefunded(): Promise<SaleReceipt> {
    await returnAll();
    const whole = sale(await money.till.poll());
    await report(whole, "failed");
    expect((await refundByPayment(1)).status).toBe(201);
    return whole;
  }

  test.each([["printed"], ["unknown", "printed"]] as const)(
    "as a whole (%s %s) leaves nothing for the refund order that was made instead, and that is told",
    async (...outcomes) => {
      const whole = await wholeFailedAndRefunded();
      for (const outcome of outcomes) await report(whole, outcome);
      expect(await printAll(money.till)).toEqual([]);
      await money.shop.put("/orders", { description: "ещё раз" }, { query: { orderId: "r-1", isRefund: 1 } });
      expect(await printAll(money.till)).toEqual([]);
      await expectTold();
    },
  );

  test("as a whole, and failed in the end, lets the refund order go", async () => {
    const whole = await wholeFailedAndRefunded();
    await report(whole, "unknown");
    expect(await money.till.poll()).toBeNull();
    await report(whole, "failed");
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await expectTold(false);
  });

  test.each(["before", "after"] as const)(
    "as a whole is told where the refund order's receipt is printed %s it",
    async (when) => {
      const whole = await wholeFailedAndRefunded();
      const refund = sale(await money.till.poll());
      expect(itemsOf(refund).map(({ total }) => total)).toEqual([25050]);
      for (const one of when === "before" ? [refund, whole] : [whole, refund]) await report(one, "printed");
      await expectTold();
    },
  );

  test("of a refund order that was taken back and deleted holds the return of the whole sale", async () => {
    await refundByPayment(1);
    const refund = sale(await money.till.poll());
    await report(refund, "failed");
    const query = { orderId: "r-1", isRefund: 1 };
    expect((await money.shop.put("/orders", { statusId: 0 }, { query })).status).toBe(201);
    expect((await money.shop.delete("/orders", query)).status).toBe(204);
    await returnAll();
    await report(refund, "printed");
    expect(await printAll(money.till)).toEqual([]);
    await expectTold();
  });

  test("of a refund order that was deleted before holds the return of the whole sale, which comes after it", async () => {
    const query = { orderId: "r-1", isRefund: 1 };
    await refundByPayment(1);
    const refund = sale(await money.till.poll());
    await report(refund, "failed");
    expect((await money.shop.put("/orders", { statusId: 0 }, { query })).status).toBe(201);
    expect((await money.shop.delete("/orders", query)).status).toBe(204);
    await report(refund, "printed");
    await expectTold(false);
    await returnAll();
    expect(await printAll(money.till)).toEqual([]);
    await expectTold();
  });

  test.each(["printed", "failed"] as const)(
    "of a deleted refund order holds the whole's return until it is %s",
    async (outcome) => {
      const query = { orderId: "r-1", isRefund: 1 };
      await refundByPayment(1);
      const refund = sale(await money.till.poll());
      await report(refund, "failed");
      expect((await money.shop.put("/orders", { statusId: 0 }, { query })).status).toBe(201);
      expect((await money.shop.delete("/orders", query)).status).toBe(204);
      await report(refund, "unknown");
      await returnAll();
      expect(await money.till.poll()).toBeNull();
      await expectTold(false);
      await report(refund, outcome);
      expect(await printAll(money.till)).toEqual(outcome === "printed" ? [] : ["return 50100"]);
      await expectTold(outcome === "printed");
    },
  );
});
