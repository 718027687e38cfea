/** A registered receipt is what was sold, whatever the order says: a person is told, and the order can be put right. */
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, paid, printAll, refundOrder, sale, tea } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a sale that was edited while its receipt was held for failed", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase);
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(3)], amountToPay: 751.5 })]);
  });

  const edit = (count: number) => money.shop.put("/orders", { goods: [tea(count)], amountToPay: count * 250.5 }, byId);
  /** The receipt of three pieces fails, the order is edited, and that receipt is printed after all. */
  async function editedAndPrintedLate(count: number): Promise<void> {
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    expect((await edit(count)).status).toBe(201);
    await money.till.report(first);
    expect(await printAll(money.till)).toEqual([]);
  }
  const toldToShop = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const texts: readonly string[] = body.map(({ errorText }: { errorText: string | null }) => errorText ?? "");
    return texts.filter((text) => text.includes("says otherwise than the order"));
  };

  test.each([2, 4])("to %i pieces is told once, with what is printed", async (count) => {
    await editedAndPrintedLate(count);
    expect(await toldToShop()).toEqual([expect.stringMatching(/751\.50.*FD 1 of drive/)]);
    await money.shop.put("/orders", { description: "ещё раз" }, byId);
    expect(logged.filter((line) => line.includes("says otherwise than the order")).length).toBe(1);
  });

  test.each([2, 4])("to %i pieces is put right by an edit to what is printed, and by no other", async (count) => {
    await editedAndPrintedLate(count);
    expect((await edit(1)).status).toBe(422);
    expect((await edit(3)).status).toBe(201);
    expect((await edit(count)).status).toBe(422);
    expect((await money.shop.post("/orders", [refundOrder(3)], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 75150"]);
  });

  test.each([2, 4])("to %i pieces comes back as a whole with all that was sold", async (count) => {
    await editedAndPrintedLate(count);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    expect(await printAll(money.till)).toEqual(["return 75150"]);
  });

  test("to unpaid is told once it is printed after all", async () => {
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    expect((await money.shop.put("/orders", { statusId: 0 }, byId)).status).toBe(201);
    await money.till.report(first, { outcome: "unknown", messageId: "m1" });
    expect(await toldToShop()).toEqual([]);
    await money.till.report(first, { messageId: "m2" });
    expect((await toldToShop()).length).toBe(1);
  });

  test("and is printed late as it is now tells nothing", async () => {
    await editedAndPrintedLate(3);
    expect(await toldToShop()).toEqual([]);
  });
});

describeOnBothStores("a refund order that was edited while its receipt was held for failed", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });

  const asOfRefund = { query: { orderId: 1042, isRefund: 1 } };
  const edit = (count: number) =>
    money.shop.put("/orders", { goods: [tea(count)], amountToPay: count * 250.5 }, asOfRefund);
  const told = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const texts: readonly string[] = body.map(({ errorText }: { errorText: string | null }) => errorText ?? "");
    return texts.filter((text) => text.includes("says otherwise than the order"));
  };
  /** Of one piece. */
  async function failedRefund(prePaymentSum?: number) {
    const goods = [tea(3)];
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum, goods, amountToPay: 751.5 })]);
    expect(await printAll(money.till)).toEqual(["sale 75150"]);
    await money.shop.post("/orders", [refundOrder(1)], asRefund);
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    return first;
  }

  test.each([
    ["a sale", undefined],
    ["a prepayment", 751.5],
  ])("of %s and is printed as it was is told once, and put right by an edit to that", async (_of, prePaymentSum) => {
    const first = await failedRefund(prePaymentSum);
    expect((await edit(3)).status).toBe(201);
    await money.till.report(first, { outcome: "unknown", messageId: "m1" });
    expect(await told()).toEqual([]);
    await money.till.report(first, { messageId: "m2" });
    expect(await printAll(money.till)).toEqual([]);
    expect(await told()).toEqual([expect.stringMatching(/250\.50.*FD 2 of drive/)]);
    expect((await edit(2)).status).toBe(422);
    expect((await edit(1)).status).toBe(201);
    expect((await told()).length).toBe(1);
  });

  test("and is printed late as it is now tells nothing", async () => {
    const first = await failedRefund();
    await edit(3);
    await edit(1);
    await money.till.report(first);
    expect([await printAll(money.till), await told()]).toEqual([[], []]);
  });

  test("and made unpaid is told once it is printed after all", async () => {
    const first = await failedRefund();
    expect((await money.shop.put("/orders", { statusId: 0 }, asOfRefund)).status).toBe(201);
    await money.till.report(first);
    expect((await told()).length).toBe(1);
  });
});

describeOnBothStores("an order that is delivered again after its sale was given back", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const told = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const texts: readonly string[] = body.map(({ errorText }: { errorText: string | null }) => errorText ?? "");
    return texts.filter((text) => text.includes("although its sale was given back")).length;
  };

  test("is told once: nothing more is printed of it, at a second status 6 neither", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    for (const [status, printed] of [
      [6, "return 50100"],
      [3, "sale 50100"],
      [6, "return 50100"],
    ] as const) {
      await arrive(status);
      expect(await printAll(money.till)).toEqual([printed]);
    }
    expect(await told()).toBe(0);
    for (const status of [3, 6, 3]) await arrive(status);
    expect(await printAll(money.till)).toEqual([]);
    expect(await told()).toBe(1);
  });

  test("is told where the return was handed out before it was delivered again", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await printAll(money.till);
    await arrive(6);
    const back = sale(await money.till.poll());
    await arrive(3);
    expect(await told()).toBe(0);
    await money.till.report(back);
    expect(await told()).toBe(1);
  });
});
