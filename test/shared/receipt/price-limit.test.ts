import { kopecks, MAX_SUM, quantity } from "@fiscald/shared/amounts.js";
import { checkReceipt } from "@fiscald/shared/receipt/check-receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const problemsOf = (millionths: number, total: number) => {
  const line = makeItem({ quantity: quantity(millionths), price: kopecks(1), total: kopecks(total) });
  return checkReceipt(makeReceipt({ lines: [line], payments: [{ typeClose: 0, sum: kopecks(total) }] }));
};

test("a tiny quantity for a large sum is refused at its place, because no register can hold its price", () => {
  expect(problemsOf(1, MAX_SUM)).toMatchObject([{ code: "order.wrong-value", path: "lines[0].data" }]);
  expect(problemsOf(1000, 1_100_000_000)).toHaveLength(1);
});

test("a position at the largest price is accepted", () => {
  expect(problemsOf(1_000_000, MAX_SUM)).toEqual([]);
  expect(problemsOf(1000, 9_999_999)).toEqual([]);
});
