import { taxFault } from "@fiscald/shared/receipt/register-fit.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { close, item, pay, read, sell, table } from "../../support/order-samples.js";

const rows: readonly TaxRow[] = [
  { id: 1, title: '"НДС 20%" (18 %)', vat: null },
  { id: 11, title: "НДС 22%", vat: 11 },
];

function faultOf(tax: number, lists: readonly (readonly TaxRow[])[] = [rows]) {
  const answer = read(table([sell, item({ price: 1, quantity: 1, tax }), pay(1), close]));
  if (answer.kind !== "receipt") throw new Error("not readable");
  return taxFault(answer.receipt, lists, answer.taxPlaces);
}

test("a receipt with a tax row that the register does not have is refused at the field that names the row", () => {
  expect(faultOf(99)).toMatchObject({
    code: "device.tax-unknown",
    place: "taskTable[1].param.tax",
    message: '"Чай": there is no tax row 99, only 1, 11; `tax` is the number of a row, no percentage',
  });
});

test("a receipt with a tax row at an unlawful rate is refused with the row's name and rate", () => {
  expect(faultOf(1)).toMatchObject({
    code: "device.tax-unknown",
    place: "taskTable[1].param.tax",
    message: '"Чай": tax row 1 is "НДС 20%" (18 %), which is no rate of the law',
  });
});

test("a receipt with a tax row that has a lawful rate in one of the lists is accepted", () => {
  expect([faultOf(11), faultOf(1, [rows, [{ id: 1, title: "НДС 20%", vat: 1 }]])]).toEqual([null, null]);
});
