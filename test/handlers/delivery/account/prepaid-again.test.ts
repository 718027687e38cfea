/** A prepayment that goes back in parts, before and after its order is delivered, refunded or cancelled: to the kopeck, once. */
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, courierReceipt, paid, printAll, refundOrder, sale, tea } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a prepayment that goes back in parts", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });

  async function prepaid(prePaymentSum: number): Promise<void> {
    expect((await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum })])).status).toBe(201);
    expect(await printAll(money.till)).toEqual([`sale ${Math.round(prePaymentSum * 100)}`]);
  }
  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const refund = (orderId: string, count = 1) =>
    money.shop.post("/orders", [refundOrder(count, { orderId, payments: [{ ...payments[0], price: 1 }] })], asRefund);
  const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 501, paidIn: "2026-11-20 10:00:00" }];
  const payByCourier = () => money.courier.post("/orders/payments", { orderId: 1042, payments });
  const told = async (): Promise<readonly string[]> => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 50 });
    const entries: readonly { errorCode: string | null; errorText: string }[] = body;
    return entries.flatMap(({ errorCode, errorText }) => (errorCode === "job.already-printed" ? [errorText] : []));
  };
  const cancelOne = () =>
    money.courier.post("/orders/canceledItems", {
      orderId: 1042,
      items: [{ goodId: 501, returnReasonId: 1, count: 1 }],
    });

  test("returned, then delivered after all, and returned again gives back the sale too", async () => {
    await prepaid(200.01);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 20001"]);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    await arrive(6);
    await arrive(3);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("returned, its settlement failed, and returned again gives nothing back twice", async () => {
    await prepaid(200.01);
    await arrive(6);
    await printAll(money.till);
    await arrive(3);
    await money.till.report(sale(await money.till.poll()), { outcome: "failed" });
    await arrive(6);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("holds the settlement while a refund order gives its share back, and the settlement counts it", async () => {
    await prepaid(200.01);
    await refund("1042");
    const back = sale(await money.till.poll());
    await arrive(3);
    await money.till.report(back, { outcome: "unknown", messageId: "m1" });
    expect(await money.till.poll()).toBeNull();
    await money.till.report(back, { outcome: "printed", messageId: "m2" });
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 40099 }, { typeClose: 2, sum: 10001 }]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("by a printed refund order leaves that one to be changed, but for its goods, once the sale came back as a whole", async () => {
    await prepaid(501);
    await refund("1042");
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    const change = (fields: object) => money.shop.put("/orders", fields, { query: { orderId: 1042, isRefund: 1 } });
    expect(await change({ description: "у двери" })).toMatchObject({ status: 201, body: { description: "у двери" } });
    expect((await change({ goods: [tea(2)], amountToPay: 501 })).status).toBe(422);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("by refund orders of all its goods is all of it, to the kopeck", async () => {
    await prepaid(200.01);
    await payByCourier();
    expect((await refund("R-1")).status).toBe(201);
    expect((await refund("R-2")).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 10000", "return 10001"]);
  });

  test("by a refund order is never more than its goods cost, whatever went back before an edit", async () => {
    const bread = (count: number) => ({ goodId: 502, count, price: 60, total: count * 60, discountTotal: 0 });
    const goods = [tea(2), bread(5)];
    await money.shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 801, prePaymentSum: 200.25 })]);
    expect(await printAll(money.till)).toEqual(["sale 20025"]);
    await payByCourier();
    await refund("R-1");
    expect(await printAll(money.till)).toEqual(["return 6262"]);
    const edited = { goods: [tea(1), bread(2)], amountToPay: 370.5 };
    expect((await money.shop.put("/orders", edited, byId)).status).toBe(201);
    const back = refundOrder(1, {
      orderId: "R-2",
      payments: [{ ...payments[0], price: 1 }],
      goods: [bread(1)],
      amountToPay: 60,
    });
    expect((await money.shop.post("/orders", [back], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 6000"]);
  });

  test("leaves a refund order without a share where an edit took it, though some of it is left: that is told, once", async () => {
    await prepaid(200.01);
    await payByCourier();
    await refund("R-1");
    expect(await printAll(money.till)).toEqual(["return 10000"]);
    const dear = { goodId: 502, count: 1, price: 1000, total: 1000, discountTotal: 0 };
    const edited = { goods: [tea(2), dear], amountToPay: 1501 };
    expect((await money.shop.put("/orders", edited, byId)).status).toBe(201);
    expect((await refund("R-2")).status).toBe(201);
    expect(await printAll(money.till)).toEqual([]);
    await money.shop.put("/orders", { description: "у двери" }, byId);
    expect(await told()).toEqual([
      expect.stringMatching(
        /^Refund order R-2 has no receipt: its share of the prepayment of order 1042 has gone back/,
      ),
    ]);
    // Who asks for it anew is told anew.
    for (const statusId of [0, 1])
      await money.shop.put("/orders", { statusId }, { query: { orderId: "R-2", isRefund: 1 } });
    expect((await told()).length).toBe(2);
  });

  test("of a cancelled order goes back by refund orders, those positions too that the courier took back", async () => {
    await prepaid(501);
    await cancelOne();
    await arrive(5);
    expect(await printAll(money.till)).toEqual([]);
    expect((await refund("1042", 2)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    expect((await money.shop.put("/orders", { description: "отменён" }, byId)).status).toBe(201);
    await arrive(6);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("keeps what a refund order has given back, whatever the courier takes back afterwards", async () => {
    await prepaid(200.01);
    await refund("1042");
    expect(await printAll(money.till)).toEqual(["return 10000"]);
    await cancelOne();
    await arrive(4);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 15049 }, { typeClose: 2, sum: 10001 }]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("by a refund order leaves the whole sale that comes after it to be returned", async () => {
    await prepaid(200.01);
    await payByCourier();
    await refund("R-1");
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["return 10000", "sale 50100"]);
    expect((await refund("R-2", 2)).status).toBe(201);
    expect((await refund("R-3", 1)).status).toBe(422);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("by a refund order leaves status 6 to give back the whole sale that comes after it", async () => {
    await prepaid(200.01);
    await refund("1042");
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["return 10000", "sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("in part while the settlement failed, gives back the rest by status 6", async () => {
    await prepaid(501);
    await cancelOne();
    await arrive(4);
    await money.till.report(sale(await money.till.poll()), { outcome: "failed" });
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });

  test("has a receipt of all that was prepaid, whatever the courier took back before", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, statusId: 0, prePaymentSum: 501 })]);
    await cancelOne();
    await money.shop.put("/orders", { statusId: 1 }, byId);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(4);
    expect([...(await printAll(money.till))].sort()).toEqual(["return 25050", "sale 25050"]);
  });

  test("whose own receipt failed is taken with the settlement: no offset of what has no receipt", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 200.01 })]);
    await money.till.report(sale(await money.till.poll()), { outcome: "failed" });
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("on the courier's own register is not given back by ours, and the sale that comes after it still is", async () => {
    await prepaid(200.01);
    const status = { orderId: 1042, deliveryStatusId: 6, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", status)).status).toBe(204);
    expect(await printAll(money.till)).toEqual([]);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  const bringBack = (count: number) =>
    money.courier.post("/orders/returns", { orderId: 1042, goods: [{ goodId: 501, count }], payments: [] });

  test("does not go back once the courier's own register has sold the order, where nobody has its return yet", async () => {
    await prepaid(501);
    await arrive(6);
    const sold = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", sold)).status).toBe(204);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("does not go back besides the sale of the courier's own register, whose receipt comes after status 6", async () => {
    await prepaid(501);
    await arrive(6);
    const own = { orderId: 1042, operation: "sale", receipt: courierReceipt };
    expect((await money.courier.post("/orders/receipts", own)).status).toBe(204);
    const back = sale(await money.till.printNext());
    expect([back.operation, back.lines.map((line) => line.type === "item" && line.method)]).toEqual(["return", [4]]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("as a whole covers a refund order that came meanwhile: the sale that comes after is none of it", async () => {
    await prepaid(501);
    await arrive(6);
    const whole = sale(await money.till.poll());
    await arrive(2);
    expect((await bringBack(2)).status).toBe(204);
    await cancelOne();
    await arrive(4);
    await money.till.report(whole);
    expect(await printAll(money.till)).toEqual(["sale 25050"]);
    const touched = await money.shop.put("/orders", { description: "у двери" }, byId);
    expect([touched.status, touched.body.message]).toEqual([201, undefined]);
    expect(await printAll(money.till)).toEqual([]);
    expect(await told()).toEqual([expect.stringContaining("Refund order 1042 has no receipt")]);
  });

  test("as a whole covers a refund order's share that had failed, and is tried again: that is told, once", async () => {
    await prepaid(501);
    await refund("1042");
    await money.till.report(sale(await money.till.poll()), { outcome: "failed" });
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    expect(await told()).toEqual([]);
    await arrive(2);
    const touch = (description: string) =>
      money.shop.put("/orders", { description }, { query: { orderId: 1042, isRefund: 1 } });
    for (const description of ["a", "b"]) expect((await touch(description)).status).toBe(201);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await touch("c");
    expect(await printAll(money.till)).toEqual([]);
    expect(await told()).toEqual([expect.stringContaining("Refund order 1042 has no receipt")]);
  });

  test.each(["ours", "the courier's"])(
    "as a whole covers a refund order's share that had failed before a sale, by %s register, that it is none of: told, once",
    async (whose) => {
      await prepaid(501);
      await refund("1042");
      const share = sale(await money.till.poll());
      await money.till.report(share, { outcome: "failed", messageId: "failed" });
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      const sold = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
      if (whose === "ours") await arrive(3);
      else expect((await money.courier.post("/orders/status", sold)).status).toBe(204);
      expect(await printAll(money.till)).toEqual(whose === "ours" ? ["sale 50100"] : []);
      for (const description of ["a", "b"]) {
        await money.shop.put("/orders", { description }, { query: { orderId: 1042, isRefund: 1 } });
        await money.till.report(share, { outcome: "failed", messageId: `failed-${description}` });
      }
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toEqual([expect.stringContaining("Refund order 1042 has no receipt")]);
    },
  );

  test("in a return that failed is not given back of a smaller sale when that return is tried again", async () => {
    await prepaid(501);
    await cancelOne();
    expect((await bringBack(2)).status).toBe(204);
    await money.till.report(sale(await money.till.poll()), { outcome: "failed" });
    await arrive(4);
    expect([...(await printAll(money.till))].sort()).toEqual(["return 25050", "sale 25050"]);
    const again = await money.shop.put(
      "/orders",
      { description: "ещё раз" },
      { query: { orderId: 1042, isRefund: 1 } },
    );
    expect([again.status, again.body.message]).toMatchObject([422, expect.stringMatching(/^goods\[0\]\.count: /)]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("has no part in what an edit makes of the goods", async () => {
    await prepaid(200.01);
    await refund("1042");
    await printAll(money.till);
    const goods = [tea(4)];
    expect((await money.shop.put("/orders", { goods, amountToPay: 1002 }, byId)).status).toBe(201);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 90199 }, { typeClose: 2, sum: 10001 }]);
  });
});
