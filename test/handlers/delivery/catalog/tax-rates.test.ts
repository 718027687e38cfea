import { vatOfTax, vatOfTitle } from "#handlers/delivery/catalog/tax-rates.js";

test.each([
  ["НДС 22%", 11],
  ["НДС 22 %", 11],
  ["НДС 22,00%", 11],
  ["ндс 22", 11],
  ["НДС 22/122", 12],
  ["22%/122%", 12],
  ["НДС 5%", 7],
  ["НДС 5.0%", 7],
  ["НДС 5/105", 9],
  ["10%, продукты", 2],
  ["НДС 0%", 5],
  ["Без НДС", 6],
])("the tax title %s means VAT code %d", (title, rate) => {
  expect(vatOfTitle(title)).toBe(rate);
});

test.each([
  "НДС 5,5%",
  "НДС 5.5%",
  "НДС 5,50%",
  "НДС 33%",
  "НДС 122%",
  "НДС 1022%",
  "НДС 122/122",
  "НДС 22/1220",
  "НДС 5,22/122",
  "НДС 22/122,5",
  "НДС 10% или 22%",
  "НДС 22/110",
  "роялти 33%",
])("the tax title %s names no VAT rate", (title) => {
  expect(vatOfTitle(title)).toBeNull();
});

test.each([
  ["Основная", "11", 11],
  ["Основная", "13", null],
  ["НДС 5,5%", "7", null],
  ["НДС 10%", "11", 2],
])("a tax titled %s with the id %s has the VAT code %p", (title, taxId, rate) => {
  expect(vatOfTax({ taxId, title })).toBe(rate);
});
