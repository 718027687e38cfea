/** What is printed is what the order says: edits between the payment and the paper. */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { byId, courierReceipt, paid, printAll, sale, tea } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("an order that is edited after its receipt is queued", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  beforeEach(() => money.shop.post("/orders", [newOrder(paid)]));

  const smaller = { goods: [tea(1)], amountToPay: 250.5 };
  const payment = { paymentId: "p1", paymentTypeId: "2", price: 501, paidIn: "2026-11-20 14:00:00" };
  const ways = [
    ["PUT /orders", () => money.shop.put("/orders", smaller, byId)],
    ["POST /orders/replace", () => money.shop.post("/orders/replace", [{ orderId: 1042, ...smaller }])],
    [
      "a courier's canceledItems",
      () =>
        money.courier.post("/orders/canceledItems", {
          orderId: 1042,
          items: [{ goodId: 501, returnReasonId: 1, count: 1 }],
        }),
    ],
  ] as const;

  test.each(ways)("by %s is printed as it is now, once", async (_title, edit) => {
    expect((await edit()).status).toBeLessThan(300);
    const receipt = sale(await money.till.printNext());
    expect(itemsOf(receipt)).toMatchObject([{ quantity: 1_000_000, total: 25050 }]);
    expect(await money.till.poll()).toBeNull();
    const receipts = await money.world.bridge?.receiptsOf(money.shop.access.resource.id);
    expect((await receipts?.list())?.map(({ state }) => state)).toEqual(["printed", "replaced"]);
  });

  test.each(ways)("by %s is refused while the receipt is handed out, and after it is printed", async (_title, edit) => {
    const receipt = sale(await money.till.poll());
    for (const outcome of ["unknown", "printed"] as const) {
      const { status, body } = await edit();
      expect(status).toBe(422);
      expect(body.message).toMatch(/goods: order 1042 has a receipt that says otherwise.* what is added a new order$/);
      await money.till.report(receipt, { outcome, messageId: outcome });
    }
    expect((await edit()).status).toBe(422);
    expect((await money.shop.get("/orders", byId.query)).body.goods).toMatchObject([{ count: 2, canceledItems: [] }]);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("a buyer's new address goes onto a receipt that nobody has, and may change on one that is handed out", async () => {
    await money.shop.put("/orders", { client: { email: "new@mail.example" } }, byId);
    expect(sale(await money.till.poll()).contact).toBe("new@mail.example");
    expect((await money.shop.put("/orders", { client: { email: "newer@mail.example" } }, byId)).status).toBe(201);
  });

  test("goes to the address of the buyer's record, as it is then, and not to the one that came with the order", async () => {
    const client = { clientId: 5, email: "wrong@mail.example" };
    expect((await money.shop.post("/clients", [client])).status).toBe(201);
    await money.shop.put("/orders", { clientId: 5 }, byId);
    await money.shop.put("/clients", { email: "right@mail.example" }, { query: { clientId: 5 } });
    await money.shop.put("/orders", { client: { email: "wrong@mail.example" } }, byId);
    expect(sale(await money.till.poll()).contact).toBe("right@mail.example");
  });

  test("a courier's money goes onto a receipt that nobody has, and is refused on top of one that is printed", async () => {
    const pay = () => money.courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
    expect((await pay()).status).toBe(204);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
    const more = { orderId: 1042, payments: [{ ...payment, paymentId: "p2", paymentTypeId: "1" }] };
    expect((await money.courier.post("/orders/payments", more)).body.message).toMatch(/^payments: /);
    expect((await pay()).status).toBe(204);
  });

  test("what is no longer due is taken back, and comes again when it is", async () => {
    await money.shop.put("/orders", { prePaymentSum: 200 }, byId);
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
    await money.shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes: { deliveryStatusId: 2 } });
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 30100 }, { typeClose: 2, sum: 20000 }]);
  });

  test("names of goods that the catalog has changed since are no edit of the order", async () => {
    await money.till.printNext();
    await money.shop.put("/goods", { title: "Чай чёрный" }, { query: { goodId: 501 } });
    expect((await money.shop.put("/orders", { description: "у двери" }, byId)).status).toBe(201);
  });

  test("after a receipt of the courier's own register the positions stay, his money may still come", async () => {
    await money.shop.post("/orders", [newOrder({ orderId: 2, deliveryStatusId: 2 })]);
    await money.courier.post("/orders/receipts", { orderId: 2, operation: "sale", receipt: courierReceipt });
    expect((await money.courier.post("/orders/payments", { orderId: 2, payments: [payment] })).status).toBe(204);
    expect((await money.shop.put("/orders", smaller, { query: { orderId: 2 } })).status).toBe(422);
  });
});
