import {
  addSeconds,
  formatWireTime,
  instantOf,
  type LocalTime,
  localTimeAt,
  localTimeOf,
  parseInstant,
  parseLocalTime,
  parseWireTime,
  partsOf,
  secondsBetween,
} from "@fiscald/shared/local-time.js";
import fc from "fast-check";

function local(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time === null) throw new Error(`no local time: ${text}`);
  return time;
}

describe("reading a local time", () => {
  const unreadable = [
    ...["2026-11-20 14:05:09", "2026-11-20T14:05:09Z", "2026-02-29T00:00:00", "2026-13-01T00:00:00"],
    ...["2026-11-20T24:00:00", "2026-11-20T14:60:00", "2026-11-20", ""],
  ];

  test.each<readonly [string, string | null]>([
    ["2026-11-20T14:05:09", "2026-11-20T14:05:09"],
    ["2026-11-20T14:05", "2026-11-20T14:05:00"],
    ["2024-02-29T00:00:00", "2024-02-29T00:00:00"],
    ...unreadable.map((text) => [text, null] as const),
  ])("the local time %j is read as %j", (text, time) => {
    expect(parseLocalTime(text)).toBe(time);
  });

  test("a local time that is split into parts and joined again is the same text", () => {
    const date = fc.date({
      min: new Date("2000-01-01T00:00:00Z"),
      max: new Date("2099-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        const time = local(moment.toISOString().slice(0, 19));
        expect(localTimeOf(partsOf(time))).toBe(time);
      }),
    );
  });
});

describe("counting with a local time", () => {
  test("seconds between local times are counted without regard to zone and summer time", () => {
    expect(secondsBetween(local("2026-03-29T01:00:00"), local("2026-03-29T04:00:00"))).toBe(3 * 3600);
    expect(addSeconds(local("2026-12-31T23:59:59"), 1)).toBe("2027-01-01T00:00:00");
    expect(addSeconds(local("2026-01-01T00:00:00"), -1)).toBe("2025-12-31T23:59:59");
  });
});

describe("the clocks of a place", () => {
  test("an instant is shown as local time of its zone", () => {
    const noon = Date.parse("2026-11-20T12:00:00Z");
    expect(localTimeAt(noon, "Europe/Moscow")).toBe("2026-11-20T15:00:00");
    expect(localTimeAt(noon, "Asia/Kamchatka")).toBe("2026-11-21T00:00:00");
  });

  test.each(["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu"])(
    "an instant in %s is shown correctly before and after the clocks are changed",
    (timeZone) => {
      const asked = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
      const looks = ["2026-03-01T00:00:00Z", "2026-10-01T00:00:00Z"].flatMap((first) =>
        Array.from({ length: 45 * 24 * 12 }, (_, step) => Date.parse(first) + step * 299_777),
      );
      const shown = looks.map((instant) => localTimeAt(instant, timeZone));
      expect(shown).toEqual(looks.map((instant) => asked.format(instant).replace(" ", "T")));
    },
  );

  test("an instant in an unknown zone throws a RangeError", () => {
    expect(() => localTimeAt(0, "Europe/Nowhere")).toThrow(RangeError);
  });

  test.each([
    ["once", "2026-11-20T15:00:00", "Europe/Moscow", "2026-11-20T12:00:00.000Z"],
    ["twice, into the earlier one", "2026-10-25T02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["twice, into the earlier one", "2026-11-01T01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ])("a local time that its zone shows %s is turned into an instant: %s in %s", (_, time, zone, instant) => {
    expect(new Date(instantOf(local(time), zone)).toISOString()).toBe(instant);
  });

  test("a local time that a zone skips is turned into an instant too", () => {
    expect(localTimeAt(instantOf(local("2026-03-29T02:30:00"), "Europe/Berlin"), "Europe/Berlin")).toBe(
      "2026-03-29T03:30:00",
    );
  });

  test("a local time that was turned into an instant is shown as the same local time", () => {
    const zone = fc.constantFrom("Europe/Moscow", "Asia/Vladivostok", "Asia/Yekaterinburg", "Europe/Berlin", "UTC");
    const date = fc.date({
      min: new Date("2020-01-01T00:00:00Z"),
      max: new Date("2035-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zone, date, (timeZone, moment) => {
        const shown = localTimeAt(moment.getTime(), timeZone);
        expect(localTimeAt(instantOf(shown, timeZone), timeZone)).toBe(shown);
      }),
    );
  });
});

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
  ])("the wire's time %j is read as %p", (text, expected) => {
    expect(parseWireTime(text)).toBe(expected);
  });

  test("a time written for the wire is read back as the same time", () => {
    const start = local("2000-01-01T00:00:00");
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000 }), (seconds) => {
        const time = addSeconds(start, seconds);
        expect(parseWireTime(formatWireTime(time))).toBe(time);
      }),
    );
  });
});

describe("reading an instant", () => {
  const noon = Date.UTC(2026, 10, 20, 12);

  test.each([
    ["2026-11-20T15:00:00+03:00", undefined, noon],
    [" 2026-11-20 12:00Z ", undefined, noon],
    ["2026-11-20T12:00:00.250Z", undefined, noon + 250],
    ["20.11.2026 15:00:00", "Europe/Moscow", noon],
    ["2026-11-20T15:00:00", "Europe/Moscow", noon],
    ["2026-11-20T15:00:00+03:00", "Asia/Vladivostok", noon],
    ["2026-11-20T15:00:00", undefined, null],
    ["2026-13-20T15:00:00Z", undefined, null],
    ["2026-11-20", "Europe/Moscow", null],
    ["1795176000", "Europe/Moscow", null],
    ["", "Europe/Moscow", null],
  ])("%j in the zone %s is %s", (text, zone, at) => {
    expect(parseInstant(text, zone)).toBe(at);
  });
});
