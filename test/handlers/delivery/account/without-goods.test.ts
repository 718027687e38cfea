import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { courierReceipt, paid, refundOrder, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

describeOnBothStores("an order without positions", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);
  const talk = talkOf(money);

  const create = (changes: object) => talk.create({ goods: undefined, ...changes });
  const refusals = () => logged.filter((line) => line.includes("No receipt can be made"));
  const expectTold = async () => {
    expect(await talk.printed()).toEqual([]);
    expect(await talk.alerts()).toMatchObject([{ errorCode: "receipt.no-items" }]);
    expect((await talk.order()).frReceiptStatusId).toBe(2);
    expect(refusals()).toHaveLength(1);
  };
  const expectNothingTold = async () => {
    expect([await talk.printed(), await talk.alerts(), refusals()]).toEqual([[], [], []]);
  };

  test("a paid order without positions gives an alert, and is printed when its positions come", async () => {
    await create(paid);
    await expectTold();
    await talk.put({ goods: [tea(2)] });
    expect(await talk.printed()).toEqual(["sale 50100"]);
    expect((await talk.order()).frReceiptStatusId).toBe(1);
  });

  test("a refund order without positions gives an alert, and its return is printed when its positions come", async () => {
    await talk.create(paid);
    expect(await talk.printed()).toEqual(["sale 50100"]);
    await talk.refund(refundOrder(1, { goods: undefined, amountToPay: 250.5 }));
    expect(await talk.printed()).toEqual([]);
    const ofRefund = { isRefund: 1 };
    expect((await talk.order(ofRefund)).frReceiptStatusId).toBe(2);
    expect(await talk.alerts()).toMatchObject([{ errorCode: "receipt.no-items" }]);
    await talk.put({ goods: [tea(1)] }, ofRefund);
    expect(await talk.printed()).toEqual(["return 25050"]);
    expect((await talk.order(ofRefund)).frReceiptStatusId).toBe(1);
  });

  test("an order without positions gives an alert when it is delivered and its price is collected", async () => {
    await create({});
    await talk.pay(payment("p1", "2", 501));
    await talk.arrive(3);
    await expectTold();
  });

  test("an order without positions gives no alert when the courier's own register printed its receipt", async () => {
    await create({ statusId: 1 });
    await talk.arrive(3, { receipt: courierReceipt });
    await expectNothingTold();
    expect(await talk.order()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: 1 });
  });

  test.each([
    ["costs nothing", { ...paid, amountToPay: 0 }],
    ["is not paid", { deliveryStatusId: 3 }],
    ["is prepaid and on its way", { ...paid, prePaymentSum: 100 }],
    ["comes back", { ...paid, deliveryStatusId: 6 }],
  ])("an order without positions that %s gives no alert", async (_what, changes) => {
    await create(changes);
    await expectNothingTold();
  });
});

describeOnBothStores("positions that cost nothing", (newDatabase) => {
  // Hooks run in their order: this hook runs before the world is closed.
  afterEach(async () => {
    for (const orderId of [1042, "R-1"]) expect(await talk.alerts(orderId)).toEqual([]);
  });
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);

  const gift = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: -60 };
  const create = (goods: readonly object[], changes: object = {}) => talk.create({ ...paid, goods, ...changes });

  test.each([
    ["by a full discount", gift],
    ["by its price", { goodId: 502, count: 1, price: 0, total: 0, discountTotal: 0 }],
  ])("positions free %s are on the sale's receipt as 0.00, and a return has only what was paid", async (_how, free) => {
    await create([tea(2), free]);
    const [teaLine, ...others] = itemsOf(await talk.next());
    expect(teaLine).toMatchObject({ name: "Чай зелёный", total: 50100 });
    expect(others).toMatchObject([{ name: "Хлеб", price: 0, total: 0, method: 4 }]);
    await talk.put({ deliveryStatusId: 6 });
    expect(itemsOf(await talk.next())).toEqual([teaLine]);
  });

  test.each([
    ["without a rate", {}],
    ["with a rate that is no longer in force", { taxId: 20 }],
  ])("free positions %s have the rate of a paid position, and the paid order is printed", async (_which, rate) => {
    await talk.taken(money.shop.post("/taxes", [{ taxId: 20, title: "НДС 20%" }]));
    await create([tea(2), { ...gift, goodId: null, description: "Открытка", ...rate }]);
    const [teaLine, free] = itemsOf(await talk.next());
    expect(teaLine?.tax).not.toBeNull();
    expect(free).toMatchObject({ name: "Открытка", total: 0, tax: teaLine?.tax });
  });

  test("a free position that an edit removes is not on the queued receipt", async () => {
    await create([tea(2), gift]);
    await talk.put({ goods: [tea(2)] });
    expect(itemsOf(await talk.next())).toMatchObject([{ total: 50100 }]);
  });

  test("a refund with a paid and a free position is printed without the free one", async () => {
    await create([tea(2), gift]);
    expect(await talk.printed()).toEqual(["sale 50100"]);
    const payments = [payment("p1", "1", 1)];
    await talk.pay(...payments);
    await talk.refund(refundOrder(1, { orderId: "R-1", payments, goods: [tea(1), gift] }));
    expect(await talk.printed()).toEqual(["return 25050"]);
  });

  test("an order with only free positions needs no receipt and gives no alert, and neither does its refund", async () => {
    await create([gift], { amountToPay: 60, deliveryStatusId: 3 });
    await talk.refund(refundOrder(1, { goods: [gift] }));
    expect(await talk.printed()).toEqual([]);
    expect((await talk.order()).frReceiptStatusId).toBe(0);
  });

  test("when the courier cancels all paid positions, the prepayment is returned and nothing is sold", async () => {
    await create([tea(2), gift], { prePaymentSum: 501 });
    expect(await talk.printed()).toEqual(["sale 50100"]);
    await talk.cancel(2);
    await talk.put({ deliveryStatusId: 4 });
    expect(await talk.printed()).toEqual(["return 50100"]);
  });

  test("a free piece does not count among the pieces of the same good when its prepayment is returned", async () => {
    await create([tea(2, { position: 1 }), tea(1, { position: 2, discountTotal: -250.5 })], { prePaymentSum: 501 });
    expect(await talk.printed()).toEqual(["sale 50100"]);
    for (const position of [1, 2]) await talk.cancel(1, { position });
    await talk.put({ deliveryStatusId: 4 });
    expect((await talk.next()).operation).toBe("sale");
    const back = await talk.next();
    expect(back.operation).toBe("return");
    expect(itemsOf(back)).toMatchObject([{ method: 1, quantity: 1_000_000, price: 25050, total: 25050 }]);
  });

  test("free positions of a marked good are printed as 0.00, because a marked good may not leave without a receipt", async () => {
    await create([tea(2), { ...gift, markValue: "0104600000000001" }]);
    expect(itemsOf(await talk.next())).toMatchObject([{ total: 50100 }, { total: 0, subject: 33 }]);
  });

  test("a refund of less than a kopeck for each piece is printed with as many pieces as have a price", async () => {
    await create([tea(2)]);
    expect(await talk.printed()).toEqual(["sale 50100"]);
    await talk.refund(refundOrder(2, { goods: [tea(2, { discountTotal: -500.99 })] }));
    expect(itemsOf(await talk.next())).toMatchObject([{ quantity: 1_000_000, price: 1, total: 1 }]);
  });
});
