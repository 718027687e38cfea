/** Converts a site's order to the wire. The order is a domain receipt, or a body in one of the two formats. */
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import type { WireOnlineReceipt } from "@fiscald/shared/exchange/online-receipt.js";
import { throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import { Fault } from "@fiscald/shared/fault.js";
import { kindOf } from "@fiscald/shared/http/schema-problems.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { layoutReceipt } from "@fiscald/shared/paper/layout-receipt.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import { checkReceipt, defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";

export type OrderBody = TaskTableAnswer | WireOnlineReceipt | { readonly response: WireOnlineReceipt };

/** An order as `nextReceipt` returns it and `enqueue` takes it. */
export type OrderAnswer = Receipt | OrderBody;

/** The body of an order in the format that it came in; `now` (ms) is the timestamp that the online format needs. */
export function toBody(answer: OrderAnswer, now: number): OrderBody {
  if (!isReceipt(answer)) return answer;
  if (answer.kind === "service" || answer.format === "task-table") return toTaskTable(answer);
  return toOnlineReceipt(answer, localTimeAt(now, Intl.DateTimeFormat().resolvedOptions().timeZone));
}

/**
 * Reads an order exactly as the daemon will. An order that passes here is not refused at the till for its form. Throws
 * one fault that names every problem.
 */
export function toReceipt(answer: OrderAnswer, now: number, rules: ReceiptRules = defaultRules): Receipt {
  const flaw = orderFlaw(answer);
  if (flaw !== null) throw new Fault("order.unreadable", { message: `The order ${flaw}.` });
  if (isReceipt(answer)) throwIfAny(checkReceipt(answer, rules));
  // A correction that the daemon's site setting allows waits at the till until a person approves it.
  const read = readOrder(JSON.stringify(toBody(answer, now)), {
    format: "auto",
    rules: { ...rules, corrections: true },
  });
  if (read.kind === "receipt") return read.receipt;
  if (read.kind === "broken") throw read.fault;
  throw new Fault("order.unreadable", { message: "There is no receipt in this order." });
}

/** Why a value from plain JavaScript is no order; null = it may be one. Shows no content: a buyer may be in it. */
export function orderFlaw(answer: unknown): string | null {
  if (!isObject(answer)) return `must be what a builder built, not ${kindOf(answer)}`;
  if ("build" in answer) return "is a builder: end it with `.build()`";
  return "then" in answer ? "is a promise: write `await` before it" : null;
}

function isReceipt(answer: OrderAnswer): answer is Receipt {
  return "kind" in answer;
}

/** The paper of an order that is not registered, for the site's own pages and tests. */
export interface Preview {
  readonly text: string;
  /** A whole SVG document. */
  readonly svg: string;
}

/** `columns`: characters per row of the register, 32, 42 or 48. Throws the fault that the daemon would report. */
export function preview(order: OrderAnswer, { columns = 42 }: { readonly columns?: number } = {}): Preview {
  const rows = layoutReceipt(toReceipt(order, Date.now()), { columns, document: null, tables: null });
  return { text: renderText(rows, { columns }), svg: renderSvg(rows, { columns }) };
}
