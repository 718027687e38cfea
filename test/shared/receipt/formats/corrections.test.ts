import { isFault } from "@fiscald/shared/fault.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import { orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";

const approve = { ...defaultRules, corrections: true };
const today = "2026-11-29";
const basis = { type: "self", base_date: "30.12.2025" };
const item = { name: "Чай", price: 120, quantity: 1, sum: 120, vat: { type: "vat20" } };
const goods = { items: [item], payments: [{ type: 1, sum: 120 }], total: 120 };

function online(over: object = {}, info: object = {}, receipt: object = {}) {
  const correction = { ...goods, correction_info: { ...basis, ...info }, ...receipt };
  return { external_id: "A-1", operation: "sell_correction", correction, ...over };
}

function table(over: object = {}, info: object = {}, opening = "OpenCheckSellCorrection") {
  const taskTable = [
    { type: opening },
    { type: "Registration", data: "Чай", param: { price: 120, quantity: 1, vat: { type: "vat20" } } },
    { type: "Payment", param: { summ: 120, typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  return { response: { orderId: "A-1", correctionInfo: { ...basis, ...info }, taskTable, ...over } };
}

function read(body: object, rules: ReceiptRules = approve) {
  return readOrder(JSON.stringify(body), { format: "auto", rules, today });
}

function receiptOf(body: object): SaleReceipt {
  const order = read(body);
  if (order.kind === "broken") throw order.fault;
  if (order.kind !== "receipt" || order.receipt.kind !== "receipt") throw new Error("no receipt");
  return order.receipt;
}

function refusal(body: object, rules: ReceiptRules = approve): string {
  const order = read(body, rules);
  return order.kind === "broken" && isFault(order.fault) ? `${order.fault.place}: ${order.fault.message}` : "read";
}

const corrected = { corrected_fp: "0115683449" };

test.each([
  ["with the body's own key", online()],
  ["with the receipt's key", { ...online(), correction: undefined, receipt: online().correction }],
  ["in a task table", table()],
])(
  "a correction of a sale %s is read with its day, its VAT rate of that day and the sign of a correction",
  (_how, body) => {
    const receipt = receiptOf(body);
    expect(receipt).toMatchObject({ operation: "sale", correction: { type: "self", date: "2025-12-30" } });
    expect(receipt.lines).toMatchObject([{ name: "Чай", total: 12_000, tax: 1_001 }]);
    expect(receipt.requisites).toBeUndefined();
  },
);

test.each([
  ["online", online({ operation: "sell_refund_correction" }, corrected)],
  ["task-table", table({}, corrected, "OpenCheckReturnCorrection")],
  ["online", online({ operation: "sell_refund_correction" }, {}, { additional_check_props: "0115683449" })],
] as const)("a correction of a return (%s) names the wrong document in tag 1192, with its zeros", (_format, body) => {
  expect(receiptOf(body)).toMatchObject({ operation: "return", requisites: { additional: "0115683449" } });
});

test("a correction by an order of the tax office has that order's number", () => {
  const info = { type: "instruction", base_number: "12-3/ВН", base_date: "2025-12-30" };
  const correction = { type: "instruction", number: "12-3/ВН", date: "2025-12-30" };
  expect([receiptOf(online({}, info)).correction, receiptOf(table({}, info)).correction]).toEqual([
    ...[correction, correction],
  ]);
});

test("an ordinary receipt may have tag 1192 in both formats", () => {
  const receipt = { ...goods, items: [{ ...item, vat: { type: "vat22" } }], additional_check_props: "4115683449" };
  const bodies = [
    { external_id: "A-1", operation: "sell_refund", receipt },
    table({ correctionInfo: undefined, additionalCheckProps: "4115683449" }, {}, "OpenCheckReturn"),
  ];
  for (const body of bodies) expect(receiptOf(body).requisites).toEqual({ additional: "4115683449" });
});

test.each([online(), table(), online({ operation: "sell" }), { ...online(), operation: "sell_refund_correction" }])(
  "a correction is refused when the site's setting does not allow corrections",
  (body) => {
    expect(refusal(body, defaultRules)).toContain("corrections are not printed");
  },
);

const wrong: readonly (readonly [what: string, body: object, place: string])[] = [
  ["of a future day", online({}, { base_date: "30.11.2026" }), "correction.correction_info.base_date"],
  [
    "of a day before registers with a fiscal drive",
    online({}, { base_date: "01.01.2016" }),
    "correction.correction_info.base_date",
  ],
  ["of a day with a time", online({}, { base_date: "30.12.2025 10:57:48" }), "correction.correction_info.base_date"],
  ["of an impossible day", table({}, { base_date: "30.02.2025" }), "correctionInfo.base_date"],
  ["without a day", table({}, { base_date: undefined }), "correctionInfo.base_date"],
  ["without its basis", online({}, {}, { correction_info: undefined }), "correctionInfo"],
  ["by an order without its number", table({}, { type: "instruction" }), "correctionInfo.base_number"],
  ["of one's own accord with an order's number", table({}, { base_number: "1" }), "correctionInfo.base_number"],
  ["of a fiscal sign with letters", table({}, { corrected_fp: "12a" }), "correctionInfo.corrected_fp"],
  ["of two documents", table({ additionalCheckProps: "1" }, corrected), "correctionInfo.corrected_fp"],
  ["of a text", table({ additionalCheckProps: "see order" }), "additionalCheckProps"],
  ["of a purchase", online({ operation: "buy_correction" }), "operation"],
  ["with sums by rate and no positions", online({}, {}, { items: undefined, vats: [] }), "correction.items"],
  ["with change", online({}, {}, { payments: [{ type: 0, sum: 200 }] }), "correction.payments"],
  ["at 22 % of 2025", online({}, {}, { items: [{ ...item, vat: { type: "vat22" } }] }), "correction.items[0].vat.type"],
  ["at 20 % of 2026", online({}, { base_date: "01.01.2026" }), "correction.items[0].vat.type"],
  ["in an order that is a sale", online({ operation: "sell" }), "correction.correction_info"],
  [
    "without its basis, in an order that is a sale",
    online({ operation: "sell" }, {}, { correction_info: undefined, items: [{ ...item, vat: { type: "vat22" } }] }),
    "correctionInfo",
  ],
  ["in a table that opens a sale", table({}, {}, "OpenCheckSell"), "correctionInfo"],
];

test.each(wrong)("a correction %s is refused at its place", (_what, body, place) => {
  expect(refusal(body)).toMatch(new RegExp(`^${place.replace(/[[\].]/g, "\\$&")}: `));
});

test("a purchase of a site that may order corrections is refused without the claim that corrections are not printed", () => {
  expect(refusal(online({ operation: "buy_correction" }))).toMatch(
    /: purchases are not printed, corrections only where/,
  );
});

test("a correction at rates that were not in force on its day is accepted when the site confirms the rates", () => {
  expect(receiptOf(online({}, { base_date: "01.01.2026", rate_confirmed: 1 })).correction).toMatchObject({
    rateConfirmed: true,
  });
});

test("a correction that is written in either format is read back unchanged", () => {
  const info = { type: "instruction", base_number: "12-3", rate_confirmed: true, ...corrected };
  const receipt = receiptOf(online({ operation: "sell_refund_correction" }, info));
  expect(receiptOf(toOnlineReceipt(receipt, "2026-11-29T10:00:00" as LocalTime))).toEqual(receipt);
  expect(receiptOf(toTaskTable(receipt))).toEqual({ ...receipt, format: "task-table" });
});

test("corrections that differ in direction, day, order or corrected document are different orders, and none equals a sale", () => {
  const keys = [
    online(),
    online({}, { base_date: "29.12.2025" }),
    online({}, { type: "instruction", base_number: "1" }),
    online({}, corrected),
    online({ operation: "sell_refund_correction" }),
    { external_id: "A-1", operation: "sell_refund", receipt: goods },
  ].map((body) => orderKey({ site: toSiteId("shop"), receipt: receiptOf(body) }).key);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  ["paid in 2025", "2025-12-30T12:00:00+03:00", {}, "read"],
  ["paid in the last hour of 2025 by the site's clock", "2025-12-31 23:30:00", {}, "read"],
  ["paid in 2026", "2026-01-01T00:30:00+03:00", {}, "refused"],
  ["without a time of payment", "", {}, "refused"],
  ["paid before 2017", "2016-12-30T12:00:00+03:00", {}, "refused"],
  ["that settles a prepayment of 2025", "2025-12-30T12:00:00+03:00", { payments: [{ type: 2, sum: 120 }] }, "refused"],
  ["at 22 % paid in 2025", "2025-12-30T12:00:00+03:00", { items: [{ ...item, vat: { type: "vat22" } }] }, "read"],
])("a sale %s that is no correction, by the rates of 2025 (%s, %j), is %s", (_what, paidAt, over, end) => {
  const body = { external_id: "A-1", operation: "sell", paidAt, receipt: { ...goods, ...over } };
  const rules = { ...approve, timeZone: "Europe/Moscow" };
  expect(refusal(body, rules)).toMatch(end === "read" ? /^read$/ : /20 % is in force only/);
});
