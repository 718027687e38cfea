import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { localTimeOf } from "@fiscald/shared/local-time.js";
import { rowText } from "@fiscald/shared/paper/layout.js";
import { layoutReceipt, linesWithSum, qrText, type ReceiptPaperOptions } from "@fiscald/shared/paper/layout-receipt.js";
import { plainStyle, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const time = localTimeOf({ year: 2026, month: 11, day: 20, hour: 14, minute: 5, second: 59 });
if (time === null) throw new Error("no such time");

const options: ReceiptPaperOptions = {
  columns: 32,
  register: { kkm: toKkm("0001234567012345"), inn: toInn("7700000000") },
  document: {
    fn: toFnSerial("9999078900001234"),
    fd: 42,
    fiscalSign: "1234567890",
    shift: 3,
    receiptNumber: 17,
    time,
  },
  tables: {
    taxes: [
      { id: 11, title: "НДС 22%", vat: 11 },
      { id: 6, title: "Без НДС", vat: 6 },
    ],
    paymentTypes: [{ id: 7, title: "КУПОН" }],
  },
};

function textOf(receipt: Receipt, more: Partial<ReceiptPaperOptions> = {}): string {
  return layoutReceipt(receipt, { ...options, ...more })
    .map((row) => (row.type === "text" ? rowText(row) : `<${row.type}>`))
    .join("\n");
}

describe("a registered sale on paper", () => {
  const receipt = makeReceipt({
    lines: [
      makeItem({ name: "Сахар", price: kopecks(6667), quantity: quantity(3_000_000), total: kopecks(20_000), tax: 11 }),
      { type: "text", content: { kind: "text", text: "Спасибо!" }, style: { ...plainStyle, alignment: "center" } },
    ],
    payments: [
      { typeClose: 0, sum: kopecks(15_000) },
      { typeClose: 1, sum: kopecks(10_000) },
    ],
    contact: "a@b.ru",
    internet: { url: "https://shop.example" },
    cashier: { name: "Иванова А.А.", inn: null },
  });

  test("a sale on paper shows a split position as the register splits it", () => {
    expect(textOf(receipt)).toContain("2 x 66.67 =133.34\n                1 x 66.66 =66.66\nНДС 22%");
  });

  test("a sale on paper shows total, payments, change and VAT at the right edge", () => {
    const paper = textOf(receipt);
    for (const row of [
      "ИТОГ                     =200.00",
      "НАЛИЧНЫМИ                =150.00",
      "БЕЗНАЛИЧНЫМИ             =100.00",
      "СДАЧА                     =50.00",
      "СУММА НДС 22%             =36.06",
    ]) {
      expect(paper).toContain(`\n${row}\n`);
    }
  });

  test("a sale on paper shows cashier, place, contact and the document's numbers", () => {
    const paper = textOf(receipt);
    for (const part of ["Иванова А.А.", "https://shop.example", "a@b.ru", "9999078900001234"]) {
      expect(paper).toContain(part);
    }
    expect(paper).toMatch(/\nСМЕНА +3\nЧЕК +17\nДАТА +20\.11\.2026 14:05\nРН ККТ +0001234567012345\nИНН +7700000000\n/);
    expect(paper).toMatch(/\nФД +42\nФП +1234567890\n/);
  });

  test("a sale on paper ends with the QR code that the tax office reads", () => {
    expect(layoutReceipt(receipt, options).at(-1)).toMatchObject({
      type: "barcode",
      symbology: "qr",
      data: "t=20261120T1405&s=200.00&fn=9999078900001234&i=42&fp=1234567890&n=1",
    });
  });

  test.each([32, 42, 48])("a sale on paper keeps every row within %i columns", (columns) => {
    for (const row of layoutReceipt(receipt, { ...options, columns })) {
      if (row.type === "text") expect([...rowText(row)].length).toBeLessThanOrEqual(columns);
    }
  });
});

const priced = (sum: number, tax: number) => makeItem({ price: kopecks(sum), tax });
const soldFor = (typeClose: number, sum: number) => ({ payments: [{ typeClose, sum: kopecks(sum) }] });
const preview = { document: null };

test.each<[string, Parameters<typeof makeReceipt>[0], Partial<ReceiptPaperOptions>, RegExp]>([
  // 22/122 of 1.03 is 0.1857, and of 3.09 together 0.5572.
  ["sums up VAT position by position", { lines: [1, 2, 3].map(() => priced(103, 11)) }, {}, /СУММА НДС 22% +=0.57\n/],
  ["says that the receipt is a return", { operation: "return" }, {}, /ВОЗВРАТ ПРИХОДА/],
  ["is a preview without QR code", {}, preview, /^(?!.*(<barcode>|ФП)).*НЕ ЗАРЕГИСТРИРОВАН/s],
  ["is of unknown outcome", {}, { ...preview, isUnknown: true }, /^(?!.*НЕ ЗАРЕГИСТРИРОВАН).*ИСХОД НЕИЗВЕСТЕН/s],
  ["shows the whole sum of a turnover without VAT", { lines: [priced(12_200, 6)] }, {}, /СУММА БЕЗ НДС +=122\.00/],
  ["names an unknown tax row by its number", { lines: [priced(1, 99)] }, {}, /НДС: ставка 99/],
  ["names the register's own payment type by its title", soldFor(7, 10_000), {}, /КУПОН +=100\.00/],
])("a receipt's paper %s", (_what, receipt, more, words) => {
  expect(textOf(makeReceipt(receipt), more)).toMatch(words);
});

test("a picture in a receipt is named on its paper", () => {
  const receipt = makeReceipt({ lines: [makeItem(), { type: "image", source: "logo.png", alignment: "center" }] });
  expect(textOf(receipt)).toContain("[logo.png]");
});

test("a service job on paper shows its sums and reports", () => {
  const paper = textOf({
    orderId: null,
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    kind: "service",
    lines: [
      { type: "cash", direction: "in", sum: kopecks(5000) },
      { type: "report", report: "z" },
      { type: "sync-time" },
      { type: "cut" },
    ],
  });
  expect(paper).toMatch(/^ВНЕСЕНИЕ +=50\.00\n +ОТЧЕТ О ЗАКРЫТИИ СМЕНЫ\n<cut>$/);
});

const words = (receipt: Parameters<typeof linesWithSum>[0]) =>
  linesWithSum(receipt).map((line) =>
    line.type === "item" ? line.name : line.type === "text" && line.content.kind === "text" ? line.content.text : "",
  );

test("the receipt's sum is printed once, behind the last position that asks for it", () => {
  const [first, second] = [makeItem({ name: "1", printSum: true }), makeItem({ name: "2", printSum: true })];
  const receipt = makeReceipt({ operation: "return", lines: [first, second, makeItem({ name: "3" })] });
  expect(words(receipt)).toEqual(["1", "2", "СУММА ЧЕКА", "=300.00", "3"]);
});

test("a receipt keeps its lines when no position asks for the sum", () => {
  const receipt = makeReceipt({ lines: [makeItem()] });
  expect(linesWithSum(receipt)).toBe(receipt.lines);
});

const facts = { time, sum: kopecks(125050), fn: toFnSerial("9999078900001234"), fd: 42, fp: "1234567890" } as const;

test.each([
  ["has the six facts in the fixed order, time to the minute", {}, "&s=1250.50&", "&n=1"],
  ["of a return has type 2", { operation: "return" }, "&s=1250.50&", "&n=2"],
  ["keeps the leading zero of a sum below a rouble", { sum: kopecks(5) }, "&s=0.05&", "&n=1"],
] as const)("the QR text of a receipt %s", (_what, over, sum, type) => {
  const text = `t=20261120T1405${sum}fn=9999078900001234&i=42&fp=1234567890${type}`;
  expect(qrText({ ...facts, operation: "sale", ...over })).toBe(text);
});
