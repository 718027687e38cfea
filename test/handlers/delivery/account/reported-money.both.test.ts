/** Couriers and the shop report the money otherwise than the receipts take it and give it back. */
import { paid, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores } from "../use-world.js";
import {
  arrive,
  backByCard,
  backInCash,
  bringOneBack,
  byCertificate,
  card,
  cash,
  paidInCash,
  paidInPart,
  paidOnline,
  type ReportedRow,
  refund,
  soldByCard,
  soldInCash,
  soldInPart,
  soldPart,
  useReported,
} from "./reported-money.js";
import { payment } from "./shop-talk.js";

const canceled = (sum: number, left: number) =>
  `Its courier cancelled ${sum.toFixed(2)} of it after it was called paid, and ${left.toFixed(2)} of that are not`;
const paidInThree = [["order", { statusId: 1, goods: [tea(3)], amountToPay: 751.5 }]] as const;
const givenByMistake = [["order", { statusId: 1 }], arrive, ["pay", card(-501)]] as const;

const told: readonly ReportedRow[] = [
  {
    title: "cash that a courier gives back by a refund order that is not paid",
    steps: [...paidInCash, refund({ statusId: 0 }), ["pay refund", cash(501, "back")]],
    receipts: [soldInCash],
    findings: ["Refund order R is not paid, and couriers gave back 501.00 in cash by it: set its statusId to 1"],
  },
  {
    title: "cash that a courier gives back of a sale by card that came back with status 6",
    steps: [["order", { statusId: 1 }], arrive, ["put", { deliveryStatusId: 6 }], ["pay", cash(-501)]],
    receipts: [soldByCard, backByCard],
    findings: ["Couriers gave back 501.00 in cash of order 1042 beyond what its returns have in that form: compare"],
  },
  {
    title: "cash that a courier gives back of a sale by card, before it comes back with status 6",
    steps: [["order", { statusId: 1 }], arrive, ["pay", cash(-501)], ["put", { deliveryStatusId: 6 }]],
    receipts: [soldByCard, backByCard],
    findings: ["Couriers gave back 501.00 in cash of order 1042 beyond what its returns have in that form: compare"],
  },
  {
    title: "money by card that a courier gives back of a part of a sale in cash that he brings back",
    steps: [...paidInCash, ...[bringOneBack(), ["pay", card(-250.5)] as const]],
    receipts: [soldInCash, "return: 250.50 cash"],
    findings: ["Couriers gave back 250.50 electronic of order 1042 beyond what its returns have in that form: compare"],
  },
  {
    title: "less cash than a return's receipt has, by a courier who brings the sale back",
    steps: [...paidInCash, ["bring back", { payments: [cash(100, "back")] }]],
    receipts: [soldInCash, backInCash],
    findings: ["refund order 1042 gives back 100.00 in cash, and its receipt has 501.00 in cash: compare them"],
  },
  {
    title: "a prepayment by card of an order whose rest is in cash, which is printed in cash as its type says",
    steps: [
      ["order", { statusId: 1, paymentId: 2, prePaymentSum: 200, payments: [card(200)] }],
      ...[["pay", cash(301)] as const, arrive],
    ],
    receipts: ["sale: 200.00 cash", "sale: 301.00 cash, 200.00 prepaid"],
    findings: ["The prepayment's receipt has 200.00 in cash, and the order's payments report 200.00 electronic"],
  },
  {
    title: "a prepayment by card of one half of an order whose rest is in cash, which is printed in cash",
    steps: [
      ["order", { statusId: 1, paymentId: 2, prePaymentSum: 250.5, payments: [card(250.5)] }],
      ...[["pay", cash(250.5)] as const, arrive],
    ],
    receipts: ["sale: 250.50 cash", "sale: 250.50 cash, 250.50 prepaid"],
    findings: ["The prepayment's receipt has 250.50 in cash, and the order's payments report 250.50 electronic"],
  },
  {
    title: "a prepayment of one half of an internet order that the shop names in cash, before the order is sold",
    steps: [["order", { ...paid, prePaymentSum: 250.5, payments: [cash(250.5)] }]],
    receipts: ["sale: 250.50 electronic"],
    findings: ["The prepayment's receipt has 250.50 electronic, and the order's payments report 250.50 in cash"],
  },
  {
    title: "a prepayment of one half by card and a rest in cash that the shop names after the rest's receipt by card",
    steps: [
      ["order", { ...paid, prePaymentSum: 250.5, payments: [card(250.5)] }],
      arrive,
      ["put", { payments: [card(250.5), cash(250.5)] }],
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 electronic, 250.50 prepaid"],
    findings: ["The receipt has 250.50 electronic, and the order's payments report 250.50 in cash"],
  },
  {
    title: "cash that a courier takes of an order that a certificate has paid online",
    steps: [...byCertificate, ["pay", cash(50)]],
    receipts: ["sale: 501.00 prepaid"],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "cash beside a prepayment that a courier gives back of the printed sale",
    steps: [
      ["order", { ...paid, prePaymentSum: 200, payments: [card(200)] }],
      ...[["pay", cash(301)] as const, arrive, ["pay", cash(-301)] as const],
    ],
    receipts: ["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
    findings: [
      "its status alone calls the other 301.00 paid",
      "Couriers gave back 301.00 of the printed sale, not by a refund order, beyond what its returns say",
    ],
  },
  {
    title: "less cash than a return has, beside a return of the same sale whose cash is given back by the sale",
    steps: [...paidInCash, bringOneBack(), bringOneBack(cash(100, "back")), ["pay", cash(-250.5)]],
    receipts: [soldInCash, "return: 250.50 cash", "return: 250.50 cash"],
    findings: ["refund order 1042-2 gives back 100.00 in cash, and its receipt has 250.50 in cash: compare them"],
  },
  {
    title: "cash that a courier takes for an order that a prepayment by card pays as a whole",
    steps: [["order", { ...paid, prePaymentSum: 501, payments: [card(501)] }], ["pay", cash(501)], arrive],
    receipts: [soldByCard, "sale: 501.00 prepaid"],
    findings: ["Couriers have 501.00 in cash, and the sale takes 0.00 of it beside a prepayment of 501.00 electronic"],
  },
  {
    title: "cash that a courier takes for a sale whose receipt has the card payment that the shop named",
    steps: [paidOnline, ["pay", cash(501)]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "money that a courier gives back in two forms by a refund order whose return has one form",
    steps: [paidOnline, refund({}), ["pay refund", cash(250), card(251)]],
    receipts: [soldByCard, backByCard],
    findings: [
      "refund order R gives back 250.00 in cash and 251.00 electronic, and its receipt has 501.00 electronic: compare",
    ],
  },
  {
    title: "another form that a refund order names, and that its sale names but took nothing in",
    steps: [
      ["order", { payments: [card(501, "bank")] }],
      ["pay", cash(501)],
      arrive,
      refund({ payments: [card(501)] }),
    ],
    receipts: [soldInCash, backInCash],
    findings: ["refund order R gives back 501.00 electronic, and its receipt has 501.00 in cash: compare them"],
  },
  {
    title: "a refund order in cash of a sale that took less in cash",
    steps: [["order"], ["pay", cash(301), card(200)], arrive, refund({ payments: [cash(501)] })],
    receipts: ["sale: 301.00 cash, 200.00 electronic", "return: 301.00 cash, 200.00 electronic"],
    findings: ["gives back 501.00 in cash, and its receipt has 301.00 in cash and 200.00 electronic: compare them"],
  },
  {
    title: "another form that a refund order names in the same sum after its return is printed",
    steps: [paidOnline, refund({}), ["put refund", { payments: [cash(501)] }]],
    receipts: [soldByCard, backByCard],
    findings: ["refund order R gives back 501.00 in cash, and its receipt has 501.00 electronic: compare them"],
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
    title: "another form of payment of a printed sale, named by the shop and reported by the courier,",
    steps: [paidOnline, ["put", { payments: [cash(501, "named")] }], ["pay", cash(501)]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "another form of payment of a printed sale, named by the shop alone,",
    steps: [paidOnline, ["put", { payments: [cash(501, "named")] }]],
    receipts: [soldByCard],
    findings: ["The receipt has 501.00 electronic, and the order's payments report 501.00 in cash"],
  },
  {
    title: "more money than is sold, by a payment type without a closeTypeId,",
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
    title: "cash that a courier reports as a payment that the shop first named by card and then renamed",
    steps: [paidOnline, ["put", { payments: [card(501, "renamed")] }], ["pay", cash(501, "bank")]],
    receipts: [soldByCard],
    findings: ["The sale receipt of 501.00 that is printed of order 1042 says otherwise"],
  },
  {
    title: "an edit of the payment type of an order that is printed as paid online",
    steps: [paidOnline, ["refused put", { paymentId: 2 }]],
    receipts: [soldByCard],
  },
  {
    title: "cash that a courier gives back by a return, and once more at the sale,",
    steps: [...paidInCash, ["bring back", { payments: [cash(501, "back")] }], ["pay", cash(-501, "again")]],
    receipts: [soldInCash, backInCash],
    findings: ["Couriers gave back 501.00 of the printed sale, not by a refund order, beyond what its returns say"],
  },
  {
    title: "a part of a paid order that the courier cancels without giving back its money",
    steps: [...paidInPart],
    receipts: [soldInPart],
    findings: [canceled(250.5, 250.5)],
  },
  {
    title: "all positions of a paid order that the courier cancels without giving back their money",
    steps: [["order", { statusId: 1 }], ["cancel"], ["cancel"], ["put", { deliveryStatusId: 4 }]],
    receipts: [],
    findings: [canceled(501, 501)],
  },
  {
    title: "a part of a paid order that the courier cancels and whose money he gives back only in part",
    steps: [...paidInPart, ["pay", cash(-100, "back")]],
    receipts: [soldInPart],
    findings: [canceled(250.5, 150.5)],
  },
  {
    title: "money of a printed sale that the courier gives back beyond what the cancelled part cost",
    steps: [...paidInPart, ...soldPart, ["pay", cash(-250.5, "back")], ["pay", cash(-250.5, "again")]],
    receipts: [soldInPart],
    findings: ["Couriers gave back 250.50 of the printed sale, not by a refund order, beyond what its returns say"],
  },
  {
    title: "a part of an order paid online that the courier cancels before the receipt is printed",
    steps: [["order without print", paidOnline[1]], ["cancel"], arrive],
    receipts: ["sale: 250.50 electronic"],
    findings: [canceled(250.5, 250.5)],
  },
  {
    title: "a second cancelled part of a paid order, after the shop gave back the first part and edited the order,",
    steps: [...paidInThree, ["cancel"], ["put", { goods: [tea(2)] }], ["cancel"], ["put", { deliveryStatusId: 4 }]],
    receipts: [soldInPart],
    findings: [canceled(250.5, 250.5)],
  },
  {
    title:
      "a second cancelled part of a paid order, after the courier gave back the first and the shop edited the order,",
    steps: [
      ...[...paidInThree, ["cancel"] as const, ["pay", cash(-250.5)] as const],
      ...[["put", { goods: [tea(2)] }] as const, ["cancel"] as const, ["put", { deliveryStatusId: 4 }] as const],
    ],
    receipts: [soldInPart],
    findings: [canceled(501, 250.5)],
  },
  {
    title: "money of a sale by card that the courier gives back by mistake and gets back only in part",
    steps: [...givenByMistake, ["pay", card(500)]],
    receipts: [soldByCard],
    findings: ["Couriers gave back 1.00 of the printed sale, not by a refund order, beyond what its returns say"],
  },
];

describeOnBothStores("reported money that differs from the receipts", (newDatabase) => {
  const happen = useReported(newDatabase);

  test.each(told)("$title is refused or gives a finding", async (row) => {
    const findings = (row.findings ?? []).map((text) => expect.stringContaining(text));
    expect(await happen(row)).toEqual({ printed: row.receipts, findings });
  });
});
