/** Converts a site's order to the wire. An order is a domain receipt, or a body in one of the two formats. */
import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import type { WireOnlineReceipt } from "@fiscald/shared/exchange/online-receipt.js";
import { throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import { Fault } from "@fiscald/shared/fault.js";
import { kindOf } from "@fiscald/shared/http/schema-problems.js";
import type { Inn, Kkm, OrderId, ReceiptId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { layoutReceipt } from "@fiscald/shared/paper/layout-receipt.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import { checkReceipt, defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { type OrderReceipt, readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { today } from "../receipts/receipt-input.js";

export type OrderBody = TaskTableAnswer | WireOnlineReceipt | { readonly response: WireOnlineReceipt };

/** Replaces branded text and numbers by the plain ones that a site reads from its database. */
type Plain<T> = T extends Branded
  ? T extends string
    ? string
    : number
  : T extends object
    ? { [Key in keyof T]: Plain<T[Key]> }
    : T;
type Branded = Kkm | Inn | OrderId | ReceiptId | Kopecks | Quantity;

/** A receipt as a builder's `.receipt()` returns it and a site stores it. */
export type PlainReceipt = Plain<Receipt>;

/** An order as `nextReceipt` returns it and `enqueue` takes it. */
export type OrderAnswer = PlainReceipt | OrderBody;

/** Keeps the order's format. `now` (ms) is the timestamp that the online format needs. */
export function toBody(answer: OrderAnswer, now: number): OrderBody {
  if (isBody(answer)) return answer;
  const receipt = ourReceipt(answer);
  if (receipt.kind === "service" || receipt.format === "task-table") return toTaskTable(receipt);
  return toOnlineReceipt(receipt, localTimeAt(now, Intl.DateTimeFormat().resolvedOptions().timeZone));
}

export function toReceipt(answer: OrderAnswer, now: number, rules: ReceiptRules = defaultRules): Receipt {
  return readOrderAnswer(answer, now, rules).receipt;
}

/** Reads an order exactly as the daemon will. Throws one fault that names every problem. */
export function readOrderAnswer(answer: OrderAnswer, now: number, rules: ReceiptRules = defaultRules): OrderReceipt {
  const flaw = orderFlaw(answer);
  if (flaw !== null) throw new Fault("order.unreadable", { message: `The order ${flaw}.` });
  if (!isBody(answer)) throwIfAny(checkReceipt(ourReceipt(answer), rules));
  // The daemon prints a correction only where its settings allow it and a person has approved it.
  const read = readOrder(JSON.stringify(toBody(answer, now)), {
    format: "auto",
    rules: { ...rules, corrections: true },
    today: today(now),
  });
  if (read.kind === "receipt") return read;
  if (read.kind === "broken") throw read.fault;
  throw new Fault("order.unreadable", { message: "There is no receipt in this order." });
}

/** Why a value is no order; null = it may be one. Its content is not shown, because it may name a buyer. */
export function orderFlaw(answer: unknown): string | null {
  if (!isObject(answer)) return `must be what a builder built, not ${kindOf(answer)}`;
  if ("build" in answer) return "is a builder: end it with `.build()`";
  return "then" in answer ? "is a promise: write `await` before it" : null;
}

function isBody(answer: OrderAnswer): answer is OrderBody {
  return !("kind" in answer);
}

export function ourReceipt(receipt: PlainReceipt): Receipt {
  if (isOurs(receipt)) return receipt;
  throw new Fault("order.unreadable", { message: "There is no receipt in this order." });
}

function isOurs(receipt: PlainReceipt): receipt is Receipt {
  return typeof receipt.kind === "string";
}

/** The paper of an order that is not registered, for the site's own pages and tests. */
export interface Preview {
  readonly text: string;
  readonly svg: string;
}

/** `columns`: characters per row of the register, 32, 42 or 48. Throws the fault that the daemon would report. */
export function preview(order: OrderAnswer, { columns = 42 }: { readonly columns?: number } = {}): Preview {
  const rows = layoutReceipt(toReceipt(order, Date.now()), { columns, document: null, tables: null });
  return { text: renderText(rows, { columns }), svg: renderSvg(rows, { columns }) };
}
