import {
  actionSchema,
  activityCallSchema,
  formatErrorCallSchema,
  orderCallSchema,
  type ResultBody,
  resultCallSchema,
  resultCodes,
  type SyncBody,
  syncCallSchema,
  type ZReportBody,
  zReportCallSchema,
} from "@fiscald/shared/exchange/calls.js";
import { parseBy, problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { isFault } from "@fiscald/shared/fault.js";

const kkm = "0001234567012345";
const register = { kkm, inn: "7700000000", fn: "9999078900000001" };

function problemsOf(parse: () => unknown): readonly string[] {
  try {
    parse();
  } catch (error) {
    if (isFault(error)) return problemsIn(error).map(({ resultCode, path }) => `${resultCode} ${path}`);
    throw error;
  }
  throw new Error("accepted");
}

describe("the five calls of the exchange", () => {
  test("the result codes have the names of the protocol's original document", () => {
    expect(resultCodes).toEqual({
      SUCCESS: 0,
      MISSED_PARAMETERS: 1,
      UNKNOWN_ACTION: 2,
      PARAMETERS_ERROR: 3,
      HANDLING_ERROR: 4,
    });
  });

  test("a call is recognised by its field `action`, and a call without this field is refused", () => {
    expect(parseBy(actionSchema, { ACTION: "order", kkm })).toEqual({ action: "order" });
    expect(problemsOf(() => parseBy(actionSchema, {}))).toEqual(["3 action"]);
  });

  test("a sync call contains the list of registers", () => {
    const row = { id: 11, title: "НДС 22%" };
    const body: SyncBody = { action: "sync", data: [{ ...register, name: "Hall", taxes: [row], typeClose: [] }] };
    expect(parseBy(syncCallSchema, body)).toEqual(body);
    expect(parseBy(syncCallSchema, { action: "sync", data: [{ kkm, taxes: [{ id: "1", title: 20 }] }] })).toEqual({
      action: "sync",
      data: [{ name: "", kkm, inn: "", fn: "", taxes: [{ id: 1, title: "20" }], typeClose: [] }],
    });
    expect(problemsOf(() => parseBy(syncCallSchema, { action: "sync" }))).toEqual(["3 data"]);
  });

  test("an activity call contains a register's activity, and an unknown action is refused", () => {
    const body = { action: "kkmdisconnected", kkm, device: "Штрих-М", title: "Hall" };
    expect(parseBy(activityCallSchema, body)).toEqual({ ...body, action: "KKMDisconnected" });
    expect(problemsOf(() => parseBy(activityCallSchema, { action: "KKMLost" }))).toEqual(["1 action", "3 kkm"]);
  });

  test("a Z report call contains the report with its sum in kopecks", () => {
    const shift = { resultCode: 0, resultInfo: "", closedSession: "17", sessionSumm: 1520.5 } as const;
    const body: ZReportBody = { action: "ZReport", ...register, ...shift };
    expect(parseBy(zReportCallSchema, body)).toEqual({ ...body, sessionSumm: 152_050 });
    expect(problemsOf(() => parseBy(zReportCallSchema, { ...body, sessionSumm: "x" }))).toEqual(["1 sessionSumm"]);
  });

  test("an order call names the register that polls", () => {
    expect(parseBy(orderCallSchema, { action: "order", KKM: ` ${kkm} ` })).toEqual({ action: "order", kkm });
    expect(problemsOf(() => parseBy(orderCallSchema, { action: "order", kkm: "" }))).toEqual(["3 kkm"]);
  });

  test("a result call contains a print result with all additional fields", () => {
    const source = { action: "orderConfirm", ...register, resultCode: 0, resultInfo: "", shiftNumber: "17" } as const;
    const ids = { OFDLink: "aHR0cHM6Ly9vZmQ=", orderId: "A-1042", receiptId: "6f1d2c3b-0a1b-4c2d-8e3f-001122334455" };
    const numbers = { fpd: "0123456789", fdNumber: "318", receiptNumber: "4", dateTime: "20.11.2026 14:05:00" };
    const body: ResultBody = { ...source, ...ids, ...numbers, outcome: "printed", operation: "sell", total: 1520 };
    const expected = { ...body, operation: "sale", dateTime: "2026-11-20T14:05:00", total: 152_000 };
    expect(parseBy(resultCallSchema, body)).toEqual(expected);
    const asForm = Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), String(value)]));
    expect(parseBy(resultCallSchema, asForm)).toEqual(expected);
  });

  test("a result call contains a print result of the protocol's original document", () => {
    const failure = { resultCode: 4, resultInfo: "no paper", shiftNumber: "", OFDLink: "" };
    const bare = { action: "x", kkm, inn: "", fn: "", ...failure };
    expect(parseBy(resultCallSchema, bare)).toEqual(bare);
    expect(problemsOf(() => parseBy(resultCallSchema, { action: "x" }))).toEqual(["3 kkm", "3 resultCode"]);
    const itsOwn = { receiptId: "R-17", outcome: "ok", fpd: {}, fdNumber: [], receiptNumber: "7".repeat(21) };
    const foreign = { ...bare, ...itsOwn, operation: "income", dateTime: "27/11/26", total: "1 000,00" };
    expect(parseBy(resultCallSchema, foreign)).toEqual(bare);
  });

  test("an error call contains a format error", () => {
    const problem = { resultCode: 3, resultInfo: "x", errors: [{ path: "a", message: "b" }] };
    const body = { action: "error", kkm, ...problem, receivedAt: "t", raw: "{" };
    expect(parseBy(formatErrorCallSchema, { ...body, orderId: null })).toEqual(body);
  });

  test("result and error calls may have an order number of 128 characters, and a longer number is refused", () => {
    const longest = { action: "x", kkm, resultCode: 0, orderId: "x".repeat(128) };
    for (const schema of [resultCallSchema, formatErrorCallSchema]) {
      expect(parseBy(schema, longest)).toMatchObject({ orderId: longest.orderId });
      expect(problemsOf(() => parseBy(schema, { ...longest, orderId: `${longest.orderId}x` }))).toEqual(["1 orderId"]);
    }
  });
});
