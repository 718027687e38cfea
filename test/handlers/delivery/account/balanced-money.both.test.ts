/** Couriers and the shop report the money as the receipts take it and give it back. */
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

const later = (one: object) => ({ ...one, paidIn: "2026-11-20 15:00:00" });
const late = later(card(0.01, "cash 501"));
const givenInCash = [
  ...[["order", { statusId: 1 }] as const, arrive],
  ...[["put", { deliveryStatusId: 6 }] as const, ["pay", cash(-501)] as const],
] as const;
const givenByMistake = [["order", { statusId: 1 }], arrive, ["pay", card(-501)]] as const;

const silent: readonly ReportedRow[] = [
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
    title: "a planned payment by card that the shop renames after the courier was paid in cash",
    steps: [
      ["order", { payments: [card(501, "plan")] }],
      ["pay", cash(501)],
      arrive,
      ["put", { payments: [card(501)] }],
    ],
    receipts: [soldInCash],
  },
  {
    title: "a planned payment by card whose time the shop fills in after the courier was paid in cash",
    steps: [
      ["order", { payments: [card(501)] }],
      ["pay", cash(501)],
      arrive,
      ["put", { payments: [later(card(501))] }],
    ],
    receipts: [soldInCash],
  },
  {
    title: "a prepayment of one half that the shop names after the receipt, and a rest in cash at the door",
    steps: [
      ["order", { ...paid, prePaymentSum: 250.5 }],
      ["put", { payments: [card(250.5)] }],
      ["pay", cash(250.5)],
      arrive,
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 cash, 250.50 prepaid"],
  },
  {
    title: "a prepayment of one half and a rest in cash that the shop names after the receipts, the rest first",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 250.5, payments: [card(250.5), cash(250.5)] }],
      ["put", { paymentId: 2 }],
      arrive,
      ["put", { payments: [cash(250.5), card(250.5)] }],
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 cash, 250.50 prepaid"],
  },
  {
    title: "a rest of one half in cash that the shop names alone, after its courier took it and the order is sold",
    steps: [
      ...[["order", { ...paid, prePaymentSum: 250.5 }] as const, ["pay", cash(250.5)] as const],
      ...[arrive, ["put", { payments: [cash(250.5, "named")] }] as const],
    ],
    receipts: ["sale: 250.50 electronic", "sale: 250.50 cash, 250.50 prepaid"],
  },
  {
    title: "cash that a courier takes by mistake of an order that a certificate has paid online, and gives back",
    steps: [...byCertificate, ["pay", cash(50)], ["pay", cash(-50)]],
    receipts: ["sale: 501.00 prepaid"],
  },
  {
    title: "a rest by certificate beside a prepayment of 200, which the shop lowered from 400 before it was printed",
    steps: [
      byCertificate[0],
      ["order without print", { ...paid, prePaymentSum: 400 }],
      ...[["put", { prePaymentSum: 200 }] as const, ["pay", payment("rest", "9", 301)] as const, arrive],
    ],
    receipts: ["sale: 200.00 electronic", "sale: 501.00 prepaid"],
  },
  {
    title: "a return that nobody reports, and one whose cash goes back in part by it and in part of the sale",
    steps: [...paidInCash, bringOneBack(), bringOneBack(cash(100, "back")), ["pay", cash(-150.5)]],
    receipts: [soldInCash, "return: 250.50 cash", "return: 250.50 cash"],
  },
  { title: "cash with change", steps: [["order"], ["pay", cash(600)], arrive], receipts: [soldInCash] },
  {
    title: "an order that is delivered in part and paid for",
    steps: [["order"], ["cancel"], ["pay", cash(250.5)], ["put", { deliveryStatusId: 4 }]],
    receipts: ["sale: 250.50 cash"],
  },
  {
    title: "an order that is delivered in part and that the shop sets to paid afterwards",
    steps: [["order"], ["cancel"], ["put", { deliveryStatusId: 4 }], ["put", { statusId: 1 }]],
    receipts: ["sale: 250.50 electronic"],
  },
  {
    title: "an order set to paid that is delivered in part and paid for at the door",
    steps: [["order", { statusId: 1 }], ["cancel"], ["pay", cash(250.5)], ["put", { deliveryStatusId: 4 }]],
    receipts: ["sale: 250.50 cash"],
  },
  {
    title: "a part of a paid order that the courier cancels and whose money the shop has given back",
    steps: [...paidInPart, ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a part of a paid order that the courier cancels and whose money he gives back",
    steps: [...paidInPart, ["pay", cash(-250.5)]],
    receipts: [soldInPart],
  },
  {
    title: "a cancelled part of a paid order whose money goes back before the shop edits the order to what is sold",
    steps: [...paidInPart, ["pay", card(-250.5)], ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a cancelled part of a paid order whose money goes back after the shop edits the order to what is sold",
    steps: [...paidInPart, ...soldPart, ["pay", card(-250.5)]],
    receipts: [soldInPart],
  },
  {
    title: "a cancelled part of a paid order whose money goes back while the shop sends the sold goods each night",
    steps: [...paidInPart, ...soldPart, ...soldPart, ["pay", card(-250.5)], ...soldPart, ...soldPart],
    receipts: [soldInPart],
  },
  {
    title: "a cancelled part of a paid order of an odd sum, for which all money but the sale's goes back",
    steps: [
      ["order", { statusId: 1, goods: [{ ...tea(2), price: 250.505, total: 501.01 }] }],
      ["cancel"],
      ["put", { deliveryStatusId: 4 }],
      ["pay", cash(-250.5)],
    ],
    receipts: ["sale: 250.51 electronic"],
  },
  {
    title: "a rest of 0.00 beside a prepayment, after the courier has given back the money of the cancelled part",
    steps: [
      ["order", { ...paid, prePaymentSum: 501, payments: [card(501)] }],
      ["cancel"],
      ["put", { deliveryStatusId: 4 }],
      ["pay", card(-250.5)],
    ],
    receipts: [soldByCard, "sale: 250.50 prepaid", "return: 250.50 electronic"],
  },
  {
    title: "a payment in two forms at the door",
    steps: [["order"], ["pay", cash(301), card(200)], arrive],
    receipts: ["sale: 301.00 cash, 200.00 electronic"],
  },
  {
    title: "a courier's return in the form of its sale",
    steps: [...paidInCash, ["bring back", { payments: [cash(501, "back")] }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a courier's return whose money he reports at the sale, not at the refund order",
    steps: [...paidInCash, ["bring back", { payments: [] }], ["pay", cash(-501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a return by card of a sale, given back in cash by mistake, which its courier gets back and pays by card",
    steps: [...givenInCash, ["pay", cash(501, "again"), card(-501)]],
    receipts: [soldByCard, backByCard],
  },
  {
    title: "a cancelled part of a paid order that is given back in cash, and the rest that comes back by card",
    steps: [...paidInPart, ["pay", cash(-250.5)], ["put", { deliveryStatusId: 6 }], ["pay", card(-250.5)]],
    receipts: [soldInPart, "return: 250.50 electronic"],
  },
  {
    title: "a refund order whose money a courier gives back by it in two parts",
    steps: [...paidInCash, refund({}), ["pay refund", cash(100, "back")], ["pay refund", cash(401, "rest")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order whose money a courier gives back in part by it and in part of the sale",
    steps: [...paidInCash, refund({}), ["pay refund", cash(100, "back")], ["pay", cash(-401)]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a sale that was prepaid by card, of which a courier brings all back and gives back what he took in cash",
    steps: [
      ["order", { ...paid, prePaymentSum: 200, payments: [card(200)] }],
      ["pay", cash(301)],
      ...[arrive, ["bring back", { payments: [cash(301, "back")] }] as const],
    ],
    receipts: [
      ...["sale: 200.00 electronic", "sale: 301.00 cash, 200.00 prepaid"],
      "return: 301.00 cash, 200.00 electronic",
    ],
  },
  {
    title: "a refund order that names its payment, which the courier reports at the sale",
    steps: [...paidInCash, refund({ payments: [cash(501, "R-1")] }), ["pay", cash(-501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that finds its sale by a payment of 0.01",
    steps: [...paidInCash, refund({ payments: [card(0.01, "cash 501")] }), ["pay refund", cash(501, "back")]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that finds its sale by a payment of 0.01, whose time the shop fills in after the return",
    steps: [...paidInCash, refund({ payments: [card(0.01, "cash 501")] }), ["put refund", { payments: [late] }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order whose payment the shop completes after a courier has reported the money at the sale",
    steps: [
      ...paidInCash,
      refund({ payments: [cash(501, "R-1")] }),
      ["pay", cash(-501, "back")],
      ["put refund", { payments: [{ ...cash(501, "R-1"), rrn: "632814000001" }] }],
    ],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "an unpaid refund order by which a courier gave back all money, before status 6 returns the sale",
    steps: [...paidInCash, refund({ statusId: 0 }), ["pay refund", cash(501, "b")], ["put", { deliveryStatusId: 6 }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "a refund order that is paid later",
    steps: [paidOnline, refund({ statusId: 0, payments: [card(501, "R-1")] })],
    receipts: [soldByCard],
  },
  {
    title: "a refund order whose money a courier has given back and that the shop sets to paid later",
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
    title: "an order that is sent again, and changed with others by multipleUpdate",
    steps: [paidOnline, ["put many"], ["put many"], ["put", { payments: [card(501, "bank")], paymentId: 1 }]],
    receipts: [soldByCard],
  },
  {
    title: "a payment that the shop has renamed after the receipt and that the courier reports in the same form",
    steps: [paidOnline, ["put", { payments: [card(501, "renamed")] }], ["pay", card(501, "bank")]],
    receipts: [soldByCard],
  },
  {
    title: "a sale and its refund order that an older version has stored",
    steps: [...paidInCash, refund({ payments: [cash(501)] }), ["store as before"], ["put", { cash: 1 }]],
    receipts: [soldInCash, backInCash],
  },
  {
    title: "money of a sale by card that its courier gives back by mistake and gets back",
    steps: [...givenByMistake, ["pay", card(501)]],
    receipts: [soldByCard],
  },
  {
    title: "money of a sale by card that its courier gives back by mistake and gets back in two payments",
    steps: [...givenByMistake, ["pay", card(500)], ["pay", card(1)]],
    receipts: [soldByCard],
  },
  {
    title: "a cancelled part of a paid order whose money the courier gives back twice and gets back once",
    steps: [...paidInPart, ["pay", card(-250.5, "back")], ["pay", card(-250.5, "again")], ["pay", card(250.5)]],
    receipts: [soldInPart],
  },
  {
    title: "an unpaid refund order by which a courier gave back a prepayment, before status 6 returns the prepayment",
    steps: [
      ["order", { statusId: 1, prePaymentSum: 501, payments: [card(501)] }],
      refund({ statusId: 0 }),
      ["pay refund", card(501, "back")],
      ["put", { deliveryStatusId: 6 }],
    ],
    receipts: [soldByCard, backByCard],
  },
  {
    title: "a cancelled part of a paid order that the shop sets to unpaid and, at the delivery, to paid again",
    steps: [
      ...[["order", { statusId: 1 }] as const, ["cancel"] as const],
      ["put", { statusId: 0 }],
      ["put", { statusId: 1, deliveryStatusId: 4 }],
    ],
    receipts: [soldInPart],
  },
];

describeOnBothStores("reported money that fits the receipts", (newDatabase) => {
  const happen = useReported(newDatabase);

  test.each(silent)("$title gives no finding", async (row) => {
    expect(await happen(row)).toEqual({ printed: row.receipts, findings: [] });
  });
});
