/** Edits between an order's payment and the print of its receipt: the receipt has what the order then says. */
import { byId, paid, sale, syncCall, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

describeOnBothStores("an order that is edited after its receipt is queued", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const talk = talkOf(money);

  beforeEach(() => talk.create(paid));

  test("a buyer's new address goes onto a queued receipt, and may change again while the receipt is handed out", async () => {
    await talk.put({ client: { email: "new@mail.example" } });
    expect(sale(await money.till.poll()).contact).toBe("new@mail.example");
    await talk.put({ client: { email: "newer@mail.example" } });
  });

  test("a receipt goes to the present address of the buyer's record, not to the address that came with the order", async () => {
    await talk.taken(money.shop.post("/clients", [{ clientId: 5, email: "wrong@mail.example" }]));
    await talk.put({ clientId: 5 });
    await talk.putRecord("clients", { clientId: 5 }, { email: "right@mail.example" });
    await talk.put({ client: { email: "wrong@mail.example" } });
    expect(sale(await money.till.poll()).contact).toBe("right@mail.example");
  });

  test("a courier's payment goes onto a queued receipt, and is stored with a warning after the receipt is printed", async () => {
    await talk.pay(payment("p1", "2", 501));
    expect((await talk.next()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
    const more = await talk.report("payments", { payments: [payment("p2", "1", 501)] });
    expect(more.body.warnings.slice(1)).toEqual([
      { path: "payments", message: "come to 1002.00, and to be paid are 501.00" },
      { path: "payments", message: "contradict a receipt that is out: they are stored, and the shop gets an alert" },
    ]);
    await talk.pay(payment("p1", "2", 501));
  });

  test("a queued receipt is withdrawn when it is not due any more, and is queued again when it is due again", async () => {
    await talk.put({ prePaymentSum: 200 });
    expect(await money.till.poll()).toBeNull();
    await talk.put({ deliveryStatusId: 3 });
    await money.shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes: { deliveryStatusId: 2 } });
    expect(await money.till.poll()).toBeNull();
    await talk.put({ deliveryStatusId: 3 });
    expect((await talk.next()).payments).toMatchObject([{ sum: 30100 }, { typeClose: 2, sum: 20000 }]);
  });

  test("an oddity in the money of an order is accepted, and named in the answer", async () => {
    const goods = (changes: object) => [tea(2, changes)];
    const bank = (price: number) => [payment("bank", "1", price)];
    const odd = async (changes: object) => (await talk.put(changes)).warnings ?? [];
    const said = (path: string, message: string) => [{ path, message }];
    const amount = "is not what the positions come to, 501.00: receipts are made of the positions";
    expect(await odd({ amountToPay: 500.99 })).toEqual(said("amountToPay", amount));
    expect(await odd({ amountToPay: 501 })).toEqual([]);
    expect(await odd({ payments: bank(600) })).toEqual(said("payments", "come to 600.00, and the order to 501.00"));
    expect(await odd({ payments: bank(501) })).toEqual([]);
    const markup = said("goods[0].discountTotal", "is a markup: a discount is negative");
    expect(await odd({ goods: goods({ discountTotal: 10 }) })).toEqual(markup);
    expect(await odd({ goods: goods({ discountTotal: -10 }), amountToPay: 491 })).toEqual([]);
    const nameless = { goodId: null, description: "Доставка" };
    const [unrated] = await talk.create({ orderId: 2, goods: goods(nameless) });
    const missing = "is missing: without it there is no receipt of the order";
    expect(unrated.warnings).toEqual(said("goods[0].taxId", missing));
    const { body } = await money.shop.put("/orders", { goods: goods({ total: 491 }) }, byId);
    const way = "a discount goes into discountTotal, as a negative sum";
    expect(body.message).toBe(`goods[0].total: must be price x count, 501.00; ${way}`);
  });

  test("an order shows isReturned and the returned goods once its whole return (status 6) is printed", async () => {
    await talk.next();
    await talk.put({ deliveryStatusId: 6, returnReasonId: 1 });
    expect(await talk.order()).toMatchObject({ isReturned: false, returnedOrder: null });
    await talk.next();
    const returnedGoods = [{ goodId: 501, count: 2, sum: 501, returnReasonId: 1 }];
    expect(await talk.order()).toMatchObject({
      isReturned: true,
      returnedOrder: { returnedOrderId: 1042, returnReasonId: 1, returnedPayments: [], returnedGoods },
    });
  });

  test("a good's new name in the catalog does not count as an edit of a printed order", async () => {
    await talk.next();
    await talk.putRecord("goods", { goodId: 501 }, { title: "Чай чёрный" });
    await talk.put({ description: "у двери" });
  });
});

describeOnBothStores("the rates of a prepayment and of its sale", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);

  test("an order whose prepayment went back in part shows isReturned once its sale's return is printed", async () => {
    await talk.create({ ...paid, prePaymentSum: 501, goods: [tea(2)] });
    await talk.printed();
    await talk.cancel(1);
    await talk.arrive(4);
    expect(await talk.printed()).toEqual(["sale 25050", "return 25050"]);
    await talk.put({ deliveryStatusId: 6 });
    expect(await talk.order()).toMatchObject({ isReturned: false, returnedOrder: null });
    expect(await talk.printed()).toEqual(["return 25050"]);
    expect(await talk.order()).toMatchObject({ isReturned: true });
  });

  test("a prepayment at a plain VAT rate and a sale at a calculated VAT rate give warnings", async () => {
    const [register] = syncCall.data;
    const rows = [...(register?.taxes ?? []), { id: 23, title: "НДС 22/122" }];
    await money.till.call("sync", { action: "sync", data: [{ ...register, taxes: rows }] });
    await talk.taken(money.shop.post("/taxes", [{ taxId: 3, title: "НДС 22/122" }]));
    const [plain] = await talk.create({ ...paid, prePaymentSum: 501, goods: [tea(2)] });
    const message = "the prepayment has the rate НДС 22%, and a prepayment of a VAT payer has НДС 22/122";
    expect(plain.warnings).toEqual([{ path: "goods", message }]);
    const goods = [tea(2, { taxId: 3 })];
    const [right] = await talk.create({ ...paid, orderId: 2, prePaymentSum: 501, goods });
    expect(right.warnings).toBeUndefined();
    await talk.printed();
    const late = await talk.put({ deliveryStatusId: 3 }, { orderId: 2 });
    const calculated = "the sale has the rate НДС 22/122, which is one of prepayments";
    expect(late.warnings).toEqual([{ path: "goods", message: calculated }]);
    expect(await talk.alerts(2)).toMatchObject([{ errorText: expect.stringContaining(calculated.slice(4)) }]);
    await talk.put({ deliveryStatusId: 3 });
    expect(await talk.alerts()).toEqual([]);
  });
});
