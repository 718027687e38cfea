/** Money that couriers and the shop report, against what the receipts take and give back: no difference is silent. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { paid, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

const card = (price: number, name = `card ${price}`) => payment(name, "1", price);
const cash = (price: number, name = `cash ${price}`) => payment(name, "2", price);

interface Row {
  readonly title: string;
  readonly steps: readonly (readonly [string, ...object[]])[];
  /** `sale: 501.00 cash`, as they were printed. */
  readonly receipts: readonly string[];
  /** Words of each finding. */
  readonly findings?: readonly string[];
}

const arrive = ["arrive"] as const;
const paidInCash = [["order"], ["pay", cash(501)], arrive] as const;
const paidOnline = ["order", { ...paid, deliveryStatusId: 2, payments: [card(501, "bank")] }] as const;
const paidInPart = [["order", { statusId: 1 }], ["cancel"], ["put", { deliveryStatusId: 4 }]] as const;
const soldPart = [["put", { goods: [tea(1)] }]] as const;
const soldInPart = "sale: 250.50 electronic";
const later = (one: object) => ({ ...one, paidIn: "2026-11-20 15:00:00" });
const late = later(card(0.01, "cash 501"));
const canceled = (sum: number, left: number) =>
  `Its courier cancelled ${sum.toFixed(2)} of it after it was called paid, and ${left.toFixed(2)} of that are not`;
const refund = (changes: object) => ["refund", { orderId: "R", ...changes }] as const;
const [soldInCash, backInCash] = ["sale: 501.00 cash", "return: 501.00 cash"];
const [soldByCard, backByCard] = ["sale: 501.00 electronic", "return: 501.00 electronic"];

const told: readonly Row[] = [
  {
    title: "cash that a courier gives back by a refund order that is not paid",
    steps: [...paidInCash, refund({ statusId: 0 }), ["pay refund", cash(501, "back")]],
    receipts: [soldInCash],
    findings: ["Refund order R is not paid, and couriers gave back 501.00 in cash by it: set its statusId to 1"],
  },
  {
    title: "cash that a courier takes for an order that a prepayment by card pays as a whole",
    steps: [["order", { ...paid, prePaymentSum: 501, payments: [card(501)] }], ["pay", cash(501)], arrive],
    receipts: [soldByCard, "sale: 501.00 prepaid"],
    findings: ["Couriers have 501.00 in cash, and the sale takes 0.00 of it beside a prepayment of 501.00 electronic"],
  },
  {
    title: "cash that a courier takes for a sale that is printed by card, as the shop named it",
    steps: [paidOnline, ["pay", cash(501)]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "money that a courier gives back in two forms by a refund order whose return has one",
    steps: [paidOnline, refund({}), ["pay refund", cash(250), card(251)]],
    receipts: [soldByCard, backByCard],
    findings: ["refund order R gives back 250.00 in cash and 251.00 electronic, and its receipt has 501.00 electronic"],
  },
  {
    title: "cash that a courier gives back by a refund order that is not paid and names this payment",
    steps: [...paidInCash, refund({ statusId: 0, payments: [cash(501, "R-1")] }), ["pay refund", cash(501, "R-1")]],
    receipts: [soldInCash],
    findings: ["Refund order R is not paid, and couriers gave back 501.00 in cash by it: set its statusId to 1"],
  },
  {
    title: "cash that a courier gives back by an unpaid refund order, after its shop names its own payments again",
    steps: [
      ...paidInCash,
      refund({ statusId: 0, payments: [cash(0.01, "cash 501")] }),
      ["pay refund", cash(501, "back")],
      ["put refund", { payments: [cash(0.01, "cash 501")] }],
    ],
    receipts: [soldInCash],
    findings: ["Refund order R is not paid, and couriers gave back 501.00 in cash by it: set its statusId to 1"],
  },
  {
    title: "another form that both the shop names and its courier reports of a printed sale, once",
    steps: [paidOnline, ["put", { payments: [cash(501, "named")] }], ["pay", cash(501)]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "another form that the shop names of a printed sale, and of which no courier reports money",
    steps: [paidOnline, ["put", { payments: [cash(501, "named")] }]],
    receipts: [soldByCard],
    findings: ["The receipt has 501.00 electronic, and the order's payments report 501.00 in cash"],
  },
  {
    title: "more money than is sold by a payment type whose form its shop has not named",
    steps: [["order"], ["pay", card(501)], arrive, ["add type 9"], ["pay", payment("other", "9", 600)]],
    receipts: [soldByCard],
    findings: [
      "Couriers have 501.00 electronic and 600.00 in a form that its shop has not named, and the sale takes 501.00 of it",
    ],
  },
  {
    title: "a rest in cash beside a prepayment that the shop names after its receipt by card",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 200, payments: [card(200), card(301)] }],
      arrive,
      ["put", { payments: [card(200), cash(301)] }],
    ],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 electronic, 200.00 prepaid"],
    findings: ["The receipt has 301.00 electronic, and the order's payments report 301.00 in cash"],
  },
  {
    title: "cash of a payment that the shop had named by card and has renamed",
    steps: [paidOnline, ["put", { payments: [card(501, "renamed")] }], ["pay", cash(501, "bank")]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "another payment type of an order that is printed as paid online, which is refused",
    steps: [paidOnline, ["refused put", { paymentId: 2 }]],
    receipts: [soldByCard],
  },
  {
    title: "cash that a courier gives back by a return, and once more of the sale",
    steps: [...paidInCash, ["bring back", { payments: [cash(501, "back")] }], ["pay", cash(-501, "again")]],
    receipts: [soldInCash, backInCash],
    findings: ["Couriers gave back 501.00 of the printed sale, not by a refund order, beyond what its returns say"],
  },
  {
    title: "a part of a paid order that its courier cancels",
    steps: [...paidInPart],
    receipts: [soldInPart],
    findings: [canceled(250.5, 250.5)],
  },
  {
    title: "all positions of a paid order that its courier cancels",
    steps: [["order", { statusId: 1 }], ["cancel"], ["cancel"], ["put", { deliveryStatusId: 4 }]],
    receipts: [],
    findings: [canceled(501, 501)],
  },
  {
    title: "a part of a paid order that its courier cancels, and of whose money he gives back less",
    steps: [...paidInPart, ["pay", cash(-100, "back")]],
    receipts: [soldInPart],
    findings: [canceled(250.5, 150.5)],
  },
  {
    title: "money of a printed sale that its courier gives back once more than the cancelled part cost",
    steps: [...paidInPart, ...soldPart, ["pay", cash(-250.5, "back")], ["pay", cash(-250.5, "again")]],
    receipts: [soldInPart],
    findings: ["Couriers gave back 250.50 of the printed sale, not by a refund order, beyond what its returns say"],
  },
  {
    title: "a part of an order that is paid online, which its courier cancels before the receipt is printed",
    steps: [["order without print", paidOnline[1]], ["cancel"], arrive],
    receipts: ["sale: 250.50 electronic"],
    findings: [canceled(250.5, 250.5)],
  },
];

const silent: readonly Row[] = [
  { title: "an order that is paid online and delivered", steps: [paidOnline, arrive], receipts: [soldByCard] },
  {
    title: "an order that is prepaid online and paid in cash at the door, with change",
    steps: [["order", { ...paid, prePaymentSum: 200, payments: [card(200)] }], ["pay", cash(500)], arrive],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
  },
  {
    title: "a prepayment of the whole that is delivered",
    steps: [["order", { ...paid, prePaymentSum: 501, payments: [card(501)] }], arrive],
    receipts: [soldByCard, "sale: 501.00 prepaid"],
  },
  {
    title: "an order that is planned by card and paid in cash at the door",
    steps: [["order", { payments: [card(501)] }], ["pay", cash(501)], arrive, ["put", { payments: [card(501)] }]],
    receipts: [soldInCash],
  },
  {
    title: "a planned payment by card that its shop names in other words after its courier's sale in cash",
    steps: [
      ["order", { payments: [card(501, "plan")] }],
      ["pay", cash(501)],
      arrive,
      ["put", { payments: [card(501)] }],
    ],
    receipts: [soldInCash],
  },
  {
    title: "a planned payment by card whose time its shop fills in after its courier's sale in cash",
    steps: [
      ["order", { payments: [card(501)] }],
      ["pay", cash(501)],
      arrive,
      ["put", { payments: [later(card(501))] }],
    ],
    receipts: [soldInCash],
  },
  {
    title: "a prepayment of the half that its shop names after the receipt, and a rest in cash at the door",
    steps: [
      ["order", { ...paid, prePaymentSum: 250.5 }],
      ["put", { payments: [card(250.5)] }],
      ["pay", cash(250.5)],
      arrive,
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 cash, 250.50 prepaid"],
  },
  {
    title: "a prepayment of the half and a rest in cash that its shop names after the receipts, the rest first",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 250.5, payments: [card(250.5), cash(250.5)] }],
      ["put", { paymentId: 2 }],
      arrive,
      ["put", { payments: [cash(250.5), card(250.5)] }],
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 cash, 250.50 prepaid"],
  },
  { title: "cash with change", steps: [["order"], ["pay", cash(600)], arrive], receipts: [soldInCash] },
  {
    title: "a part that is delivered and paid for",
    steps: [["order"], ["cancel"], ["pay", cash(250.5)], ["put", { deliveryStatusId: 4 }]],
    receipts: ["sale: 250.50 cash"],
  },
  {
    title: "a part that is delivered, and that its shop calls paid afterwards",
    steps: [["order"], ["cancel"], ["put", { deliveryStatusId: 4 }], ["put", { statusId: 1 }]],
    receipts: ["sale: 250.50 electronic"],
  },
  {
    title: "a part of an order called paid that is delivered and paid for at the door",
    steps: [["order", { statusId: 1 }], ["cancel"], ["pay", cash(250.5)], ["put", { deliveryStatusId: 4 }]],
    receipts: ["sale: 250.50 cash"],
  },
  {
    title: "a part of a paid order that its courier cancels, and whose money the shop has given back",
    steps: [...paidInPart, ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order that its courier cancels, and whose money he gives back",
    steps: [...paidInPart, ["pay", cash(-250.5)]],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order that is cancelled and given back, before its shop edits it to what is sold",
    steps: [...paidInPart, ["pay", card(-250.5)], ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order that is cancelled and given back, after its shop edits it to what is sold",
    steps: [...paidInPart, ...soldPart, ["pay", card(-250.5)]],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order that is cancelled and given back, while its shop puts what is sold each night",
    steps: [...paidInPart, ...soldPart, ...soldPart, ["pay", card(-250.5)], ...soldPart, ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order of an odd sum that is cancelled, and whose money but for the sale is given back",
    steps: [
      ["order", { statusId: 1, goods: [{ ...tea(2), price: 250.505, total: 501.01 }] }],
      ["cancel"],
      ["put", { deliveryStatusId: 4 }],
      ["pay", cash(-250.5)],
    ],
    receipts: ["sale: 250.51 electronic"],
  },
  {
    title: "a rest of 0.00 beside a prepayment, after its courier has given back what he cancelled",
    steps: [
      ["order", { ...paid, prePaymentSum: 501, payments: [card(501)] }],
      ["cancel"],
      ["put", { deliveryStatusId: 4 }],
      ["pay", card(-250.5)],
    ],
    receipts: [soldByCard, "sale: 250.50 prepaid", "return: 250.50 electronic"],
  },
  {
    title: "two forms at the door",
    steps: [["order"], ["pay", cash(301), card(200)], arrive],
    receipts: ["sale: 301.00 cash, 200.00 electronic"],
  },
  {
    title: "a courier's return in the form of its sale",
    steps: [...paidInCash, ["bring back", { payments: [cash(501, "back")] }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a courier's return whose money he reports of the sale",
    steps: [...paidInCash, ["bring back", { payments: [] }], ["pay", cash(-501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that names its money, which a courier reports of the sale",
    steps: [...paidInCash, refund({ payments: [cash(501, "R-1")] }), ["pay", cash(-501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that names its sale by a payment of 0.01",
    steps: [...paidInCash, refund({ payments: [card(0.01, "cash 501")] }), ["pay refund", cash(501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that names its sale by a payment of 0.01, whose time its shop fills in after the return",
    steps: [...paidInCash, refund({ payments: [card(0.01, "cash 501")] }), ["put refund", { payments: [late] }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order whose payment its shop completes after a courier has reported that money of the sale",
    steps: [
      ...paidInCash,
      refund({ payments: [cash(501, "R-1")] }),
      ["pay", cash(-501, "back")],
      ["put refund", { payments: [{ ...cash(501, "R-1"), rrn: "632814000001" }] }],
    ],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that names another form in the same sum after its return is printed",
    steps: [paidOnline, refund({}), ["put refund", { payments: [cash(501)] }]],
    receipts: [soldByCard, backByCard],
  },
  {
    title: "an unpaid refund order by which a courier gave back all, before the sale comes back with status 6",
    steps: [...paidInCash, refund({ statusId: 0 }), ["pay refund", cash(501, "b")], ["put", { deliveryStatusId: 6 }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that is paid later",
    steps: [paidOnline, refund({ statusId: 0, payments: [card(501, "R-1")] })],
    receipts: [soldByCard],
  },
  {
    title: "a refund order that a courier has given back and the shop calls paid later",
    steps: [...paidInCash, refund({ statusId: 0 }), ["pay refund", cash(501, "b")], ["put refund", { statusId: 1 }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a paid order that its shop edits before the delivery",
    steps: [["order", { statusId: 1, payments: [card(501)] }], ["put", { goods: [tea(1)], paymentId: 2 }], arrive],
    receipts: ["sale: 250.50 cash"],
  },
  {
    title: "an order whose payment type is edited before its courier takes the whole in another form",
    steps: [["order"], ["put", { paymentId: 2 }], ["pay", card(501)], arrive, ["put", { paymentId: 2 }]],
    receipts: [soldByCard],
  },
  {
    title: "an order that is sent again, and put by many at once",
    steps: [paidOnline, ["put many"], ["put many"], ["put", { payments: [card(501, "bank")], paymentId: 1 }]],
    receipts: [soldByCard],
  },
  {
    title: "a payment that its shop has renamed after the receipt and that its courier reports in the same form",
    steps: [paidOnline, ["put", { payments: [card(501, "renamed")] }], ["pay", card(501, "bank")]],
    receipts: [soldByCard],
  },
  {
    title: "a sale and its refund order that an older version has stored",
    steps: [...paidInCash, refund({ payments: [card(501, "cash 501")] }), ["store as before"], ["put", { cash: 1 }]],
    receipts: [soldInCash, backInCash],
  },
];

const forms = ["cash", "electronic", "prepaid"];

function textOf(receipt: SaleReceipt): string {
  const parts = receipt.payments.map(({ typeClose, sum }) => `${formatRoubles(sum)} ${forms[typeClose]}`);
  return `${receipt.operation}: ${parts.join(", ")}`;
}

describeOnBothStores("money that is reported", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });
  const talk = talkOf(money);

  /** What was printed, and the findings in the end. */
  async function happen({ steps }: Row) {
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
      "add type 9": () => talk.taken(money.shop.post("/paymentTypes", [{ paymentTypeId: 9, title: "Иначе" }])),
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

  /** Takes from all orders what earlier versions did not store of them. */
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

  test.each(told)("$title is told", async (row) => {
    const findings = (row.findings ?? []).map((text) => expect.stringContaining(text));
    expect(await happen(row)).toEqual({ printed: row.receipts, findings });
  });

  test.each(silent)("$title is not told", async (row) => {
    expect(await happen(row)).toEqual({ printed: row.receipts, findings: [] });
  });
});
