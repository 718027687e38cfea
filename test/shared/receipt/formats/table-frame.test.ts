import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import {
  cancel,
  close,
  item,
  pay,
  read,
  receiptFrom,
  refund,
  refusalsOf,
  saleFrom,
  sell,
  table,
  tea,
} from "../../../support/order-samples.js";

const zReport = { type: "Report", param: { reportType: 1 } };
const text = { type: "String", data: "Спасибо" };

describe("the frame of a task table", () => {
  test.each([
    ["has no lines", table([]), ["3 taskTable"]],
    ["has no open line", table([tea, pay(100), close]), ["1 taskTable[0]"]],
    ["has text before the open line", table([text, sell, tea, pay(100), close]), ["1 taskTable[0]"]],
    ["has no close line", table([sell, tea, pay(100)]), ["1 taskTable[2]"]],
    ["has text after the close", table([sell, tea, pay(100), close, text]), ["1 taskTable[4]"]],
    ["has a cut after the close", table([sell, tea, pay(100), close, { type: "Cut" }]), ["1 taskTable[4]"]],
    [
      "holds two receipts",
      table([sell, tea, pay(100), close, sell, tea, pay(100), close]),
      ["1 taskTable[4]", "1 taskTable[4]"],
    ],
    ["opens twice", table([sell, refund, tea, pay(100), close]), ["1 taskTable[1]"]],
    [
      "mixes a receipt with cash in",
      table([sell, tea, { type: "CashIncome", param: { summ: 1 } }, pay(100), close]),
      ["1 taskTable[2]"],
    ],
    ["mixes a receipt with a report", table([sell, tea, zReport, pay(100), close]), ["1 taskTable[2]"]],
    ["mixes a receipt with the clock", table([sell, tea, { type: "SyncTime" }, pay(100), close]), ["1 taskTable[2]"]],
    [
      "has a contact outside a receipt",
      table([zReport, { type: "ClientContact", data: "a@b" }]),
      ["1 taskTable[0]", "1 taskTable[1]", "1 taskTable[0]"],
    ],
    ["cancels in the middle", table([sell, tea, cancel, pay(100), close]), ["1 taskTable[2]"]],
    [
      "cancels twice at the start",
      table([cancel, cancel, sell, tea, pay(100), close]),
      ["1 taskTable[1]", "1 taskTable[1]"],
    ],
    ["cancels after the close", table([sell, tea, pay(100), close, cancel]), ["1 taskTable[4]"]],
    ["cancels after a report", table([zReport, cancel]), ["1 taskTable[1]"]],
    ["has a Return in a sale", table([sell, { ...tea, type: "Return" }, pay(100), close]), ["1 taskTable[1]"]],
  ])("a task table that %s is refused", (_, order, expected) => {
    expect(refusalsOf(order)).toEqual(expected);
  });

  test("a task table with a wrong frame is refused for its first problem, with place and reason", () => {
    const answer = read(table([sell, tea, pay(100), close, text]));
    expect(answer).toMatchObject({
      kind: "broken",
      orderId: "A-1",
      fault: {
        code: "receipt.framing",
        resultCode: 1,
        place: "taskTable[4]",
        message: "taskTable[4]: String stands after CloseCheck",
      },
    });
  });

  test("a task table that begins with CancelCheck has an open receipt cancelled first", () => {
    expect(saleFrom(table([cancel, sell, tea, pay(100), close]))).toMatchObject({
      cancelFirst: true,
      operation: "sale",
    });
    expect(saleFrom(table([sell, tea, pay(100), close]))).toMatchObject({ cancelFirst: false });
  });

  test("a task table that ends with CancelCheck is accepted without CloseCheck and will be cancelled", () => {
    expect(saleFrom(table([sell, tea, cancel]))).toMatchObject({ cancelledByOrder: true, payments: [] });
    expect(saleFrom(table([sell, cancel]))).toMatchObject({ cancelledByOrder: true, lines: [] });
    expect(refusalsOf(table([sell, item({ price: -1, quantity: 1 }), cancel]))).toEqual(["1 taskTable[1].param.price"]);
  });

  test("a task table without fiscal lines is a service job and needs no frame and no order number", () => {
    const job = receiptFrom({ response: { taskTable: [text, zReport] } });
    expect(job).toMatchObject({
      kind: "service",
      orderId: null,
      lines: [{ type: "text" }, { type: "report", report: "z" }],
    });
  });

  test("a task table of CancelCheck alone only cancels an open receipt", () => {
    expect(receiptFrom(table([cancel]))).toMatchObject({ kind: "service", cancelFirst: true, lines: [] });
  });

  test("a return in a task table may have Registration lines", () => {
    const receipt = saleFrom(table([refund, { ...tea, type: "Return" }, tea, pay(200), close]));
    expect(receipt).toMatchObject({ operation: "return" });
    expect(itemsOf(receipt)).toHaveLength(2);
  });
});
