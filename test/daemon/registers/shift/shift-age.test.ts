import { missedClosing, mustCloseShift } from "@fiscald/daemon/registers/shift/shift-age.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makeState } from "../../../support/make-snapshot.js";

describe("a shift must be closed", () => {
  const state = makeState({
    clock: "2026-11-21T13:50:00" as LocalTime,
    shiftOpenedAt: "2026-11-20T14:00:00" as LocalTime,
  });
  const at = (text: string) => text as LocalTime;
  test.each([
    ["at 23 h 50 min", state, null, true],
    ["not a second before", { ...state, clock: at("2026-11-21T13:49:59") }, null, false],
    [
      "when the register reports it as expired",
      { ...state, shift: { number: 1, state: "expired" }, clock: null },
      null,
      true,
    ],
    ["not when it is closed", { ...state, shift: { number: 1, state: "closed" } }, null, false],
    [
      "by the recorded opening time when the register does not report it",
      { ...state, shiftOpenedAt: null },
      { number: 1, openedAt: at("2026-11-20T13:00:00") },
      true,
    ],
    [
      "not by the opening of another shift than the open one",
      { ...state, shiftOpenedAt: null },
      { number: 7, openedAt: at("2026-11-19T13:00:00") },
      false,
    ],
    ["not when its age is unknown", { ...state, shiftOpenedAt: null }, null, false],
  ] as const)("%s", (_, read, recorded, expected) => {
    expect(mustCloseShift(read, () => recorded)).toBe(expected);
  });
});

describe("a closing time has passed over a shift", () => {
  const at = (text: string) => text as LocalTime;
  const shift = { number: 1, state: "open" } as const;
  test.each([
    ["that was opened in the morning, late at night", "2026-11-20T09:00:00", "2026-11-20T23:51:00", true],
    ["that was opened in the morning, before the closing time", "2026-11-20T09:00:00", "2026-11-20T23:49:00", false],
    ["of yesterday", "2026-11-20T09:00:00", "2026-11-21T08:00:00", true],
    ["that was opened after the closing time", "2026-11-20T23:51:00", "2026-11-21T08:00:00", false],
    ["that was opened shortly before the closing time", "2026-11-20T23:49:00", "2026-11-20T23:50:00", true],
    ["that was opened at the closing time", "2026-11-20T23:50:00", "2026-11-20T23:50:30", false],
    ["whose register's clock was set back behind its opening", "2026-11-20T23:55:00", "2026-11-20T23:51:00", false],
  ])("%s", (_, opened, now, expected) => {
    expect(missedClosing({ shift, shiftOpenedAt: at(opened), clock: at(now) }, () => null, "23:50")).toBe(expected);
  });
  test("that is of unknown age only while the closing time is a few minutes ago", () => {
    const seenAt = (time: string) =>
      missedClosing({ shift, shiftOpenedAt: null, clock: at(time) }, () => null, "23:50");
    expect(["23:49:59", "23:50:00", "23:59:59"].map((time) => seenAt(`2026-11-20T${time}`))).toEqual([
      false,
      true,
      true,
    ]);
    expect(seenAt("2026-11-21T00:00:00")).toBe(false);
  });

  test("not when the shift is closed", () => {
    const clock = at("2026-11-20T23:55:00");
    const closed = { number: 1, state: "closed" } as const;
    expect(missedClosing({ shift: closed, shiftOpenedAt: at("2026-11-20T09:00:00"), clock }, () => null, "23:50")).toBe(
      false,
    );
  });
});
