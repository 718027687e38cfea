import { calculatedRate, rateWords, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";

/** Tag 1199, the rate's name in cloud services, and its title: a swapped pair would register a wrong tax. */
const rates = [
  [1, "vat20", "НДС 20%"],
  [2, "vat10", "НДС 10%"],
  [3, "vat120", "НДС 20/120"],
  [4, "vat110", "НДС 10/110"],
  [5, "vat0", "НДС 0%"],
  [6, "none", "Без НДС"],
  [7, "vat5", "НДС 5%"],
  [8, "vat7", "НДС 7%"],
  [9, "vat105", "НДС 5/105"],
  [10, "vat107", "НДС 7/107"],
  [11, "vat22", "НДС 22%"],
  [12, "vat122", "НДС 22/122"],
] as const;

test.each(rates)("code %i of tag 1199 is the rate %s of cloud services, with the title %s", (code, word, title) => {
  expect([rateWords[code], vatRates[code].title]).toEqual([word, title]);
});

test("the table of VAT rates has exactly the rates of tag 1199", () => {
  expect(Object.keys(vatRates)).toHaveLength(rates.length);
});

test("the rate of a prepayment is the calculated form of a rate (22/122 for 22 %), and no VAT stays no VAT", () => {
  expect(vatCodes.map(calculatedRate)).toEqual([3, 4, 3, 4, 5, 6, 9, 10, 9, 10, 12, 12]);
});
