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

  test("a sale on paper shows a position split as the register counts it", () => {
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

test("VAT on a receipt's paper is summed up position by position, as the document has it", () => {
  const lines = Array.from({ length: 3 }, () => makeItem({ price: kopecks(103), total: kopecks(103), tax: 11 }));
  // 22/122 of 1.03 is 0.1857, and of 3.09 together 0.5572.
  expect(textOf(makeReceipt({ lines, payments: [{ typeClose: 0, sum: kopecks(309) }] }))).toMatch(
    /СУММА НДС 22% +=0.57\n/,
  );
});

test("a return on paper says that it is a return", () => {
  expect(textOf(makeReceipt({ operation: "return" }))).toContain("ВОЗВРАТ ПРИХОДА");
});

test("a preview of a receipt says that nothing is registered and has no QR code", () => {
  const paper = textOf(makeReceipt(), { document: null });
  expect(paper).toContain("НЕ ЗАРЕГИСТРИРОВАН");
  expect(paper).not.toContain("<barcode>");
  expect(paper).not.toContain("ФП");
});

test("a receipt of unknown outcome does not say that nothing is registered", () => {
  const paper = textOf(makeReceipt(), { document: null, isUnknown: true });
  expect(paper).toContain("ИСХОД НЕИЗВЕСТЕН");
  expect(paper).not.toContain("НЕ ЗАРЕГИСТРИРОВАН");
});

test("a turnover without VAT is shown whole on a receipt's paper", () => {
  const receipt = makeReceipt({ lines: [makeItem({ price: kopecks(12_200), total: kopecks(12_200), tax: 6 })] });
  expect(textOf(receipt)).toMatch(/СУММА БЕЗ НДС +=122\.00/);
});

test("an unknown tax row is named by its number on a receipt's paper", () => {
  expect(textOf(makeReceipt({ lines: [makeItem({ tax: 99 })] }))).toContain("НДС: ставка 99");
});

test("a payment type of the register's own is named by its title on a receipt's paper", () => {
  expect(textOf(makeReceipt({ payments: [{ typeClose: 7, sum: kopecks(10_000) }] }))).toMatch(/КУПОН +=100\.00/);
});

test("a picture in a receipt is drawn on its paper, and a missing picture is named there", () => {
  const receipt = makeReceipt({
    lines: [
      makeItem(),
      { type: "image", source: "logo.png", alignment: "center" },
      { type: "image", source: "lost.png", alignment: "left" },
    ],
  });
  const images = new Map([["logo.png", { width: 8, height: 1, rows: Uint8Array.of(0xff) }]]);
  const paper = textOf(receipt, { images });
  expect(paper).toContain("<image>");
  expect(paper).toContain("[lost.png]");
  expect(paper).not.toContain("[logo.png]");
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

test("a receipt without a position that asks for the sum keeps its lines", () => {
  const receipt = makeReceipt({ lines: [makeItem()] });
  expect(linesWithSum(receipt)).toBe(receipt.lines);
});

const facts = { time, sum: kopecks(125050), fn: toFnSerial("9999078900001234"), fd: 42, fp: "1234567890" } as const;

test("the QR text has the six facts of a sale in the fixed order, time to the minute", () => {
  expect(qrText({ ...facts, operation: "sale" })).toBe(
    "t=20261120T1405&s=1250.50&fn=9999078900001234&i=42&fp=1234567890&n=1",
  );
});

test("the QR text of a return has type 2", () => {
  expect(qrText({ ...facts, operation: "return" })).toMatch(/&n=2$/);
});

test("a sum below a rouble in the QR text keeps its leading zero", () => {
  expect(qrText({ ...facts, sum: kopecks(5), operation: "sale" })).toContain("&s=0.05&");
});
