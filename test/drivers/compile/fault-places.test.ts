import { requireTaxRow } from "@fiscald/drivers/compile/receipt-tags.js";
import { requireCapable } from "@fiscald/drivers/compile/requisites.js";
import { quantity } from "@fiscald/shared/amounts.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const able = {
  maxItems: 9,
  marking: true,
  goodsCode: true,
  corrections: true,
  electronicOnly: true,
  internet: true,
  orderMark: true,
  roundedMarks: true,
};
const mark = "010460000000000821A1B2C3D4E5F6G";

test.each<[string, Partial<ItemLine>, Partial<typeof able>, string]>([
  ["a mark on a register without marks", { markingCode: mark }, { marking: false }, "items[1].markingCode"],
  ["one mark on two pieces", { markingCode: mark, quantity: quantity(2_000_000) }, {}, "items[1].markingCode"],
  ["a goods code that the register has no tag for", { goodsCode: "AQ" }, { goodsCode: false }, "items[1].goodsCode"],
])("the fault of a receipt with %s names the field of the position", (_what, over, lack, place) => {
  const receipt = makeReceipt({ lines: [makeItem(), makeItem(over)] });
  expect(() => requireCapable(receipt, { ...able, ...lack })).toThrow(expect.objectContaining({ place }));
});

test.each([
  ["has none", null, "device.tax-unknown", 7],
  ["has no default tax", null, "config.default-tax", null],
  ["has no row for its default tax", 3, "config.default-tax", null],
])("the fault of a position's tax on a register that %s names the field of the tax", (_what, defaultTax, code, tax) => {
  const find = () =>
    requireTaxRow(makeItem({ tax }), { tables: { taxes: [], paymentTypes: [] }, defaultTax }, "items[1]");
  expect(find).toThrow(expect.objectContaining({ code, place: "items[1].tax" }));
});
