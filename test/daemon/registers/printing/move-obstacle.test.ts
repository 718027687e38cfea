import { findMoveObstacle } from "@fiscald/daemon/registers/printing/move-obstacle.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { RegisterTables, TaxRow } from "@fiscald/shared/receipt/vat.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";
import { scriptedCapabilities } from "../../../support/scripted-driver.js";

const vat22: TaxRow = { id: 1, title: "НДС 22%", vat: 11 };
const none: TaxRow = { id: 2, title: "Без НДС", vat: 6 };
const paymentTypes = [{ id: 0, title: "Наличными" }];

function register(id: string, defaultTax: number | null, taxes: readonly TaxRow[]): RegisterSnapshot {
  const snapshot = makeSnapshot(null, { id, kkm: id });
  const tables: RegisterTables = { taxes, paymentTypes };
  const settings = { ...snapshot.settings, group: "hall", defaultTax };
  return { ...snapshot, settings, tables, capabilities: scriptedCapabilities };
}

const untaxed = makeReceipt({ lines: [makeItem({ tax: null })] });

/** `lists` are the tax rows of `from` that the site was told. */
function obstacle(
  from: RegisterSnapshot,
  to: RegisterSnapshot,
  { receipt = untaxed, lists = [from.tables?.taxes ?? []] } = {},
): string | null {
  const defaultRow = from.tables?.taxes.find(({ id }) => id === from.settings.defaultTax) ?? null;
  const taxes = meaningOfTaxes(receipt, { lists, defaultRow });
  return findMoveObstacle({ job: { receipt, doneParts: 0, taxes, taxpayer: null }, from, to })?.reason ?? null;
}

test.each([
  ["neither register has a default rate", null, [vat22], null, [vat22]],
  ["both have the same default rate in different rows", 1, [vat22], 7, [none, { ...vat22, id: 7 }]],
  ["the other register has another default rate, but a row for this one", 1, [vat22, none], 2, [vat22, none]],
] as const)("a receipt with a position without tax may move when %s", (_what, fromTax, fromRows, toTax, toRows) => {
  expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toBeNull();
});

test.each([
  ["the other register has no row of the default rate", 1, [vat22], 1, [{ ...none, id: 1 }]],
  ["only the other register has a default rate", null, [vat22], 1, [vat22]],
  ["the meaning of the default row is unknown", 1, [{ ...vat22, vat: null }], 1, [{ ...vat22, vat: null }]],
] as const)("a receipt with a position without tax stays when %s", (_what, fromTax, fromRows, toTax, toRows) => {
  expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toMatch(/tax row/);
});

const taxed = makeReceipt({ lines: [makeItem({ tax: 1 })] });
const other = register("2", 2, [none, { ...vat22, id: 7 }]);

test("a receipt with a tax id moves to a register that has the rate in another row, whatever the default row is", () => {
  expect(obstacle(register("1", 1, [vat22, none]), other, { receipt: taxed })).toBeNull();
});

test.each([
  ["the rate of its row is not known", [[{ ...vat22, vat: null }]]],
  ["the table of its register was never read", []],
  ["the row has another rate in a list that the site may have", [[vat22], [{ ...none, id: 1 }]]],
])("a receipt with a tax id stays at its register when %s", (_what, lists) => {
  expect(obstacle(register("1", null, [vat22]), other, { receipt: taxed, lists })).toMatch(/tax row/);
});

test("a receipt whose tax ids have no recorded meaning stays at its register", () => {
  const job = { receipt: makeReceipt(), doneParts: 0, taxes: [], taxpayer: null };
  const reason = findMoveObstacle({
    job,
    from: register("1", null, [vat22]),
    to: register("2", null, [vat22]),
  })?.reason;
  expect(reason).toMatch(/tax row/);
});
