/**
 * A receipt from the body that a site sent to a cloud receipt service (v4 and v5): for `enqueue`, without rewriting the
 * shop. Such services have the operation in their address, so it is an argument here.
 *
 *   await receipts.enqueue(fromCloudReceipt(body, { operation: "sell" }))
 */
import { faultOfProblems, problem } from "@fiscald/shared/exchange/order-problem.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";

export interface CloudReceiptOptions {
  /** Purchases and corrections are not printed for a site. */
  readonly operation: "sell" | "sell_refund";
  /** Day of the sale, `2026-11-25`: a rate that is not in force then is refused. Default: today, by this machine's zone. */
  readonly day?: string;
  readonly rules?: ReceiptRules;
}

/**
 * Rates come by name (`vat22`), payment types by number (0 cash, 1 electronic, 2 prepayment, 3 credit,
 * 4 counter-provision). Throws one Fault that names every problem with its place; keys without a meaning here, such as
 * `callback_url`, are left out.
 */
export function fromCloudReceipt(body: object, options: CloudReceiptOptions): Receipt {
  const { operation, day = today(), rules = defaultRules } = options;
  if ("operation" in body && body.operation !== operation) {
    throw faultOfProblems([problem("order.wrong-value", "operation", `is not ${operation}, as the call says`)]);
  }
  return fromOnlineReceipt({ ...body, operation }, rules, { taxes: [], today: day }).receipt;
}

function today(): string {
  return new Date().toLocaleDateString("sv");
}
