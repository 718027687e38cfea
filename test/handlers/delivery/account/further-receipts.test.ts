import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { waitFor } from "../../../support/wait-for.js";
import { paid, refundOrder, sale } from "../../../tools/money-model/money-world.js";
import { openReceiver, type Receiver } from "../callback-receiver.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

describeOnBothStores("results of an order's further receipts", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await openReceiver();
    await money.shop.post("/orders/callback", { url: receiver.url, isActive: 1 });
  });
  afterEach(() => receiver.close());

  /** The callbacks that the act causes, as `orderId isRefund frReceiptStatusId`, once all are delivered. */
  async function toldBy(act: () => Promise<unknown>): Promise<readonly string[]> {
    await delivered();
    const before = receiver.received.length;
    await act();
    await delivered();
    const orders = receiver.received.slice(before).flatMap(({ text }) => JSON.parse(text).items);
    return orders.map((order) => `${order.orderId} ${order.isRefund} ${order.frReceiptStatusId}`);
  }

  async function delivered(): Promise<void> {
    const { store } = money.world.backend;
    await waitFor("all callbacks are delivered", async () => {
      const rows = await store.db.selectFrom("delivery_outbox").select("state").execute();
      return rows.every(({ state }) => state === "delivered");
    });
  }

  test("a prepayment receipt has the payment form of the order, not the form in which a courier collects the rest", async () => {
    await talk.create({ prePaymentSum: 200, deliveryStatusId: 2 });
    await talk.pay(payment("p1", "1", 100), payment("p2", "2", 201));
    expect((await talk.next()).payments).toEqual([{ typeClose: 1, sum: 20000 }]);
  });

  test("the results of a prepayment and of its sale each cause one callback, and a repeat causes none", async () => {
    await talk.create({ statusId: 1, prePaymentSum: 200, paymentId: 2 });
    const prepayment = sale(await money.till.poll());
    expect(prepayment.payments).toEqual([{ typeClose: 0, sum: 20000 }]);
    expect(itemsOf(prepayment)).toMatchObject([{ method: 2, total: 20000 }]);
    expect(await toldBy(() => money.till.report(prepayment))).toEqual(["1042 false 1"]);
    await talk.put({ deliveryStatusId: 3, paymentId: 1 });
    const settlement = sale(await money.till.poll());
    expect(itemsOf(settlement)).toMatchObject([{ method: 4, total: 50100 }]);
    const report = () => money.till.report(settlement, { messageId: "m1" });
    expect(await toldBy(report)).toEqual(["1042 false 1"]);
    expect(await talk.order()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: 1 });
    expect((await money.shop.get("/orderReceipts", { orderId: 1042 })).body.fdNumber).toBe("2");
    expect(await toldBy(report)).toEqual([]);
  });

  test.each(["failed", "unknown"] as const)(
    "an order whose receipt after the prepayment is %s shows an error, although its prepayment is printed",
    async (outcome) => {
      await talk.create({ ...paid, prePaymentSum: 200 });
      await talk.next();
      await talk.put({ deliveryStatusId: 3 });
      const settlement = sale(await money.till.poll());
      expect(await toldBy(() => money.till.report(settlement, { outcome, messageId: "m1" }))).toEqual(["1042 false 2"]);
      expect(await talk.order()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 2 });
      await money.till.report(settlement, { outcome: "printed", messageId: "m2" });
      expect(await talk.order()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
    },
  );

  test.each(["printed", "failed"] as const)(
    "the result of a whole order's return (status 6) that is %s causes a callback",
    async (outcome) => {
      await talk.create(paid);
      await talk.next();
      await talk.put({ deliveryStatusId: 6 });
      const back = sale(await money.till.poll());
      const status = outcome === "printed" ? 1 : 2;
      expect(await toldBy(() => money.till.report(back, { outcome }))).toEqual([`1042 false ${status}`]);
    },
  );

  test("an order shows an error when no receipt can be made after its printed prepayment", async () => {
    await talk.create({ ...paid, prePaymentSum: 200 });
    await talk.next();
    const change = { deliveryStatusId: 3, client: { firstname: "Анна" } };
    expect(await toldBy(() => talk.put(change))).toContain("1042 false 2");
  });

  test("a deleted refund order that waits for the sale's receipt stays deleted", async () => {
    await talk.create({ ...paid, client: { firstname: "Анна" }, isInternetPayment: 0 });
    await talk.refund(refundOrder(1, { client: { firstname: "Анна" } }));
    await money.shop.delete("/orders", { orderId: 1042, isRefund: 1 });
    await talk.put({ deliveryStatusId: 3 });
    await talk.next();
    // The return cannot be made, because it has no contact. Its order stays deleted.
    expect((await money.shop.get("/orders", { orderId: 1042, isRefund: 1 })).status).toBe(404);
  });
});
