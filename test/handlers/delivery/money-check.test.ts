/** The model's own check sees what it is there for: lines and payment forms that went back otherwise than they were given. */
import { kopecks, ONE_UNIT } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { wrongOf } from "./money-check.js";

function line(name: string, tax: number, total: number, method = 4): ItemLine {
  return {
    type: "item",
    name,
    price: kopecks(total),
    quantity: ONE_UNIT,
    total: kopecks(total),
    tax,
    department: 0,
    subject: 1,
    method,
    unit: null,
    measure: 0,
    agent: null,
    goodsCode: null,
    markingCode: null,
    countryCode: null,
    customsDeclaration: null,
    printSum: false,
  };
}

function receipt(operation: "sale" | "return", lines: readonly ItemLine[], typeClose = 1): SaleReceipt {
  return {
    kind: "receipt",
    orderId: toOrderId("1"),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation,
    lines,
    payments: [{ typeClose, sum: kopecks(lines.reduce((sum, { total }) => sum + total, 0)) }],
    contact: null,
    printDoc: true,
    internet: null,
    settlementPlace: null,
    cashier: null,
    taxSystem: null,
    expectedInn: null,
    cancelledByOrder: false,
  };
}

const wrongWith = (...printed: readonly SaleReceipt[]) =>
  wrongOf({
    printed,
    order: { orderId: 1, statusId: 1, deliveryStatusId: 6, goods: [] },
    refunds: [],
    wasReturned: true,
    isLate: true,
    isSoldElsewhere: false,
    isReturnedElsewhere: false,
  });

const given = [line("A", 21, 300), line("B", 22, 200)];

test("what goes back as it was given is right", () => {
  expect(wrongWith(receipt("sale", given), receipt("return", given))).toEqual([]);
});

test.each([
  ["another share of the lines", [line("A", 21, 320), line("B", 22, 180)], 1],
  ["another tax", [line("A", 21, 300), line("B", 21, 200)], 1],
  ["another name", [line("C", 21, 300), line("B", 22, 200)], 1],
  ["another payment form", given, 0],
  ["more than was sold", [...given, line("A", 21, 1)], 1],
])("%s is wrong", (_what, lines, typeClose) => {
  expect(wrongWith(receipt("sale", given), receipt("return", lines, typeClose))).not.toEqual([]);
});

test("so is a prepayment that is spread over what went back before", () => {
  const prepaid = [line("A", 21, 300, 1), line("B", 22, 200, 1)];
  const rest = (...lines: readonly ItemLine[]) =>
    wrongWith(receipt("sale", prepaid), receipt("return", prepaid.slice(0, 1)), receipt("return", lines));
  expect(rest(line("B", 22, 200, 1))).toEqual([]);
  expect(rest(line("A", 21, 120, 1), line("B", 22, 80, 1))).not.toEqual([]);
});
