import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import { makeRegistration, taxTable } from "@fiscald/emulators/memory/registration.js";
import { openStateFile } from "@fiscald/emulators/memory/state-file.js";
import { Tape } from "@fiscald/emulators/paper/tape.js";
import { kopecks, ONE_UNIT } from "@fiscald/shared/amounts.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const path = () => join(folder(), "emulator.json");

function open(): FiscalCore {
  const { registration, fn } = makeRegistration({ taxes: taxTable([11]), paymentNames: ["НАЛИЧНЫМИ"] });
  return new FiscalCore({
    registration,
    fn,
    store: openStateFile(path()),
    clock: createFakeClock(),
    tape: new Tape(48),
  });
}

function sell(core: FiscalCore, price: number): void {
  if (core.shift === "closed") core.openShift({ paper: true });
  core.openReceipt({ operation: "sale", operator: 1 });
  core.addLine({ name: "Чай", price: kopecks(price), quantity: ONE_UNIT, sum: null, tax: 1 });
  core.closeReceipt({ payments: [{ typeClose: 0, row: 1, sum: kopecks(price) }], taxSystem: null, paper: true });
}

test("the emulator's fiscal memory is the same after a restart without a close", () => {
  const first = open();
  sell(first, 1500);
  first.advanceClock(3600);
  first.setMakerSetting("table.17.1.7", "02");
  first.openReceipt({ operation: "return", operator: 3 });
  first.addLine({ name: "Кофе", price: kopecks(500), quantity: ONE_UNIT, sum: null, tax: 1 });
  const second = open();
  expect(second.documents).toEqual(first.documents);
  expect(second.receipt).toEqual(first.receipt);
  expect(second.shiftRecord).toEqual(first.shiftRecord);
  expect([second.cash, second.now(), second.lastFd, second.makerSetting("table.17.1.7")]).toEqual([
    10_001_500,
    first.now(),
    3,
    "02",
  ]);
});

test("a state file whose last write is incomplete has a document together with its state, or neither", () => {
  const core = open();
  sell(core, 100);
  const whole = readFileSync(path(), "utf8");
  const before = whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1);
  for (let length = before.length; length < whole.length; length += 37) {
    writeFileSync(path(), whole.slice(0, length));
    const again = open();
    expect(again.documents.some(({ type }) => type === "receipt")).toBe(false);
    expect(again.receipt?.lines).toHaveLength(1);
    expect(again.lastFd).toBe(2);
  }
  writeFileSync(path(), whole);
  expect(open().documents.at(-1)).toMatchObject({ type: "receipt", total: 100 });
});

test("the emulator goes on numbering documents and receipts after a restart", () => {
  const first = open();
  sell(first, 100);
  const second = open();
  sell(second, 200);
  expect(second.documents.map(({ fd, total }) => [fd, total])).toEqual([
    [1, null],
    [2, null],
    [3, 100],
    [4, 200],
  ]);
  expect(second.find(4)?.receiptNumber).toBe(2);
});

test("the state file does not grow by changes without documents, and keeps its documents", () => {
  const core = open();
  sell(core, 100);
  for (let change = 0; change < 5000; change++) core.setMakerSetting("beep", String(change));
  const { size } = statSync(path());
  expect(size).toBeLessThan(10_000_000);
  const again = open();
  expect(again.makerSetting("beep")).toBe("4999");
  expect(again.documents).toEqual(core.documents);
  expect(statSync(path()).size).toBeLessThan(20_000);
});

test.each(["not json\n", '{"state":{"version":2}}\n', "{}\n[]\n"])(
  "the content %j in a state file is refused, and the fault names the file",
  (content) => {
    writeFileSync(path(), content);
    expect(open).toThrow(
      expect.objectContaining({ code: "store.damaged", place: expect.stringContaining("emulator.json:") }),
    );
  },
);

test("a state file in a missing folder is refused", () => {
  expect(() => openStateFile(join(folder(), "nowhere", "emulator.json"))).toThrow(
    expect.objectContaining({ code: "store.failed" }),
  );
});

test("a print that stopped halfway is kept in the state file and printed after the restart", () => {
  const core = open();
  core.openShift({ paper: true });
  core.printer.removePaperInNextPrint();
  sell(core, 4321);
  const again = open();
  expect(again.printer.status).toBe("halted");
  again.printer.loadPaper();
  expect(again.continuePrint()).toMatchObject({ ok: true });
  expect(JSON.stringify(again.tape.rows)).toContain("=43.21");
  expect(again.printer.status).toBe("idle");
});

test.each([0, 1])(
  "a line that is cut in the middle of the state file is dropped, and the next line is kept whole, after %i receipts",
  (sold) => {
    if (sold > 0) sell(open(), 100);
    appendFileSync(path(), '{"document":{"fn":');
    const again = open();
    sell(again, 200);
    expect(open().documents).toHaveLength(3 + sold);
  },
);
