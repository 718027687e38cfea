import { measureNumbers } from "@fiscald/shared/exchange/item-fields.js";
import { measureOf, unitOf } from "@fiscald/shared/receipt/measure.js";

test.each(measureNumbers.filter((measure) => measure !== 0 && measure !== 255))(
  "measure %i has a name that tag 1197 can hold and that is read as the same measure",
  (measure) => {
    const word = unitOf(measure);
    expect(word).toMatch(/^[а-яё0-9*]{1,16}$/);
    expect(measureOf(word)).toBe(measure);
  },
);

test("the measures of pieces (0) and of other units (255) have no name", () => {
  expect([unitOf(0), unitOf(255)]).toEqual([null, null]);
});
