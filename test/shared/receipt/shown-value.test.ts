import { shownValue } from "@fiscald/shared/receipt/shown-value.js";
import { fiscalTags } from "../../support/fiscal-tags.js";

test.each([
  [1043, "99900", "999.00"],
  [1079, "5001", "50.01"],
  [1081, "7", "0.07"],
  [1229, "100", "1.00"],
  [1023, "1500000", "1.5"],
  [1199, "11", "НДС 22%"],
  [1199, "40", "40"],
  [1214, "4", "4"],
  [1115, "11=1967,7=5", "НДС 22% 19.67, НДС 5% 0.05"],
  [1030, "Чай", "Чай"],
  [1020, "none", "none"],
])("tag %i with the value %s is shown to people as %s", (tag, value, shown) => {
  expect(shownValue(tag, value)).toBe(shown);
});

test("the sums of a receipt, and no other tags, are shown in roubles", () => {
  for (const { tag, type } of fiscalTags)
    expect([tag, shownValue(tag, "700") === "7.00"]).toEqual([tag, type === "money"]);
});
