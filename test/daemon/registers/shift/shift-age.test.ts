import { missedClosing, mustCloseShift, nextClosing } from "@fiscald/daemon/registers/shift/shift-age.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makeState } from "../../../support/make-snapshot.js";

const at = (text: string) => text as LocalTime;

const state = makeState({
  clock: "2026-11-21T13:50:00" as LocalTime,
  shiftOpenedAt: "2026-11-20T14:00:00" as LocalTime,
});
test.each([
  ["a shift of 23 h 50 min must be closed", state, null, true],
  ["a shift of 23:49:59 need not be closed", { ...state, clock: at("2026-11-21T13:49:59") }, null, false],
  [
    "a shift that the register reports as expired must be closed",
    { ...state, shift: { number: 1, state: "expired" }, clock: null },
    null,
    true,
  ],
  ["a closed shift need not be closed again", { ...state, shift: { number: 1, state: "closed" } }, null, false],
  [
    "a shift must be closed by its recorded opening time when the register reports none",
    { ...state, shiftOpenedAt: null },
    { number: 1, openedAt: at("2026-11-20T13:00:00") },
    true,
  ],
  [
    "a shift need not be closed because of the age of another shift on record",
    { ...state, shiftOpenedAt: null },
    { number: 7, openedAt: at("2026-11-19T13:00:00") },
    false,
  ],
  ["a shift of unknown age need not be closed", { ...state, shiftOpenedAt: null }, null, false],
] as const)("%s", (_, read, recorded, expected) => {
  expect(mustCloseShift(read, () => recorded)).toBe(expected);
});

const shift = { number: 1, state: "open" } as const;
test.each([
  ["a shift opened in the morning, late at night", "2026-11-20T09:00:00", "2026-11-20T23:51:00", true],
  ["a shift opened in the morning, before the closing time", "2026-11-20T09:00:00", "2026-11-20T23:49:00", false],
  ["a shift of yesterday", "2026-11-20T09:00:00", "2026-11-21T08:00:00", true],
  ["a shift opened after the closing time", "2026-11-20T23:51:00", "2026-11-21T08:00:00", false],
  ["a shift opened shortly before the closing time", "2026-11-20T23:49:00", "2026-11-20T23:50:00", true],
  ["a shift opened at the closing time", "2026-11-20T23:50:00", "2026-11-20T23:50:30", false],
  ["a shift opened later than its register's clock says", "2026-11-20T23:55:00", "2026-11-20T23:51:00", false],
])("the closing time 23:50 has passed over %s (opened %s, now %s): %s", (_, opened, now, expected) => {
  expect(missedClosing({ shift, shiftOpenedAt: at(opened), clock: at(now) }, () => null, "23:50")).toBe(expected);
});
test("the closing time has passed over a shift of unknown age only for ten minutes", () => {
  const seenAt = (time: string) => missedClosing({ shift, shiftOpenedAt: null, clock: at(time) }, () => null, "23:50");
  expect(["23:49:59", "23:50:00", "23:59:59"].map((time) => seenAt(`2026-11-20T${time}`))).toEqual([false, true, true]);
  expect(seenAt("2026-11-21T00:00:00")).toBe(false);
});

test("the closing time has not passed over a closed shift", () => {
  const clock = at("2026-11-20T23:55:00");
  const closed = { number: 1, state: "closed" } as const;
  expect(missedClosing({ shift: closed, shiftOpenedAt: at("2026-11-20T09:00:00"), clock }, () => null, "23:50")).toBe(
    false,
  );
});

const ofMorning = makeState({ clock: at("2026-11-21T13:50:00"), shiftOpenedAt: at("2026-11-21T09:00:00") });
test.each([
  ["is today's closing time while that time is still to come", ofMorning, "23:50", "2026-11-21T23:50:00"],
  ["is 23 h 50 min after the opening when the next closing time is later", ofMorning, "13:50", "2026-11-22T08:50:00"],
  ["is 23 h 50 min after the opening without a closing time", ofMorning, null, "2026-11-22T08:50:00"],
  [
    "is the closing time when the register does not report the shift's opening",
    { ...ofMorning, shiftOpenedAt: null },
    "10:00",
    "2026-11-22T10:00:00",
  ],
  ["is unknown without opening and closing time", { ...ofMorning, shiftOpenedAt: null }, null, null],
  ["does not exist while no shift is open", { ...ofMorning, shift: { number: 1, state: "closed" } }, "23:50", null],
] as const)("the next closing of a shift %s", (_, read, closeShiftAt, expected) => {
  expect(nextClosing(read, closeShiftAt)).toBe(expected);
});
