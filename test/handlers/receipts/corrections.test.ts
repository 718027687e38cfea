import { isFault } from "@fiscald/shared/fault.js";
import { preview, toReceipt } from "#handlers/print-server/order-body.js";
import { type OnlineReceiptInput, onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import type { CorrectionInput } from "#handlers/receipts/receipt-input.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const order = { orderId: "A-1", of: "2025-12-30" };
const tea = { name: "Чай", price: 120, tax: "20 %" } as const;

function correction(over: Partial<OnlineReceiptInput & CorrectionInput> = {}) {
  return onlineReceipt
    .correction({ ...order, ...over })
    .item(tea)
    .payRest("cash");
}

function problemsOf(build: () => unknown): unknown {
  try {
    return build();
  } catch (error) {
    return isFault(error) ? error.details["problems"] : error;
  }
}

test("a return and a sale that put a wrong receipt right have its fiscal sign in tag 1192", () => {
  const fixes = { fp: "0115683449" };
  const built = [
    onlineReceipt.return({ orderId: "A-1", fixes }).item(tea).payRest("cash").build(),
    taskTable.return({ orderId: "A-1", fixes }).item(tea).payRest("cash").build().response,
  ];
  expect(built).toMatchObject([{ additionalCheckProps: "0115683449" }, { additionalCheckProps: "0115683449" }]);
});

test.each([
  [{ fp: "12a" }, {}],
  [{ fp: "12345678901" }, {}],
  [{ fp: "1" }, { additionalCheckProps: "1" }],
])("a text that is no fiscal sign, or a second tag 1192, is refused in the builder's words: %o %o", (fixes, more) => {
  const build = () => onlineReceipt.return({ orderId: "A-1", fixes, ...more });
  expect(problemsOf(() => build().item(tea).payRest("cash").build())).toMatchObject([{ path: "fixes.fp" }]);
});

test("a correction of a sale is written with its day, and the kit reads it as the daemon will", () => {
  const body = correction().build();
  expect(body).toMatchObject({
    operation: "sell_correction",
    correctionInfo: { type: "self", base_date: "2025-12-30" },
  });
  expect(toReceipt(body, Date.now())).toMatchObject({ operation: "sale", correction: { date: "2025-12-30" } });
});

test("a correction of a return by an order of the tax office names that order and the wrong document", () => {
  const receipt = correction({ direction: "return", by: { order: "12-3" }, fixes: { fp: "4115683449" } }).receipt();
  expect(receipt).toMatchObject({
    operation: "return",
    correction: { type: "instruction", number: "12-3", date: "2025-12-30" },
    requisites: { additional: "4115683449" },
  });
});

test.each([
  [{ of: "2099-01-01", rateConfirmed: true }, "of"],
  [{ of: "yesterday" }, "of"],
  [{ of: "2026-02-01" }, "items[0].tax"],
] as const)("a mistake in a correction is named in the builder's words: %o", (over, path) => {
  expect(problemsOf(() => correction(over).build())).toMatchObject([{ path }]);
});

test("an option of a correction is unknown to the builder of a sale", () => {
  const build = () => Reflect.apply(onlineReceipt.sale, undefined, [order]).item(tea).payRest("cash").build();
  expect(problemsOf(build)).toMatchObject([{ path: "receipt.of" }]);
});

test("the preview of a correction says why it is made, of which day and of which document", () => {
  const { text } = preview(correction({ by: { order: "12-3" }, fixes: { fp: "4115683449" } }).build());
  const rows = ["КАССОВЫЙ ЧЕК КОРРЕКЦИИ", "КОРРЕКЦИЯ ПРИХОДА", "ПО ПРЕДПИСАНИЮ", "30.12.2025", "12-3", "4115683449"];
  for (const row of rows) expect(text).toContain(row);
});

test("the time of payment is sent to the till as given, and a time without an offset from UTC is refused", () => {
  const paidAt = "2026-11-20T14:05:00+03:00";
  const build = (at: string) => onlineReceipt.return({ orderId: "A-1", paidAt: at }).item(tea).payRest("cash").build();
  expect(build(paidAt)).toMatchObject({ paidAt });
  expect(taskTable.return({ orderId: "A-1", paidAt }).item(tea).payRest("cash").build().response).toMatchObject({
    paidAt,
  });
  expect(problemsOf(() => build("2026-11-20T14:05:00"))).toMatchObject([{ path: "paidAt" }]);
});
