import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { courierReceipt, paid, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import type { Reply } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

/** `422 goods: ...`, or `201` */
async function said(reply: Promise<Reply>): Promise<string> {
  const { status, body } = await reply;
  return status < 400 ? `${status}` : `${status} ${body.message}`;
}

describeOnBothStores("money that a courier reports", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const talk = talkOf(money);

  beforeEach(() => talk.create({ deliveryStatusId: 2 }));

  const half = payment("p1", "2", 250.5);
  const otherHalf = payment("p2", "2", 250.5);
  const prepaidOnline = { ...paid, prePaymentSum: 200 };
  const settled = [
    { typeClose: 0, sum: 30100 },
    { typeClose: 2, sum: 20000 },
  ];
  const tryPay = (...payments: readonly object[]) => said(talk.report("payments", { payments }));
  const tryCancel = (count: number, more: object = {}) => said(talk.tryCancel(count, more));
  const bringBack = (goods: readonly object[], more: object = {}) =>
    said(talk.report("returns", { goods, payments: [], ...more }));
  const one = [{ goodId: 501, count: 1 }];

  test("a payment that the shop's till printed and the courier reported as his own is on one receipt", async () => {
    await talk.pay(half, otherHalf);
    await talk.arrive(3);
    const receipt = sale(await money.till.poll());
    const known = { ...courierReceipt, fn: "9999078900000001", fdNumber: "1" };
    await talk.taken(talk.report("receipts", { operation: "sale", receipt: known }));
    await money.till.report(receipt);
    expect(await talk.order()).toMatchObject({ receiptStatusId: 1 });
    const sum = "501.00";
    const ours = { issuedBy: "shop", state: "registered", fdNumber: "1", payments: [{ sum }], taxes: [{ sum }] };
    const entries = [ours, { issuedBy: "courier", state: "void", fdNumber: "1" }];
    expect(await talk.account()).toMatchObject({ isBalanced: true, sold: sum, collected: sum, entries });
  });

  test.each([
    ["in cash", "2", 0],
    ["by card", "1", 1],
  ] as const)(
    "money paid at the door %s is on a paper receipt, although the rest was prepaid on the internet",
    async (_how, type, typeClose) => {
      await talk.put({ ...prepaidOnline, statusId: 0 });
      await talk.pay(payment("p3", type, 301));
      await talk.arrive(3);
      const payments = [{ typeClose, sum: 30100 }, settled[1]];
      expect(await talk.next()).toMatchObject({ payments, internet: null, printDoc: true });
    },
  );

  test("a sale has the time when the courier took the last of its money, or the shop's time of payment, or no time", async () => {
    const [early, late] = ["2026-11-20 10:00:00", "2026-11-20 14:00:00"];
    const paidAt = (paymentId: string, paidIn = late, price = 250.5) => ({ ...half, paymentId, paidIn, price });
    const payments = [paidAt("bank", early)];
    const orders = [
      { orderId: 1, payments, taken: [] },
      { orderId: 2, payments, taken: [paidAt("2-1"), paidAt("2-2", early), paidAt("2-3", late, -1)] },
      { orderId: 3, payments: [], taken: [] },
    ];
    for (const { taken, ...order } of orders) {
      await talk.create({ ...order, statusId: 1, deliveryStatusId: 2 });
      if (taken.length > 0) await talk.taken(talk.report("payments", { orderId: order.orderId, payments: taken }));
      await talk.put({ deliveryStatusId: 3 }, { orderId: order.orderId });
    }
    const printed = [await talk.next(), await talk.next(), await talk.next()];
    const times = printed.map(({ paidAt }) => (paidAt === undefined ? null : new Date(paidAt).toISOString()));
    expect(times).toEqual(["2026-11-20T10:00:00.000Z", "2026-11-20T14:00:00.000Z", null]);
    await talk.put({ deliveryStatusId: 6 }, { orderId: 1 });
    expect(await talk.next()).not.toHaveProperty("paidAt");
  });

  test("money that a courier gives back for a printed sale is stored, and is a finding of the account until the goods' return is printed", async () => {
    await talk.pay(half, otherHalf);
    await talk.arrive(3);
    await talk.next();
    const { warnings, ...given } = await talk.pay(payment("back", "2", -250.5));
    expect(warnings[0]).toEqual({
      path: "payments",
      message: expect.stringContaining("give back 250.50 of a printed"),
    });
    expect(given).toMatchObject({ statusId: 1, frReceiptStatusId: 2 });
    const findings = [expect.stringContaining("Couriers gave back 250.50 of the printed sale")];
    expect(await talk.account()).toMatchObject({ isBalanced: false, findings, collected: "250.50" });
    expect(await bringBack(one)).toBe("201");
    expect(await talk.printed()).toEqual(["return 25050"]);
    expect(await talk.account()).toMatchObject({ isBalanced: true, sold: "501.00", returned: "250.50" });
    expect(await talk.order()).toMatchObject({ statusId: 1, frReceiptStatusId: 1 });
  });

  test("money that a courier gives back as the printed return has it is accepted without a warning", async () => {
    await talk.put({ ...paid, deliveryStatusId: 3 });
    await talk.next();
    await talk.arrive(6);
    await talk.next();
    expect(await talk.pay(payment("back", "1", -501))).not.toHaveProperty("warnings");
    await talk.create({ orderId: 1043 });
    await talk.taken(talk.report("payments", { orderId: 1043, payments: [payment("cash", "2", 501)] }));
    await talk.taken(talk.report("status", { orderId: 1043, deliveryStatusId: 3 }));
    await talk.next();
    await talk.taken(talk.report("returns", { orderId: 1043, goods: one, payments: [] }));
    await talk.next();
    const given = await talk.report("payments", { orderId: 1043, payments: [payment("b", "2", -250.5)] });
    expect([given.status, given.body.warnings]).toEqual([201, undefined]);
  });

  test.each([
    ["in another form than the printed receipt are accepted with a warning and a finding", "2", 301, true],
    ["in the form of the printed receipt are accepted without a warning", "1", 301, false],
    ["for a part of the printed receipt are not compared with its forms", "2", 100, false],
  ] as const)("payments that the shop names %s", async (_how, type, price, isOdd) => {
    await talk.put({ ...prepaidOnline, deliveryStatusId: 3 });
    await talk.next();
    const { warnings = [] } = await talk.put({ payments: [payment("named", type, price)] });
    const text = "The receipt has 301.00 electronic, and the order's payments report 301.00 in cash";
    const message = "are in another form than the printed receipt: receipt 301.00 electronic, reported 301.00 in cash";
    const isOfForms = ({ message: said }: { message: string }) => said.includes("printed receipt");
    expect(warnings.filter(isOfForms)).toEqual(isOdd ? [{ path: "payments", message }] : []);
    const findings: readonly string[] = (await talk.account()).findings;
    expect(findings.filter((one) => one.includes("payments report"))).toEqual(
      isOdd ? [expect.stringContaining(text)] : [],
    );
  });

  test("a courier's money of a refund order is counted without the payment that the shop names", async () => {
    await talk.put({ statusId: 1, deliveryStatusId: 3 });
    await talk.next();
    const ofShop = { isInternetPayment: 0, payments: [payment("named", "1", 501)] };
    await talk.refund(refundOrder(2, { orderId: "R", returnedOrderId: 1042, ...ofShop }));
    const pay = async (...payments: readonly object[]) =>
      (await talk.taken(talk.report("payments", { orderId: "R", isRefund: true, payments }))).warnings;
    expect(await pay(payment("back", "1", 501))).toBeUndefined();
    const message = "come to 502.00, and the goods of the refund order cost 501.00";
    expect(await pay(payment("more", "1", 1))).toEqual([{ path: "payments", message }]);
  });

  test("money that a courier gives back for an order of which he took nothing is stored, with a warning and a finding", async () => {
    const { warnings, payments } = await talk.pay(payment("back", "2", -500));
    expect(warnings[0]).toEqual({ path: "payments", message: expect.stringContaining("give back 500.00 more than") });
    expect(payments).toMatchObject([{ price: -500 }]);
    const findings = [expect.stringContaining("Couriers gave back 500.00 more than they took of order 1042")];
    expect(await talk.account()).toMatchObject({ isBalanced: false, findings });
  });

  test.each([
    ["beyond the price of a printed sale gives no finding", [payment("p1", "1", 601)], payment("back", "1", -100), []],
    [
      "of a sale that was paid on the internet gives a finding",
      [],
      payment("back", "2", -100),
      [expect.stringContaining("Couriers gave back 100.00")],
    ],
  ])("money that a courier gives back %s", async (_what, taken, back, findings) => {
    if (taken.length > 0) await talk.pay(...taken);
    await talk.put({ deliveryStatusId: 3, statusId: 1 });
    await talk.next();
    await talk.pay(back);
    expect((await talk.account()).findings).toEqual(findings);
  });

  test("all orders whose rest after a prepayment nobody reports share one alert a day, and each names its rest in its statement", async () => {
    const ids = [1, 2];
    for (const orderId of ids) {
      await talk.create({ orderId, ...prepaidOnline, deliveryStatusId: 3 });
      await talk.next();
    }
    const statement = async (orderId: number) => (await money.shop.get("/orderAccounts", { orderId })).body;
    for (const orderId of ids) expect((await statement(orderId)).findings[0]).toContain("its status alone calls");
    const log = async () => [...(await talk.alerts(1)), ...(await talk.alerts(2))].map(({ errorCode }) => errorCode);
    expect(await log()).toEqual(["account.rest-unreported"]);
    await talk.taken(talk.report("payments", { orderId: 2, payments: [payment("rest", "1", 301)] }));
    expect(await statement(2)).toMatchObject({ isBalanced: true, findings: [] });
  });

  test("an order that loses one of its two findings gets an alert beside the daily alert about rests", async () => {
    for (const orderId of [1, 2]) {
      await talk.create({ orderId, ...prepaidOnline, deliveryStatusId: 3 });
      await talk.next();
    }
    for (const price of [100, -100])
      await talk.taken(talk.report("payments", { orderId: 2, payments: [payment(`cash ${price}`, "2", price)] }));
    const isOfForms = (await talk.alerts(2)).map(({ errorText }) => errorText.includes("says otherwise"));
    expect(isOfForms.toSorted()).toEqual([false, true]);
  });

  const [first, second] = [1, 2].map((number) => tea(1, { markValue: `010460000000000${number}` }));
  const bread = tea(1, { goodId: 502, price: 60, total: 60 });
  test.each([
    ["another mark", [first, second], [second]],
    ["the quantity that is left", [tea(2)], [tea(1)]],
    ["one of two equal positions", [tea(1), tea(1)], [tea(1)]],
    ["the same position in another place", [bread, tea(2)], [tea(2)]],
    ["the same position as the API showed it", [tea(2)], [tea(2)]],
  ])("a courier's payment is on the receipt after his cancellation and an edit: %s", async (_title, goods, edited) => {
    await talk.put({ goods });
    await talk.cancel(1);
    await talk.pay(half);
    await talk.put({ goods: edited });
    await talk.arrive(4);
    expect(await talk.printed()).toEqual(["sale 25050"]);
    expect((await talk.account()).findings).toEqual([]);
  });

  test("money that no courier reported is on the receipt in the form of the order's payment type", async () => {
    await talk.put({ ...prepaidOnline, paymentId: 2, deliveryStatusId: 3 });
    expect(await talk.next()).toMatchObject({ payments: settled });
  });

  test("couriers need not collect a prepayment that was taken elsewhere, whose unused part gives a finding", async () => {
    await talk.put({ ...paid, prePaymentSum: 501 });
    await talk.cancel(1);
    await talk.arrive(4);
    expect((await talk.next()).payments).toEqual([{ typeClose: 2, sum: 25050 }]);
    const findings = [expect.stringContaining("give back the other 250.50")];
    expect(await talk.account()).toMatchObject({ used: "250.50", findings });
  });

  test("a courier may cancel a weighed good part by part until nothing is left", async () => {
    await talk.put({ goods: [tea(0.3, { price: 100, total: 30 })], amountToPay: 30 });
    expect([await tryCancel(0.1), await tryCancel(0.2)]).toEqual(["201", "201"]);
    expect(await tryCancel(0.000001)).toBe("422 items[0].count: is more than is left");
    expect(await tryCancel(0)).toBe("422 items[0].count: must be above zero");
  });

  test.each([1, 1.5])("%d marked pieces are cancelled as a whole, and a part of a piece gets 422", async (count) => {
    await talk.put({ goods: [tea(count, { markValue: "0104600000000001" })], amountToPay: count * 250.5 });
    expect(await tryCancel(0.5)).toBe("422 items[0].count: must be whole: one marking code is one piece");
    expect(await tryCancel(count)).toBe("201");
  });

  test("a position that the courier cancels as a whole shows the reason, and each cancelled part does too", async () => {
    await money.shop.post("/orderReturnReasons", [{ reasonId: 2, title: "Брак", type: "cancel" }]);
    await talk.cancel(1);
    const parts = [{ returnReasonId: 1 }, { returnReasonId: 2 }];
    expect((await talk.order()).goods[0]).toMatchObject({ returnReasonId: null, canceledItems: parts.slice(0, 1) });
    await talk.cancel(1, { returnReasonId: 2 });
    expect((await talk.order()).goods[0]).toMatchObject({ returnReasonId: 2, canceledItems: parts });
  });

  test("a good that stands in two positions without a position number can be cancelled in both", async () => {
    await money.shop.post("/warehouses", [{ warehouseId: 2, title: "Второй" }]);
    await talk.put({ goods: [1, 2].map((warehouseId) => tea(1, { warehouses: [{ warehouseId, count: 1 }] })) });
    const take = (warehouseId: number) =>
      said(talk.report("taken", { items: [{ goodId: 501, warehouseId, tookCount: 1 }] }));
    expect(await take(2)).toBe("201");
    const took = (tookCount: number) => ({ warehouses: [{ tookCount }] });
    expect((await talk.order()).goods).toMatchObject([took(0), took(1)]);
    expect([await tryCancel(1), await tryCancel(1)]).toEqual(["201", "201"]);
    expect((await talk.order()).goods).toMatchObject([1, 1].map((count) => ({ canceledItems: [{ count }] })));
    expect(await tryCancel(1)).toBe("422 items[0].count: is more than is left");
    expect(await take(3)).toBe("422 items[0].warehouseId: is not a warehouse of this position");
  });

  test("a position without a good is cancelled and returned by its position number", async () => {
    const of = (position: number, price: number) =>
      tea(1, { goodId: null, taxId: 1, position, description: `Доставка ${position}`, price, total: price });
    await talk.put({ goods: [of(1, 250.5), of(2, 100), of(3, 50)], amountToPay: 400.5 });
    const nameless = { goodId: undefined };
    expect(await tryCancel(1, nameless)).toBe("422 items[0].goodId: is required, or the position's number");
    await talk.cancel(1, { ...nameless, position: 1 });
    await talk.pay(payment("p1", "2", 150));
    await talk.arrive(4);
    expect(await talk.printed()).toEqual(["sale 15000"]);
    expect(await bringBack([{ goodId: null, position: 3, count: 1 }])).toBe("201");
    expect(await talk.printed()).toEqual(["return 5000"]);
  });

  describe("payments that a courier reports", () => {
    test("a payment that a request names twice gets 422, and nothing is paid", async () => {
      expect(await tryPay(half, half)).toContain("422 payments[1].paymentId: ");
      expect(await talk.order()).toMatchObject({ statusId: 0, payments: [] });
    });

    test("a payment that is reported again is ignored, and gets 422 when its sum differs", async () => {
      for (const _again of [1, 2]) await talk.pay(half);
      expect(await talk.order()).toMatchObject({ statusId: 0, payments: [{ paymentId: "p1" }] });
      expect(await tryPay(payment("p1", "2", 501))).toContain("422 payments[0].paymentId: ");
      await talk.pay(half, otherHalf);
      expect(await talk.order()).toMatchObject({ statusId: 1 });
    });

    test("a payment that belongs to another order gets 422", async () => {
      await talk.create({ orderId: 2, deliveryStatusId: 2 });
      await talk.pay(half);
      const again = said(talk.report("payments", { orderId: 2, payments: [payment("p1", "2", 501)] }));
      expect(await again).toBe("422 payments[0].paymentId: is a payment of order 1042");
      expect(await talk.order({ orderId: 2 })).toMatchObject({ statusId: 0, payments: [] });
    });

    test.each<readonly [string, object, readonly object[], readonly object[]]>([
      [
        "in the form that the shop named, after he gave the money back",
        { statusId: 1 },
        [half, payment("p2", "2", -250.5)],
        [{ typeClose: 1, sum: 50100 }],
      ],
      [
        "in the form of the last payment, after he gave earlier ones back",
        {},
        [payment("p1", "1", 501), payment("p2", "1", -501), payment("p3", "2", 501)],
        [{ typeClose: 0, sum: 50100 }],
      ],
      ["at the order's price after he gave change", {}, [payment("p1", "2", 1000)], [{ typeClose: 0, sum: 50100 }]],
    ])("a courier's money is on the receipt %s", async (_how, change, payments, printed) => {
      await talk.put(change);
      await talk.pay(...payments);
      await talk.arrive(3);
      expect((await talk.next()).payments).toEqual(printed);
      expect((await talk.account()).isBalanced).toBe(true);
    });

    const smaller = () => talk.put({ goods: [tea(1)], amountToPay: 250.5 });
    test.each([
      ["was edited down to these payments later", [() => talk.pay(half), smaller]],
      ["lost a part by his cancellation later", [() => talk.pay(half), () => talk.cancel(1)]],
      ["lost a part by his cancellation before", [() => talk.cancel(1), () => talk.pay(half)]],
    ])("reported payments pay an order that %s", async (_how, steps) => {
      for (const step of steps) await step();
      expect(await talk.order()).toMatchObject({ statusId: 1 });
    });
  });

  describe("goods that a courier brings back", () => {
    const sold = async (goods: readonly { total: number }[] = [tea(2)]) => {
      const amountToPay = goods.reduce((sum, { total }) => sum + total, 0);
      await talk.put({ goods, amountToPay, statusId: 1, deliveryStatusId: 3 });
      expect(await talk.printed()).toHaveLength(1);
    };

    test("a return that names one good twice gives back no more of the good than was sold", async () => {
      await sold();
      expect(await bringBack([...one, { goodId: 501, count: 2 }])).toContain("422 goods[1].count: ");
      expect(await talk.printed()).toEqual([]);
    });

    test("a return of a second part becomes a second refund order, and a return beyond the sale is refused", async () => {
      await sold();
      expect([await bringBack(one), await bringBack(one)]).toEqual(["201", "201"]);
      expect(await bringBack(one)).toContain("422 ");
      expect(await talk.printed()).toEqual(["return 25050", "return 25050"]);
      const returnedOrder = { returnedOrderId: "1042-2", returnedGoods: [{ count: 1 }, { count: 1 }] };
      expect(await talk.order()).toMatchObject({ returnedOrder });
      expect((await talk.order({ orderId: "1042-2", isRefund: 1 })).isRefund).toBe(true);
    });

    test("a courier's return that is sent again gets 422, because its payments are known", async () => {
      await sold();
      const back = { payments: [payment("back-1", "2", 250.5)] };
      expect(await bringBack(one, back)).toBe("201");
      expect(await bringBack(one, back)).toContain("422 payments[0].paymentId: ");
      expect(await talk.printed()).toEqual(["return 25050"]);
    });

    test("returned parts of a discounted position add up to what was paid", async () => {
      await sold([tea(3, { price: 33.34, total: 100.02, discountTotal: -10.01 })]);
      for (const _part of [1, 2, 3]) expect(await bringBack(one)).toBe("201");
      const sums = (await talk.printed()).map((line) => Number(line.replace("return ", "")));
      expect(sums.reduce((sum, part) => sum + part, 0)).toBe(9001);
      expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(1);
    });

    test("the return of a good's last piece gives back the rest of the good's money, and its refund order may be edited", async () => {
      await sold([tea(2), tea(1, { price: 200, total: 200 })]);
      await talk.refund(refundOrder(2, { goods: [tea(2, { price: 200, total: 400 })] }));
      expect(await bringBack(one)).toBe("201");
      await talk.put({ description: "at the door" }, { orderId: "1042-2", isRefund: 1 });
      expect(await talk.printed()).toEqual(["return 40000", "return 30100"]);
    });

    test("a good that was sold at two tax rates is returned at both rates", async () => {
      await sold([tea(1, { taxId: 1 }), tea(1, { taxId: 2 })]);
      await bringBack([{ goodId: 501, count: 2 }]);
      expect(itemsOf(await talk.next())).toMatchObject([{ tax: 21 }, { tax: 22 }]);
    });

    test("a good that was sold in two positions is returned from both positions", async () => {
      await sold([tea(1, { position: 1 }), tea(1, { position: 2, discountTotal: -50.5 })]);
      const ofSecond = [{ goodId: 501, count: 1, position: 2 }];
      expect(await bringBack(ofSecond)).toBe("201");
      expect(await bringBack(ofSecond)).toContain("422 ");
      expect(await bringBack(one)).toBe("201");
      expect(await talk.printed()).toEqual(["return 20000", "return 25050"]);
    });

    test("a return receipt of the courier's own register belongs to the refund order that lacks one, and never to a sale", async () => {
      await sold();
      await bringBack(one);
      const own = (more: object = {}) =>
        said(talk.report("receipts", { operation: "return", receipt: courierReceipt, ...more }));
      expect(await own({ isRefund: true, operation: "sale" })).toContain("422 operation: ");
      expect([await own(), await own()]).toEqual(["201", "201"]);
      expect(await talk.printed()).toEqual([]);
      expect(await talk.order({ isRefund: 1 })).toMatchObject({ receiptStatusId: 1 });
      expect(await bringBack(one)).toBe("201");
      expect(await talk.printed()).toEqual(["return 25050"]);
    });
  });
});
