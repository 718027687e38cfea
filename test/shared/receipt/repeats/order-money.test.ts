import { kopecks } from "@fiscald/shared/amounts.js";
import type { Payment, Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import {
  isPrepayment,
  isReturnedWhole,
  putBackBeyondUse,
  returnedBy,
  soldBy,
  unspentPrepayment,
} from "@fiscald/shared/receipt/repeats/order-money.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

const ELECTRONIC = 1;
const PREPAID = 2;

/** `prepaid`: the roubles of the receipt that a prepayment pays; the rest is paid electronically. */
function receipt(
  operation: SaleReceipt["operation"],
  roubles: number,
  { method = 4, prepaid = 0 }: { readonly method?: number; readonly prepaid?: number } = {},
): SaleReceipt {
  const sums: readonly (readonly [number, number])[] = [
    [ELECTRONIC, roubles - prepaid],
    [PREPAID, prepaid],
  ];
  const payments = sums.flatMap(([typeClose, sum]): Payment[] =>
    sum === 0 ? [] : [{ typeClose, sum: kopecks(Math.round(sum * 100)) }],
  );
  const lines = [makeItem({ price: kopecks(Math.round(roubles * 100)), method })];
  return makeReceipt({ operation, lines, payments });
}

const prepayment = receipt("sale", 100, { method: 1 });
const prepaymentBack = receipt("return", 100, { method: 1 });

test.each([1, 2, 3])("a payment before the goods by payment method %i and its offset count as sold once", (method) => {
  const prepaid = receipt("sale", 100, { method });
  expect(isPrepayment(prepaid)).toBe(true);
  expect(soldBy([prepaid, receipt("sale", 100, { prepaid: 100 })])).toBe(10_000);
});

test("a sale by payment method 4 (full payment) is no prepayment", () => {
  expect(isPrepayment(receipt("sale", 100))).toBe(false);
});

test("money returned into a gift card counts as returned, even beside the return of a prepayment", () => {
  const card = receipt("return", 100, { prepaid: 100 });
  expect(returnedBy([receipt("sale", 100, { prepaid: 100 }), card, prepaymentBack])).toBe(20_000);
  expect(returnedBy([prepayment, receipt("sale", 100, { prepaid: 100 }), card, prepaymentBack])).toBe(10_000);
});

test("a sale counts as returned whole when no more than a kopeck a line is missing", () => {
  const isWhole = (...roubles: readonly number[]) =>
    isReturnedWhole([receipt("sale", 100), ...roubles.map((sum) => receipt("return", sum))]);
  expect([isWhole(99.99), isWhole(99.98), isWhole(50, 49.98), isWhole(50, 49.97)]).toEqual([true, false, true, false]);
});

test("the return of a half that was paid in advance does not return the goods whole", () => {
  const list: readonly Receipt[] = [prepayment, receipt("sale", 200, { prepaid: 100 })];
  const halfBack = [receipt("return", 100, { prepaid: 100 }), prepaymentBack];
  expect(isReturnedWhole([...list, ...halfBack])).toBe(false);
  expect(isReturnedWhole([...list, ...halfBack, receipt("return", 100)])).toBe(true);
});

test("a prepayment may be used again by the sum that a return put back into it", () => {
  const offset = receipt("sale", 60, { prepaid: 60 });
  expect(unspentPrepayment([prepayment, offset], [prepayment, offset])).toBe(4000);
  const putBack = [prepayment, offset, receipt("return", 60, { prepaid: 60 })];
  expect(unspentPrepayment(putBack, putBack)).toBe(10_000);
});

test("a returned prepayment offsets nothing, whatever else the order has sold", () => {
  const list = [receipt("sale", 200), prepayment, prepaymentBack];
  expect(unspentPrepayment(list, list)).toBe(0);
});

test("an offset uses no more of a prepayment than the sum that returns have left of it", () => {
  const list = [prepayment, receipt("return", 70)];
  expect(unspentPrepayment(list, list)).toBe(3000);
});

test("returns put no more money back into a prepayment than sales have used of it", () => {
  const used = [prepayment, receipt("sale", 60, { prepaid: 60 })];
  expect(putBackBeyondUse([receipt("sale", 200), prepayment, receipt("return", 50, { prepaid: 50 })])).toBe(5000);
  expect(putBackBeyondUse([...used, receipt("return", 60, { prepaid: 60 })])).toBe(0);
  expect(putBackBeyondUse([...used, receipt("return", 80, { prepaid: 80 })])).toBe(2000);
});

test("money that a return gave to the buyer is not also put back into the prepayment", () => {
  const offset = [prepayment, receipt("sale", 100, { prepaid: 100 })];
  const inMoney = receipt("return", 70);
  expect(putBackBeyondUse([...offset, inMoney, receipt("return", 30, { prepaid: 30 })])).toBe(0);
  expect(putBackBeyondUse([...offset, inMoney, receipt("return", 100, { prepaid: 100 })])).toBe(7000);
  const inPart = [prepayment, receipt("sale", 60, { prepaid: 60 }), receipt("return", 50)];
  expect(putBackBeyondUse([...inPart, receipt("return", 60, { prepaid: 60 })])).toBe(5000);
});
