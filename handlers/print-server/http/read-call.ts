/** Converts the bodies of calls to the values of `host-callbacks.ts`. Faults of codes 1 to 3 name every problem. */
import {
  actionSchema,
  activityCallSchema,
  formatErrorCallSchema,
  type ResultCall,
  type ResultOutcome,
  resultCallSchema,
  syncCallSchema,
  zReportCallSchema,
} from "@fiscald/shared/exchange/calls.js";
import { anyCaseObject, isNotGiven } from "@fiscald/shared/exchange/lenient-fields.js";
import { parseBy } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm } from "@fiscald/shared/ids.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import type { Sign } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import type {
  CallKind,
  OrderRefused,
  PrintResult,
  RegisterActivity,
  SyncedRegister,
  ZReport,
} from "../host-callbacks.js";

const fixedActions: ReadonlyMap<string, CallKind> = new Map([
  ["order", "order"],
  ["sync", "sync"],
  ["kkmconnected", "activity"],
  ["kkmdisconnected", "activity"],
  ["zreport", "zreport"],
  ["error", "error"],
]);

/** The `action` of the result call, unless the site's settings say otherwise. */
export const defaultResultActions: readonly string[] = ["orderConfirm"];

export function createActionReader(resultActions: readonly string[]): (body: unknown) => CallKind {
  const kinds = new Map([...resultActions.map((action) => [action.toLowerCase(), "result"] as const), ...fixedActions]);
  return (body) => {
    const { action } = parseBy(actionSchema, body);
    const kind = kinds.get(action.toLowerCase());
    if (kind === undefined) {
      throw new Fault("call.unknown-action", { message: `Unknown action: ${action}`, place: "action" });
    }
    return kind;
  };
}

export function readSync(body: unknown): readonly SyncedRegister[] {
  return parseBy(syncCallSchema, body).data.map(({ typeClose, emulated, ...register }) => ({
    ...register,
    paymentTypes: typeClose,
    ...ofEmulator(emulated),
  }));
}

export function readActivity(body: unknown, messageId: string | null): RegisterActivity {
  const { action, ...activity } = parseBy(activityCallSchema, body);
  return { ...activity, messageId, connected: action === "KKMConnected" };
}

export function readZReport(body: unknown): ZReport {
  const { action: _, closedSession, sessionSumm, ...report } = parseBy(zReportCallSchema, body);
  return { ...report, closedShift: closedSession, shiftTotalKopecks: sessionSumm ?? null };
}

export function readOrderRefused(body: unknown): OrderRefused {
  const call = parseBy(formatErrorCallSchema, body);
  return {
    kkm: call.kkm === "" ? null : toKkm(call.kkm),
    orderId: call.orderId ?? null,
    resultCode: call.resultCode,
    resultInfo: call.resultInfo,
    problems: call.errors,
    raw: call.raw,
  };
}

export function readResult(body: unknown, messageId: string | null): PrintResult {
  const call = parseBy(resultCallSchema, body);
  return {
    messageId,
    kkm: call.kkm,
    inn: call.inn,
    fn: call.fn,
    outcome: call.outcome ?? outcomeByCode(call),
    resultCode: call.resultCode,
    resultInfo: call.resultInfo,
    ...(call.errors === undefined ? {} : { problems: call.errors }),
    ...(call.warnings === undefined ? {} : { warnings: call.warnings }),
    orderId: call.orderId ?? null,
    receiptId: call.receiptId ?? wrongId(body, call),
    shiftNumber: call.shiftNumber === "" ? null : call.shiftNumber,
    link: readLink(call.OFDLink),
    fiscalSign: call.fpd ?? null,
    fdNumber: call.fdNumber ?? null,
    receiptNumber: call.receiptNumber ?? null,
    time: call.dateTime ?? null,
    ...(call.operation === undefined ? { operation: null } : signs[call.operation]),
    totalKopecks: call.total ?? null,
    ...(call.by === undefined ? {} : { by: call.by, ...ofPerson(call) }),
    ...ofEmulator(call.emulated),
    stage: null,
  };
}

const anyId = anyCaseObject({ receiptId: z.unknown().optional() });

/** Keeps an id that is no UUID, which fits no receipt. Without `outcome` the field may mean something else. */
function wrongId(body: unknown, { outcome }: ResultCall): string | null {
  if (outcome === undefined) return null;
  const { receiptId } = parseBy(anyId, body);
  if (isNotGiven(receiptId)) return null;
  const text = typeof receiptId === "string" ? receiptId : JSON.stringify(receiptId);
  // PostgreSQL takes no zero byte in a text.
  return text.trim() === "" ? null : text.replaceAll("\0", "?");
}

/** A receipt that a person ordered is registered already, so the rules of a new order do not count. */
function ofPerson({ receipt: body, receiptId }: ResultCall): Pick<PrintResult, "receipt"> {
  if (receiptId === undefined) return {};
  const rules = { requireContactForInternet: false, strictPaper: false, corrections: true };
  const read = readOrder(JSON.stringify(body ?? null), { format: "online", rules });
  return read.kind === "receipt" ? { receipt: read.receipt } : {};
}

function ofEmulator(isEmulated: boolean | undefined): { readonly emulated?: true } {
  return isEmulated === true ? { emulated: true } : {};
}

/**
 * For print servers that send no `outcome`. An order with code 1 to 3 is wrong or incomplete and was certainly not
 * printed. After any other error a document may exist, so that no second sale may be allowed.
 */
function outcomeByCode({ resultCode }: ResultCall): ResultOutcome {
  if (resultCode === 0) return "printed";
  return resultCode <= 3 ? "failed" : "unknown";
}

const signs: Readonly<Record<Sign, Pick<PrintResult, "operation" | "correction">>> = {
  sale: { operation: "sale" },
  return: { operation: "return" },
  "sale-correction": { operation: "sale", correction: true },
  "return-correction": { operation: "return", correction: true },
};

/** The address is sent in base64; some print servers send it as it is. */
function readLink(text: string): string | null {
  const isLink = (link: string) => /^https?:\/\//i.test(link);
  const link = isLink(text) ? text : Buffer.from(text, "base64").toString("utf8");
  // A site shows the address as a link, so only http and https are allowed.
  return isLink(link) ? link : null;
}
