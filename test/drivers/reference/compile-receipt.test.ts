import type { CompileContext } from "@fiscald/drivers/fiscal-driver.js";
import type { ReferenceCommand } from "@fiscald/drivers/reference/commands.js";
import { compileForReference } from "@fiscald/drivers/reference/compile-receipt.js";
import { referenceCapabilities } from "@fiscald/drivers/reference/driver.js";
import { kopecks, multiply, quantity } from "@fiscald/shared/amounts.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import { item, sale, text } from "../contract/receipts.js";

const localTime = parseLocalTime("2026-11-20T14:05:00");
if (localTime === null) throw new Error("no such time");

const context: CompileContext = {
  shift: "open",
  mark: "A-1 0badcafe",
  cashier: { name: "Иванова А.А.", inn: null },
  taxSystem: null,
  defaultTax: null,
  printPaper: true,
  tables: {
    taxes: [{ id: 11, title: "НДС 22%", vat: 11 }],
    paymentTypes: [
      { id: 0, title: "Наличными" },
      { id: 1, title: "Безналичными" },
    ],
  },
  images: new Map(),
  localTime,
};

function compile(receipt: Receipt, over: Partial<CompileContext> = {}) {
  return compileForReference(receipt, { ...context, ...over }, referenceCapabilities, { ffd: "1.05", taxSystems: 1 });
}

function commandsOf(receipt: Receipt): readonly ReferenceCommand[] {
  return compile(receipt).flatMap(({ steps }) => steps.map(({ command }) => command));
}

test("a sale for the reference register becomes its steps in order, with the close as the only fiscal one", () => {
  const receipt = sale({
    lines: [
      item({ price: kopecks(10_000), quantity: quantity(3_000_000), total: kopecks(20_000), tax: 11 }),
      text("Спасибо", { newLine: false }),
      text("!"),
    ],
    payments: [{ typeClose: 1, sum: kopecks(20_000) }],
  });
  const [program, ...others] = compile(receipt);
  expect(others).toEqual([]);
  expect(program?.steps.map(({ name }) => name)).toEqual([
    "open receipt",
    "item 1",
    "item 1 rest",
    "print text",
    "payment 1",
    "subtotal",
    "close receipt",
  ]);
  expect(program?.fiscalStep).toBe(6);
  expect(program?.steps.at(5)?.expectSubtotal).toBe(20_000);
  expect(program?.steps.filter(({ repeatable }) => repeatable).map(({ name }) => name)).toEqual(["subtotal"]);
  expect(program?.steps.filter(({ optional }) => optional).map(({ name }) => name)).toEqual(["print text"]);
});

test("a sale on a closed shift of the reference register is preceded by a program that opens the shift", () => {
  expect(compile(sale(), { shift: "closed" }).map(({ kind }) => kind.type)).toEqual(["shift-open", "receipt"]);
});

test("a text without a line feed is sent to the reference register in one row with the next text", () => {
  const [body] = commandsOf(sale({ lines: [item(), text("Итого ", { newLine: false, bold: true }), text("5")] }))
    .filter(({ name }) => name === "PRINT")
    .map(({ body }) => body);
  expect(body).toEqual({
    kind: "text",
    columns: 48,
    spans: [
      { text: "Итого ", looks: ["bold"], rotation: 0 },
      { text: "5", looks: [], rotation: 0 },
    ],
  });
});

test.each([
  ["a payment type that the register does not have", sale({ payments: [{ typeClose: 3, sum: kopecks(10_000) }] })],
  ["more positions than a receipt can hold", sale({ lines: Array.from({ length: 501 }, () => item()) })],
])("a receipt with %s is refused for the reference register", (_title, receipt) => {
  expect(() => compile(receipt)).toThrow(expect.objectContaining({ code: "receipt.unsupported" }));
});

test("positions sent to the reference register add up to the total, each exact to the kopeck", () => {
  const position = fc.record({
    price: fc.integer({ min: 1, max: 1_000_000 }),
    millis: fc.integer({ min: 1, max: 20_000 }),
    percent: fc.integer({ min: 0, max: 9_900 }),
  });
  fc.assert(
    fc.property(fc.array(position, { minLength: 1, maxLength: 20 }), (positions) => {
      const lines = positions.map(({ price, millis, percent }) => {
        const count = quantity(millis * 1000);
        const gross = multiply(kopecks(price), count);
        return item({
          price: kopecks(price),
          quantity: count,
          total: kopecks(gross - Math.round((gross * percent) / 10_000)),
        });
      });
      const total = lines.reduce((sum, line) => sum + line.total, 0);
      fc.pre(total > 0);
      const commands = commandsOf(sale({ lines, payments: [{ typeClose: 1, sum: kopecks(total) }] }));
      const items = commands.flatMap((command) => (command.name === "ITEM" ? [command.body] : []));
      for (const { price, quantity: count, sum } of items) {
        expect(multiply(kopecks(price), quantity(count))).toBe(sum);
      }
      expect(items.reduce((sum, body) => sum + body.sum, 0)).toBe(total);
    }),
  );
});
