import { findMoveObstacle } from "@fiscald/daemon/registers/printing/move-obstacle.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
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

function obstacle(
  from: RegisterSnapshot,
  to: RegisterSnapshot,
  { receipt = untaxed, acceptedWith = from }: { receipt?: typeof untaxed; acceptedWith?: RegisterSnapshot } = {},
): string | null {
  const { settings, identity, tables } = acceptedWith;
  const taxSource = identity === null || tables === null ? null : { id: settings.id, identity, tables };
  return findMoveObstacle({ receipt, doneParts: 0, from, to, taxSource })?.reason ?? null;
}

describe("a receipt with a position without tax", () => {
  test.each([
    ["neither register has a configured default rate", null, [vat22], null, [vat22]],
    ["both have the same default rate in different rows", 1, [vat22], 7, [none, { ...vat22, id: 7 }]],
  ] as const)("may move when %s", (_what, fromTax, fromRows, toTax, toRows) => {
    expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toBeNull();
  });

  test.each([
    ["the default rates differ", 1, [vat22, none], 2, [vat22, none]],
    ["the same row means another rate on the other register", 1, [vat22], 1, [{ ...none, id: 1 }]],
    ["only its own register has a default rate", 1, [vat22], null, [vat22]],
    ["only the other register has a default rate", null, [vat22], 1, [vat22]],
    ["the meaning of the default row is unknown", 1, [{ ...vat22, vat: null }], 1, [{ ...vat22, vat: null }]],
  ] as const)("stays when %s", (_what, fromTax, fromRows, toTax, toRows) => {
    expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toMatch(/without tax/);
  });
});

test("the default rate is the one at the job's acceptance, not the current meaning of its row", () => {
  const acceptedWith = register("1", 1, [vat22]);
  const from = register("1", 1, [{ ...none, id: 1 }]);
  expect(obstacle(from, register("2", 2, [none]), { acceptedWith })).toMatch(/without tax/);
  expect(obstacle(from, register("2", 1, [vat22]), { acceptedWith })).toBeNull();
  // A job that was moved to `from` earlier uses the row of `from`.
  const elsewhere = register("3", 5, [{ ...none, id: 5 }]);
  expect(obstacle(from, register("2", 2, [none]), { acceptedWith: elsewhere })).toBeNull();
});

test("default rates do not matter when each position has a tax", () => {
  const from = register("1", 1, [vat22, none]);
  expect(obstacle(from, register("2", 2, [vat22, none]), { receipt: makeReceipt() })).toBeNull();
});
