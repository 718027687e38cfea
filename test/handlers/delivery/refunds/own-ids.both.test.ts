/** A refund order with an id of its own finds its sale by a payment that the shop named, or by the sale's id. */
import { asRefund, byId, paid, printAll, refundOrder } from "../../../tools/money-model/money-world.js";
import { checkAnswersAgainstDocument, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("a refund order with an id of its own", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);
  const payment = (paymentId: string, price = 501) => ({
    paymentId,
    paymentTypeId: "1",
    price,
    paidIn: "2026-11-20 10:00:00",
    cardMask: null,
    rrn: null,
    cardAuth: null,
  });
  const sell = (changes: object = {}) => money.shop.post("/orders", [newOrder({ ...paid, ...changes })]);
  const refund = (changes: object) => money.shop.post("/orders", [refundOrder(1, changes)], asRefund);
  const shown = async (query: Record<string, string | number> = byId.query) =>
    (await money.shop.get("/orders", query)).body;

  test("payments named at the creation of a sale are kept, and a refund order finds the sale by one of them", async () => {
    expect((await sell({ payments: [payment("bank-1")] })).body[0].payments).toEqual([payment("bank-1")]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const made = await refund({ orderId: "R-1", payments: [payment("bank-1", 250.5)] });
    expect([made.status, made.body[0].returnedOrderId]).toEqual([201, 1042]);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    expect(await shown()).toMatchObject({ isReturned: true, payments: [payment("bank-1")] });
  });

  test("payments that the shop names are no courier's money, and the sale stays an internet sale", async () => {
    await sell({ payments: [payment("bank-1")] });
    const receipt = await money.till.poll();
    expect(receipt).toMatchObject({ internet: { url: "https://shop.example" }, payments: [{ typeClose: 1 }] });
  });

  test("an unpaid sale has no receipt although the shop names payments of it", async () => {
    expect((await sell({ statusId: 0, payments: [payment("bank-1")] })).status).toBe(201);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("a named payment of an unpaid sale counts once as money that the courier has taken, when he reports it", async () => {
    await sell({ statusId: 0, isInternetPayment: 0, payments: [payment("door-1")] });
    for (const _ of "12") {
      const { status, body } = await money.courier.post("/orders/payments", {
        orderId: 1042,
        payments: [payment("door-1")],
      });
      expect([status, body.statusId, body.payments]).toEqual([201, 1, [payment("door-1")]]);
    }
    await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refund({ orderId: "R-1", payments: [payment("door-1", 250.5)] });
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });

  test("a payment that several sales name gives a warning, and links no refund order to any of these sales", async () => {
    await sell({ payments: [payment("1")] });
    const { status, body } = await sell({ orderId: 1043, payments: [payment("bank-0"), payment("1")] });
    const message = "is a payment of order 1042 too: no refund order is linked by it";
    expect([status, body[0].warnings.at(-1)]).toEqual([201, { path: "payments[1].paymentId", message }]);
    expect((await refund({ orderId: "R-1", payments: [payment("1", 250.5)] })).body.message).toMatch(
      /^\[0\]\.orderId: /,
    );
    expect((await refund({ payments: [payment("1", 250.5)] })).status).toBe(201);
    expect((await shown()).isReturned).toBe(true);
  });

  test("a sale may get its payments by an edit, which keeps what a courier took", async () => {
    await sell();
    const ofCourier = payment("c-1", 1);
    await money.courier.post("/orders/payments", { orderId: 1042, payments: [ofCourier] });
    await money.shop.put("/orders", { payments: [payment("bank-1")] }, byId);
    const order = await shown();
    expect(order.payments).toEqual([payment("bank-1"), ofCourier]);
    expect((await money.shop.put("/orders", order, byId)).body).toEqual(order);
    await money.shop.put("/orders", { payments: [] }, byId);
    expect((await shown()).payments).toEqual([ofCourier]);
    // The payment can be named again.
    expect((await sell({ orderId: 1043, payments: [payment("bank-1")] })).status).toBe(201);
  });

  test("returnedOrderId names the sale without any payment and stays with the refund order, and an unknown id gets 422", async () => {
    await sell();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const wrong = await refund({ orderId: "R-0", returnedOrderId: 99 });
    expect([wrong.status, wrong.body.message]).toEqual([422, "[0].returnedOrderId: is no known sale"]);
    expect((await refund({ orderId: "R-1", returnedOrderId: 1042 })).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    // The kit finds no sale by the refund's id, but the account knows the sale.
    expect(logged).toEqual([]);
    const query = { orderId: "R-1", isRefund: 1 };
    const made = await shown(query);
    expect(made).toMatchObject({ returnedOrderId: 1042, returnedOrder: null });
    expect((await money.shop.put("/orders", made, { query })).body).toEqual(made);
    const moved = await money.shop.put("/orders", { returnedOrderId: 5 }, { query });
    expect([moved.status, moved.body.message]).toEqual([422, "returnedOrderId: cannot be changed"]);
  });

  test("a refund order that names its sale is not taken for a refund of the sale that has the refund's own id", async () => {
    for (const orderId of [1042, 1043]) await sell({ orderId });
    await refund({ orderId: 1043, returnedOrderId: 1042 });
    expect([(await shown()).isReturned, (await shown({ orderId: 1043 })).isReturned]).toEqual([true, false]);
  });

  test("a refund order changes nothing at its sale until the refund is paid", async () => {
    await sell();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const before = await shown();
    await refund({ orderId: "R-1", returnedOrderId: 1042, statusId: 0 });
    expect(await shown()).toEqual(before);
    expect((await money.shop.put("/orders", { goods: before.goods }, byId)).status).toBe(201);
    const query = { orderId: "R-1", isRefund: 1 };
    expect((await money.shop.put("/orders", { statusId: 1 }, { query })).status).toBe(201);
    expect(await shown()).toMatchObject({ isReturned: true, returnedOrder: { returnedOrderId: "R-1" } });
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });

  test.each(["payments", "paymentId", "paymentId after its courier gave the cash back"])(
    "a refund in cash of what was paid on the internet, with its sale named by %s, is printed in cash with an alert",
    async (how) => {
      await sell();
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      const given = [{ ...payment("c-1", -250.5), paymentTypeId: "2" }];
      if (how.endsWith("back")) await money.courier.post("/orders/payments", { orderId: 1042, payments: given });
      const byPayments = { payments: [{ ...payment("back-1", 250.5), paymentTypeId: "2" }] };
      await refund({ ...(how === "payments" ? byPayments : { isInternetPayment: 0 }), paymentId: 2 });
      const receipt = await money.till.printNext();
      expect(receipt).toMatchObject({ operation: "return", payments: [{ typeClose: 0, sum: 25050 }] });
      const { findings } = (await money.shop.get("/orderAccounts", byId.query)).body;
      expect(findings).toEqual([
        expect.stringMatching(/^The returns give back 250\.50 in cash beyond what the sale took in that form/),
      ]);
    },
  );

  test("while collected money of a cancelled order is not given back, frReceiptStatusId is 2 (error)", async () => {
    await money.shop.post("/orders", [newOrder()]);
    const status = async () => (await shown()).frReceiptStatusId;
    await money.courier.post("/orders/payments", { orderId: 1042, payments: [payment("c-1")] });
    await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 5, returnReasonId: 1 });
    expect(await status()).toBe(2);
    await money.courier.post("/orders/payments", { orderId: 1042, payments: [payment("c-2", -501)] });
    expect(await status()).toBe(0);
  });

  test("while a printed order with status 5 (cancelled) has not gone back as a whole, frReceiptStatusId is 2 (error)", async () => {
    await sell();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await money.shop.put("/orders", { deliveryStatusId: 5, returnReasonId: 1 }, byId);
    const account = async () => (await money.shop.get("/orderAccounts", byId.query)).body;
    expect((await account()).findings).toEqual([
      expect.stringContaining("501.00 of its printed sale have not gone back"),
    ]);
    expect((await shown()).frReceiptStatusId).toBe(2);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    expect([(await account()).isBalanced, (await shown()).frReceiptStatusId]).toEqual([true, 1]);
  });
});
