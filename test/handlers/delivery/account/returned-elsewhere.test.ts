/** What the courier's own register gave back of a prepaid order is counted once, or a person is told what may be twice. */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "../delivery-world.js";
import { byId, courierReceipt, paid, printAll, sale, tea } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("what the courier's own register gave back", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, ownReceipt: own, refundOne, handedOut, report, told } = order1042(money);

  const order = async (changes: object = {}) =>
    expect((await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501, ...changes })])).status).toBe(
      201,
    );
  const prepaid = async (changes: object = {}) => {
    await order(changes);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  };
  const settled = async (changes: object = {}) => {
    await prepaid(changes);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  };
  const failed = async () => {
    const receipt = await handedOut();
    await report(receipt, "failed");
    return receipt;
  };
  const ownWholeReturn = async () => {
    const body = { orderId: 1042, deliveryStatusId: 6, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", body)).status).toBe(204);
  };

  describe("after our settlement", () => {
    test("of a refund order is told where the whole's return is printed after all", async () => {
      await settled();
      await arrive(6);
      const whole = await failed();
      await refundOne();
      await own("return");
      expect(await told()).toBe(0);
      await report(whole, "printed");
      expect(await told()).toBe(1);
    });

    test("as a whole is told where a refund order's return is printed after all", async () => {
      await settled();
      await refundOne();
      const refund = await failed();
      await ownWholeReturn();
      expect(await told()).toBe(0);
      await report(refund, "printed");
      expect(await told()).toBe(1);
    });

    test("as a whole is told where a refund order's return is handed out", async () => {
      await settled();
      await refundOne();
      const refund = await handedOut();
      await ownWholeReturn();
      expect(await told()).toBe(1);
      await report(refund, "printed");
      expect(await told()).toBe(1);
    });

    test("as a whole holds a refund order's return that nobody has, and that is told", async () => {
      await settled();
      await refundOne();
      await ownWholeReturn();
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(1);
    });

    test("as a whole is what a refund order of ours had left: nothing is told", async () => {
      await settled();
      await refundOne();
      expect(await printAll(money.till)).toEqual(["return 25050"]);
      await ownWholeReturn();
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(0);
    });

    test("of one rate leaves the other one to the next refund order", async () => {
      await settled({ goods: [tea(1), tea(1, { taxId: 2 })] });
      const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
      await money.courier.post("/orders/payments", { orderId: 1042, payments });
      await refundOne({ orderId: "R-1", payments });
      await own("return");
      await refundOne({ orderId: "R-2", payments });
      expect(itemsOf(await handedOut())).toMatchObject([{ tax: 22, total: 25050 }]);
    });
  });

  describe("before our settlement is of the prepayment, and none of the sale:", () => {
    const expectSaleComesBack = async () => {
      await arrive(3);
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      expect(await told()).toBe(0);
    };

    test("a refund order's share, while a settlement was handed out that failed", async () => {
      await prepaid();
      await arrive(3);
      const settlement = await handedOut();
      await refundOne();
      await own("return");
      expect(await told()).toBe(1);
      await report(settlement, "failed");
      await money.shop.put("/orders", { description: "ещё раз" }, byId);
      const again = sale(await money.till.printNext());
      expect(again.payments).toMatchObject([{ sum: 25050 }, { typeClose: 2, sum: 25050 }]);
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      expect(await told()).toBe(1);
    });

    test("a refund order's share, while the prepayment itself was handed out", async () => {
      await order();
      const prepayment = await handedOut();
      await refundOne();
      await own("return");
      await report(prepayment, "printed");
      await expectSaleComesBack();
    });

    test("the whole, while the prepayment itself was handed out", async () => {
      await order();
      const prepayment = await handedOut();
      await ownWholeReturn();
      await report(prepayment, "printed");
      expect(await printAll(money.till)).toEqual([]);
      await expectSaleComesBack();
    });

    test("the whole, where the order is delivered after all", async () => {
      await prepaid();
      await ownWholeReturn();
      expect(await printAll(money.till)).toEqual([]);
      await expectSaleComesBack();
    });
  });

  describe("of the prepayment", () => {
    test("as a whole is told where a refund order's share is handed out, once", async () => {
      await prepaid();
      await refundOne();
      const share = await handedOut();
      await ownWholeReturn();
      expect(await told()).toBe(1);
      await report(share, "printed");
      expect(await told()).toBe(1);
    });

    test("as a whole takes a refund order's share back that nobody has, and that is told once", async () => {
      await prepaid();
      await refundOne();
      for (let times = 0; times < 2; times += 1) await ownWholeReturn();
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(1);
    });

    test("as a whole leaves a refund order that it covers to be changed, but for its goods", async () => {
      await prepaid();
      await refundOne();
      await ownWholeReturn();
      const change = (fields: object) => money.shop.put("/orders", fields, { query: { orderId: 1042, isRefund: 1 } });
      expect((await change({ description: "у двери" })).status).toBe(201);
      expect((await change({ goods: [tea(2)], amountToPay: 501 })).status).toBe(422);
      expect(await printAll(money.till)).toEqual([]);
    });

    test("as a whole is told where a refund order's share is printed after all", async () => {
      await prepaid();
      await refundOne();
      const share = await failed();
      await ownWholeReturn();
      expect(await told()).toBe(0);
      await report(share, "printed");
      expect(await told()).toBe(1);
    });

    test.each(["handed out", "printed"])("of a refund order is told where the whole's return is %s", async (how) => {
      await prepaid();
      await refundOne();
      await failed();
      await arrive(6);
      const whole = await handedOut();
      if (how === "printed") await report(whole, "printed");
      await own("return", "318", { isRefund: true });
      expect(await told()).toBe(1);
    });

    test("of a refund order takes the whole's return back that nobody has: refund orders give back the rest", async () => {
      await prepaid();
      await refundOne();
      await failed();
      await arrive(6);
      await own("return", "318", { isRefund: true });
      expect(await printAll(money.till)).toEqual([]);
      expect(await told()).toBe(0);
    });

    test("of a refund order whose return the settlement waited for lets that one go, with the rest", async () => {
      await prepaid();
      await refundOne();
      await arrive(3);
      await own("return");
      const { payments } = sale(await money.till.printNext());
      expect(payments).toMatchObject([{ sum: 25050 }, { typeClose: 2, sum: 25050 }]);
    });

    test("while the settlement with it is handed out is told", async () => {
      await prepaid();
      await arrive(3);
      await handedOut();
      await ownWholeReturn();
      expect(await told()).toBe(1);
    });
  });

  describe("before our prepayment is known to be printed", () => {
    /** The order is delivered meanwhile. */
    const givenBackAndDelivered = async () => {
      await order();
      const prepayment = await handedOut();
      await refundOne();
      await own("return");
      await arrive(3);
      await report(prepayment, "failed");
      return prepayment;
    };

    test("is of it, and told once, where the sale was printed without it: the rest of it goes back", async () => {
      const prepayment = await givenBackAndDelivered();
      expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
      expect(await told()).toBe(0);
      await report(prepayment, "printed");
      expect(await told()).toBe(1);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
      expect(await told()).toBe(1);
    });

    test("is of it, and told, where that register has sold the rest meanwhile", async () => {
      await order();
      const prepayment = await handedOut();
      await refundOne();
      await own("return");
      await own("sale", "319");
      await report(prepayment, "printed");
      expect(await told()).toBe(1);
      expect(await printAll(money.till)).toEqual([]);
    });

    test("is told where that sale is handed out", async () => {
      const prepayment = await givenBackAndDelivered();
      await handedOut();
      await report(prepayment, "printed");
      expect(await told()).toBe(1);
    });

    test("is of the prepayment where nobody has the sale yet", async () => {
      const prepayment = await givenBackAndDelivered();
      await report(prepayment, "printed");
      expect((await handedOut()).payments).toMatchObject([{ sum: 25050 }, { typeClose: 2, sum: 25050 }]);
      expect(await told()).toBe(0);
    });

    test("and after the sale, is of that one: nothing is told", async () => {
      await order();
      const prepayment = await handedOut();
      await arrive(3);
      await report(prepayment, "failed");
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      await refundOne();
      await own("return");
      await report(prepayment, "printed");
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      expect(await told()).toBe(0);
    });
  });

  test.each(["sale", "return"] as const)(
    "or sold twice is told: a further document of the same %s",
    async (operation) => {
      await order({ prePaymentSum: null });
      if (operation === "return") {
        await printAll(money.till);
        await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
      }
      for (const fdNumber of ["318", "318"]) await own(operation, fdNumber);
      expect(await told()).toBe(0);
      for (const fdNumber of ["319", "318", "319"]) await own(operation, fdNumber);
      expect(await told()).toBe(1);
      await own(operation, "320");
      expect(await told()).toBe(2);
    },
  );
});
