import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { postgres, type TestDatabase } from "../../../support/site-databases.js";
import {
  asRefund,
  type MoneyWorld,
  openMoneyWorld,
  paid,
  printAll,
  refundOrder,
  sale,
  tea,
} from "../../../tools/money-model/money-world.js";
import { type Api, type DeliveryWorld, logIn, newOrder, openWorld } from "../delivery-world.js";

const describeNodes = postgres.skipped === null ? describe : describe.skip;

describeNodes("money on two nodes of one PostgreSQL", () => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let other: DeliveryWorld;
  let onOther: Api;

  beforeEach(async () => {
    database = await postgres.create();
    money = await openMoneyWorld(database);
    other = await openWorld(database);
    onOther = other.api(money.shop.access.token);
  });
  afterEach(async () => {
    await other.close();
    await money.close();
    await database.drop();
  });

  test("refunds that are sent to two nodes at once give back no more than was sold", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, statusId: 0, deliveryStatusId: 2 })]);
    const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 501, paidIn: "2026-11-20 14:00:00" }];
    await money.courier.post("/orders/payments", { orderId: 1042, payments });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const back = payments.map((payment) => ({ ...payment, price: 250.5 }));
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, number) => {
        const node = number % 2 === 0 ? money.shop : onOther;
        return node.post("/orders", [refundOrder(1, { orderId: `R-${number}`, payments: back })], asRefund);
      }),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(422)]);
    expect(await printAll(money.till)).toEqual(["return 25050", "return 25050"]);
  });

  test("a payment that is reported to two nodes at once is accepted once", async () => {
    await money.shop.post("/orders", [
      newOrder({ deliveryStatusId: 2 }),
      newOrder({ orderId: 2, deliveryStatusId: 2 }),
    ]);
    const courierOnOther = await logIn(other, money.shop, "b");
    const payments = [{ paymentId: "p1", paymentTypeId: "2", price: 501, paidIn: "2026-11-20 14:00:00" }];
    const replies = await Promise.all([
      money.courier.post("/orders/payments", { orderId: 1042, payments }),
      courierOnOther.post("/orders/payments", { orderId: 2, payments }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    const { body } = await money.shop.get("/orders");
    expect(body.map((order: { statusId: number }) => order.statusId).sort()).toEqual([0, 1]);
  });

  test("an order that is edited while it is handed out is printed as the order says", async () => {
    const ids = Array.from({ length: 24 }, (_, number) => number + 1);
    await money.shop.post(
      "/orders",
      ids.map((orderId) => newOrder({ ...paid, orderId })),
    );
    const printed = new Map<string, number>();
    const printWaiting = async () => {
      for (let receipt = await money.till.printNext(); receipt !== null; receipt = await money.till.printNext()) {
        printed.set(
          sale(receipt).orderId ?? "",
          itemsOf(sale(receipt)).reduce((sum, line) => sum + line.total, 0),
        );
      }
    };
    const polls = printWaiting();
    const smaller = { goods: [tea(1)], amountToPay: 250.5 };
    const edits = await Promise.all(
      [...ids].reverse().map((orderId) => onOther.put("/orders", smaller, { query: { orderId } })),
    );
    await polls;
    await printWaiting();
    expect(new Set(edits.map(({ status }) => status))).toEqual(new Set([201, 422]));
    for (const orderId of ids) {
      const { goods } = (await money.shop.get("/orders", { orderId })).body;
      expect([orderId, printed.get(String(orderId))]).toEqual([orderId, goods[0].total * 100]);
    }
  });
});
