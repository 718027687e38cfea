import { type RepairCase, requireRepairable, whatTheLawWants } from "@fiscald/daemon/corrections/what-the-law-wants.js";
import { makeReceipt } from "../../support/make-job.js";

const correction = { type: "self", date: "2026-11-01" } as const;

/** Each document as `sign content`, and `1192` if it names the printed receipt. */
const table: readonly (readonly [RepairCase, ffd: string | null, documents: readonly string[]])[] = [
  ["missed", "1.05", ["sale-correction right"]],
  ["missed", "1.1", ["sale-correction right"]],
  ["missed", "1.2", ["sale-correction right"]],
  ["wrong", "1.05", ["return printed 1192", "sale right 1192"]],
  ["wrong", "1.1", ["return-correction printed 1192", "sale-correction right 1192"]],
  ["wrong", "1.2", ["return-correction printed 1192", "sale-correction right 1192"]],
  ["twice", "1.05", ["return printed 1192"]],
  ["twice", "1.1", ["return-correction printed 1192"]],
  ["twice", "1.2", ["return-correction printed 1192"]],
  ["test", "1.05", ["return printed"]],
  ["test", "1.2", ["return printed"]],
  ["test", null, ["return printed"]],
];

test.each(table)("the case `%s` on a register of format %s needs these documents: %j", (what, ffd, documents) => {
  const wanted = whatTheLawWants(what, ffd).map(({ sign, content, namesPrinted }) =>
    [sign, content, ...(namesPrinted ? ["1192"] : [])].join(" "),
  );
  expect(wanted).toEqual(documents);
});

test.each<RepairCase>(["missed", "wrong", "twice"])(
  "case `%s` is refused while the register's format is unknown",
  (what) =>
    expect(() => whatTheLawWants(what, null)).toThrow(expect.objectContaining({ code: "receipt.no-correction" })),
);

test.each([
  ["a return", makeReceipt({ operation: "return" }), "1.2"],
  ["the correction of a return", makeReceipt({ operation: "return", correction }), "1.2"],
  ["a correction in format 1.05", makeReceipt({ correction }), "1.05"],
] as const)("a repair of %s is refused, and the message sends the person to an accountant", (_, receipt, ffd) => {
  const advice = expect.objectContaining({ code: "usage.wrong", ru: expect.stringContaining("бухгалтера") });
  expect(() => requireRepairable(receipt, "wrong", ffd)).toThrow(advice);
});

test.each([
  ["a sale", makeReceipt(), "1.05"],
  ["the correction of a sale in format 1.2", makeReceipt({ correction }), "1.2"],
] as const)("a repair of %s is allowed", (_, receipt, ffd) => {
  expect(() => requireRepairable(receipt, "wrong", ffd)).not.toThrow();
});
