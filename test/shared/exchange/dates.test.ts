import { formatWireTime, parseWireTime } from "@fiscald/shared/exchange/dates.js";
import { addSeconds, parseLocalTime } from "@fiscald/shared/local-time.js";
import fc from "fast-check";

describe("the wire's date and time", () => {
  test.each([
    ["20.11.2026 14:05:00", "2026-11-20T14:05:00"],
    [" 01.02.2026T03:04:05 ", "2026-02-01T03:04:05"],
    ["2026-11-20T14:05:00", "2026-11-20T14:05:00"],
    ["2026-11-20 14:05", "2026-11-20T14:05:00"],
    ["29.02.2028 00:00:00", "2028-02-29T00:00:00"],
    ["29.02.2027 00:00:00", null],
    ["20.13.2026 14:05:00", null],
    ["20.11.2026 24:00:00", null],
    ["20.11.26 14:05:00", null],
    ["1.2.2026 14:05:00", null],
    ["", null],
  ])("%j is %p", (text, expected) => {
    expect(parseWireTime(text)).toBe(expected);
  });

  test("is read back as it was written", () => {
    const start = parseLocalTime("2000-01-01T00:00:00");
    if (start === null) throw new Error("no start");
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000 }), (seconds) => {
        const time = addSeconds(start, seconds);
        expect(parseWireTime(formatWireTime(time))).toBe(time);
      }),
    );
  });
});
