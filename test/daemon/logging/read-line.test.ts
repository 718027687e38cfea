import { formatLine } from "@fiscald/daemon/logging/line-format.js";
import { lineFilter, readLine } from "@fiscald/daemon/logging/read-line.js";

test("a log line is split into its time, level, namespace and text", () => {
  const at = new Date(2026, 10, 20, 14, 3, 22, 118).getTime();
  const event = { at, level: "info", namespace: "registers", context: { kkm: "0001" } } as const;
  const read = readLine(formatLine({ ...event, message: "is printed now", fields: { text: "a b=c" } }, "en"));
  expect(read).toEqual({
    ...{ at: expect.stringMatching(/^2026-11-20T14:03:22\.118[+-]\d\d:\d\d$/), level: "INFO", namespace: "registers" },
    text: 'kkm=0001 is printed now text="a b=c"',
  });
  expect(new Date(read.at).getTime()).toBe(at);
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

test.each(["A-1", "A 1", "Заказ №7", 'a"b', "x=1"])("logs --order %s shows only lines of that order", (order) => {
  const isMatch = lineFilter({ order });
  expect(isMatch(lineOf(order))).toBe(true);
  expect(isMatch(lineOf(`${order}0`))).toBe(false);
});

test("logs --register and --level filter the lines", () => {
  expect(lineFilter({ register: "till", level: "info" })(lineOf("A-1"))).toBe(true);
  expect(lineFilter({ register: "till", level: "warn" })(lineOf("A-1"))).toBe(false);
  expect(lineFilter({ register: "till-2" })(lineOf("A-1"))).toBe(false);
});
