import { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import type { MemoryOptions } from "@fiscald/emulators/memory/register-memory.js";
import { makeRegistration, taxTable } from "@fiscald/emulators/memory/registration.js";
import { memoryStore } from "@fiscald/emulators/memory/state-file.js";
import { Tape } from "@fiscald/emulators/paper/tape.js";
import { kopecks, ONE_UNIT, quantity } from "@fiscald/shared/amounts.js";
import fc from "fast-check";
import { createFakeClock } from "../../../support/fake-clock.js";

function makeCore(options: Partial<MemoryOptions> = {}): FiscalCore {
  const { registration, fn } = makeRegistration({ taxes: taxTable([11, 1, 2, 5, 6]), paymentNames: ["НАЛИЧНЫМИ"] });
  return new FiscalCore({
    registration,
    fn,
    store: memoryStore(),
    clock: createFakeClock(),
    tape: new Tape(48),
    ...options,
  });
}

const refused = (refusal: string) => ({ ok: false, refusal });
const paid = (typeClose: 0 | 1 | 2 | 3 | 4, sum: number) => ({ typeClose, row: typeClose + 1, sum: kopecks(sum) });
const line = (price: number, tax = 1) => ({ name: "Чай", price: kopecks(price), quantity: ONE_UNIT, sum: null, tax });

test("the fake fiscal memory refuses openings, lines and closings in the wrong order", () => {
  const core = makeCore();
  expect(core.openReceipt({ operation: "sale", operator: 1 })).toEqual(refused("shift-closed"));
  expect(core.closeShift({ paper: true })).toEqual(refused("shift-closed"));
  core.openShift({ paper: true });
  expect(core.openShift({ paper: true })).toEqual(refused("shift-open"));
  expect(core.addLine(line(1))).toEqual(refused("no-receipt"));
  core.openReceipt({ operation: "sale", operator: 1 });
  expect(core.addLineTag({ tag: 1226, text: "1" })).toEqual(refused("no-receipt"));
  expect(core.closeShift({ paper: true })).toEqual(refused("receipt-open"));
  expect(core.moveCash("in", kopecks(1))).toEqual(refused("receipt-open"));
  expect(core.closeReceipt({ payments: [], taxSystem: null, paper: true })).toEqual(refused("no-lines"));
  expect(core.addLine(line(1, 9))).toEqual(refused("tax-unknown"));
});

test("the fake fiscal memory gives equal documents equal fiscal signs, and a different document another sign", () => {
  const [one, same, other] = [makeCore(), makeCore(), makeCore()];
  for (const core of [one, same, other]) {
    core.openShift({ paper: true });
    core.openReceipt({ operation: "sale", operator: 1 });
    core.addLine(line(core === other ? 101 : 100));
    core.closeReceipt({ payments: [paid(0, 200)], taxSystem: null, paper: true });
  }
  expect(one.find(3)?.fiscalSign).toBe(same.find(3)?.fiscalSign);
  expect(one.find(3)?.fiscalSign).not.toBe(other.find(3)?.fiscalSign);
});

test("the fake fiscal memory adds up lines and payments to the receipt's total, and totals to the shift", () => {
  const cart = fc.record({
    lines: fc.array(
      fc.record({ price: fc.integer({ min: 1, max: 1_000_000 }), count: fc.integer({ min: 1, max: 3_000_000 }) }),
      { minLength: 1, maxLength: 10 },
    ),
    cashShare: fc.integer({ min: 0, max: 100 }),
    extra: fc.integer({ min: 0, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(cart, { minLength: 1, maxLength: 4 }), (carts) => {
      const core = makeCore();
      core.openShift({ paper: true });
      for (const { lines, cashShare, extra } of carts) {
        core.openReceipt({ operation: "sale", operator: 1 });
        for (const { price, count } of lines) core.addLine({ ...line(price), quantity: quantity(count) });
        const total = core.subtotal;
        const electronic = Math.floor((total * (100 - cashShare)) / 100);
        const closed = core.closeReceipt({
          payments: [paid(0, total - electronic + extra), paid(1, electronic)],
          taxSystem: null,
          paper: false,
        });
        expect(closed).toMatchObject({ ok: true, value: { total, change: extra } });
        const document = core.find(core.lastFd);
        expect(document?.lines.reduce((sum, one) => sum + one.sum, 0)).toBe(total);
        expect(document?.payments.reduce((sum, one) => sum + one.sum, 0)).toBe(total);
      }
      const receipts = core.documents.filter(({ type }) => type === "receipt");
      const sale = core.shiftRecord.counters.sale;
      expect(sale.total).toBe(receipts.reduce((sum, { total }) => sum + (total ?? 0), 0));
      expect(sale.byType.reduce((sum, part) => sum + part, 0)).toBe(sale.total);
      expect(core.cash - 10_000_000).toBe(sale.byType[0]);
    }),
    { numRuns: 40 },
  );
});

test("the fake fiscal memory computes the VAT inside a line with the law's rounding", () => {
  const core = makeCore();
  core.openShift({ paper: true });
  core.openReceipt({ operation: "sale", operator: 1 });
  for (const tax of [1, 2, 3, 4, 5]) core.addLine(line(100_000, tax));
  expect(core.receipt?.lines.map(({ vatSum }) => vatSum)).toEqual([18_033, 16_667, 9091, 0, 0]);
});

test("after a change of drives the fake fiscal memory numbers from 1, and the register still knows the old documents", () => {
  const core = makeCore();
  core.openShift({ paper: true });
  core.openReceipt({ operation: "sale", operator: 1 });
  core.swapDrive("9999078900000002");
  expect([core.fn, core.lastFd, core.shift, core.receipt, core.shiftRecord.number]).toEqual([
    "9999078900000002",
    1,
    "closed",
    null,
    0,
  ]);
  expect(core.documents.map(({ fn, fd }) => [fn.slice(-1), fd])).toEqual([
    ["1", 1],
    ["1", 2],
    ["2", 1],
  ]);
  expect(core.find(2)).toBeNull();
});

test("the clock of the fake fiscal memory runs in its time zone and can be set while the shift is closed", () => {
  const clock = createFakeClock();
  expect(makeCore({ clock }).now()).toBe("2026-11-20T15:00:00");
  expect(makeCore({ clock, timeZone: "Asia/Kolkata" }).now()).toBe("2026-11-20T17:30:00");
  const core = makeCore({ clock });
  clock.setWallClock(Date.UTC(2026, 10, 20, 20, 59, 59));
  expect(core.now()).toBe("2026-11-20T23:59:59");
  clock.setWallClock(Date.UTC(2026, 10, 20, 21));
  expect(core.now()).toBe("2026-11-21T00:00:00");
  core.openShift({ paper: true });
  expect(core.setTime(core.now())).toEqual(refused("shift-open"));
});
