import {
  cancel,
  close,
  pay,
  read,
  receiptFrom,
  refusalsOf,
  saleFrom,
  sell,
  table,
  tea,
} from "../../../support/order-samples.js";

const text = { type: "String", data: "Спасибо" };

describe("paper lines", () => {
  const barcode = (data: unknown, param: object = {}) => table([{ type: "BarCode", data, param }]);

  test.each([
    ["a report without its type", table([{ type: "Report" }]), "3 taskTable[0].param.reportType"],
    ["an unknown report", table([{ type: "Report", param: { reportType: 3 } }]), "1 taskTable[0].param.reportType"],
    ["cash in without a sum", table([{ type: "CashIncome" }]), "3 taskTable[0].param.summ"],
    ["cash out of zero", table([{ type: "CashOutcome", param: { summ: 0 } }]), "1 taskTable[0].param.summ"],
    ["cash in below zero", table([{ type: "CashIncome", param: { summ: -5 } }]), "1 taskTable[0].param.summ"],
  ])("paper lines with %s are refused", (_, order, expected) => {
    expect(refusalsOf(order)).toEqual([expected]);
  });

  test.each([
    ["font -1", "font", { font: -1 }, { font: 0 }],
    ["a rotation of 90", "charRotation", { charRotation: 90 }, { rotation: 0 }],
    ["a flag of 2", "wrap", { wrap: 2 }, { wrap: true }],
    ["a misspelt Newline", "newLine", { NEWLINE: "нет" }, { newLine: true }],
  ])("a text line with %s is printed in the usual way, with a warning", (_, field, param, style) => {
    expect(read(table([{ ...text, param }]))).toMatchObject({
      receipt: { lines: [{ style }] },
      warnings: [{ path: `taskTable[0].param.${field}` }],
    });
  });

  test.each([
    ["a short EAN-13", table([cancel, text, { type: "BarCode", data: "46000" }]), "taskTable[2].data"],
    ["no data", table([sell, tea, pay(100), { type: "BarCode", data: false }, close]), "taskTable[3].data"],
    ["a wrong check digit", barcode("4600000000001"), "taskTable[0].data"],
    ["small letters in Code39", barcode("abc", { barCodeType: "Code39" }), "taskTable[0].data"],
    ["more than a QR holds", barcode("a".repeat(1025), { barCodeType: "QR" }), "taskTable[0].data"],
    [
      "a number of an order",
      table([sell, tea, pay(100), { type: "BarCode", data: "ORDER-1" }, close]),
      "taskTable[3].data",
    ],
  ])("a bar code with %s is accepted with a warning at its place", (_, order, path) => {
    expect(read(order)).toMatchObject({ kind: "receipt", warnings: [{ path }] });
  });

  test.each([{}, { data: "" }, { data: false }, { data: {} }, { data: [] }])(
    "a sale with a picture and a text whose data is no text (%j) is accepted, and neither shows anything",
    (given) => {
      const lines = ["Image", "String", "Cut"].map((type) => ({ type, ...given }));
      const order = table([{ ...sell, ...given }, tea, pay(100), ...lines, { ...close, ...given }]);
      expect(saleFrom(order).lines).toMatchObject([
        { type: "item" },
        { type: "text", content: { text: "" } },
        { type: "cut" },
      ]);
    },
  );

  test("a contact that is no text is refused, because it may be the buyer's address", () => {
    const contact = { type: "ClientContact", data: { email: "buyer@example.ru" } };
    expect(refusalsOf(table([sell, contact, tea, pay(100), close]))).toEqual(["1 taskTable[1].data"]);
  });

  test.each([
    [1, "z"],
    [2, "x"],
    ["7", "sections"],
    [8, "cashiers"],
    [10, "hours"],
  ])("reportType %p is read as the report %s", (reportType, report) => {
    expect(receiptFrom(table([{ type: "Report", param: { reportType } }]))).toMatchObject({ lines: [{ report }] });
  });

  test("paper lines stay in sequence between the positions, and their unused params are ignored", () => {
    const lines = [sell, { ...text, param: { price: "abc" } }, tea, { type: "Cut" }, tea, pay(200), close];
    expect(saleFrom(table(lines)).lines.map(({ type }) => type)).toEqual(["text", "item", "cut", "item"]);
  });

  test("a text line keeps its spaces, and a text line without data is an empty line", () => {
    const lines = [{ type: "String", data: "  a" }, { type: "String", data: "  " }, { type: "String" }];
    expect(receiptFrom(table(lines))).toMatchObject({
      lines: [{ content: { text: "  a" } }, { content: { text: "  " } }, { content: { kind: "text", text: "" } }],
    });
  });
});
