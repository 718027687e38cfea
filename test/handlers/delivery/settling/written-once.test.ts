import { asRefund, byId, paid, printAll, refundOrder } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("the journal of an order whose request changes the state of its receipt", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const journal = async (query: object = {}): Promise<readonly unknown[]> => {
    const { body } = await money.shop.get("/journal", { entityId: 1042, page: 1, count: 9, ...query });
    return body.map(({ event, afterItem }: { event: string; afterItem: { frReceiptStatusId?: number } }) => [
      event,
      afterItem.frReceiptStatusId,
    ]);
  };

  test("the journal has one row for a new order that cannot be printed, and one row for the edit that removes its money", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, goods: undefined })]);
    expect(await journal()).toEqual([["create", 2]]);
    await money.shop.put("/orders", { statusId: 0 }, byId);
    expect(await journal()).toEqual([
      ["create", 2],
      ["update", 0],
    ]);
  });

  test("the journal has one row for a refund order that cannot be printed", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await money.shop.post("/orders", [refundOrder(1, { goods: undefined, amountToPay: 250.5 })], asRefund);
    expect(await journal({ isRefund: 1 })).toEqual([["create", 2]]);
  });
});
