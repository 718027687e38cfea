import { lineFilter } from "@fiscald/daemon/logging/line-filter.js";
import { formatLine } from "@fiscald/daemon/logging/line-format.js";

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

test.each(["A-1", "A 1", "Заказ №7", 'a"b', "x=1"])("--order %s matches the lines of this order only", (order) => {
  const isMatch = lineFilter({ order });
  expect(isMatch(lineOf(order))).toBe(true);
  expect(isMatch(lineOf(`${order}0`))).toBe(false);
});

test("--register and --level filter the lines", () => {
  expect(lineFilter({ register: "till", level: "info" })(lineOf("A-1"))).toBe(true);
  expect(lineFilter({ register: "till", level: "warn" })(lineOf("A-1"))).toBe(false);
  expect(lineFilter({ register: "till-2" })(lineOf("A-1"))).toBe(false);
});
