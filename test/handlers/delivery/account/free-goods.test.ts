/** Positions that cost nothing: they stand on the sale's receipt as 0.00, and no account counts them. */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { asRefund, byId, paid, printAll, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("positions that cost nothing", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });

  const gift = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: -60 };
  const create = async (goods: readonly object[], changes: object = {}) =>
    expect((await money.shop.post("/orders", [newOrder({ ...paid, goods, ...changes })])).status).toBe(201);
  const refused = async (orderId: string | number = 1042) => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 30 });
    return body.filter(({ errorCode }: { errorCode: string | null }) => errorCode !== null);
  };

  test.each([
    ["by a discount of all", gift],
    ["by its price", { goodId: 502, count: 1, price: 0, total: 0, discountTotal: 0 }],
  ])("%s are on the sale's receipt as 0.00, and what was paid comes back", async (_how, free) => {
    await create([tea(2), free]);
    const given = sale(await money.till.printNext());
    const [teaLine, ...others] = itemsOf(given);
    expect(teaLine).toMatchObject({ name: "Чай зелёный", total: 50100 });
    expect(others).toMatchObject([{ name: "Хлеб", price: 0, total: 0, method: 4 }]);
    expect((await money.shop.put("/orders", { deliveryStatusId: 6 }, byId)).status).toBe(201);
    expect(itemsOf(sale(await money.till.printNext()))).toEqual([teaLine]);
    expect(await refused()).toEqual([]);
  });

  test.each([
    ["without a rate", {}],
    ["with a rate that is no longer in force", { taxId: 20 }],
  ])("%s take the rate of a paid position, and the paid order is printed", async (_which, rate) => {
    expect((await money.shop.post("/taxes", [{ taxId: 20, title: "НДС 20%" }])).status).toBe(201);
    await create([tea(2), { ...gift, goodId: null, description: "Открытка", ...rate }]);
    const [teaLine, free] = itemsOf(sale(await money.till.printNext()));
    expect(teaLine?.tax).not.toBeNull();
    expect(free).toMatchObject({ name: "Открытка", total: 0, tax: teaLine?.tax });
    expect(await refused()).toEqual([]);
  });

  test("are on a queued receipt as they are at last", async () => {
    await create([tea(2), gift]);
    expect((await money.shop.put("/orders", { goods: [tea(2)] }, byId)).status).toBe(201);
    expect(itemsOf(sale(await money.till.printNext()))).toMatchObject([{ total: 50100 }]);
    expect(await refused()).toEqual([]);
  });

  test("come back by a refund order with what was paid, and without a receipt alone", async () => {
    await create([tea(2), gift]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
    await money.courier.post("/orders/payments", { orderId: 1042, payments });
    const both = refundOrder(1, { orderId: "R-1", payments, goods: [tea(1), gift] });
    expect((await money.shop.post("/orders", [both], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    expect(await refused("R-1")).toEqual([]);
  });

  test("alone are an order and a refund without a receipt, and nobody is troubled", async () => {
    await create([gift], { amountToPay: 60, deliveryStatusId: 3 });
    expect((await money.shop.post("/orders", [refundOrder(1, { goods: [gift] })], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual([]);
    expect(await refused()).toEqual([]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId).toBe(0);
  });

  test("are what is left when the courier takes the paid ones back: the prepayment goes back, and nothing is sold", async () => {
    await create([tea(2), gift], { prePaymentSum: 501 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const items = [{ goodId: 501, returnReasonId: 1, count: 2 }];
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(204);
    expect((await money.shop.put("/orders", { deliveryStatusId: 4 }, byId)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    expect(await refused()).toEqual([]);
  });

  test("of a good that is sold beside them are no pieces of what goes back of the prepayment", async () => {
    const free = tea(1, { position: 2, discountTotal: -250.5 });
    await create([tea(2, { position: 1 }), free], { prePaymentSum: 501 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const items = [1, 2].map((position) => ({ goodId: 501, position, returnReasonId: 1, count: 1 }));
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(204);
    expect((await money.shop.put("/orders", { deliveryStatusId: 4 }, byId)).status).toBe(201);
    expect(sale(await money.till.printNext()).operation).toBe("sale");
    const back = sale(await money.till.printNext());
    expect(back.operation).toBe("return");
    expect(itemsOf(back)).toMatchObject([{ method: 1, quantity: 1_000_000, price: 25050, total: 25050 }]);
  });

  test("of a marked good are printed as 0.00: it may not leave the shop without a receipt", async () => {
    await create([tea(2), { ...gift, markValue: "0104600000000001" }]);
    expect(itemsOf(sale(await money.till.printNext()))).toMatchObject([{ total: 50100 }, { total: 0, subject: 33 }]);
    expect(await refused()).toEqual([]);
  });

  test("for less than a kopeck a piece give back what was paid, by as many pieces as have a price", async () => {
    await create([tea(2)]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const some = tea(2, { discountTotal: -500.99 });
    expect((await money.shop.post("/orders", [refundOrder(2, { goods: [some] })], asRefund)).status).toBe(201);
    const back = sale(await money.till.printNext());
    expect(itemsOf(back)).toMatchObject([{ quantity: 1_000_000, price: 1, total: 1 }]);
  });
});
