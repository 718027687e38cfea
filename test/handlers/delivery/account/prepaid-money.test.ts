/** A prepayment that was registered is given back as one, when its goods were never handed over (domain 5.4). */
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, openMoneyWorld, paid, printAll, refundOrder, sale, tea } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("the return of a prepayment", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 200.01 })]);
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

  test("by status 6 says what the prepayment said, whatever goods the order has since", async () => {
    const taken = sale(await money.till.printNext());
    const goods = [{ goodId: 502, count: 10, price: 60, total: 600, discountTotal: 0 }];
    expect((await money.shop.put("/orders", { goods, amountToPay: 600 }, byId)).status).toBe(201);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    const back = sale(await money.till.printNext());
    expect(back.operation).toBe("return");
    expect(itemsOf(back)).toEqual(itemsOf(taken));
  });

  test("by status 6 has its method, whatever the order costs since", async () => {
    const order = { ...paid, orderId: 1043, prePaymentSum: 501 };
    await money.shop.post("/orders", [newOrder(order)]);
    await printAll(money.till);
    const change = { goods: [tea(3)], amountToPay: 751.5, deliveryStatusId: 6 };
    expect((await money.shop.put("/orders", change, { query: { orderId: 1043 } })).status).toBe(201);
    const back = sale(await money.till.printNext());
    expect(itemsOf(back).map(({ method }) => method)).toEqual(itemsOf(back).map(() => 1));
  });

  test.each(["the order", "the courier", "the payment type"])(
    "by status 6 is paid as it was, whatever %s says since",
    async (who) => {
      const two = { query: { orderId: 2 } };
      await money.shop.post("/orders", [newOrder({ orderId: 2, statusId: 1, prePaymentSum: 200 })]);
      expect(await printAll(money.till)).toEqual(["sale 20001", "sale 20000"]);
      if (who === "the order") await money.shop.put("/orders", { paymentId: 2 }, two);
      if (who === "the payment type") {
        await money.shop.put("/paymentTypes", { closeTypeId: 0 }, { query: { paymentTypeId: 1 } });
      }
      if (who === "the courier") {
        const cash = { paymentId: "p1", paymentTypeId: "2", price: 100, paidIn: "2026-11-20 14:00:00" };
        expect((await money.courier.post("/orders/payments", { orderId: 2, payments: [cash] })).status).toBe(204);
      }
      expect((await money.shop.put("/orders", { deliveryStatusId: 6 }, two)).status).toBe(201);
      const back = sale(await money.till.printNext());
      expect(back).toMatchObject({ operation: "return", payments: [{ typeClose: 1, sum: 20000 }] });
    },
  );

  test.each(["a refund order", "the courier"])(
    "by %s has its rates, where the tax names another one since",
    async (who) => {
      const two = { query: { orderId: 2 } };
      const bread = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 };
      const goods = [bread, tea(2)];
      await printAll(money.till);
      await money.shop.post("/orders", [
        newOrder({ ...paid, orderId: 2, amountToPay: 561, goods, prePaymentSum: 500 }),
      ]);
      const ratesOf = (receipt: SaleReceipt) => itemsOf(receipt).map(({ name, tax }) => [name, tax]);
      const taken = ratesOf(sale(await money.till.printNext()));
      expect(new Set(taken.map(([, tax]) => tax)).size).toBe(2);
      expect((await money.shop.put("/taxes", { title: "НДС 10%" }, { query: { taxId: 1 } })).status).toBe(204);
      if (who === "a refund order") {
        await money.shop.post("/orders", [refundOrder(2, { orderId: 2, goods, amountToPay: 561 })], asRefund);
      } else {
        const items = goods.map(({ goodId, count }) => ({ goodId, returnReasonId: 1, count }));
        expect((await money.courier.post("/orders/canceledItems", { orderId: 2, items })).status).toBe(204);
        await money.shop.put("/orders", { deliveryStatusId: 4 }, two);
      }
      const back = sale(await money.till.printNext());
      expect(back.operation).toBe("return");
      expect(ratesOf(back)).toEqual(taken);
    },
  );

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

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);

  describe("that is more than what is sold in the end", () => {
    beforeEach(async () => {
      await money.shop.post("/orders", [newOrder({ ...paid, orderId: 2, prePaymentSum: 501 })]);
      await money.shop.delete("/orders", { orderId: 1042 });
    });
    const two = { query: { orderId: 2 } };
    const cancelOfTwo = (count: number) =>
      money.courier.post("/orders/canceledItems", { orderId: 2, items: [{ goodId: 501, returnReasonId: 1, count }] });
    const end = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, two);
    const drain = async () => (await printAll(money.till)).filter((line) => line !== "sale 20001");

    test("gives the rest back, with the prepayment's own method, besides the settlement", async () => {
      expect(await drain()).toEqual(["sale 50100"]);
      await cancelOfTwo(1);
      expect(await drain()).toEqual([]);
      await end(4);
      const settlement = sale(await money.till.printNext());
      expect(settlement).toMatchObject({ operation: "sale", payments: [{ typeClose: 2, sum: 25050 }] });
      const rest = sale(await money.till.printNext());
      expect(rest).toMatchObject({ operation: "return", payments: [{ typeClose: 1, sum: 25050 }] });
      expect(itemsOf(rest)).toMatchObject([{ method: 1, quantity: 1_000_000, total: 25050 }]);
      expect(await drain()).toEqual([]);
      await end(6);
      expect(await drain()).toEqual(["return 25050"]);
    });

    test("with nothing sold gives all of it back, once", async () => {
      await drain();
      await cancelOfTwo(2);
      await end(4);
      expect(await drain()).toEqual(["return 50100"]);
      await end(6);
      expect(await drain()).toEqual([]);
      expect((await money.shop.get("/orders", two.query)).body).toMatchObject({ frReceiptStatusId: 1 });
    });

    test("by status 6 before any settlement gives all of it back, in one receipt", async () => {
      await drain();
      await cancelOfTwo(1);
      await end(6);
      const receipt = sale(await money.till.printNext());
      expect(receipt).toMatchObject({ operation: "return", payments: [{ typeClose: 1, sum: 50100 }] });
      expect(itemsOf(receipt)).toMatchObject([{ method: 1, quantity: 2_000_000 }]);
      expect(await drain()).toEqual([]);
    });

    test("waits for the prepayment's own result", async () => {
      let receipt = sale(await money.till.poll());
      while (String(receipt.orderId) !== "2") {
        await money.till.report(receipt);
        receipt = sale(await money.till.poll());
      }
      await cancelOfTwo(1);
      await end(4);
      await money.till.report(receipt, { outcome: "unknown", messageId: "m1" });
      expect(await money.till.poll()).toBeNull();
      await money.till.report(receipt, { outcome: "printed", messageId: "m2" });
      expect((await drain()).sort()).toEqual(["return 25050", "sale 25050"]);
    });

    test("gives nothing back where no prepayment of ours is registered", async () => {
      const otherDatabase = await newDatabase();
      const other = await openMoneyWorld(otherDatabase);
      await other.shop.post("/orders", [newOrder({ ...paid, orderId: 2, prePaymentSum: 501 })]);
      const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
      await other.courier.post("/orders/canceledItems", { orderId: 2, items });
      await other.shop.put("/orders", { deliveryStatusId: 4 }, two);
      expect(await printAll(other.till)).toEqual(["sale 25050"]);
      await other.close();
      await otherDatabase.drop();
    });
  });

  test("that went back is not settled with when the order is delivered after all", async () => {
    await printAll(money.till);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 20001"]);
    await arrive(3);
    const receipt = sale(await money.till.printNext());
    expect(receipt).toMatchObject({ operation: "sale", payments: [{ typeClose: 1, sum: 50100 }] });
    expect(await printAll(money.till)).toEqual([]);
    expect((await money.shop.post("/orders", [refundOrder(2)], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("that went back in part is settled with the rest of it", async () => {
    await printAll(money.till);
    await money.shop.post("/orders", [refundOrder(1)], asRefund);
    expect(await printAll(money.till)).toEqual(["return 10000"]);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 40099 }, { typeClose: 2, sum: 10001 }]);
  });

  test("that may be going back holds the settlement until it is known", async () => {
    await printAll(money.till);
    await arrive(6);
    const back = sale(await money.till.poll());
    await arrive(3);
    expect(sale(await money.till.poll()).receiptId).toBe(back.receiptId);
    await money.till.report(back, { outcome: "failed" });
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 30099 }, { typeClose: 2, sum: 20001 }]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("that nobody has yet is taken back, and the settlement counts it", async () => {
    await printAll(money.till);
    await arrive(6);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 30099 }, { typeClose: 2, sum: 20001 }]);
    expect(await printAll(money.till)).toEqual([]);
  });
});
