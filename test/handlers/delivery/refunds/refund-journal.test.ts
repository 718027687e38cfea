import { createFakeClock } from "../../../support/fake-clock.js";
import { asRefund, byId, refundOrder } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("the journal of an id that a sale and its refund share", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const journal = async (query: object = {}, entityId: number | string = 1042): Promise<readonly unknown[]> => {
    const { body } = await money.shop.get("/journal", { entityId, page: 1, count: 9, ...query });
    return body.map(({ event, afterItem }: { event: string; afterItem: { description?: string } }) =>
      event === "create" ? event : afterItem.description,
    );
  };
  const refundOnly = { orderId: 1042, isRefund: 1 };
  const describeBoth = async (sale: string, refund: string) => {
    await money.shop.put("/orders", { description: sale }, byId);
    await money.shop.put("/orders", { description: refund }, { query: refundOnly });
  };

  test("the journal of an id shared by sale and refund is the sale's, or with isRefund=1 the refund's, even after deletion", async () => {
    await money.shop.post("/orders", [newOrder()]);
    await money.shop.post("/orders", [refundOrder(1)], asRefund);
    await describeBoth("sale", "refund");
    // The refund returns the sale: an update without a description.
    const ofSale = ["create", undefined, "sale"];
    expect([await journal(), await journal({ isRefund: 0 })]).toEqual([ofSale, ofSale]);
    expect(await journal({ isRefund: 1 })).toEqual(["create", "refund"]);
    await money.shop.delete("/orders", refundOnly);
    await money.shop.delete("/orders", byId.query);
    expect(await journal({ isRefund: 1 })).toEqual(["create", "refund"]);
    expect((await journal()).slice(0, 3)).toEqual(ofSale);
  });

  test("the journal of an id is the refund's when no sale has that id", async () => {
    await money.shop.post("/orders", [newOrder()]);
    await money.shop.post("/orders", [refundOrder(1, { orderId: "R-2", returnedOrderId: 1042 })], asRefund);
    expect([await journal({}, "R-2"), await journal({ isRefund: 0 }, "R-2")]).toEqual([["create"], []]);
  });
});

describeOnBothStores("returnedOrder of a sale with two refund orders", (newDatabase) => {
  const clock = createFakeClock();
  const { money } = useMoney(newDatabase, { clock });

  test("while the last refund order is not paid, returnedOrder has the id and time of the refund before it", async () => {
    const last = { orderId: "R-2", isRefund: 1 };
    const returned = async () => (await money.shop.get("/orders", byId.query)).body.returnedOrder;
    await money.shop.post("/orders", [newOrder()]);
    await money.shop.post("/orders", [refundOrder(1)], asRefund);
    const first = await returned();
    await clock.advance(60_000);
    await money.shop.post(
      "/orders",
      [refundOrder(1, { statusId: 0, orderId: "R-2", returnedOrderId: 1042 })],
      asRefund,
    );
    expect(await returned()).toEqual(first);
    await money.shop.put("/orders", { statusId: 1 }, { query: last });
    expect(await returned()).toMatchObject({ returnedOrderId: "R-2", returnedGoods: [{ count: 1 }, { count: 1 }] });
    await money.shop.put("/orders", { statusId: 0 }, { query: last });
    expect(await returned()).toEqual(first);
  });
});
