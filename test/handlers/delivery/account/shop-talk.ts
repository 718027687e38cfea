/** What a shop and its courier do with order 1042. A refused step fails the test with the reason. */
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { asRefund, type MoneyWorld, printAll, sale } from "../../../tools/money-model/money-world.js";
import { newOrder, type Reply } from "../delivery-world.js";

type Query = Readonly<Record<string, string | number>>;

/** Payment types of the filled catalog: 1 is by card, 2 in cash. */
export function payment(paymentId: string, paymentTypeId: "1" | "2" | "9", price: number) {
  return { paymentId, paymentTypeId, price, paidIn: "2026-11-20 14:00:00" };
}

export function talkOf(money: MoneyWorld) {
  const taken = async (reply: Promise<Reply>): Promise<Reply["body"]> => {
    const { status, body } = await reply;
    expect([status < 300, body?.message]).toEqual([true, undefined]);
    return body;
  };
  const report = (path: string, body: object) => money.courier.post(`/orders/${path}`, { orderId: 1042, ...body });
  const canceled = (count: number, more: object) => ({ items: [{ goodId: 501, returnReasonId: 1, count, ...more }] });
  return {
    taken,
    /** Returns also a refusal. */
    report,
    tryCancel: (count: number, more: object = {}) => report("canceledItems", canceled(count, more)),
    create: (changes: object = {}) => taken(money.shop.post("/orders", [newOrder({ ...changes })])),
    refund: (order: object) => taken(money.shop.post("/orders", [order], asRefund)),
    put: (change: object, query: Query = {}) =>
      taken(money.shop.put("/orders", change, { query: { orderId: 1042, ...query } })),
    putRecord: (kind: string, query: Query, change: object) => taken(money.shop.put(`/${kind}`, change, { query })),
    pay: (...payments: readonly object[]) => taken(report("payments", { payments })),
    cancel: (count: number, more: object = {}) => taken(report("canceledItems", canceled(count, more))),
    arrive: (deliveryStatusId: number, more: object = {}) => taken(report("status", { deliveryStatusId, ...more })),
    next: async (): Promise<SaleReceipt> => sale(await money.till.printNext()),
    printed: () => printAll(money.till),
    order: async (query: Query = {}): Promise<Reply["body"]> =>
      (await money.shop.get("/orders", { orderId: 1042, ...query })).body,
    account: async () => (await money.shop.get("/orderAccounts", { orderId: 1042 })).body,
    alerts: async (orderId: string | number = 1042): Promise<readonly { errorCode: string; errorText: string }[]> => {
      const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 30 });
      return body.filter(({ errorCode }: { errorCode: string | null }) => errorCode !== null);
    },
  };
}
