/** A return of the courier's own register: what it is counted beside, before its return, and sent again with the whole order's. */
import { newOrder } from "../delivery-world.js";
import { asRefund, paid, printAll, refundOrder, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("a return of the courier's own register", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, send, receiptOf, ownReceipt, bringOne, told } = order1042(money);
  const own = (fdNumber: string) => ownReceipt("return", fdNumber);

  const prepaid = async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  };

  test.each(["comes with it", "came before it"])(
    "is told where the prepayment went back already and its receipt %s",
    async (when) => {
      await prepaid();
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      await arrive(2);
      if (when === "came before it") await own("318");
      await bringOne(when === "comes with it" ? receiptOf("318") : {});
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(1);
    },
  );

  describe("that came by itself", () => {
    const asRefund6 = { deliveryStatusId: 6, ...receiptOf("318") };
    const wholeReturns: readonly [string, () => Promise<void>][] = [
      ["of the shop", () => arrive(6)],
      ["of the courier", () => send("/orders/status", { deliveryStatusId: 6 })],
      ["of the courier with it once more", () => send("/orders/status", asRefund6)],
    ];

    test.each(wholeReturns)(
      "is the whole order's at status 6 %s: nothing more comes back",
      async (_whose, comeBack) => {
        await money.shop.post("/orders", [newOrder(paid)]);
        expect(await printAll(money.till)).toEqual(["sale 50100"]);
        await own("318");
        await comeBack();
        const goods = [{ goodId: 501, count: 1 }];
        const further = await money.courier.post("/orders/returns", { orderId: 1042, goods, payments: [] });
        expect([further.status, further.body.message]).toEqual([
          422,
          "orderId: order 1042 is returned as a whole already",
        ]);
        expect(await printAll(money.till)).toEqual([]);
        expect(await told()).toBe(0);
      },
    );

    test("is all of the prepayment at status 6: a sale after that is settled with none of it", async () => {
      await prepaid();
      await own("318");
      await arrive(6);
      await arrive(3);
      const { payments } = sale(await money.till.printNext());
      expect(payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    });

    test("is at status 6 what a refund order left, and then the sale's own document", async () => {
      await money.shop.post("/orders", [newOrder(paid)]);
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      await bringOne();
      expect(await printAll(money.till)).toEqual(["return 25050"]);
      await own("318");
      await arrive(6);
      expect(await printAll(money.till)).toEqual([]);
      const { body } = await money.shop.get("/orderReturnReceipts", { orderId: 1042 });
      expect(body).toMatchObject({ orderId: 1042, fdNumber: "318" });
      expect((await money.shop.get("/orderReturnReceipts", { orderId: "1042-2" })).status).toBe(404);
    });

    test("is a further one beside another at status 6: that is told", async () => {
      await money.shop.post("/orders", [newOrder(paid)]);
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      await own("318");
      await send("/orders/status", { deliveryStatusId: 6, ...receiptOf("319") });
      expect(await told()).toBe(1);
    });

    test("is the receipt of the shop's refund order, which says so", async () => {
      await prepaid();
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      await arrive(2);
      await own("318");
      const { status, body } = await money.shop.post("/orders", [refundOrder(1)], asRefund);
      expect([status, body[0]]).toMatchObject([201, { receiptStatusId: 1, frReceiptStatusId: 1 }]);
      expect(await told()).toBe(1);
    });
  });

  describe("leaves what goes back of the prepayment beyond the sale", () => {
    const deliverOne = async () => {
      await prepaid();
      await send("/orders/canceledItems", { items: [{ goodId: 501, returnReasonId: 1, count: 1 }] });
      await arrive(4);
      await money.till.printNext();
    };

    test("to be printed where it comes before its return", async () => {
      await deliverOne();
      await own("318");
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    });

    test.each(["status", "payments"])("to be printed where it is of a refund order, by /orders/%s", async (how) => {
      await deliverOne();
      expect((await money.shop.post("/orders", [refundOrder(1)], asRefund)).status).toBe(201);
      const payment = { paymentId: "p2", paymentTypeId: "1", price: -1, paidIn: "2026-11-20 14:00:00" };
      const body = how === "status" ? { deliveryStatusId: 6 } : { payments: [payment] };
      await send(`/orders/${how}`, { isRefund: true, ...body, ...receiptOf("318") });
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    });
  });

  describe("that is recorded of a refund order, and comes again with status 6, is that one", () => {
    const sold = async () => {
      await money.shop.post("/orders", [newOrder(paid)]);
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
    };

    test("where it came before its return", async () => {
      await sold();
      await bringOne(receiptOf("318"));
      await own("319");
      await send("/orders/status", { deliveryStatusId: 6, ...receiptOf("319") });
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(0);
    });

    test.each([{ orderId: 1042 }, { orderId: "R-1" }])(
      "of the id $orderId: the rest may still come back",
      async (id) => {
        await sold();
        const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
        await send("/orders/payments", { payments });
        expect((await money.shop.post("/orders", [refundOrder(1, { payments, ...id })], asRefund)).status).toBe(201);
        await own("318");
        await send("/orders/status", { deliveryStatusId: 6, ...receiptOf("318") });
        expect(await printAll(money.till)).toEqual([]);
        await bringOne();
        expect(await printAll(money.till)).toEqual(["return 25050"]);
        expect(await told()).toBe(0);
      },
    );
  });
});
