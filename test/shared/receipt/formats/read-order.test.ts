import type { ReceiptFormat } from "@fiscald/shared/exchange/read-answer.js";
import { isFault } from "@fiscald/shared/fault.js";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import fc from "fast-check";
import { close, item, online, pay, problemsFrom, read, sell, table, tea } from "../../../support/order-samples.js";
import { anyTableReceipt } from "../../../support/receipt-arbitrary.js";

const sale = table([sell, tea, pay(100), close]);

describe("an answer to an order poll", () => {
  test.each([
    [""],
    [" \r\n\t"],
    ["\uFEFF"],
    ["null"],
    ["{}"],
    ["[]"],
    ['{"response":null}'],
    ['{"response":{}}'],
    ['{"response":[]}'],
    ['{"response":""}'],
    ['{"resultCode":0,"resultInfo":"x"}'],
    ['{"ResultCode":"0"}'],
    ['{"resultCode":null,"resultInfo":null}'],
    ['{"resultCode":false}'],
  ])("the answer %j to an order poll is no order", (raw) => {
    expect(read(raw)).toEqual({ kind: "empty" });
  });

  test.each([
    ["false", "boolean"],
    ['"no orders"', "string"],
    ['{"Response":false}', "{Response}"],
    [`[${JSON.stringify({ a: 1 })}]`, "[{a}]"],
    ['{"response":[{"orderId":"1"}]}', "{response:[{orderId}]}"],
    ['{"order":{"orderId":"7","taskTable":[{"type":"Cut"}]}}', "{order:{orderId,taskTable:[{}]}}"],
    ['{"result":{"response":{"orderId":"7"}}}', "{result:{response:{orderId}}}"],
    ['{"response":{"taskTabel":[{"type":"Cut"}]}}', "{response:{taskTabel:[{}]}}"],
    ['{"status":"ok"}', "{status}"],
    ['{"response":{"kkm":"0001"}}', "{response:{kkm}}"],
    ['{"response":{"kkm":"0001","orderId":"","taskTable":[]}}', "{response:{kkm,orderId,taskTable:[]}}"],
    ['{"external_id":"","receipt":{}}', "{external_id,receipt:{}}"],
    [
      '{"__proto__":{"taskTable":[1]},"constructor":{"response":1}}',
      "{__proto__:{taskTable:[number]},constructor:{response}}",
    ],
  ])("the answer %s to an order poll has an unknown form and is unreadable", (raw, form) => {
    expect(read(raw)).toMatchObject({ kind: "unknown", form, fault: { code: "order.unreadable" } });
  });

  const wanted = "send `external_id` and a `receipt` with items, payments and total (FROM-CLOUD.md)";

  test.each<readonly [service: string, kind: string, body: object]>([
    ["OrangeData", "unknown", { id: "7", inn: "7700000000", content: { type: 1, positions: [{ text: "Чай" }] } }],
    ["CloudKassir", "unknown", { InvoiceId: "7", Type: "Income", CustomerReceipt: { Items: [{ label: "Чай" }] } }],
    ["MODULKASSA", "unknown", { id: "7", docType: "SALE", inventPositions: [{ name: "Чай" }], moneyPositions: [] }],
    ["KOMTET Kassa", "broken", { external_id: "7", intent: "sell", positions: [{ name: "Чай" }], payments: [] }],
    ["T-Bank", "broken", { TerminalKey: "x", OrderId: "7", Receipt: { Taxation: "osn", Items: [{ Name: "Чай" }] } }],
    ["YooKassa", "broken", { receipt: { items: [{ description: "Чай", vat_code: 11, quantity: "1" }] } }],
    ["the ATOL driver", "unknown", { uuid: "7", request: [{ type: "sell", items: [{ type: "position" }] }] }],
  ])(
    "an order in the format of %s is refused with the name of that service and the format to send",
    (service, kind, body) => {
      for (const answer of [body, { response: body }]) {
        const fault = { code: "order.unreadable", message: `this is a body of ${service}: ${wanted}` };
        expect(read(answer)).toMatchObject({ kind, fault });
      }
    },
  );

  test.each([
    ["an online order", { external_id: "7", receipt: { items: [{ vat_code: 11 }] } }, "receipt.items[0].name"],
    ["a task table", { orderId: "7", taskTable: [{ type: "X" }], items: [{ vat_code: 11 }] }, "taskTable[0].type"],
  ])(
    "a wrong order as %s with another service's key is refused for its own problems, with their paths",
    (_which, body, path) => {
      expect(problemsFrom(body).map((one) => one.path)).toContain(path);
    },
  );

  test("an order in another service's format is refused under its own order number", () => {
    const body = { external_id: "7", intent: "sell", positions: [{ name: "Чай" }], payments: [] };
    expect(read(body)).toMatchObject({ kind: "broken", orderId: "7", isOrder: true });
  });

  test.each([
    ["the whole answer", JSON.stringify(JSON.stringify(sale))],
    ["response", `{"response":${JSON.stringify(JSON.stringify(sale).slice(12, -1))}}`],
  ])("an order is read when %s is JSON in a string", (_, raw) => {
    expect(read(raw)).toMatchObject({ kind: "receipt" });
  });

  test.each([
    ['{"resultCode":4,"resultInfo":"база недоступна"}', 4, "база недоступна", false],
    ['{"RESULTCODE":"2"}', 2, "", false],
    ['{"response":{"resultCode":1,"resultInfo":"x"}}', 1, "x", false],
    ['{"resultCode":-1,"resultInfo":{"a":1}}', -1, "an object", false],
    [JSON.stringify({ resultCode: 4, resultInfo: "wait", ...sale }), 4, "wait", true],
    [JSON.stringify({ resultCode: "1", ...online() }), 1, "", true],
  ])("the answer %s to an order poll is the site's refusal", (raw, resultCode, resultInfo, receiptWithheld) => {
    expect(read(raw)).toEqual({ kind: "refusal", resultCode, resultInfo, receiptWithheld });
  });

  test.each([
    ["<html>502</html>", "order.unreadable"],
    ['{"response":', "order.unreadable"],
    ["OK", "order.unreadable"],
    ["{'a':1}", "order.unreadable"],
    ['{"response":{"orderId":"1"},"RESPONSE":{"orderId":"2"}}', "order.unreadable"],
    ['{"resultCode":"broken"}', "order.unreadable"],
    ['{"resultCode":{}}', "order.unreadable"],
    [JSON.stringify({ ...online(), taskTable: [sell] }), "order.unreadable"],
    ["[".repeat(200_000), "order.unreadable"],
    [`{"response":${'{"a":'.repeat(65)}1${"}".repeat(66)}`, "order.unreadable"],
    [`{"resultInfo":"${"я".repeat(2_500_000)}"}`, "order.too-large"],
  ])("the answer %.40s to an order poll is broken", (raw, code) => {
    expect(read(raw)).toMatchObject({ kind: "broken", orderId: null, kkm: null, fault: { code, resultCode: 1 } });
  });

  test("an order with many brackets in its texts is not refused as nested too deep", () => {
    const braces = { type: "String", data: `"\\${"[".repeat(100)}` };
    expect(read(table([sell, tea, braces, pay(100), close]))).toMatchObject({ kind: "receipt" });
  });

  test.each([
    [table([sell], { kkm: " 0001 " }), "A-1", "0001"],
    [{ response: { ORDERID: 17, taskTable: "x" } }, "17", null],
    [{ ...online({ total: -1 }), External_ID: undefined, external_id: "B-9" }, "B-9", null],
    [table([sell], { orderId: { a: 1 }, kkm: ["x"] }), null, null],
    ['{"response":{"orderId":9007199254740993,"kkm":12,"taskTable":[]}}', null, "12"],
  ])("a broken order still gives its number and its register: %j", (order, orderId, kkm) => {
    expect(read(order)).toMatchObject({ kind: "broken", orderId, kkm });
  });

  const blankHead = {
    kkm: " ",
    receiptId: " ",
    cashierName: " ",
    cashierINN: "\t",
    buyerName: " ",
    buyerINN: "\u00a0",
  };
  const blankItem = { unit: " ", countryCode: " ", user_data: " ", measurement_unit: " ", nomenclature_code: " " };
  test.each([
    [
      "task-table",
      table([{ ...sell, param: blankHead }, { ...tea, param: { ...tea.param, ...blankItem } }, pay(100), close], {
        ...blankHead,
        taxSystem: " ",
        paymentPlace: " ",
        additionalCheckProps: " ",
      }),
      table([sell, tea, pay(100), close]),
    ],
    [
      "online",
      online({
        client: { name: " ", inn: " " },
        items: [{ name: "Чай", price: 100, quantity: 2, sum: 200, ...blankItem }],
      }),
      online(),
    ],
  ])("blank texts in an order of the format %s are read as if they were not given", (_format, blank, order) => {
    expect(read(blank)).toMatchObject({ kind: "receipt" });
    expect(read(blank)).toEqual(read(order));
  });

  test.each<[ReceiptFormat, object, string]>([
    ["task-table", sale, "receipt"],
    ["online", online(), "receipt"],
    ["auto", sale, "receipt"],
    ["auto", online(), "receipt"],
    ["auto", { response: online() }, "receipt"],
    ["task-table", online(), "broken"],
    ["online", sale, "broken"],
  ])("with the format setting %s the order %.30j is %s", (format, order, kind) => {
    expect(read(order, { format }).kind).toBe(kind);
  });
});

describe("whatever a site sends", () => {
  const neverInternal = (raw: string) => {
    const answer = readOrder(raw, { format: "auto" });
    if (answer.kind !== "broken") return;
    expect(isFault(answer.fault)).toBe(true);
    expect(answer.fault.code).not.toBe("internal");
    expect([1, 3]).toContain(answer.fault.resultCode);
  };

  test("any text as an answer to an order poll ends in one of the four answers", () => {
    fc.assert(fc.property(fc.string(), neverInternal));
  });

  test("any JSON as an answer to an order poll ends in one of the four answers", () => {
    fc.assert(fc.property(fc.json(), neverInternal));
  });

  const junk = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      null,
      "",
      0,
      -1,
      1e308,
      5e-324,
      2 ** 53,
      "1e3",
      "9".repeat(400),
      true,
      [],
      {},
      [[]],
      [{ toString: "" }],
      "__proto__",
    ),
  );

  test("a wrong value anywhere in a good order is answered without an internal fault", () => {
    const place = fc.nat({ max: 400 });
    fc.assert(
      fc.property(anyTableReceipt, place, junk, (receipt, at, value) => {
        neverInternal(JSON.stringify(withReplaced(toTaskTable(receipt), at, value)));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(place, junk, (at, value) => neverInternal(JSON.stringify(withReplaced(online(), at, value)))),
      { numRuns: 500 },
    );
  });

  const noText = [{ toString: "" }];

  test.each<readonly [place: string, order: object]>([
    ["type of a line", table([sell, { ...tea, type: noText }, pay(100), close])],
    ["operation", online({}, { operation: noText })],
    ["operation and the buyer's INN", table([sell, tea, pay(100), close], { operation: noText, buyerINN: noText })],
    ["rate in a table", table([sell, item({ price: 100, quantity: 2, vat: { type: noText } }), pay(200), close])],
    [
      "timestamp of an operational property",
      table([
        { ...sell, param: { operatingCheckProps: { name: "1", value: "1", timestamp: noText } } },
        tea,
        pay(100),
        close,
      ]),
    ],
    ["type of a rate", online({ items: [{ name: "Чай", price: 100, quantity: 2, sum: 200, vat: { type: noText } }] })],
    ["number of a rate", online({ items: [{ name: "Чай", price: 100, quantity: 2, sum: 200, tax: noText }] })],
  ])(
    "a list in the place of the %s is the site's mistake, also where JavaScript can make no text of it",
    (_, order) => {
      expect(read(order)).toMatchObject({ kind: "broken" });
      neverInternal(JSON.stringify(order));
    },
  );

  test("a list in the place of a font is decoration, so the order is printed", () => {
    const text = { type: "String", data: "Спасибо", param: { font: noText } };
    expect(read(table([sell, tea, text, pay(100), close])).kind).toBe("receipt");
  });

  test("any lines of known types with any params are answered without an internal fault", () => {
    const type = fc.constantFrom(
      "Registration",
      "Return",
      "Payment",
      "String",
      "BarCode",
      "Report",
      "CashIncome",
      "ClientContact",
    );
    const param = fc.dictionary(
      fc.constantFrom("price", "quantity", "summ", "typeClose", "discountValue", "discountType", "font"),
      junk,
    );
    const lines = fc.array(fc.record({ type, data: junk, param: fc.oneof(param, junk) }), { maxLength: 5 });
    fc.assert(
      fc.property(lines, (middle) => neverInternal(JSON.stringify(table([sell, ...middle, close])))),
      { numRuns: 500 },
    );
  });
});

/** Replaces the nth value of the JSON; n may be larger than the number of values. */
function withReplaced(root: unknown, at: number, replacement: unknown): unknown {
  const count = countValues(root);
  let left = at % count;
  const walk = (value: unknown): unknown => {
    if (left === 0) {
      left = -1;
      return replacement;
    }
    left -= 1;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(root);
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

describe("the time at which an order was paid", () => {
  const rules = { ...defaultRules, timeZone: "Europe/Moscow" };
  const readPaid = (paidAt: unknown) => {
    const order = JSON.stringify({ response: { orderId: "A-1", paidAt, taskTable: [sell, tea, pay(100), close] } });
    return readOrder(order, { format: "auto", rules });
  };

  test("the time at which an order was paid is read with its offset from UTC, or else in the site's zone", () => {
    const paidAt = Date.UTC(2026, 10, 20, 11, 5);
    expect(readPaid("2026-11-20T14:05:00+03:00")).toMatchObject({ receipt: { paidAt }, warnings: [] });
    expect(readPaid("20.11.2026 14:05:00")).toMatchObject({ receipt: { paidAt }, warnings: [] });
  });

  test("an unreadable time at which an order was paid is left out with a warning, and the order is accepted", () => {
    const order = readPaid("yesterday");
    expect(order).toMatchObject({ kind: "receipt", warnings: [{ path: "paidAt" }] });
    expect(order).toMatchObject({ receipt: expect.not.objectContaining({ paidAt: expect.anything() }) });
  });
});
