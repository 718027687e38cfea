/**
 * A receipt from the body that a site sent to a cloud receipt service (v4 and v5): for `enqueue`, without rewriting the
 * shop. Such services have the operation in their address, so it is an argument here.
 *
 *   await receipts.enqueue(fromCloudReceipt(body, { operation: "sell" }))
 */
import { isNotGiven, isObject, pickFields, spellingsOf } from "@fiscald/shared/exchange/lenient-fields.js";
import { faultOfProblems, problem } from "@fiscald/shared/exchange/order-problem.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { today } from "./receipt-input.js";

export interface CloudReceiptOptions {
  /** Purchases and corrections are not printed for a site. */
  readonly operation: "sell" | "sell_refund";
  /** Day of the sale, `2026-11-25`: a rate that is not in force then is refused. Default: today, by this machine's zone. */
  readonly day?: string;
  /** Where the daemon's site settings `requireContactForInternet` and `strictPaper` differ from the default. */
  readonly rules?: ReceiptRules;
}

const rootKeys = spellingsOf(["operation", "isInternetPayment", "receipt"]);
const receiptKeys = spellingsOf(["company", "internet", "items"]);
const companyKeys = spellingsOf(["payment_address"]);
const itemKeys = spellingsOf(["nomenclature_code"]);

/**
 * Rates come by name (`vat22`), payment types by number (0 cash, 1 electronic, 2 prepayment, 3 credit,
 * 4 counter-provision). Throws one Fault that names every problem with its place; keys without a meaning here, such as
 * `callback_url`, are left out.
 */
export function fromCloudReceipt(body: object, options: CloudReceiptOptions): Receipt {
  const { operation, day = today(), rules = defaultRules } = options;
  const root = pickFields(body, rootKeys).fields;
  if (!["sell", "sell_refund"].includes(operation)) {
    const message = `${String(operation)} is neither sell nor sell_refund: purchases and corrections are not printed`;
    throw faultOfProblems([problem("order.wrong-value", "operation", message)]);
  }
  if (root.operation !== undefined && root.operation !== operation) {
    throw faultOfProblems([problem("order.wrong-value", "operation", `is not ${operation}, as the call says`)]);
  }
  const receipt = isObject(root.receipt) ? pickFields(root.receipt, receiptKeys).fields : {};
  refuseOldCodes(receipt.items);
  const place = isNotGiven(root.isInternetPayment) ? placeOf(receipt) : {};
  return fromOnlineReceipt({ ...body, operation, ...place }, rules, { taxes: [], today: day }).receipt;
}

/** Services sell on the internet (tag 1125) at `payment_address` (tag 1187), unless version 5 says `internet: false`. */
function placeOf({ company, internet }: Readonly<Record<string, unknown>>): object {
  const address = isObject(company) ? pickFields(company, companyKeys).fields.payment_address : undefined;
  if (address === undefined) return {};
  return internet === false ? { paymentPlace: address } : { isInternetPayment: 1, internetPaymentUrl: address };
}

/** The daemon takes such a key for one without a meaning: the goods would be sold without their mark. */
function refuseOldCodes(items: unknown): void {
  if (!Array.isArray(items)) return;
  const problems = items.flatMap((item, index) => {
    if (!isObject(item) || pickFields(item, itemKeys).fields.nomenclature_code === undefined) return [];
    const message = "is not accepted in this form: send `markingCode`, the code as scanned in base64";
    return [problem("order.wrong-value", `receipt.items[${index}].nomenclature_code`, message)];
  });
  const [first, ...others] = problems;
  if (first !== undefined) throw faultOfProblems([first, ...others]);
}
