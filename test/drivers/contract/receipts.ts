/** Receipts that every register must store in its fiscal memory without a change. */
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import {
  type ItemLine,
  plainStyle,
  type SaleReceipt,
  type TextLine,
  type TextStyle,
} from "@fiscald/shared/receipt/receipt.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import type { Feature } from "./features.js";

/** `needs`: features without which a register skips the receipt. */
export interface ReceiptCase {
  readonly title: string;
  readonly needs: readonly Feature[];
  readonly receipt: (taxOf: (vat: VatCode) => number) => SaleReceipt;
}

export function item(facts: Partial<ItemLine> = {}): ItemLine {
  return makeItem({ department: 1, tax: null, ...facts });
}

export function sale(facts: Partial<SaleReceipt> = {}): SaleReceipt {
  return makeReceipt({ lines: [item()], ...facts });
}

export function text(content: string, look: Partial<TextStyle> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...look } };
}

const agent = {
  type: 64,
  supplierName: "ООО Поставщик",
  supplierPhones: ["+79990000001", "+79990000002"],
  supplierInn: toInn("7712345678"),
};

/** A marking code with its separator, as an order has it. */
function code(serial: string): string {
  return Buffer.from(`0104601234567893215${serial}\u001d93dGVz`, "latin1").toString("base64");
}

const marked = (serial: string, facts: Partial<ItemLine> = {}) =>
  item({ subject: 33, markingCode: code(serial), ...facts });
const weighed = { measure: 11, quantity: quantity(1_500_000), total: kopecks(15_000) };
const costing = (price: number, facts: Partial<ItemLine> = {}) =>
  item({ price: kopecks(price), total: kopecks(price), ...facts });
const paid = (...sums: readonly (readonly [typeClose: number, sum: number])[]) => ({
  payments: sums.map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) })),
});
const types = [0, 1, 2, 3, 4];

type Row = readonly [title: string, facts: Partial<SaleReceipt>, ...needs: readonly Feature[]];

const rows: readonly Row[] = [
  ["a weighed position with three decimals", lineOf(45_990, 1_237_000, 56_890)],
  ["a position with a percent discount", lineOf(1_999, 3_000_000, 5_397)],
  ["a position with a discount in roubles that must be split", lineOf(10_000, 3_000_000, 20_000)],
  [
    "ninety-nine positions",
    { lines: Array.from({ length: 99 }, (_, index) => costing(101 + index, { name: `Позиция ${index + 1}` })) },
  ],
  ["a name of 128 letters", { lines: [item({ name: "Щ".repeat(128) })] }],
  [
    "departments, subjects and methods of settlement",
    { lines: [item({ department: 3, subject: 4, method: 1 }), item({ department: 1, subject: 10, method: 3 })] },
  ],
  ["a gift of 0.00 beside a sold position", { lines: [item(), costing(0, { name: "Подарок" })] }],
  ["a mixed payment in cash and by card", paid([0, 4_000], [1, 6_000])],
  ["a payment by card beside more cash than the rest, with change", paid([0, 10_000], [1, 6_000])],
  ["cash with change", paid([0, 50_000])],
  ...types.map((type): Row => [`payment type ${type}`, paid([type, 10_000])]),
  ["all payment types at once", paid(...types.map((type) => [type, 2_000] as const))],
  ["the buyer's e-mail", { contact: "buyer@example.com" }],
  ["the buyer's phone", { contact: "+79991234567" }],
  [
    "an internet settlement with its place",
    { contact: "buyer@example.com", internet: { url: "https://shop.example" } },
    "internet",
  ],
  ["a place of settlement of its own", { settlementPlace: "г. Тверь, ул. Садовая, 2" }],
  [
    "the order's own cashier with INN",
    { cashier: { name: "Старший кассир Петрова П.П.", inn: toInn("771234567890") } },
  ],
  ["the order's own tax system", { taxSystem: 1 }],
  ["an agent's position beside an own one", { lines: [item({ agent }), item({ name: "Своё" })] }],
  [
    "an agent's supplier without INN",
    { lines: [item({ agent: { ...agent, type: 32, supplierPhones: [], supplierInn: null } })] },
  ],
  ["a supplier with a long name", { lines: [item({ agent: { ...agent, supplierName: `ООО "${"Щ".repeat(120)}"` } })] }],
  ...[11, 50].map(
    (measure): Row => [`a measure without a unit: ${measure}`, { lines: [item({ measure, unit: null })] }],
  ),
  [
    "country and customs declaration",
    { lines: [item({ countryCode: "643", customsDeclaration: "10702030/260917/0123456" })] },
  ],
  ["a goods code", { lines: [item({ goodsCode: Buffer.from("444D0422", "hex").toString("base64") })] }, "goodsCode"],
  ["a marked position", { lines: [marked("5abc")] }, "marking"],
  [
    "marked positions that the order names as plain goods and as plain excisable ones",
    { lines: [marked("5abc", { subject: 1 }), marked("5abd", { subject: 2 })] },
    "marking",
  ],
  ["a return of a marked position", { operation: "return", lines: [marked("5abc")] }, "marking"],
  ["a marked position by weight", { lines: [marked("5abc", weighed)] }, "marking"],
  ["a return of a marked position by weight", { operation: "return", lines: [marked("5abc", weighed)] }, "marking"],
  [
    "marked, agent's and plain positions side by side, each with its own mark and tags",
    {
      lines: [
        item({ name: "Своё" }),
        marked("5abc", { name: "Первый код", countryCode: "643" }),
        marked("5abd", { name: "На весах", ...weighed }),
        item({ name: "Чужое", agent }),
        item({ name: "Снова своё" }),
        marked("5abe", { name: "Чужое с кодом", agent }),
        item({ name: "В два ряда", quantity: quantity(3_000_000), total: kopecks(20_000), countryCode: "156" }),
        item({ name: "Последнее" }),
      ],
      ...paid([1, 95_000]),
    },
    "marking",
  ],
  [
    "a marked position by weight with a discount whose sum no price gives exactly",
    {
      lines: [
        marked("5abc", { measure: 11, price: kopecks(100), quantity: quantity(10_500_000), total: kopecks(1_049) }),
      ],
    },
    "roundedMarks",
  ],
];

/** One position with this price, quantity in millionths and sum. */
function lineOf(price: number, millionths: number, total: number) {
  return { lines: [item({ price: kopecks(price), quantity: quantity(millionths), total: kopecks(total) })] };
}

export const receiptCases: readonly ReceiptCase[] = [
  {
    title: "a sale of two positions",
    needs: [],
    receipt: (taxOf) =>
      sale({
        lines: [
          costing(15_050, { name: "Чай чёрный, 100 г", tax: taxOf(11) }),
          costing(9_999, { name: "Sugar & «соль» №1", tax: taxOf(2) }),
        ],
      }),
  },
  { title: "a return", needs: [], receipt: (taxOf) => sale({ operation: "return", lines: [item({ tax: taxOf(1) })] }) },
  ...rows.map(([title, facts, ...needs]): ReceiptCase => ({ title, needs, receipt: () => sale(facts) })),
];
