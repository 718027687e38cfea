/** Late results where a prepayment is settled or given back: the same money never goes back twice, or a person is told. */

import { toReceiptId } from "@fiscald/shared/ids.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { newOrder } from "../delivery-world.js";
import { asRefund, byId, paid, printAll, refundOrder, sale } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a receipt that turns out to be printed after its prepayment went another way", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  const arrive = (deliveryStatusId: number) => money.shop.put("/orders", { deliveryStatusId }, byId);
  const handedOut = async () => sale(await money.till.poll());
  let messages = 0;
  const report = (receipt: SaleReceipt, outcome: "printed" | "failed" | "unknown") => {
    messages += 1;
    return money.till.report(receipt, { outcome, messageId: `late-${messages}` });
  };
  const isOfGoods = (receipt: SaleReceipt) => itemsOf(receipt).every(({ method }) => method === 4);
  const toldCodes = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.map((entry: { errorCode: string | null }) => entry.errorCode);
  };
  const expectTold = async () => {
    expect(logged.join("\n")).toContain("more than the prepayment");
    expect(await toldCodes()).toContain("job.already-printed");
  };

  /** The settlement is told failed; the order comes back, so that the prepayment's return is queued. */
  async function settlementFailedAndReturned(): Promise<SaleReceipt> {
    await arrive(3);
    const settlement = await handedOut();
    await report(settlement, "failed");
    await arrive(6);
    return settlement;
  }

  test.each([["printed"], ["unknown", "printed"]] as const)(
    "as its settlement takes the prepayment's return out of the queue: the sale comes back, once",
    async (...outcomes) => {
      const settlement = await settlementFailedAndReturned();
      for (const outcome of outcomes) await report(settlement, outcome);
      const back = await handedOut();
      expect([back.operation, isOfGoods(back)]).toEqual(["return", true]);
      await report(back, "printed");
      expect(await printAll(money.till)).toEqual([]);
      expect(logged.join("\n")).not.toContain("more than the prepayment");
    },
  );

  test("as its settlement, and failed in the end, leaves the prepayment to go back", async () => {
    const settlement = await settlementFailedAndReturned();
    await report(settlement, "unknown");
    expect(await money.till.poll()).toBeNull();
    await report(settlement, "failed");
    const back = await handedOut();
    expect([back.operation, isOfGoods(back)]).toEqual(["return", false]);
  });

  test("as its settlement, while the prepayment's return is handed out, is told, and nothing more goes back", async () => {
    const settlement = await settlementFailedAndReturned();
    const back = await handedOut();
    await report(settlement, "printed");
    await expectTold();
    await report(back, "printed");
    expect(await printAll(money.till)).toEqual([]);
    await money.shop.put("/orders", { description: "ещё раз" }, byId);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("as its settlement, while the prepayment's return is handed out and fails, gives the sale back", async () => {
    const settlement = await settlementFailedAndReturned();
    const back = await handedOut();
    await report(settlement, "printed");
    expect(await money.till.poll()).toMatchObject({ receiptId: back.receiptId });
    await report(back, "failed");
    const returned = await handedOut();
    expect([returned.operation, isOfGoods(returned)]).toEqual(["return", true]);
  });

  test("as the prepayment itself, after which its settlement is released, has another settlement when the order is sent again", async () => {
    const asOther = { query: { orderId: 1043 } };
    await money.shop.post("/orders", [newOrder({ ...paid, orderId: 1043, prePaymentSum: 501 })]);
    const prepayment = await handedOut();
    await report(prepayment, "failed");
    await money.shop.put("/orders", { deliveryStatusId: 3 }, asOther);
    const settlement = await handedOut();
    expect(settlement.payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    await report(prepayment, "printed");
    const { store } = money.world.backend;
    const receipts = await openReceiptStore({ database: store, resource: String(money.shop.access.resource.id) });
    expect(await receipts.release(toReceiptId(String(settlement.receiptId)))).toBe("replaced");
    await receipts.close();
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { description: "ещё раз" }, asOther);
    const another = await handedOut();
    expect(another.payments).toEqual([{ typeClose: 2, sum: 50100 }]);
    await report(another, "printed");
    expect(await printAll(money.till)).toEqual([]);
  });

  /** What is given back of the prepayment is told failed; the order is delivered, so that its settlement is queued. */
  async function returnFailedAndDelivered(how: "status 6" | "a refund order"): Promise<SaleReceipt> {
    if (how === "status 6") await arrive(6);
    else await money.shop.post("/orders", [refundOrder(2)], asRefund);
    const back = await handedOut();
    expect(back.operation).toBe("return");
    await report(back, "failed");
    await arrive(3);
    return back;
  }

  describe.each(["status 6", "a refund order"] as const)("as what went back by %s", (how) => {
    test("leaves the settlement nothing of the prepayment", async () => {
      const back = await returnFailedAndDelivered(how);
      await report(back, "printed");
      expect((await handedOut()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    });

    test.each(["printed", "failed"] as const)("in doubt holds the settlement until it is %s", async (outcome) => {
      const back = await returnFailedAndDelivered(how);
      await report(back, "unknown");
      expect(await money.till.poll()).toBeNull();
      await report(back, outcome);
      expect((await handedOut()).payments).toEqual([{ typeClose: outcome === "printed" ? 1 : 2, sum: 50100 }]);
    });

    test("is told where the settlement is handed out already", async () => {
      const back = await returnFailedAndDelivered(how);
      const settlement = await handedOut();
      await report(back, "printed");
      await expectTold();
      await report(settlement, "printed");
      expect(await printAll(money.till)).toEqual([]);
    });
  });
});
