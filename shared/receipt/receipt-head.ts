/** The part of a receipt that both formats spell alike: internet settlement, cashier, tax system, contact. */
import type { HeadExtensions, HeadFields } from "../exchange/head-fields.js";
import { type OrderProblem, problem } from "../exchange/order-problem.js";
import { shown } from "../exchange/tolerant.js";
import { parseContact } from "./contact.js";
import type { Cashier, SaleReceipt } from "./receipt.js";

const MAX_CASHIER = 64;

export type ReceiptHead = Pick<SaleReceipt, "internet" | "settlementPlace" | "cashier" | "taxSystem">;

/** A missing address of an internet receipt becomes "", which `checkReceipt` then names. */
export function receiptHead(fields: HeadFields, extensions: HeadExtensions): ReceiptHead {
  const internet = fields.isInternetPayment ? { url: fields.internetPaymentUrl ?? "" } : null;
  return {
    internet,
    settlementPlace: internet === null ? (extensions.paymentPlace ?? null) : null,
    cashier: cashierOf(extensions),
    taxSystem: extensions.taxSystem ?? null,
  };
}

function cashierOf(extensions: HeadExtensions): Cashier | null {
  const { cashierPosition, cashierName, cashierINN } = extensions;
  if (cashierName === undefined) return null;
  const name = cashierPosition === undefined ? cashierName : `${cashierPosition} ${cashierName}`;
  return { name: name.slice(0, MAX_CASHIER), inn: cashierINN ?? null };
}

/** The first of several sayings that is not blank; null when nobody says anything. */
export function contactOf(sayings: readonly { readonly text: string | undefined; readonly path: string }[]): {
  readonly contact: string | null;
  readonly problems: readonly OrderProblem[];
} {
  const said = sayings.find(({ text }) => text !== undefined && text.trim() !== "");
  if (said?.text === undefined) return { contact: null, problems: [] };
  const contact = parseContact(said.text);
  if (contact !== null) return { contact, problems: [] };
  const message = `must be an e-mail of up to 64 characters or a phone as + and digits, not ${shown(said.text)}`;
  return { contact: null, problems: [problem("order.wrong-value", said.path, message)] };
}
