import { paid, refundOrder } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

const cash = (price: number) => payment(`cash ${price}`, "2", price);
const paidOnline = { ...paid, deliveryStatusId: 2 };

describeOnBothStores("an order that the shop deletes", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);
  const print = async () => {
    while ((await money.till.printNext()) !== null);
  };
  const remove = () => talk.taken(money.shop.delete("/orders", { orderId: 1042 }));
  const findings = async () => (await talk.account()).findings;

  test.each([
    { left: "a printed prepayment", order: { ...paid, prePaymentSum: 200 }, words: "200.00 of its printed prepayment" },
    { left: "a printed sale", order: paidOnline, words: "501.00 of its printed sale" },
  ])("a deleted undelivered order with $left gives a finding until its money goes back", async ({ order, words }) => {
    await talk.create(order);
    await print();
    await remove();
    expect(await findings()).toEqual([expect.stringContaining(`It is deleted, and ${words} have not gone back`)]);
    await talk.refund(refundOrder(2, { orderId: "R", returnedOrderId: 1042 }));
    await print();
    expect(await findings()).toEqual([]);
  });

  test("an order that the shop deletes gives a finding when a courier has collected money for it", async () => {
    await talk.create({ deliveryStatusId: 2 });
    await talk.pay(cash(100));
    await remove();
    expect(await findings()).toEqual([expect.stringContaining("Couriers have 100.00, and no receipt says so: bring")]);
  });

  test("a deleted order gives a finding until the money of its cancelled paid part is given back", async () => {
    await talk.create({ statusId: 1, deliveryStatusId: 2 });
    await talk.cancel(1);
    await talk.arrive(4);
    await print();
    await remove();
    const what =
      "of that are not reported as given back: bring the deleted order back by /orders/replace, give them back";
    expect(await findings()).toEqual([expect.stringContaining(what)]);
    await talk.taken(money.shop.post("/orders/replace", [{ orderId: 1042 }]));
    await talk.pay(cash(-250.5));
    expect(await findings()).toEqual([]);
  });

  test("an order that the shop deletes after its delivery gives no finding", async () => {
    await talk.create({ deliveryStatusId: 2 });
    await talk.pay(cash(501));
    await talk.arrive(3);
    await print();
    await remove();
    expect(await findings()).toEqual([]);
  });
});
