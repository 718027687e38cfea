/** A prepaid order of which the courier's own register prints a part: ours counts its own receipts once, or a person is told. */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, courierReceipt, paid, printAll, refundOrder, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a prepaid order and the courier's own register", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const refundOne = () => money.shop.post("/orders", [refundOrder(1)], asRefund);
  const handedOut = async () => sale(await money.till.poll());
  const own = async (operation: "sale" | "return") => {
    const reply = await money.courier.post("/orders/receipts", { orderId: 1042, operation, receipt: courierReceipt });
    expect(reply.status).toBe(204);
  };

  test.each(["failed on our till", "nobody has yet"])(
    "a refund order whose receipt %s, and is of that register, counts once",
    async (what) => {
      await refundOne();
      if (what === "failed on our till") await money.till.report(await handedOut(), { outcome: "failed" });
      await own("return");
      const other = { orderId: 1042, goods: [{ goodId: 501, count: 1 }], payments: [] };
      expect((await money.courier.post("/orders/returns", other)).status).toBe(204);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    },
  );

  test("a settlement that failed on our till, and is of that register, uses no prepayment of ours", async () => {
    await arrive(3);
    await money.till.report(await handedOut(), { outcome: "failed" });
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    const sold = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", sold)).status).toBe(204);
    expect(await printAll(money.till)).toEqual([]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  const expectTold = async (isTold = true) => {
    expect(logged.join("\n").includes("besides the sale of the courier's own register")).toBe(isTold);
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const codes = body.map((entry: { errorCode: string | null }) => entry.errorCode);
    expect(codes.includes("job.already-printed")).toBe(isTold);
  };

  test.each(["handed out", "in doubt"])("that sells it while the prepayment's return is %s is told", async (how) => {
    await arrive(6);
    const back = await handedOut();
    if (how === "in doubt") await money.till.report(back, { outcome: "unknown", messageId: "m1" });
    await own("sale");
    await expectTold();
    await money.till.report(back, { outcome: "printed", messageId: "m2" });
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("that sells it while a refund order's share is handed out is told", async () => {
    await refundOne();
    await handedOut();
    await own("sale");
    await expectTold();
  });

  test("that sells it takes a refund order's share back where nobody has it: it is of the sale", async () => {
    await refundOne();
    await own("sale");
    await arrive(6);
    const back = await handedOut();
    expect(itemsOf(back)).toMatchObject([{ method: 4, total: 25050 }]);
    await money.till.report(back, { outcome: "printed" });
    expect(await printAll(money.till)).toEqual([]);
    await expectTold(false);
  });

  test("that sells what the courier did not take back leaves the share of what he did, once", async () => {
    const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
    await money.courier.post("/orders/canceledItems", { orderId: 1042, items });
    await refundOne();
    await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 4, receipt: courierReceipt });
    const back = await handedOut();
    expect(itemsOf(back)).toMatchObject([{ method: 1, total: 25050 }]);
    await money.till.report(back, { outcome: "printed" });
    expect(await printAll(money.till)).toEqual([]);
    await expectTold(false);
  });

  const takeBackOne = async () => {
    const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(204);
  };

  test("that sells the rest leaves one share of what the courier took back, and takes back what is more", async () => {
    await takeBackOne();
    const back = { orderId: 1042, returnReasonId: 1, goods: [{ goodId: 501, count: 1 }], payments: [] };
    for (let times = 0; times < 2; times += 1) {
      expect((await money.courier.post("/orders/returns", back)).status).toBe(204);
    }
    await own("sale");
    for (const method of [1, 4]) {
      const receipt = await handedOut();
      expect(itemsOf(receipt)).toMatchObject([{ method, total: 25050 }]);
      await money.till.report(receipt, { outcome: "printed" });
    }
    expect(await printAll(money.till)).toEqual([]);
    await expectTold(false);
  });

  test("that sells the rest while a share of more than the courier took back is handed out is told", async () => {
    await takeBackOne();
    await money.shop.post("/orders", [refundOrder(2)], asRefund);
    await handedOut();
    await own("sale");
    await expectTold();
  });

  test("that reports its sale once more is not told, whatever of the prepayment goes back after it", async () => {
    const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
    await money.courier.post("/orders/canceledItems", { orderId: 1042, items });
    await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 4, receipt: courierReceipt });
    const back = await handedOut();
    expect(itemsOf(back)).toMatchObject([{ method: 1, total: 25050 }]);
    await own("sale");
    await expectTold(false);
  });

  test.each([
    ["one position", [{ goodId: 501, count: 3, price: 100, total: 300, discountTotal: -200 }], [2], 3333],
    [
      "two positions, by two returns",
      [
        { goodId: 501, count: 6, price: 100, total: 600, discountTotal: -500 },
        { goodId: 502, count: 3, price: 100, total: 300, discountTotal: -200 },
      ],
      [1, 1],
      1667,
    ],
  ])(
    "that gave back what is a kopeck more by the goods than by the lines of %s is not told",
    async (_of, goods, counts, back) => {
      const prePaymentSum = 100 * goods.length;
      await money.shop.post("/orders", [newOrder({ ...paid, orderId: 7, goods, prePaymentSum })]);
      expect(await printAll(money.till)).toEqual([`sale ${prePaymentSum * 100}`]);
      for (const [index, count] of counts.entries()) {
        const receipt = { ...courierReceipt, fdNumber: `${400 + index}` };
        const ofOne = { orderId: 7, goods: [{ goodId: 501, count }], payments: [], receipt };
        expect((await money.courier.post("/orders/returns", ofOne)).status).toBe(204);
      }
      await money.shop.put("/orders", { deliveryStatusId: 3 }, { query: { orderId: 7 } });
      expect(await printAll(money.till)).toEqual([`sale ${prePaymentSum * 100}`]);
      const other = { orderId: 7, goods: [{ goodId: 501, count: 1 }], payments: [] };
      expect((await money.courier.post("/orders/returns", other)).status).toBe(204);
      expect(await printAll(money.till)).toEqual([`return ${back}`]);
      expect(logged.join("\n")).not.toContain("more than the prepayment");
    },
  );

  test("that gave back a share, besides another one that is printed after the settlement with the rest, is told once", async () => {
    await refundOne();
    const share = await handedOut();
    await money.till.report(share, { outcome: "failed" });
    const other = { orderId: 1042, goods: [{ goodId: 501, count: 1 }], payments: [], receipt: courierReceipt };
    expect((await money.courier.post("/orders/returns", other)).status).toBe(204);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toMatchObject([{ sum: 25050 }, { typeClose: 2, sum: 25050 }]);
    expect(logged.join("\n")).not.toContain("more than the prepayment");
    await money.till.report(share, { messageId: "m2" });
    await money.shop.put("/orders", { description: "ещё раз" }, byId);
    const told = logged.filter((line) => line.includes("250.50 more than the prepayment"));
    expect(told.length).toBe(1);
  });

  test.each(["the courier's own register", "our till"])(
    "whose prepayment's receipt failed has it no more once it is sold by %s",
    async (register) => {
      await money.shop.post("/orders", [newOrder({ ...paid, orderId: 7, prePaymentSum: 501 })]);
      await money.till.report(await handedOut(), { outcome: "failed" });
      const change = (fields: object) => money.shop.put("/orders", fields, { query: { orderId: 7 } });
      if (register === "our till") {
        await change({ deliveryStatusId: 3 });
        expect(await printAll(money.till)).toEqual(["sale 50100"]);
        expect((await change({ deliveryStatusId: 2 })).status).toBe(201);
      } else {
        const sold = { orderId: 7, operation: "sale", receipt: courierReceipt };
        expect((await money.courier.post("/orders/receipts", sold)).status).toBe(204);
      }
      expect((await change({ description: "ещё раз" })).status).toBe(201);
      expect(await printAll(money.till)).toEqual([]);
    },
  );
});
