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
  { receipt = untaxed, takenInWith = from }: { receipt?: typeof untaxed; takenInWith?: RegisterSnapshot } = {},
): string | null {
  const { settings, identity, tables } = takenInWith;
  const taxSource = identity === null || tables === null ? null : { id: settings.id, identity, tables };
  return findMoveObstacle({ receipt, doneParts: 0, from, to, taxSource })?.reason ?? null;
}

describe("a receipt with a position that names no tax", () => {
  test.each([
    ["neither has a default rate of the config", null, [vat22], null, [vat22]],
    ["both have the same one, in different rows", 1, [vat22], 7, [none, { ...vat22, id: 7 }]],
  ] as const)("may move when %s", (_what, fromTax, fromRows, toTax, toRows) => {
    expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toBeNull();
  });

  test.each([
    ["they have different ones", 1, [vat22, none], 2, [vat22, none]],
    ["the same row means another rate there", 1, [vat22], 1, [{ ...none, id: 1 }]],
    ["only its own has one", 1, [vat22], null, [vat22]],
    ["only the other has one", null, [vat22], 1, [vat22]],
    ["nobody knows what its row means", 1, [{ ...vat22, vat: null }], 1, [{ ...vat22, vat: null }]],
  ] as const)("stays when %s", (_what, fromTax, fromRows, toTax, toRows) => {
    expect(obstacle(register("1", fromTax, fromRows), register("2", toTax, toRows))).toMatch(/without tax/);
  });
});

test("the default rate is the one that the job was taken in with, not what its row means now", () => {
  const takenInWith = register("1", 1, [vat22]);
  const from = register("1", 1, [{ ...none, id: 1 }]);
  expect(obstacle(from, register("2", 2, [none]), { takenInWith })).toMatch(/without tax/);
  expect(obstacle(from, register("2", 1, [vat22]), { takenInWith })).toBeNull();
  // One that was moved here took the row of this register.
  const elsewhere = register("3", 5, [{ ...none, id: 5 }]);
  expect(obstacle(from, register("2", 2, [none]), { takenInWith: elsewhere })).toBeNull();
});

test("default rates are no matter where each position names its own", () => {
  const from = register("1", 1, [vat22, none]);
  expect(obstacle(from, register("2", 2, [vat22, none]), { receipt: makeReceipt() })).toBeNull();
});
