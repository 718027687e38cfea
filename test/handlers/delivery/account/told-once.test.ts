/** What a person has to look at is told once, and only when it is so; a document without a number is one of its own. */

import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { tellTwice } from "#handlers/delivery/account/tell-twice.js";
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, kkm, paid, printAll, refundOrder, sale, tea } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("what a person has to look at", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase);

  const told = () => logged.filter((line) => line.includes("more than the sale"));
  const toldToShop = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.filter(({ errorText }: { errorText: string | null }) => errorText?.includes("more than the sale"))
      .length;
  };

  test("is told once, however often the order changes afterwards", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await money.shop.post("/orders", [refundOrder(1)], asRefund);
    const refund = sale(await money.till.poll());
    await money.till.report(refund, { outcome: "failed" });
    const query = { orderId: 1042, isRefund: 1 };
    await money.shop.put("/orders", { statusId: 0 }, { query });
    await money.shop.delete("/orders", query);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    await money.till.report(refund);
    for (const description of ["a", "b", "c"]) await money.shop.put("/orders", { description }, byId);
    expect([told().length, await toldToShop()]).toEqual([1, 1]);
  });

  test("is told too where a result shows that a return waits for nothing", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(1)], amountToPay: 250.5 })]);
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    await money.shop.put("/orders", { goods: [tea(2)], amountToPay: 501 }, byId);
    expect((await money.shop.post("/orders", [refundOrder(2)], asRefund)).status).toBe(201);
    await money.till.report(first);
    expect(await printAll(money.till)).toEqual([]);
    expect([told().length, await toldToShop()]).toEqual([1, 1]);
  });

  test("is not told of what was rolled back", async () => {
    const { backend } = money.world;
    const { id: resource } = money.shop.access.resource;
    const order = { orderId: "1042", courierId: null };
    const work = (isBroken: boolean) =>
      backend.store.transaction(async (tx) => {
        const scope = { backend, tx, resource, source: "test", now: 1 };
        await tellTwice(scope, { order, operation: "sale", receiptId: "r", what: "is printed twice" });
        if (isBroken) throw new Error("broken");
      });
    await expect(work(true)).rejects.toThrow("broken");
    expect(logged).toEqual([]);
    await work(false);
    await work(false);
    expect(logged.length).toBe(1);
  });

  test("documents whose numbers nobody tells are each kept, once", async () => {
    const orderIds = [1, 2, 3];
    await money.shop.post(
      "/orders",
      orderIds.map((orderId) => newOrder({ ...paid, orderId })),
    );
    const receipts: SaleReceipt[] = [];
    for (const _ of orderIds) receipts.push(sale(await money.till.poll()));
    const report = ({ orderId, receiptId }: SaleReceipt) => {
      const fields = { orderId, receiptId, outcome: "printed", resultCode: 0, resultInfo: "", shiftNumber: "1" };
      return money.till.call("result", {
        action: "orderConfirm",
        kkm,
        inn: "7700000000",
        fn: "1",
        OFDLink: "",
        ...fields,
      });
    };
    const { now } = Date;
    Date.now = () => 1_800_000_000_000;
    try {
      for (const receipt of [...receipts, ...receipts]) await report(receipt);
    } finally {
      Date.now = now;
    }
    for (const orderId of orderIds) {
      expect((await money.shop.get("/orderReceipts", { orderId })).body).toMatchObject({ fdNumber: "" });
    }
    const { db } = money.world.backend.store;
    expect((await db.selectFrom("delivery_order_receipts").select("id").execute()).length).toBe(3);
  });
});
