/** Receipts that every register must bring into its fiscal memory unchanged. */
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

export interface ReceiptCase {
  readonly title: string;
  /** What the register must be able to do. */
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

/** A code of the marking system with its separator, as an order carries it. */
function code(serial: string): string {
  return Buffer.from(`0104601234567893215${serial}\u001d93dGVz`, "latin1").toString("base64");
}

function weighed(millionths: number) {
  return { measure: 11, quantity: quantity(millionths) };
}

export const receiptCases: readonly ReceiptCase[] = [
  {
    title: "a sale of two positions",
    needs: [],
    receipt: (taxOf) =>
      sale({
        lines: [
          item({ name: "Чай чёрный, 100 г", price: kopecks(15_050), total: kopecks(15_050), tax: taxOf(11) }),
          item({ name: "Sugar & «соль» №1", price: kopecks(9_999), total: kopecks(9_999), tax: taxOf(2) }),
        ],
      }),
  },
  {
    title: "a return",
    needs: [],
    receipt: (taxOf) => sale({ operation: "return", lines: [item({ tax: taxOf(1) })] }),
  },
  {
    title: "a weighed position with three decimals",
    needs: [],
    receipt: () =>
      sale({ lines: [item({ price: kopecks(45_990), quantity: quantity(1_237_000), total: kopecks(56_890) })] }),
  },
  {
    title: "a position with a percent discount",
    needs: [],
    receipt: () =>
      sale({ lines: [item({ price: kopecks(1_999), quantity: quantity(3_000_000), total: kopecks(5_397) })] }),
  },
  {
    title: "a position with a discount in roubles that must be split",
    needs: [],
    receipt: () =>
      sale({ lines: [item({ price: kopecks(10_000), quantity: quantity(3_000_000), total: kopecks(20_000) })] }),
  },
  {
    title: "a hundred positions less one",
    needs: [],
    receipt: () =>
      sale({
        lines: Array.from({ length: 99 }, (_, index) =>
          item({ name: `Позиция ${index + 1}`, price: kopecks(101 + index), total: kopecks(101 + index) }),
        ),
      }),
  },
  {
    title: "a name of 128 letters",
    needs: [],
    receipt: () => sale({ lines: [item({ name: "Щ".repeat(128) })] }),
  },
  {
    title: "departments, subjects and methods of settlement",
    needs: [],
    receipt: () =>
      sale({
        lines: [item({ department: 3, subject: 4, method: 1 }), item({ department: 1, subject: 10, method: 3 })],
      }),
  },
  {
    title: "a mixed payment in cash and by card",
    needs: [],
    receipt: () =>
      sale({
        payments: [
          { typeClose: 0, sum: kopecks(4_000) },
          { typeClose: 1, sum: kopecks(6_000) },
        ],
      }),
  },
  {
    title: "cash that covers all of it beside a card, with change",
    needs: [],
    receipt: () =>
      sale({
        payments: [
          { typeClose: 0, sum: kopecks(10_000) },
          { typeClose: 1, sum: kopecks(6_000) },
        ],
      }),
  },
  {
    title: "cash with change",
    needs: [],
    receipt: () => sale({ payments: [{ typeClose: 0, sum: kopecks(50_000) }] }),
  },
  ...[0, 1, 2, 3, 4].map(
    (typeClose): ReceiptCase => ({
      title: `payment type ${typeClose}`,
      needs: [],
      receipt: () => sale({ payments: [{ typeClose, sum: kopecks(10_000) }] }),
    }),
  ),
  {
    title: "all payment types at once",
    needs: [],
    receipt: () => sale({ payments: [0, 1, 2, 3, 4].map((typeClose) => ({ typeClose, sum: kopecks(2_000) })) }),
  },
  {
    title: "the buyer's e-mail",
    needs: [],
    receipt: () => sale({ contact: "buyer@example.com" }),
  },
  {
    title: "the buyer's phone",
    needs: [],
    receipt: () => sale({ contact: "+79991234567" }),
  },
  {
    title: "an internet settlement with its place",
    needs: ["internet"],
    receipt: () => sale({ contact: "buyer@example.com", internet: { url: "https://shop.example" } }),
  },
  {
    title: "a place of settlement of its own",
    needs: [],
    receipt: () => sale({ settlementPlace: "г. Тверь, ул. Садовая, 2" }),
  },
  {
    title: "the order's own cashier with INN",
    needs: [],
    receipt: () => sale({ cashier: { name: "Старший кассир Петрова П.П.", inn: toInn("771234567890") } }),
  },
  {
    title: "the order's own tax system",
    needs: [],
    receipt: () => sale({ taxSystem: 1 }),
  },
  {
    title: "an agent's position beside an own one",
    needs: [],
    receipt: () => sale({ lines: [item({ agent }), item({ name: "Своё" })] }),
  },
  {
    title: "an agent's supplier without INN",
    needs: [],
    receipt: () => sale({ lines: [item({ agent: { ...agent, type: 32, supplierPhones: [], supplierInn: null } })] }),
  },
  {
    title: "a supplier with a long name",
    needs: [],
    receipt: () => sale({ lines: [item({ agent: { ...agent, supplierName: `ООО "${"Щ".repeat(120)}"` } })] }),
  },
  ...[11, 50].map(
    (measure): ReceiptCase => ({
      title: `a measure without a unit: ${measure}`,
      needs: [],
      receipt: () => sale({ lines: [item({ measure, unit: null })] }),
    }),
  ),
  {
    title: "country and customs declaration",
    needs: [],
    receipt: () => sale({ lines: [item({ countryCode: "643", customsDeclaration: "10702030/260917/0123456" })] }),
  },
  {
    title: "a goods code",
    needs: ["goodsCode"],
    receipt: () => sale({ lines: [item({ goodsCode: Buffer.from("444D0422", "hex").toString("base64") })] }),
  },
  {
    title: "a marked position",
    needs: ["marking"],
    receipt: () => sale({ lines: [item({ subject: 33, markingCode: code("5abc") })] }),
  },
  {
    title: "marked positions that the order names as plain goods and as plain excisable ones",
    needs: ["marking"],
    receipt: () =>
      sale({
        lines: [item({ subject: 1, markingCode: code("5abc") }), item({ subject: 2, markingCode: code("5abd") })],
      }),
  },
  {
    title: "a return of a marked position",
    needs: ["marking"],
    receipt: () => sale({ operation: "return", lines: [item({ subject: 33, markingCode: code("5abc") })] }),
  },
  {
    title: "a marked position by weight",
    needs: ["marking"],
    receipt: () =>
      sale({
        lines: [item({ subject: 33, ...weighed(1_500_000), total: kopecks(15_000), markingCode: code("5abc") })],
      }),
  },
  {
    title: "a return of a marked position by weight",
    needs: ["marking"],
    receipt: () =>
      sale({
        operation: "return",
        lines: [item({ subject: 33, ...weighed(1_500_000), total: kopecks(15_000), markingCode: code("5abc") })],
      }),
  },
  {
    title: "marked, agent's and plain positions side by side, each with its own mark and tags",
    needs: ["marking"],
    receipt: () =>
      sale({
        lines: [
          item({ name: "Своё" }),
          item({ name: "Первый код", subject: 33, markingCode: code("5abc"), countryCode: "643" }),
          item({
            name: "На весах",
            subject: 33,
            ...weighed(1_500_000),
            total: kopecks(15_000),
            markingCode: code("5abd"),
          }),
          item({ name: "Чужое", agent }),
          item({ name: "Снова своё" }),
          item({ name: "Чужое с кодом", subject: 33, agent, markingCode: code("5abe") }),
          item({ name: "В два ряда", quantity: quantity(3_000_000), total: kopecks(20_000), countryCode: "156" }),
          item({ name: "Последнее" }),
        ],
        payments: [{ typeClose: 1, sum: kopecks(95_000) }],
      }),
  },
  {
    title: "a marked position by weight with a discount that no price gives to the kopeck",
    needs: ["roundedMarks"],
    receipt: () => {
      const line = { ...weighed(10_500_000), price: kopecks(100), total: kopecks(1_049) };
      return sale({ lines: [item({ subject: 33, ...line, markingCode: code("5abc") })] });
    },
  },
];
