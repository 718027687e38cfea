import {
  changesReceipt,
  haveChanged,
  type ReceiptSetting,
  signatureOf,
  withEarlier,
} from "@fiscald/drivers/receipt-setting.js";

function setting(value: string | null, place = "table 1, field 14"): ReceiptSetting {
  return { place: { en: place, ru: place }, value, right: ["0"], effect: { en: "", ru: "" }, changes: null };
}

test("a setting that cannot be read does not count as a change of the register's settings", () => {
  expect(signatureOf([setting(null)])).toBe(signatureOf([setting("0")]));
  expect(signatureOf([setting("1")])).not.toBe(signatureOf([setting("0")]));
});

test.each<[before: string | null, now: string | null, boolean]>([
  ["1", "0", true],
  ["0", "1", true],
  ["1", "1", false],
  ["1", null, false],
  [null, "1", false],
])("a setting read as %j and then as %j counts as changed: %j", (before, now, changed) => {
  expect(haveChanged([setting(before)], [setting(now)])).toBe(changed);
  expect(haveChanged([setting(before)], [])).toBe(false);
});

test("a setting that cannot be read now keeps its earlier value and its place in the list", () => {
  const before = [setting("1", "a"), setting(null, "b")];
  const now = [setting("2", "c"), setting("3", "b"), setting(null, "a")];
  expect(withEarlier(now, before).map(({ value }) => value)).toEqual(["1", "3", "2"]);
});

test.each([
  [11, true],
  [12, false],
  [2, true],
  [1, false],
])("a wrong setting for the rate %i would change a correction with sums at 10 %% and 22 %%: %j", (rate, changed) => {
  const ofRate: ReceiptSetting = { ...setting("1"), changes: { kind: "rates", rates: [rate] } };
  expect(changesReceipt(ofRate, { head: { 1103: 1000, 1115: "11=2200" }, items: [] })).toBe(changed);
});
