import { formatLine, type LogEvent } from "@fiscald/daemon/logging/line-format.js";
import { lineFilter, readLine } from "@fiscald/daemon/logging/read-line.js";
import { Fault } from "@fiscald/shared/fault.js";

const at = new Date(2026, 10, 20, 14, 3, 22, 118).getTime();
const event: LogEvent = { at, level: "info", namespace: "registers", context: {}, message: "printed", fields: {} };

test("a log line is split into the fields that it was made of", () => {
  const fields = { order: 'A "1"', document: 318, sum: 152_000, ms: 2345, list: [1, 2], text: "a b=c" };
  const read = readLine(formatLine({ ...event, context: { kkm: "0001" }, message: "is printed now", fields }, "en"));
  expect(read).toEqual({
    ...{ at: expect.stringMatching(/^2026-11-20T14:03:22\.118[+-]\d\d:\d\d$/), level: "INFO", namespace: "registers" },
    message: "is printed now",
    fields: {
      ...{ kkm: "0001", order: 'A "1"', document: "318", sum: "1520.00" },
      ...{ seconds: "2.3", list: [1, 2], text: "a b=c" },
    },
  });
  expect(new Date(read?.at ?? "").getTime()).toBe(at);
});

test("a fault in a log line is split into its fields", () => {
  const fault = new Fault("link.timeout", { message: "no answer in 5 s", place: "till-1", details: { tries: 3 } });
  const read = readLine(formatLine({ ...event, level: "error", message: "not printed", fields: { fault } }, "en"));
  expect(read).toMatchObject({
    ...{ level: "ERROR", message: "not printed" },
    fields: {
      ...{ code: "link.timeout", reason: "no answer in 5 s", place: "till-1", details: { tries: 3 } },
      hint: expect.stringMatching(/switched on and connected/),
    },
  });
});

test.each(["", "    at run (main.js:1:2)", "2026-11-20", "2026-11-20 14:03:22.118 LOUD x y"])(
  "%j is not read as the beginning of a log line",
  (text) => {
    expect(readLine(text)).toBeNull();
  },
);

test("a quote without its pair in a log line loses nothing", () => {
  expect(readLine('2026-11-20 14:03:22.118 INFO daemon says 5" and ends')?.message).toBe('says 5" and ends');
});

const lineOf = (order: string) =>
  formatLine(
    {
      at: 0,
      level: "info",
      namespace: "registers",
      context: { register: "till" },
      message: "printed",
      fields: { order },
    },
    "en",
  );

test.each(["A-1", "A 1", "Заказ №7", 'a"b', "x=1"])("logs --order %s shows no other order", (order) => {
  const isMatch = lineFilter({ order });
  expect(isMatch(lineOf(order))).toBe(true);
  expect(isMatch(lineOf(`${order}0`))).toBe(false);
});

test("logs --register and --level filter the lines", () => {
  expect(lineFilter({ register: "till", level: "info" })(lineOf("A-1"))).toBe(true);
  expect(lineFilter({ register: "till", level: "warn" })(lineOf("A-1"))).toBe(false);
  expect(lineFilter({ register: "till-2" })(lineOf("A-1"))).toBe(false);
});
