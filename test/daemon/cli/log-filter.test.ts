import { lineFilter } from "@fiscald/daemon/cli/commands/logs.js";
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

test.each(["A-1", "A 1", "Заказ №7", 'a"b', "x=1"])("finds the lines of the order %s, and of no other", (order) => {
  const isWanted = lineFilter({ order });
  expect(isWanted(lineOf(order))).toBe(true);
  expect(isWanted(lineOf(`${order}0`))).toBe(false);
});

test("finds by register and by level", () => {
  expect(lineFilter({ register: "till", level: "info" })(lineOf("A-1"))).toBe(true);
  expect(lineFilter({ register: "till", level: "warn" })(lineOf("A-1"))).toBe(false);
  expect(lineFilter({ register: "till-2" })(lineOf("A-1"))).toBe(false);
});
