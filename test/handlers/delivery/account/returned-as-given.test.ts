/** A return has the lines and the payment forms of the receipt that it gives back (54-fz 9, 10). */
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { asRefund, paid, refundOrder, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

const bread = (count: number, changes: object = {}) =>
  tea(count, { goodId: 502, price: 60, total: count * 60, ...changes });
const marked = (markValue: string, price = 250.5) => tea(1, { markValue, price, total: price });
const [mark1, mark2] = ["0104600000000001", "0104600000000002"];
/** A courier took this payment. Refund orders with ids of their own find their sale by it. */
const taken = [payment("p1", "1", 1)];

const base64 = (mark: string) => Buffer.from(mark, "utf8").toString("base64");

describeOnBothStores("the receipt of a return", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);
  const { create, refund, next } = talk;
  const arrive = (deliveryStatusId: number) => talk.put({ deliveryStatusId });
  const twoMarked = () => create({ ...paid, goods: [marked(mark1), marked(mark2)] });
  const refusalOf = async (order: object) => {
    const { status, body } = await money.shop.post("/orders", [order], asRefund);
    return `${status} ${body.message}`;
  };
  const sumsOf = (receipt: SaleReceipt) => itemsOf(receipt).map(({ name, total, tax }) => [name, total, tax]);

  describe("a return of a sale", () => {
    const goods = [tea(2), bread(3, { total: 180, discountTotal: -0.01 })];
    const sell = () =>
      create({ ...paid, amountToPay: 681, goods, supplierId: 1, isInternetPayment: 0, deliveryStatusId: 3 });

    beforeEach(async () => {
      const supplier = { supplierId: 1, title: "ООО Чай", inn: "7700000001", phone: "+74951112233" };
      await money.shop.post("/suppliers", [supplier]);
      await settle("osn", "commission_agent");
    });

    const settle = async (taxSystem: string, type: string) => {
      const company = { inn: "7700000000", taxSystem };
      const settings = { settingId: 1, login: "x", password: "y", isProduction: 1, company, agent: { type } };
      await talk.taken(money.shop.post("/partnerOnlineSettings/replace", settings));
    };

    async function changeCatalog(): Promise<void> {
      await talk.putRecord("goods", { goodId: 501 }, { title: "Чай другой", calcId: 4, unit: "кг", taxId: 2 });
      await talk.putRecord("taxes", { taxId: 1 }, { title: "НДС 10%" });
      await talk.putRecord(
        "suppliers",
        { supplierId: 1 },
        { title: "ООО Другое", inn: "7700000002", phone: "+74959999999" },
      );
      await talk.putRecord("paymentTypes", { paymentTypeId: 1 }, { closeTypeId: 0 });
      await settle("usn_income", "attorney");
    }

    test("a return of the whole order (status 6) has exactly the lines and payments of the sale's receipt", async () => {
      await sell();
      const given = await next();
      expect(itemsOf(given)[0]?.agent).toMatchObject({ supplierName: "ООО Чай" });
      await changeCatalog();
      await arrive(6);
      const back = await next();
      expect(back.operation).toBe("return");
      expect(itemsOf(back)).toEqual(itemsOf(given));
      expect([back.payments, back.taxSystem]).toEqual([given.payments, 1]);
    });

    test("a refund order with another payment type and no supplier has the sale's tags and the payment form of that type", async () => {
      await sell();
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
      expect(back.payments).toEqual([{ typeClose: 0, sum: 31050 }]);
    });

    test("returns of a sale paid in two forms give back both forms, beginning with the one that the refund order names", async () => {
      await create({ deliveryStatusId: 2 });
      await talk.pay(payment("p1", "1", 401), payment("p2", "2", 100));
      await arrive(3);
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 10000 },
        { typeClose: 1, sum: 40100 },
      ]);
      const first = [payment("p2", "2", 250.5)];
      await refund(refundOrder(1, { orderId: "R-1", isInternetPayment: 0, paymentId: 2, payments: first }));
      expect((await next()).payments).toEqual([
        { typeClose: 0, sum: 10000 },
        { typeClose: 1, sum: 15050 },
      ]);
      await refund(refundOrder(1, { orderId: "R-2", isInternetPayment: 0, paymentId: 2, payments: first }));
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 25050 }]);
    });

    test.each([
      ["refund order", 2, 0],
      ["status 6", 1, 1],
    ])("a return by %s shows payment type %i and is printed in the form of that type", async (how, used, typeClose) => {
      const prePaymentSum = how === "status 6" ? 501 : null;
      await create({ statusId: 1, deliveryStatusId: how === "status 6" ? 2 : 3, paymentId: 1, prePaymentSum });
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
      if (how === "status 6") await talk.put({ deliveryStatusId: 6, paymentId: 2 });
      else await refund(refundOrder(2, { isInternetPayment: 0, paymentId: 2 }));
      const back = await next();
      expect([back.operation, back.payments]).toEqual(["return", [{ typeClose, sum: 50100 }]]);
      const shown = await talk.order({ isRefund: how === "status 6" ? 0 : 1 });
      expect(shown).toMatchObject({ paymentId: 2, frUsedPaymentId: used });
    });

    test("a return of a prepaid sale has the prepayment in its own form and the rest in the sale's form", async () => {
      await create({ statusId: 1, prePaymentSum: 200 });
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 20000 }]);
      await talk.put({ paymentId: 2, deliveryStatusId: 3 });
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

    test.each([2, 3, 4])(
      "a prepayment paid on the internet is electronic, and the rest has the closeTypeId %i of the order's payment type",
      async (closeTypeId) => {
        await talk.taken(money.shop.post("/paymentTypes", [{ paymentTypeId: 9, title: "Иначе", closeTypeId }]));
        await create({ ...paid, paymentId: 9, prePaymentSum: 200 });
        expect((await next()).payments).toEqual([{ typeClose: 1, sum: 20000 }]);
        expect((await talk.account()).findings).toEqual([]);
        await talk.put({ payments: [payment("p1", "1", 200), payment("p2", "9", 301)] });
        await talk.put({ deliveryStatusId: 3 });
        const sums = { [2]: 0, [closeTypeId]: 0 };
        for (const { typeClose, sum } of (await next()).payments) sums[typeClose] = (sums[typeClose] ?? 0) + sum;
        expect(sums).toEqual(closeTypeId === 2 ? { 2: 50100 } : { 2: 20000, [closeTypeId]: 30100 });
        expect((await talk.account()).isBalanced).toBe(true);
      },
    );

    test("returns of a sale that a prepayment and a certificate paid give back the prepayment's form, then the certificate", async () => {
      await talk.taken(money.shop.post("/paymentTypes", [{ paymentTypeId: 9, title: "Сертификат", closeTypeId: 2 }]));
      await create({ ...paid, deliveryStatusId: 2, prePaymentSum: 200 });
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 20000 }]);
      await talk.pay(payment("p1", "9", 301));
      await talk.arrive(3);
      expect((await next()).operation).toBe("sale");
      const half = (orderId: string) => refund(refundOrder(1, { orderId, returnedOrderId: 1042 }));
      await half("R-1");
      expect((await next()).payments).toEqual([
        { typeClose: 1, sum: 20000 },
        { typeClose: 2, sum: 5050 },
      ]);
      await half("R-2");
      expect((await next()).payments).toEqual([{ typeClose: 2, sum: 25050 }]);
      expect((await talk.account()).isBalanced).toBe(true);
    });

    describe("a return of one good that was sold at two tax rates", () => {
      const twice = [tea(1), tea(1, { taxId: 2 })];

      test("a refund of one piece of a good sold at two rates has the rate that the refund order names", async () => {
        await create({ ...paid, goods: twice });
        const [, second] = sumsOf(await next());
        await refund(refundOrder(1, { goods: [tea(1, { taxId: 2 })] }));
        expect(sumsOf(await next())).toEqual([second]);
      });
    });

    test("a refund of a good sold at two prices and rates returns the piece whose price is given back", async () => {
      const goods = [tea(1, { discountTotal: -100 }), tea(1, { taxId: 2 })];
      await create({ ...paid, amountToPay: 501, goods });
      const [, dear] = itemsOf(await next());
      await refund(refundOrder(1));
      expect(itemsOf(await next())).toEqual([dear]);
    });

    test("a refund of positions without a good returns no more of one description than was sold", async () => {
      const of = (description: string, taxId: number, count = 1) => tea(count, { goodId: null, description, taxId });
      await create({ ...paid, goods: [of("Доставка", 1), of("Книга", 2)] });
      const [, book] = sumsOf(await next());
      expect(await refusalOf(refundOrder(2, { goods: [of("Книга", 2, 2)] }))).toContain("422 [0].goods[0].count: ");
      await refund(refundOrder(1, { goods: [of("Книга", 1)] }));
      expect(sumsOf(await next())).toEqual([book]);
    });

    test.each([
      [{ markValue: mark2 }],
      [{ markValue: mark2, markBinaryValue: "decoded" }],
      [{ markBinaryValue: mark2 }],
    ])("a refund of a marked good has the marking code that the refund order names by %j", async (named) => {
      await twoMarked();
      const [, second] = itemsOf(await next());
      await refund(refundOrder(1, { goods: [tea(1, named)] }));
      expect(itemsOf(await next())).toEqual([second]);
    });

    test("a refund that names a marking code unknown to the sale is printed with that code, once for each code", async () => {
      await twoMarked();
      await next();
      await talk.pay(...taken);
      for (const [orderId, markBinaryValue] of [
        ["R-2", "decoded 2"],
        ["R-1", "decoded 1"],
      ] as const) {
        await refund(refundOrder(1, { orderId, payments: taken, goods: [tea(1, { markBinaryValue })] }));
        const back = { markingCode: base64(markBinaryValue), subject: 33, total: 25050 };
        expect(itemsOf(await next())).toMatchObject([back]);
      }
      expect(await money.till.printNext()).toBeNull();
    });

    test("a refund returns each marking code once, and no more money than its piece cost", async () => {
      await create({ ...paid, amountToPay: 400, goods: [marked(mark1, 150), marked(mark2, 250)] });
      const [first] = itemsOf(await next());
      await talk.pay(...taken);
      const ofFirst = (orderId: string, price: number) =>
        refundOrder(1, { orderId, payments: taken, goods: [marked(mark1, price)] });
      expect(await refusalOf(ofFirst("R-1", 250))).toContain("422 [0].goods[0].total: ");
      await refund(ofFirst("R-1", 150));
      expect(itemsOf(await next())).toEqual([first]);
      expect(await refusalOf(ofFirst("R-2", 150))).toContain("422 [0].goods[0].count: ");
    });
  });

  describe("a return of a prepayment", () => {
    const goods = [tea(1, { price: 300, total: 300 }), bread(1, { price: 200, total: 200 })];
    const prepaid = (sum: number, changes: object = {}) =>
      create({ ...paid, amountToPay: 500, goods, prePaymentSum: sum, ...changes });

    test("a refund before the sale gives back the prepayment in the form that the refund order names", async () => {
      await prepaid(500, { isInternetPayment: 0 });
      expect((await next()).payments).toEqual([{ typeClose: 1, sum: 50000 }]);
      await refund(refundOrder(1, { isInternetPayment: 0, paymentId: 2, amountToPay: 500, goods }));
      expect((await next()).payments).toEqual([{ typeClose: 0, sum: 50000 }]);
    });

    test("the unused part of a prepayment is returned with the lines that the courier cancelled", async () => {
      await prepaid(500);
      const given = await next();
      await talk.putRecord("goods", { goodId: 501 }, { title: "Чай чёрный" });
      await talk.cancel(1);
      await arrive(4);
      expect((await next()).operation).toBe("sale");
      expect(itemsOf(await next())).toEqual(itemsOf(given).slice(0, 1));
    });

    test("the return of a prepayment of two marked goods has the code of each, whatever the refund order names", async () => {
      const both = [marked(mark1), bread(1), marked(mark2)];
      await create({ ...paid, goods: both, amountToPay: 561, prePaymentSum: 561 });
      await next();
      const named = [tea(1, { markBinaryValue: "decoded" }), bread(1), marked(mark1)];
      await refund(refundOrder(1, { amountToPay: 561, goods: named }));
      const codes = itemsOf(await next()).map(({ markingCode }) => markingCode);
      expect(codes).toEqual([base64(mark1), null, base64(mark2)]);
    });

    test("the return of a prepayment has its receipt's lines, although the catalog and the order have other goods now", async () => {
      await money.shop.post("/goods", [{ goodId: 503, parentId: null, taxId: 2, title: "Сыр", price: 60, calcId: 1 }]);
      await prepaid(500);
      const given = await next();
      await talk.putRecord("goods", { goodId: 501 }, { title: "Хлеб", calcId: 4, unit: "кг" });
      await talk.putRecord("goods", { goodId: 502 }, { title: "Чай зелёный" });
      await talk.put({ amountToPay: 600, goods: [bread(10, { goodId: 503 })] });
      await arrive(6);
      const back = await next();
      expect(itemsOf(back)).toEqual(itemsOf(given));
      expect(back.payments).toEqual([{ typeClose: 1, sum: 50000 }]);
    });
  });
});

describeOnBothStores("a return of a sale that was prepaid elsewhere", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const talk = talkOf(money);

  test("a return of a sale that was prepaid elsewhere gives back the money first, and the prepaid part after the money", async () => {
    const nextPayments = async () => (await talk.next()).payments;
    await talk.create({ ...paid, deliveryStatusId: 3, prePaymentSum: 300 });
    expect(await nextPayments()).toEqual([
      { typeClose: 1, sum: 20100 },
      { typeClose: 2, sum: 30000 },
    ]);
    await talk.pay(...taken);
    // A part may be sent with the prepayment of the whole: it says nothing of what goes back.
    for (const orderId of ["R-1", "R-2"])
      await talk.refund(refundOrder(1, { orderId, payments: taken, prePaymentSum: 300 }));
    expect(await nextPayments()).toEqual([
      { typeClose: 1, sum: 20100 },
      { typeClose: 2, sum: 4950 },
    ]);
    expect(await nextPayments()).toEqual([{ typeClose: 2, sum: 25050 }]);
  });
});
