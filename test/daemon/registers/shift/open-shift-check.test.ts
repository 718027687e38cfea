import { isInOpenShift } from "@fiscald/daemon/registers/shift/open-shift-check.js";
import type { ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial } from "@fiscald/shared/ids.js";

const fn = toFnSerial("9999078900000001");
const of = (number: number, state: ShiftState["state"] = "open", drive = fn) => ({
  fn: drive,
  shift: { number, state },
});
const document = { fn, shift: 7 };

test("a document counts as the open shift's when the database says so, and the last read state too if there is one", () => {
  expect(isInOpenShift(document, { record: of(7), state: of(7) })).toBe(true);
  expect(isInOpenShift(document, { record: of(7), state: null })).toBe(true);
});

test("a document counts as the open shift's when somebody opened that shift at the register after the record", () => {
  expect(isInOpenShift({ fn, shift: 8 }, { record: of(7), state: of(8) })).toBe(true);
  expect(isInOpenShift({ fn, shift: 8 }, { record: of(7, "closed"), state: of(8) })).toBe(true);
});

test("a document counts as the open shift's while the shift is expired and not closed", () => {
  expect(isInOpenShift(document, { record: of(7), state: of(7, "expired") })).toBe(true);
});

test.each([
  ["nothing was printed", null, of(7), of(7)],
  ["the register was never seen", document, null, of(7)],
  ["our job closed the shift", document, of(7, "closed"), of(7)],
  ["somebody closed the shift at the register", document, of(7), of(7, "closed")],
  ["somebody opened the next shift", document, of(7), of(8)],
  ["our job opened the next shift", document, of(8), of(7)],
  ["another drive has a newer shift", document, of(7, "closed"), of(8, "open", toFnSerial("9999078900000002"))],
  ["another drive has the shift's number", document, of(7, "open", toFnSerial("9999078900000002")), null],
  ["the register has another drive now", document, of(7), of(7, "open", toFnSerial("9999078900000002"))],
])("a document does not count as the open shift's when %s", (_, of, record, state) => {
  expect(isInOpenShift(of, { record, state })).toBe(false);
});
