/** What happens to order 1042, the one of `newOrder`: each step fails the test where the API does not take it. */
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { asRefund, byId, courierReceipt, type MoneyWorld, refundOrder, sale } from "../model/money-world.js";

export function order1042(money: MoneyWorld) {
  /** What the courier reports of it. */
  const send = async (path: string, body: object) => {
    const reply = await money.courier.post(path, { orderId: 1042, ...body });
    expect([reply.status, reply.body?.message]).toEqual([204, undefined]);
  };
  const receiptOf = (fdNumber: string) => ({ receipt: { ...courierReceipt, fdNumber } });
  return {
    send,
    receiptOf,
    arrive: async (deliveryStatusId: number) =>
      expect((await money.shop.put("/orders", { deliveryStatusId }, byId)).status).toBe(201),
    /** A receipt of the courier's own register, by itself. */
    ownReceipt: (operation: "sale" | "return", fdNumber = "318", changes: object = {}) =>
      send("/orders/receipts", { operation, ...receiptOf(fdNumber), ...changes }),
    /** One of its two packets of tea comes back, with the courier or by a refund order of the shop. */
    bringOne: (more: object = {}) =>
      send("/orders/returns", { goods: [{ goodId: 501, count: 1 }], payments: [], ...more }),
    refundOne: async (changes: object = {}) =>
      expect((await money.shop.post("/orders", [refundOrder(1, changes)], asRefund)).status).toBe(201),
    handedOut: async () => sale(await money.till.poll()),
    /** `time`: which of the same results it is. */
    report: (receipt: SaleReceipt, outcome: "printed" | "failed", time = 1) =>
      money.till.report(receipt, { outcome, messageId: `${receipt.receiptId}-${outcome}-${time}` }),
    /** How often the shop was told that something of it may be twice. */
    told: async () => {
      const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 50 });
      return body.filter(({ errorCode }: { errorCode: string | null }) => errorCode === "job.already-printed").length;
    },
  };
}
