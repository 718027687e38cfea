/** What goes back goes back as it was given: the lines and the payment forms of the receipt that gave it (54-fz 9, 10). */
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { asRefund, byId, paid, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

const bread = (count: number, changes: object = {}) => ({
  goodId: 502,
  count,
  price: 60,
  total: count * 60,
  discountTotal: 0,
  ...changes,
});

describeOnBothStores("what goes back", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });

  const created = async (order: object, options?: typeof asRefund) => {
    const { status, body } = await money.shop.post("/orders", [order], options);
    expect([status, body.message]).toEqual([201, undefined]);
  };
  const refund = (order: object) => created(order, asRefund);
  const next = async () => sale(await money.till.printNext());
  const put = async (path: string, change: object, query: Record<string, string | number>) =>
    expect([201, 204]).toContain((await money.shop.put(path, change, { query })).status);
  const arrive = (deliveryStatusId: number) => put("/orders", { deliveryStatusId }, byId.query);
  const cancel = async (goodId: number, count: number) => {
    const items = [{ goodId, returnReasonId: 1, count }];
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(204);
  };
  /** Total and tax row of each line. */
  const sumsOf = (receipt: SaleReceipt) => itemsOf(receipt).map(({ name, total, tax }) => [name, total, tax]);

  describe("of a sale", () => {
    const goods = [tea(2), bread(3, { total: 180, discountTotal: -0.01 })];
    const sold = () => newOrder({ ...paid, amountToPay: 681, goods, supplierId: 1 });

    beforeEach(async () => {
      await money.shop.post("/suppliers", [
        { supplierId: 1, title: "ООО Чай", inn: "7700000001", phone: "+74951112233" },
      ]);
      await settle("osn", "commission_agent");
    });

    const settle = async (taxSystem: string, type: string) => {
      const company = { inn: "7700000000", taxSystem };
      const settings = { settingId: 1, login: "x", password: "y", isProduction: 1, company, agent: { type } };
      expect((await money.shop.post("/partnerOnlineSettings/replace", settings)).status).toBe(201);
    };

    /** All of the catalog says something else since. */
    async function changeCatalog(): Promise<void> {
      await put("/goods", { title: "Чай другой", calcId: 4, unit: "кг", taxId: 2 }, { goodId: 501 });
      await put("/taxes", { title: "НДС 10%" }, { taxId: 1 });
      await put("/suppliers", { title: "ООО Другое", inn: "7700000002", phone: "+74959999999" }, { supplierId: 1 });
      await put("/paymentTypes", { closeTypeId: 0 }, { paymentTypeId: 1 });
      await settle("usn_income", "attorney");
    }

    test("as a whole (status 6) has the very lines and payments of its receipt", async () => {
      await created({ ...sold(), isInternetPayment: 0, deliveryStatusId: 3 });
      const given = await next();
      expect(itemsOf(given)[0]?.agent).toMatchObject({ supplierName: "ООО Чай" });
      await changeCatalog();
      await arrive(6);
      const back = await next();
      expect(back.operation).toBe("return");
      expect(itemsOf(back)).toEqual(itemsOf(given));
      expect([back.payments, back.taxSystem]).toEqual([given.payments, 1]);
    });

    test("by a refund order that names no supplier and another payment type has its tags and payment form", async () => {
      await created({ ...sold(), isInternetPayment: 0, deliveryStatusId: 3 });
      const given = await next();
      await changeCatalog();
      await refund(
        refundOrder(0, { isInternetPayment: 0, paymentId: 2, amountToPay: 310.5, goods: [bread(1), tea(1)] }),
      );
      const back = await next();
      expect(back.taxSystem).toBe(1);
      const [soldTea, soldBread] = itemsOf(given);
      const tags = { quantity: 1_000_000, agent: soldTea?.agent, subject: 1, unit: "шт", method: 4 };
      expect(itemsOf(back)).toMatchObject([
        { ...tags, name: soldBread?.name, tax: soldBread?.tax, total: 6000 },
        { ...tags, name: soldTea?.name, tax: soldTea?.tax, total: 25050 },
      ]);
      expect(back.payments).toEqual([{ typeClose: 1, sum: 31050 }]);
    });

    test("in two payment forms has them both in the end, first the one that the refund order names", async () => {
      await created(newOrder({ deliveryStatusId: 2 }));
      const pay = (paymentId: string, paymentTypeId: string, price: number) => ({
        paymentId,
        paymentTypeId,
        price,
        paidIn: "2026-11-20 10:00:00",
      });
      const payments = [pay("p1", "1", 401), pay("p2", "2", 100)];
      await money.courier.post("/orders/payments", { orderId: 1042, payments });
      await arrive(3);
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 10000 },
        { typeClose: 1, sum: 40100 },
      ]);
      const first = [pay("p2", "2", 250.5)];
      await refund(refundOrder(1, { orderId: "R-1", isInternetPayment: 0, paymentId: 2, payments: first }));
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 10000 },
        { typeClose: 1, sum: 15050 },
      ]);
      await refund(refundOrder(1, { orderId: "R-2", isInternetPayment: 0, paymentId: 2, payments: first }));
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 25050 }]);
    });

    test.each(["refund order", "status 6"])(
      "by %s shows the payment type of its receipt as the used one",
      async (how) => {
        const prePaymentSum = how === "status 6" ? 501 : null;
        await created(
          newOrder({ statusId: 1, deliveryStatusId: how === "status 6" ? 2 : 3, paymentId: 1, prePaymentSum }),
        );
        expect((await next()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
        if (how === "status 6") await put("/orders", { deliveryStatusId: 6, paymentId: 2 }, byId.query);
        else await refund(refundOrder(2, { isInternetPayment: 0, paymentId: 2 }));
        const back = await next();
        expect([back.operation, back.payments]).toEqual(["return", [{ typeClose: 1, sum: 50100 }]]);
        const { body } = await money.shop.get("/orders", { orderId: 1042, isRefund: how === "status 6" ? 0 : 1 });
        expect([body.paymentId, body.frUsedPaymentId]).toEqual([2, 1]);
      },
    );

    test("that was prepaid by a receipt of ours is money in that receipt's form, and in the settlement's", async () => {
      await created(newOrder({ statusId: 1, prePaymentSum: 200 }));
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 20000 }]);
      await put("/orders", { paymentId: 2, deliveryStatusId: 3 }, byId.query);
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 30100 },
        { typeClose: 2, sum: 20000 },
      ]);
      await arrive(6);
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 30100 },
        { typeClose: 1, sum: 20000 },
      ]);
    });

    describe("of one good at two rates", () => {
      const twice = [tea(1), tea(1, { taxId: 2 })];

      test("has both, where a refund order of both names the rate of none", async () => {
        await money.shop.post("/taxes", [{ taxId: 3, title: "Без НДС" }]);
        await created(newOrder({ ...paid, goods: twice }));
        const given = await next();
        await refund(refundOrder(2, { goods: [tea(2, { taxId: 3 })] }));
        expect(sumsOf(await next())).toEqual(sumsOf(given));
      });

      test("has the rate that a refund order of one piece names", async () => {
        await created(newOrder({ ...paid, goods: twice }));
        const [, second] = sumsOf(await next());
        await refund(refundOrder(1, { goods: [tea(1, { taxId: 2 })] }));
        expect(sumsOf(await next())).toEqual([second]);
      });

      test("has that of the position that is left, whatever the good is called since", async () => {
        await created(newOrder({ ...paid, goods: twice }));
        const [first, second] = sumsOf(await next());
        await put("/goods", { title: "Чай чёрный" }, { goodId: 501 });
        const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
        await money.courier.post("/orders/payments", { orderId: 1042, payments });
        for (const orderId of ["R-1", "R-2"]) await refund(refundOrder(1, { orderId, payments }));
        expect([sumsOf(await next()), sumsOf(await next())]).toEqual([[first], [second]]);
      });
    });

    test("of one good at two prices and rates has the piece that cost what is given back", async () => {
      const goods = [tea(1, { discountTotal: -100 }), tea(1, { taxId: 2 })];
      await created(newOrder({ ...paid, amountToPay: 501, goods }));
      const [, dear] = itemsOf(await next());
      await refund(refundOrder(1));
      expect(itemsOf(await next())).toEqual([dear]);
    });

    test("of positions without a good has no more of one of them than was sold", async () => {
      const of = (description: string, taxId: number, count = 1) => tea(count, { goodId: null, description, taxId });
      await created(newOrder({ ...paid, goods: [of("Доставка", 1), of("Книга", 2)] }));
      const [, book] = sumsOf(await next());
      const tooMany = await money.shop.post("/orders", [refundOrder(2, { goods: [of("Книга", 2, 2)] })], asRefund);
      expect([tooMany.status, tooMany.body.message]).toEqual([
        422,
        expect.stringMatching(/^\[0\]\.goods\[0\]\.count: /),
      ]);
      await refund(refundOrder(1, { goods: [of("Книга", 1)] }));
      expect(sumsOf(await next())).toEqual([book]);
    });

    test.each([
      [{ markValue: "0104600000000002" }],
      [{ markValue: "0104600000000002", markBinaryValue: "decoded" }],
      [{ markBinaryValue: "0104600000000002" }],
    ])("of a marked good has the mark that the refund order names by %j", async (named) => {
      const marked = (markValue: string) => tea(1, { markValue });
      await created(newOrder({ ...paid, goods: [marked("0104600000000001"), marked("0104600000000002")] }));
      const [, second] = itemsOf(await next());
      await refund(refundOrder(1, { goods: [tea(1, named)] }));
      expect(itemsOf(await next())).toEqual([second]);
    });

    test("of a marked good whose mark the sale does not have as it is named has that mark, once each", async () => {
      const marked = (markValue: string) => tea(1, { markValue });
      await created(newOrder({ ...paid, goods: [marked("0104600000000001"), marked("0104600000000002")] }));
      await next();
      const base64 = (mark: string) => Buffer.from(mark, "utf8").toString("base64");
      for (const [orderId, markBinaryValue] of [
        ["R-2", "decoded 2"],
        ["R-1", "decoded 1"],
      ] as const) {
        const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
        if (orderId === "R-2") await money.courier.post("/orders/payments", { orderId: 1042, payments });
        await refund(refundOrder(1, { orderId, payments, goods: [tea(1, { markBinaryValue })] }));
        expect(itemsOf(await next())).toMatchObject([
          { markingCode: base64(markBinaryValue), subject: 33, total: 25050 },
        ]);
      }
      expect(await money.till.printNext()).toBeNull();
    });

    test("of a marked good has one mark once, and no more money than its piece cost", async () => {
      const marked = (markValue: string, total: number) => tea(1, { markValue, price: total, total });
      const both = [marked("0104600000000001", 150), marked("0104600000000002", 250)];
      await created(newOrder({ ...paid, amountToPay: 400, goods: both }));
      const [first] = itemsOf(await next());
      const refused = async (orderId: string, total: number, field: string) => {
        const order = refundOrder(1, { orderId, payments, goods: [marked("0104600000000001", total)] });
        const { status, body } = await money.shop.post("/orders", [order], asRefund);
        expect([status, body.message]).toEqual([422, expect.stringContaining(`[0].goods[0].${field}: `)]);
      };
      const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
      await money.courier.post("/orders/payments", { orderId: 1042, payments });
      await refused("R-1", 250, "total");
      await refund(refundOrder(1, { orderId: "R-1", payments, goods: [marked("0104600000000001", 150)] }));
      expect(itemsOf(await next())).toEqual([first]);
      await refused("R-2", 150, "count");
    });

    test("is what the late receipt says that is printed after the order was edited", async () => {
      const three = { ...paid, amountToPay: 751.5, goods: [tea(3)] };
      await created(newOrder(three));
      const failed = sale(await money.till.poll());
      await money.till.report(failed, { outcome: "failed" });
      await put("/orders", { amountToPay: 501, goods: [tea(2)] }, byId.query);
      await money.till.report(failed, { outcome: "printed", messageId: "late" });
      await arrive(6);
      const back = await next();
      expect([back.operation, itemsOf(back)]).toEqual(["return", itemsOf(failed)]);
    });
  });

  describe("of a prepayment", () => {
    const goods = [tea(1, { price: 300, total: 300 }), bread(1, { price: 200, total: 200 })];
    const prepaid = (sum: number, changes: object = {}) =>
      created(newOrder({ ...paid, amountToPay: 500, goods, prePaymentSum: sum, ...changes }));

    test("by a refund order before any settlement is paid as it was, whatever the refund order says", async () => {
      await prepaid(500, { isInternetPayment: 0 });
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 50000 }]);
      await refund(refundOrder(1, { isInternetPayment: 0, paymentId: 2, amountToPay: 500, goods }));
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 50000 }]);
    });

    test("has the tags of its lines, whatever the goods are called and are since", async () => {
      await prepaid(500);
      const given = await next();
      await put("/goods", { title: "Хлеб", calcId: 4, unit: "кг" }, { goodId: 501 });
      await put("/goods", { title: "Чай зелёный" }, { goodId: 502 });
      await arrive(6);
      expect(itemsOf(await next())).toEqual(itemsOf(given));
    });

    test("beyond what is sold in the end is of the lines that the courier took back", async () => {
      await prepaid(500);
      const given = await next();
      await put("/goods", { title: "Чай чёрный" }, { goodId: 501 });
      await cancel(501, 1);
      await arrive(4);
      expect((await next()).operation).toBe("sale");
      expect(itemsOf(await next())).toEqual(itemsOf(given).slice(0, 1));
    });

    test("of two marked goods has the mark of each as it was paid for, whatever the refund order calls them", async () => {
      const marked = (markValue: string) => tea(1, { markValue });
      const both = [marked("0104600000000001"), bread(1), marked("0104600000000002")];
      await created(newOrder({ ...paid, goods: both, amountToPay: 561, prePaymentSum: 561 }));
      await next();
      const named = [tea(1, { markBinaryValue: "decoded" }), bread(1), tea(1, { markValue: "0104600000000001" })];
      await refund(refundOrder(1, { amountToPay: 561, goods: named }));
      const codes = itemsOf(await next()).map(({ markingCode }) => markingCode);
      const base64 = (mark: string) => Buffer.from(mark, "utf8").toString("base64");
      expect(codes).toEqual([base64("0104600000000001"), null, base64("0104600000000002")]);
    });

    test("of an order with other goods since is of its own lines all the same", async () => {
      await money.shop.post("/goods", [{ goodId: 503, parentId: null, taxId: 2, title: "Сыр", price: 60, calcId: 1 }]);
      await prepaid(500);
      const given = await next();
      await put("/orders", { amountToPay: 600, goods: [bread(10, { goodId: 503 })] }, byId.query);
      await arrive(6);
      const back = await next();
      expect(itemsOf(back)).toEqual(itemsOf(given));
      expect(back.payments).toEqual([{ typeClose: 1, sum: 50000 }]);
    });
  });
});

describeOnBothStores("what goes back of a sale that was prepaid elsewhere", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  test("has its prepaid part in that form, after the money", async () => {
    const nextPayments = async () => sale(await money.till.printNext()).payments;
    await money.shop.post("/orders", [newOrder({ ...paid, deliveryStatusId: 3, prePaymentSum: 300 })]);
    expect(await nextPayments()).toEqual([
      { typeClose: 1, sum: 20100 },
      { typeClose: 2, sum: 30000 },
    ]);
    const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
    await money.courier.post("/orders/payments", { orderId: 1042, payments });
    // A part may be sent with the prepayment of the whole: it says nothing of what goes back.
    for (const orderId of ["R-1", "R-2"])
      await money.shop.post("/orders", [refundOrder(1, { orderId, payments, prePaymentSum: 300 })], asRefund);
    expect(await nextPayments()).toEqual([
      { typeClose: 1, sum: 20100 },
      { typeClose: 2, sum: 4950 },
    ]);
    expect(await nextPayments()).toEqual([{ typeClose: 2, sum: 25050 }]);
  });
});
