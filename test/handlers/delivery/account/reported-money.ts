/** Plays what shops and couriers report of an order's money, and returns its receipts and findings. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { paid, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { type NewDatabase, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

export const card = (price: number, name = `card ${price}`) => payment(name, "1", price);
export const cash = (price: number, name = `cash ${price}`) => payment(name, "2", price);

export interface ReportedRow {
  readonly title: string;
  readonly steps: readonly (readonly [string, ...object[]])[];
  /** As printed: `sale: 501.00 cash`. */
  readonly receipts: readonly string[];
  /** A part of each finding's text. */
  readonly findings?: readonly string[];
}

export const arrive = ["arrive"] as const;
export const paidInCash = [["order"], ["pay", cash(501)], arrive] as const;
export const paidOnline = ["order", { ...paid, deliveryStatusId: 2, payments: [card(501, "bank")] }] as const;
export const paidInPart = [["order", { statusId: 1 }], ["cancel"], ["put", { deliveryStatusId: 4 }]] as const;
export const byCertificate = [
  ["add type 9", { closeTypeId: 2 }],
  ["order", { ...paid, deliveryStatusId: 2, paymentId: 9 }],
] as const;
export const bringOneBack = (...payments: readonly object[]) =>
  ["bring back", { goods: [{ goodId: 501, count: 1 }], payments }] as const;
export const soldPart = [["put", { goods: [tea(1)] }]] as const;
export const soldInPart = "sale: 250.50 electronic";
export const refund = (changes: object) => ["refund", { orderId: "R", ...changes }] as const;
export const [soldInCash, backInCash] = ["sale: 501.00 cash", "return: 501.00 cash"];
export const [soldByCard, backByCard] = ["sale: 501.00 electronic", "return: 501.00 electronic"];

const forms = ["cash", "electronic", "prepaid"];

function textOf(receipt: SaleReceipt): string {
  const parts = receipt.payments.map(({ typeClose, sum }) => `${formatRoubles(sum)} ${forms[typeClose]}`);
  return `${receipt.operation}: ${parts.join(", ")}`;
}

/** Each row has a shop of its own. */
export function useReported(newDatabase: NewDatabase) {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);

  async function happen({ steps }: ReportedRow) {
    const printed: string[] = [];
    const ofRefund = { orderId: "R", isRefund: true };
    const print = async () => {
      for (let next = await money.till.printNext(); next !== null; next = await money.till.printNext())
        printed.push(textOf(sale(next)));
    };
    const create = (changes: object) => talk.create({ deliveryStatusId: 2, ...changes });
    const many = { orderIds: [1042], attributes: { deliveryStatusId: 3, statusId: 1 } };
    const words: Readonly<Record<string, (given: object, more: readonly object[]) => Promise<unknown>>> = {
      order: create,
      "order without print": create,
      put: (change) => talk.put(change),
      "refused put": async (change) => {
        const reply = await money.shop.put("/orders", change, { query: { orderId: 1042 } });
        expect([reply.status, reply.body.message]).toEqual([422, expect.stringMatching(/^paymentId: .* printed/)]);
      },
      "put many": () => talk.taken(money.shop.put("/orders/multipleUpdate", many)),
      pay: (one, more) => talk.pay(one, ...more),
      arrive: () => talk.arrive(3),
      cancel: () => talk.cancel(1),
      refund: (changes) => talk.refund(refundOrder(2, { returnedOrderId: 1042, ...changes })),
      "put refund": (change) => talk.put(change, { orderId: "R", isRefund: 1 }),
      "pay refund": (...given) => talk.taken(talk.report("payments", { ...ofRefund, payments: given.flat() })),
      "bring back": (more) => talk.taken(talk.report("returns", { goods: [{ goodId: 501, count: 2 }], ...more })),
      "add type 9": (more) =>
        talk.taken(money.shop.post("/paymentTypes", [{ paymentTypeId: 9, title: "Иначе", ...more }])),
      "store as before": storeAsBefore,
    };
    for (const [word, given = {}, ...more] of steps) {
      const act = words[word];
      if (act === undefined) throw new Error(`no step: ${word}`);
      await act(given, more);
      if (word !== "order without print") await print();
    }
    return { printed, findings: (await talk.account()).findings };
  }

  /** Removes from all orders the fields that earlier versions did not store. */
  async function storeAsBefore(): Promise<void> {
    const { store } = money.world.backend;
    const rows = await store.db.selectFrom("delivery_orders").select(["order_id", "is_refund", "body"]).execute();
    const since = ["namedPayments", "byCourier", "canceledPaid"];
    for (const { body, ...key } of rows) {
      const old = JSON.stringify(JSON.parse(body), (name, value) => (since.includes(name) ? undefined : value));
      await store.transaction((tx) =>
        tx
          .updateTable("delivery_orders")
          .set({ body: old })
          .where((is) => is.and(key))
          .execute(),
      );
    }
  }

  return happen;
}
