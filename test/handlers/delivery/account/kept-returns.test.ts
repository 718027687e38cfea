/** A return receipt of the courier's own register that came by itself, before the return that it is of: where it counts. */
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, paid, printAll, refundOrder, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("a return receipt that came before its return", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, send, receiptOf, ownReceipt, bringOne, refundOne, handedOut, report, told } = order1042(money);
  const own = (fdNumber: string) => ownReceipt("return", fdNumber);

  const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
  const order = (changes: object = {}) => money.shop.post("/orders", [newOrder({ ...paid, ...changes })]);
  const prepaid = async () => {
    await order({ prePaymentSum: 501 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  };

  test("is that of the shop's refund order of another id: the next return is printed", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await send("/orders/payments", { payments });
    await own("318");
    await refundOne({ orderId: "R-1", payments });
    expect(await printAll(money.till)).toEqual([]);
    expect((await money.shop.get("/orderReturnReceipts", { orderId: "R-1" })).body).toMatchObject({ fdNumber: "318" });
    await bringOne();
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    expect(await told()).toBe(0);
  });

  test("is that of the first refund order of a batch", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await send("/orders/payments", { payments });
    await own("318");
    const both = [refundOrder(1, { payments }), refundOrder(1, { orderId: "R-1", payments })];
    expect((await money.shop.post("/orders", both, asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });

  test("is not that of another sale's refund order, whatever ids the shop's orders have", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await bringOne();
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await own("318");
    await order({ orderId: "1042-2" });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refundOne({ orderId: "1042-2" });
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await bringOne();
    expect(await printAll(money.till)).toEqual([]);
    const { body } = await money.shop.get("/orderReturnReceipts", { orderId: "1042-3" });
    expect(body).toMatchObject({ orderId: "1042-3", fdNumber: "318" });
    expect(await told()).toBe(0);
  });

  test("before its sale is told at status 6: it stands for the whole return of that sale", async () => {
    await order({ statusId: 0 });
    await own("318");
    await money.shop.put("/orders", { statusId: 1 }, byId);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    expect(await told()).toBe(0);
    await arrive(6);
    expect([await printAll(money.till), await told()]).toEqual([[], 1]);
    await money.shop.put("/orders", { description: "у двери" }, byId);
    expect(await told()).toBe(1);
  });

  test.each([0, 1])("is that of a deleted refund order that is there again, paid %i before", async (statusId) => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refundOne({ statusId });
    if (statusId === 1) await report(await handedOut(), "failed");
    expect((await money.shop.delete("/orders", { orderId: 1042, isRefund: 1 })).status).toBe(204);
    await own("318");
    expect((await money.shop.post("/orders/replace", [refundOrder(1)], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual([]);
    await bringOne();
    expect([await printAll(money.till), await told()]).toEqual([["return 25050"], 0]);
  });

  test("does not keep an order that has no receipt of ours from being unpaid again", async () => {
    await order();
    await report(await handedOut(), "failed");
    await own("318");
    expect((await money.shop.put("/orders", { statusId: 0 }, byId)).status).toBe(201);
  });

  test("comes once more with its return as the same one", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await own("318");
    await send("/orders/returns", { goods: [{ goodId: 501, count: 1 }], payments: [], ...receiptOf("318") });
    await bringOne();
    expect([await printAll(money.till), await told()]).toEqual([["return 25050"], 0]);
  });

  test("is told as one of two where another one comes with the return", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await own("318");
    await send("/orders/returns", { goods: [{ goodId: 501, count: 1 }], payments: [], ...receiptOf("319") });
    expect([await printAll(money.till), await told()]).toEqual([[], 1]);
  });

  test("named as of a refund order that has its receipt is told as a further one: the next return is printed", async () => {
    await order();
    await bringOne();
    expect(await printAll(money.till)).toEqual(["sale 50100", "return 25050"]);
    await own("318");
    const named = { orderId: 1042, isRefund: true, operation: "return", ...receiptOf("318") };
    const reply = await money.courier.post("/orders/receipts", named);
    expect([reply.status, reply.body?.message]).toEqual([204, undefined]);
    await bringOne();
    expect([await printAll(money.till), await told()]).toEqual([["return 25050"], 1]);
  });

  test("is of a prepayment that is printed after the sale was made without it, and that is told", async () => {
    await order({ prePaymentSum: 501 });
    const prepayment = await handedOut();
    await own("318");
    await arrive(3);
    await report(prepayment, "failed");
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    expect(await told()).toBe(0);
    await report(prepayment, "printed");
    // Of which of the two it is, and that nobody can say how much it gave back.
    expect(await told()).toBe(2);
  });

  test("is told where the sale is settled with the prepayment that it is of, once", async () => {
    await prepaid();
    await own("318");
    expect(await told()).toBe(0);
    await arrive(3);
    expect(await told()).toBe(1);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await money.shop.put("/orders", { description: "у двери" }, byId);
    expect(await told()).toBe(1);
  });

  test("of the prepayment is no return of the sale that was settled with it, at status 6 neither", async () => {
    await prepaid();
    await own("318");
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect([await printAll(money.till), await told()]).toEqual([["return 50100"], 1]);
  });

  test("of the prepayment is all of that at status 6 where nobody has the settlement yet", async () => {
    await prepaid();
    await own("318");
    await arrive(3);
    await arrive(6);
    expect(await printAll(money.till)).toEqual([]);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("of the prepayment is told at status 6 where the courier's register has sold the order meanwhile", async () => {
    await prepaid();
    await own("318");
    await send("/orders/status", { deliveryStatusId: 3, ...receiptOf("319") });
    expect(await told()).toBe(0);
    await arrive(6);
    expect([await printAll(money.till), await told()]).toEqual([["return 50100"], 1]);
  });

  test("is at status 6 the return that had failed, and the order says so", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    await report(await handedOut(), "failed");
    expect((await money.shop.get("/orders", byId.query)).body).toMatchObject({ frReceiptStatusId: 2 });
    await arrive(2);
    await own("318");
    await arrive(6);
    expect((await money.shop.get("/orders", byId.query)).body).toMatchObject({
      receiptStatusId: 1,
      frReceiptStatusId: 1,
    });
    expect(await printAll(money.till)).toEqual([]);
  });
});
