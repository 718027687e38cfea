/** Money that the shop and its couriers report, against what the receipts take and give back: no difference is silent. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { paid, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

const [CARD, CASH] = ["1", "2"] as const;
const card = (price: number) => payment(`card ${price}`, CARD, price);
const cash = (price: number) => payment(`cash ${price}`, CASH, price);
const delivered = { statusId: 1, deliveryStatusId: 3 };

interface Row {
  readonly title: string;
  readonly steps: readonly (readonly [string, ...object[]])[];
  /** `sale: 501.00 cash`, as they were printed. */
  readonly receipts: readonly string[];
  /** Words of each finding. */
  readonly findings: readonly string[];
  /** The last request says it too. */
  readonly isWarned?: boolean;
}

const paidInCash = [["order"], ["pay", cash(501)], ["arrive"]] as const;
const paidOnline = ["order", { ...paid, deliveryStatusId: 2 }] as const;
const refund = (changes: object) => ["refund", { orderId: "R", ...changes }] as const;
const unpaidRefund = refund({ statusId: 0, paymentId: 2 });
const sold = "sale: 501.00 cash";
const back = "return: 501.00 cash";

const rows: readonly Row[] = [
  {
    title: "cash that a courier gives back on an unpaid refund order",
    steps: [...paidInCash, unpaidRefund, ["pay refund", cash(500)], ["refund status", { deliveryStatusId: 6 }]],
    receipts: [sold],
    findings: ["refund order R gives back 500.00 without being paid, and no receipt says so: set its statusId 1"],
  },
  {
    title: "an unpaid refund order with payments that the shop names",
    steps: [...paidInCash, refund({ statusId: 0, payments: [card(501)] })],
    receipts: [sold],
    findings: [],
  },
  {
    title: "an unpaid refund order that is deleted with a courier's money",
    steps: [...paidInCash, unpaidRefund, ["pay refund", cash(500)], ["delete refund"]],
    receipts: [sold],
    findings: ["refund order R gives back 500.00 without being paid, and no receipt says so: it is deleted"],
  },
  {
    title: "a refund order after one that was deleted with a courier's money",
    steps: [...paidInCash, unpaidRefund, ["pay refund", cash(500)], ["delete refund"], refund({ orderId: "R2" })],
    receipts: [sold, back],
    findings: ["refund order R gives back 500.00 without being paid"],
  },
  {
    title: "an order that is deleted with a courier's money",
    steps: [["order"], ["pay", cash(100)], ["delete"]],
    receipts: [],
    findings: ["Couriers have 100.00, and no receipt says so: bring the deleted order back"],
  },
  {
    title: "an order that is deleted after its prepayment",
    steps: [["order", { ...paid, prePaymentSum: 200 }], ["delete"]],
    receipts: ["sale: 200.00 electronic"],
    findings: ["It is deleted, and 200.00 of its printed prepayment have not gone back"],
  },
  {
    title: "an order that is deleted after its internet sale",
    steps: [paidOnline, ["delete"]],
    receipts: ["sale: 501.00 electronic"],
    findings: ["It is deleted, and 501.00 of its printed sale have not gone back"],
  },
  {
    title: "a deleted order whose sale goes back",
    steps: [paidOnline, ["delete"], refund({})],
    receipts: ["sale: 501.00 electronic", "return: 501.00 electronic"],
    findings: [],
  },
  { title: "a deleted order that is delivered", steps: [...paidInCash, ["delete"]], receipts: [sold], findings: [] },
  {
    title: "a refund by card of an order by card that was paid in cash",
    steps: [...paidInCash, refund({ payments: [card(501)] })],
    receipts: [sold, "return: 501.00 electronic"],
    findings: ["The returns give back 501.00 electronic beyond what the sale took in that form"],
    isWarned: true,
  },
  {
    title: "a refund in cash that is a copy of its internet order",
    steps: [paidOnline, refund({ paymentId: 2 })],
    receipts: ["sale: 501.00 electronic", back],
    findings: ["The returns give back 501.00 in cash beyond what the sale took in that form"],
  },
  {
    title: "a refund in cash alone of a sale by cash and card",
    steps: [["order"], ["pay", cash(301), card(200)], ["arrive"], refund({ payments: [cash(501)] })],
    receipts: ["sale: 301.00 cash, 200.00 electronic", "return: 301.00 cash, 200.00 electronic"],
    findings: ["gives back 501.00 in cash, and its receipt has 301.00 in cash and 200.00 electronic"],
    isWarned: true,
  },
  {
    title: "a refund order that names cash once its return by card is printed",
    steps: [paidOnline, refund({}), ["put refund", { payments: [cash(501)] }]],
    receipts: ["sale: 501.00 electronic", "return: 501.00 electronic"],
    findings: ["gives back 501.00 in cash, and its receipt has 501.00 electronic"],
    isWarned: true,
  },
  {
    title: "cash that a courier gives back by a refund order whose return is by card",
    steps: [paidOnline, refund({}), ["pay refund", cash(501)]],
    receipts: ["sale: 501.00 electronic", "return: 501.00 electronic"],
    findings: ["gives back 501.00 in cash, and its receipt has 501.00 electronic"],
    isWarned: true,
  },
  {
    title: "a refund order whose payments are less than its return",
    steps: [paidOnline, refund({ payments: [card(100)] })],
    receipts: ["sale: 501.00 electronic", "return: 501.00 electronic"],
    findings: ["gives back 100.00 electronic, and its receipt has 501.00 electronic"],
    isWarned: true,
  },
  {
    title: "a refund order whose payment the shop names and a courier reports",
    steps: [...paidInCash, refund({ payments: [cash(501)] }), ["pay refund", payment("door", CASH, 501)]],
    receipts: [sold, back],
    findings: [],
  },
  {
    title: "a prepayment by card of an order in cash",
    steps: [["order", { paymentId: 2, prePaymentSum: 200, payments: [card(200)] }], ["pay", cash(301)], ["arrive"]],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
    findings: [],
  },
  {
    title: "a prepayment by card and a rest in cash that the shop names",
    steps: [["order", { ...delivered, prePaymentSum: 200, payments: [card(200), cash(301)] }]],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
    findings: [],
  },
  {
    title: "a prepayment and a rest that the shop names in one payment",
    steps: [["order", { ...delivered, paymentId: 2, prePaymentSum: 200, payments: [card(501)] }]],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 electronic, 200.00 prepaid"],
    findings: [],
  },
  {
    title: "a return of a sale whose prepayment was paid in two forms",
    steps: [
      ["order", { ...delivered, prePaymentSum: 200, payments: [card(150), cash(50), cash(301)] }],
      ["put", { deliveryStatusId: 6 }],
    ],
    receipts: [
      "sale: 50.00 cash, 150.00 electronic",
      "sale: 301.00 cash, 200.00 prepaid",
      "return: 351.00 cash, 150.00 electronic",
    ],
    findings: [],
  },
  {
    title: "a rest of a prepayment in two forms, and a return of what was sold",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 501, payments: [card(301), cash(200)] }],
      ["cancel"],
      ["put", { deliveryStatusId: 4 }],
      ["put", { deliveryStatusId: 6 }],
    ],
    receipts: [
      "sale: 200.00 cash, 301.00 electronic",
      "sale: 250.50 prepaid",
      "return: 250.50 electronic",
      "return: 200.00 cash, 50.50 electronic",
    ],
    findings: [],
  },
  {
    title: "a rest that the shop names in cash after its sale by card",
    steps: [
      ["order", { ...delivered, prePaymentSum: 200 }],
      ["put", { payments: [card(200), cash(301)] }],
    ],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 electronic, 200.00 prepaid"],
    findings: ["reported as 301.00 in cash and 200.00 electronic, and its receipts take 501.00 electronic"],
    isWarned: true,
  },
  {
    title: "a prepayment that the shop names in cash after its receipt by card",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 200 }],
      ["put", { payments: [cash(200)] }],
    ],
    receipts: ["sale: 200.00 electronic"],
    findings: ["reported as 200.00 in cash, and its receipts take"],
    isWarned: true,
  },
  {
    title: "a part in cash that the shop names of an order by card",
    steps: [["order", { ...delivered, payments: [cash(301)] }]],
    receipts: ["sale: 301.00 cash, 200.00 electronic"],
    findings: [],
  },
  {
    title: "cash that the shop names of an order by card",
    steps: [["order", { ...delivered, payments: [cash(501)] }]],
    receipts: [sold],
    findings: [],
  },
  {
    title: "a payment by card that the shop names of a sale that its courier took in cash",
    steps: [...paidInCash, ["put", { payments: [card(501)] }]],
    receipts: [sold],
    findings: ["reported as 501.00 in cash and 501.00 electronic, and its receipts take 501.00 in cash"],
    isWarned: true,
  },
  {
    title: "cash that a courier gives back of a sale whose return gave it back too",
    steps: [
      ...paidInCash,
      ["bring back", { payments: [payment("back", CASH, 501)] }],
      ["pay", payment("again", CASH, -501)],
    ],
    receipts: [sold, back],
    findings: ["Couriers gave back 501.00 of the printed sale, and no receipt says so"],
    isWarned: true,
  },
  {
    title: "cash that a courier gives back of a sale that came back whole",
    steps: [...paidInCash, ["put", { deliveryStatusId: 6 }], ["pay", payment("back", CASH, -501)]],
    receipts: [sold, back],
    findings: [],
    isWarned: false,
  },
  {
    title: "a prepayment that the shop sets after its courier took the whole in cash",
    steps: [["order"], ["pay", cash(501)], ["put", { prePaymentSum: 200 }], ["arrive"]],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
    findings: ["reported as 501.00 in cash, and its receipts take 301.00 in cash and 200.00 electronic"],
  },
  {
    title: "a packet that is cancelled of an order whose money the shop names",
    steps: [["order", { statusId: 1, payments: [card(501)] }], ["cancel"], ["arrive"]],
    receipts: ["sale: 250.50 electronic"],
    findings: ["reported as 501.00 electronic, and its receipts take 250.50 electronic"],
  },
  {
    title: "a packet that the shop takes from an order whose money it names",
    steps: [["order", { statusId: 1, payments: [card(501)] }], ["put", { goods: [tea(1)] }], ["arrive"]],
    receipts: ["sale: 250.50 electronic"],
    findings: ["reported as 501.00 electronic, and its receipts take 250.50 electronic"],
  },
  {
    title: "cash above the cost, which is change",
    steps: [["order"], ["pay", cash(600)], ["arrive"]],
    receipts: [sold],
    findings: [],
  },
  {
    title: "cash and card above the cost, of which the cash is change",
    steps: [["order"], ["pay", card(300), cash(300)], ["arrive"]],
    receipts: ["sale: 201.00 cash, 300.00 electronic"],
    findings: [],
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

  test.each(rows)("$title", async ({ steps, receipts, findings, isWarned }) => {
    const printed: string[] = [];
    const ofRefund = { orderId: "R", isRefund: true };
    const print = async () => {
      for (let next = await money.till.printNext(); next !== null; next = await money.till.printNext())
        printed.push(textOf(sale(next)));
    };
    const words: Readonly<Record<string, (given: object, more: readonly object[]) => Promise<unknown>>> = {
      order: (changes) => talk.create({ deliveryStatusId: 2, ...changes }),
      put: (change) => talk.put(change),
      pay: (one, more) => talk.pay(one, ...more),
      arrive: () => talk.arrive(3),
      cancel: () => talk.cancel(1),
      delete: () => talk.taken(money.shop.delete("/orders", { orderId: 1042 })),
      refund: (changes) => talk.refund(refundOrder(2, { returnedOrderId: 1042, ...changes })),
      "put refund": (change) => talk.put(change, { orderId: "R", isRefund: 1 }),
      "pay refund": (one) => talk.taken(talk.report("payments", { ...ofRefund, payments: [one] })),
      "refund status": (change) => talk.taken(talk.report("status", { ...ofRefund, ...change })),
      "delete refund": () => talk.taken(money.shop.delete("/orders", { orderId: "R", isRefund: 1 })),
      "bring back": (more) => talk.taken(talk.report("returns", { goods: [{ goodId: 501, count: 2 }], ...more })),
    };
    let answer: unknown;
    for (const [word, given = {}, ...more] of steps) {
      answer = await words[word]?.(given, more);
      await print();
    }
    expect(printed).toEqual(receipts);
    expect((await talk.account()).findings).toEqual(findings.map((text) => expect.stringContaining(text)));
    const warnings = [answer].flat().flatMap((one) => (one as { warnings?: { message: string }[] })?.warnings ?? []);
    const said = warnings.filter(({ message }) =>
      /receipts? (?:take|has)|took nothing|give back|contradict/.test(message),
    );
    if (isWarned !== undefined) expect(said.length > 0).toBe(isWarned);
  });
});
