import { linesWithSum } from "@fiscald/shared/paper/receipt-sum.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const words = (receipt: Parameters<typeof linesWithSum>[0]) =>
  linesWithSum(receipt).map((line) =>
    line.type === "item" ? line.name : line.type === "text" && line.content.kind === "text" ? line.content.text : "",
  );

test("the sum stands once, behind the last position that asks for it", () => {
  const [first, second] = [makeItem({ name: "1", printSum: true }), makeItem({ name: "2", printSum: true })];
  const receipt = makeReceipt({ operation: "return", lines: [first, second, makeItem({ name: "3" })] });
  expect(words(receipt)).toEqual(["1", "2", "СУММА ЧЕКА", "=300.00", "3"]);
});

test("a receipt of which no position asks for it stays as it is", () => {
  const receipt = makeReceipt({ lines: [makeItem()] });
  expect(linesWithSum(receipt)).toBe(receipt.lines);
});
