/** Tests of the model's own check: it finds lines and forms of payment that a return changes. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type MoneyFacts, wrongOf } from "./money-check.js";
import type { Told } from "./money-told.js";
import type { CourierDocument, MoneyDocument } from "./money-truth.js";

function line(name: string, tax: number, total: number, method = 4): ItemLine {
  return makeItem({ name, tax, price: kopecks(total), method });
}

function receipt(operation: "sale" | "return", lines: readonly ItemLine[], typeClose = 1): SaleReceipt {
  const sum = kopecks(lines.reduce((sum, { total }) => sum + total, 0));
  return makeReceipt({ orderId: toOrderId("1"), operation, lines, payments: [{ typeClose, sum }] });
}

const byUs = (printed: readonly SaleReceipt[], from = 1) =>
  printed.map((one, index): MoneyDocument => ({ by: "us", receipt: one, handedOutAt: from + index, at: from + index }));

const paidOrder: MoneyFacts["order"] = {
  orderId: 1,
  statusId: 1,
  isCovered: false,
  collected: 0,
  mostCash: 0,
  hasGivenBack: false,
  named: null,
  cancellations: { paid: 0, other: 0 },
  prepaid: 0,
  printsPrepayment: true,
  isInternetPayment: 0,
  deliveryStatusId: 2,
  isDeleted: false,
  goods: [{ total: 5, discountTotal: 0, count: 2 }],
};
const ofSale = (telling: Told["telling"]): Told => ({ telling, orderId: "1" });

function wrongOfDocuments(documents: readonly MoneyDocument[], changes: Partial<MoneyFacts> = {}): readonly string[] {
  return wrongOf({
    documents,
    order: paidOrder,
    said: changes.order ?? paidOrder,
    receiptStatuses: new Map(),
    refunds: [],
    wasReturned: true,
    isLate: true,
    mayBeSold: () => true,
    told: [],
    ...changes,
  });
}

const wrongWith = (...printed: readonly SaleReceipt[]) => wrongOfDocuments(byUs(printed));

const given = [line("A", 21, 300), line("B", 22, 200)];

test("the check finds nothing wrong in a return of exactly the sold lines", () => {
  expect(wrongWith(receipt("sale", given), receipt("return", given))).toEqual([]);
});

test.each([
  ["another share of the lines", [line("A", 21, 320), line("B", 22, 180)], 1],
  ["another tax", [line("A", 21, 300), line("B", 21, 200)], 1],
  ["another name", [line("C", 21, 300), line("B", 22, 200)], 1],
  ["another payment form", given, 0],
  ["more than was sold", [...given, line("A", 21, 1)], 1],
])("the check finds a return with %s wrong", (_what, lines, typeClose) => {
  expect(wrongWith(receipt("sale", given), receipt("return", lines, typeClose))).not.toEqual([]);
});

test("cash on a receipt is wrong when no courier took it and its shop did not name it", () => {
  const inCash = byUs([receipt("sale", given, 0)]);
  const wrongBelow = (mostCash: number) => wrongOfDocuments(inCash, { order: { ...paidOrder, mostCash } });
  expect(wrongBelow(500)).toEqual([]);
  expect(wrongBelow(499)).toEqual(["500 sold in cash, of at most 499"]);
});

test("money that couriers gave back beyond all returns is wrong when it is not told, and so is its alert without such money", () => {
  const wrongAfter = (collected: number, hasGivenBack: boolean, told: readonly Told[]) =>
    wrongOfDocuments(byUs([receipt("sale", given), receipt("return", given)]), {
      order: { ...paidOrder, collected, hasGivenBack },
      isLate: false,
      told,
    });
  const told = [ofSale("given back without a return")];
  expect(wrongAfter(-501, true, told)).toEqual([]);
  expect(wrongAfter(-500, true, [])).toEqual([]);
  expect(wrongAfter(-501, true, [])).toEqual(["1 given back beyond all returns"]);
  expect(wrongAfter(0, false, told)).toEqual(["told for nothing: given back"]);
});

test("a prepayment that its shop names in cash and whose receipt is electronic is wrong when it is not told", () => {
  const prepayment = [line("A", 21, 300, 2)];
  const wrongOfNamed = (isInCash: boolean, told: readonly Told[] = [], back: readonly SaleReceipt[] = []) =>
    wrongOfDocuments(byUs([receipt("sale", prepayment), ...back]), {
      order: { ...paidOrder, prepaid: 300, named: { sum: 300, isInCash } },
      wasReturned: false,
      isLate: false,
      told,
    });
  const silent = "the prepayment is named in another form";
  expect(wrongOfNamed(false)).not.toContain(silent);
  expect(wrongOfNamed(true)).toContain(silent);
  expect(wrongOfNamed(true, [ofSale("paid in another form")])).not.toContain(silent);
  expect(wrongOfNamed(true, [], [receipt("return", prepayment)])).not.toContain(silent);
});

test("a sale of an order that is not paid is wrong unless all of it, or even more, was returned", () => {
  const wrongAfter = (...back: readonly SaleReceipt[]) =>
    wrongOfDocuments(byUs([receipt("sale", given), ...back]), { order: { ...paidOrder, statusId: 0 } });
  const unpaid = "an unpaid order is sold";
  expect(wrongAfter()).toContain(unpaid);
  expect(wrongAfter(receipt("return", given.slice(1)))).toContain(unpaid);
  expect(wrongAfter(receipt("return", given))).not.toContain(unpaid);
  expect(wrongAfter(receipt("return", given), receipt("return", given.slice(1)))).not.toContain(unpaid);
});

test("a refund that names cash is wrong when its return is printed in another form", () => {
  const dear = [line("A", 21, 30_000)];
  const back = (typeClose: number) => ({ ...receipt("return", dear, typeClose), orderId: toOrderId("1-r1") });
  const refunds = [{ orderId: "1-r1", isInCash: true, goods: [{ total: 300, discountTotal: 0, count: 1 }] }];
  const order = { ...paidOrder, goods: [{ total: 300, discountTotal: 0, count: 1 }] };
  const told = [ofSale("other form")];
  const wrongIn = (typeClose: number) =>
    wrongOfDocuments(byUs([receipt("sale", dear), back(typeClose)]), { order, refunds, told });
  expect(wrongIn(0)).toEqual([]);
  expect(wrongIn(1)).toEqual(["refund 1-r1 in cash is printed in another form"]);
});

test("the check finds a return of a partly returned prepayment wrong when it is spread over all lines", () => {
  const prepaid = [line("A", 21, 300, 1), line("B", 22, 200, 1)];
  const rest = (...lines: readonly ItemLine[]) =>
    wrongOfDocuments(
      byUs([receipt("sale", prepaid), receipt("return", prepaid.slice(0, 1)), receipt("return", lines)]),
      { order: { ...paidOrder, prepaid: 500 } },
    );
  expect(rest(line("B", 22, 200, 1))).toEqual([]);
  expect(rest(line("A", 21, 120, 1), line("B", 22, 80, 1))).not.toEqual([]);
});

describe("documents of the courier's own register", () => {
  const prepaid = [line("A", 21, 300, 1), line("B", 22, 200, 1)];
  const own = (operation: "sale" | "return", changes: Partial<CourierDocument> = {}): CourierDocument => ({
    by: "courier",
    operation,
    orderId: "1",
    refundId: null,
    sum: operation === "sale" ? 500 : null,
    at: 9,
    ...changes,
  });

  test("the check finds two documents of one sale wrong, whoever printed them, unless a person was alerted", () => {
    const twice = [...byUs([receipt("sale", given)]), own("sale")];
    expect(wrongOfDocuments([own("sale"), own("sale", { at: 10 })])).toEqual(["2 sales"]);
    expect(wrongOfDocuments(twice)).toEqual(["2 sales"]);
    expect(wrongOfDocuments(twice, { told: [ofSale("sale")] })).toEqual(["2 sales"]);
    expect(wrongOfDocuments(twice, { told: [ofSale("sale twice")] })).toEqual([]);
  });

  test("the check finds money wrong that both a courier's register and the till's register gave back", () => {
    const sold = byUs([receipt("sale", given)]);
    const share = own("return", { refundId: "1-r1", sum: 300 });
    const rest = byUs([receipt("return", given.slice(1))], 20);
    expect(wrongOfDocuments([...sold, share, ...rest])).toEqual([]);
    expect(wrongOfDocuments([...sold, share, ...byUs([receipt("return", given)], 20)])).toEqual([
      "800 of 500 sold is back",
    ]);
    expect(wrongOfDocuments([...sold, own("return"), ...rest])).toEqual(["700 of 500 sold is back"]);
    const told = [ofSale("assumed share")];
    expect(wrongOfDocuments([...sold, own("return"), ...rest], { told })).toEqual([]);
  });

  test("the check finds a prepayment wrong that the till's register returns after a courier's register returned or settled it", () => {
    const taken = byUs([receipt("sale", prepaid)]);
    const back = byUs([receipt("return", prepaid)], 20);
    const whole = { order: { ...paidOrder, prepaid: 500 } };
    expect(wrongOfDocuments([...taken, own("return"), ...back], whole)).toEqual(["-500 left of the prepayment"]);
    expect(wrongOfDocuments([...taken, own("sale"), ...back], whole)).toEqual(["-500 left of the prepayment"]);
    const goods = [{ total: 3, discountTotal: 0, count: 1 }];
    const order = { ...paidOrder, deliveryStatusId: 4, prepaid: 500, goods };
    const rest = byUs([receipt("return", prepaid.slice(1))], 20);
    expect(wrongOfDocuments([...taken, own("sale", { sum: 300 }), ...rest], { order })).toEqual([]);
    // Sums that were returned before are no part of that sale.
    expect(wrongOfDocuments([...taken, ...byUs([receipt("return", prepaid)], 5), own("sale")], whole)).toEqual([]);
  });
});

test("the check finds a sale wrong at a rate that nobody set, and a sale that is not paid exactly", () => {
  const mayBeSold = ({ tax }: ItemLine) => tax === 21;
  expect(wrongOfDocuments(byUs([receipt("sale", given)]), { mayBeSold })).toEqual([
    "nobody said B of type 1 at rate 22",
  ]);
  const unpaid = { ...receipt("sale", given), payments: [{ typeClose: 1, sum: kopecks(499) }] };
  expect(wrongWith(unpaid)).toEqual(["499 paid of 500"]);
});

test("a report of rates excuses the lines at those rates, but no wrong sum", () => {
  const sold = receipt("sale", [line("tea", 1, 300), line("bread", 2, 200)]);
  const back = receipt("return", [line("tea", 1, 200), line("bread", 2, 300)]);
  const told = (telling: Told["telling"]) => ({ told: [ofSale(telling)] });
  expect(wrongOfDocuments(byUs([sold, back]), told("rates of the sale"))).toEqual([]);
  expect(wrongOfDocuments(byUs([sold, back]), told("rates of the prepayment"))).not.toEqual([]);
  const beyond = byUs([sold, receipt("return", [line("tea", 1, 300), line("bread", 2, 201)])]);
  expect(wrongOfDocuments(beyond, told("rates of the sale"))).toContain("501 of 500 sold is back");
});

test("an alert excuses no wrong document if every result came in time", () => {
  const sold = byUs([receipt("sale", given), receipt("return", given), receipt("return", given)]);
  const told = [ofSale("sale")];
  expect(wrongOfDocuments(sold, { told })).toEqual([]);
  expect(wrongOfDocuments(sold, { told, isLate: false })).toContain("1000 of 500 sold is back");
});

describe("missing documents and alerts", () => {
  const delivered = { ...paidOrder, deliveryStatusId: 3 };
  const refunds = [{ orderId: "1-r1", goods: [{ total: 3, discountTotal: 0, count: 1 }] }];
  const sold = byUs([receipt("sale", given)]);
  const cancelled = { total: 5, discountTotal: 0, count: 2, canceledItems: [{ count: 1 }] };

  test.each<[string, readonly MoneyDocument[], Partial<MoneyFacts>, string, Told]>([
    ["a sale", [], { order: delivered }, "a paid order has no sale", ofSale("no receipt")],
    [
      "an alert of money that does not cover",
      [],
      { order: { ...delivered, statusId: 0, collected: 1 } },
      "a delivered order that is not covered is not told",
      ofSale("not covered"),
    ],
    [
      "an alert of what was cancelled after the payment",
      byUs([receipt("sale", [line("A", 21, 250)])]),
      { order: { ...delivered, goods: [cancelled], cancellations: { paid: 1, other: 0 } } },
      "money of a cancelled part is not told",
      ofSale("paid and cancelled"),
    ],
    [
      "a refund order's receipt",
      sold,
      { refunds },
      "refund 1-r1 has no receipt",
      { telling: "too little left", orderId: "1-r1" },
    ],
    [
      "a rest elsewhere",
      byUs([{ ...receipt("sale", given), payments: [{ typeClose: 2, sum: kopecks(500) }] }]),
      { order: { ...delivered, printsPrepayment: false, prepaid: 600 } },
      "the rest of a prepayment taken elsewhere is not told",
      ofSale("rest elsewhere"),
    ],
  ])(
    "the check finds the lack of %s wrong, unless exactly that is reported for the same order",
    (_what, documents, facts, words, told) => {
      expect(wrongOfDocuments(documents, facts)).toEqual([words]);
      expect(wrongOfDocuments(documents, { ...facts, told: [told] })).toEqual([]);
      expect(wrongOfDocuments(documents, { ...facts, told: [{ ...told, orderId: "2" }] })).toEqual([words]);
      expect(wrongOfDocuments(documents, { ...facts, told: [ofSale("unnamed return")] })).toEqual([words]);
    },
  );

  test("the check finds the lack of an alert of a cancelled part wrong until all of its money was given back", () => {
    const order = { ...delivered, goods: [cancelled], cancellations: { paid: 1, other: 0 }, hasGivenBack: true };
    const wrongAfter = (collected: number) =>
      wrongOfDocuments(byUs([receipt("sale", [line("A", 21, 250)])]), { order: { ...order, collected } });
    expect(wrongAfter(-250)).toEqual([]);
    expect(wrongAfter(-249)).toEqual(["money of a cancelled part is not told"]);
  });

  test("the check finds a deleted order wrong whose sale or whose courier's money is kept and not told", () => {
    const deleted = { ...paidOrder, isDeleted: true };
    const unsold = { order: { ...deleted, statusId: 0, collected: 1 } };
    const kept = ["a cancelled order keeps 500, and is not told"];
    expect(wrongOfDocuments(sold, { order: deleted })).toEqual(kept);
    expect(wrongOfDocuments(sold, { order: deleted, told: [ofSale("cancelled after its receipt")] })).toEqual([]);
    expect(wrongOfDocuments([], unsold)).toEqual(["a courier's money has no receipt, and is not told"]);
    expect(wrongOfDocuments([], { ...unsold, told: [ofSale("money without receipt")] })).toEqual([]);
  });

  test("the check finds the lack of a return for an order that came back wrong, whatever is reported", () => {
    const facts = { order: { ...paidOrder, deliveryStatusId: 6 }, told: [ofSale("sale says otherwise")] };
    expect(wrongOfDocuments(sold, facts)).toEqual(["0 of 500 given back of a returned order's sale"]);
  });

  test("the check finds a frReceiptStatusId wrong that does not match the printed and reported receipts", () => {
    const wrong = (status: number, told: readonly Told[] = []) =>
      wrongOfDocuments(sold, { receiptStatuses: new Map([["1", status]]), told });
    expect(wrong(1)).toEqual([]);
    expect(wrong(2)).toEqual(["frReceiptStatusId of 1 is 2, not 1"]);
    expect(wrong(1, [ofSale("rest of the whole")])).toEqual(["frReceiptStatusId of 1 is 1, not 2"]);
  });

  test("the check finds a statusId of the API wrong that does not follow from the order's events", () => {
    expect(wrongOfDocuments(sold, { said: { ...paidOrder, statusId: 0 } })).toEqual(["statusId is 0, not 1"]);
  });
});

test("the check finds a return wrong that a person had printed at the till, unless the shop has an alert about it", () => {
  const atTill = byUs([receipt("return", given)], 20).map((one) => ({ ...one, isByOperator: true }));
  const documents = [...byUs([receipt("sale", given)]), ...atTill];
  expect(wrongOfDocuments(documents)).toEqual(["a return at the till is not told"]);
  expect(wrongOfDocuments(documents, { told: [ofSale("returned at till")] })).toEqual([]);
});

test("a courier's whole return after his two sales of an order counts as a return of one of them", () => {
  const one = { by: "courier", orderId: "1", refundId: null } as const;
  const documents: readonly CourierDocument[] = [
    { ...one, operation: "sale", sum: 500, at: 1 },
    { ...one, operation: "sale", sum: 500, at: 2 },
    { ...one, operation: "return", sum: null, at: 3 },
  ];
  const order = { ...paidOrder, deliveryStatusId: 6 };
  expect(wrongOfDocuments(documents, { order, told: [ofSale("sale twice")] })).toEqual([]);
});

test("the check finds an alert of a cancelled part wrong where nothing was cancelled after the payment", () => {
  const told = [ofSale("paid and cancelled")];
  expect(wrongOfDocuments([], { told })).toEqual(["told for nothing: paid and cancelled"]);
});

test.each([
  ["is right where more is returned than the order sold", 9, []],
  ["is wrong where no more is returned than the order sold", 5, ["told for nothing: too little left"]],
])("an alert that too little is left of a sale %s", (_what, total, wrong) => {
  const refunds = [{ orderId: "r", goods: [{ total, discountTotal: 0, count: 2 }] }];
  const told: readonly Told[] = [{ telling: "too little left", orderId: "r" }];
  expect(wrongOfDocuments(byUs([receipt("sale", given)]), { isLate: false, refunds, told })).toEqual(wrong);
});
