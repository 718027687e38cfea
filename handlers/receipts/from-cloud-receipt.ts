/**
 * Makes a receipt from the body that a site sent to a cloud receipt service (v4 and v5), so that `enqueue` takes it and
 * the shop need not be rewritten. Such services have the operation in their address, and so it is an argument here.
 *
 *   await receipts.enqueue(fromCloudReceipt(body, { operation: "sell" }))
 */
import { isObject, pickFields, shownAsSent, spellingsOf } from "@fiscald/shared/exchange/lenient-fields.js";
import { faultOfProblems, type OrderProblem, problem, throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode, FaultText } from "@fiscald/shared/fault-codes.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { builderTexts } from "./builder-texts.js";
import { today } from "./receipt-input.js";

export interface CloudReceiptOptions {
  /** Purchases and corrections are not printed for a site. */
  readonly operation: "sell" | "sell_refund";
  /** Day of the sale, `2026-11-25`: a rate not in force on it is refused. Default: today, in this machine's zone. */
  readonly day?: string;
  /** The daemon's site settings `requireContactForInternet` and `strictPaper`, where they differ from the default. */
  readonly rules?: ReceiptRules;
}

const rootKeys = spellingsOf(["operation", "receipt"]);
const receiptKeys = spellingsOf(["operation", "client", "company", "items"]);
const itemKeys = spellingsOf(["vat", "tax"]);

/**
 * Reads the body. Rates come by name (`vat22`), payment types by number (0 cash, 1 electronic, 2 prepayment, 3 credit,
 * 4 counter-provision). Throws one Fault that names every problem with its place. Other keys, such as `callback_url`,
 * are left out.
 */
export function fromCloudReceipt(body: object, options: CloudReceiptOptions): Receipt {
  if (!isObject(body)) throw wrong("body", builderTexts.noCloudBody(shownAsSent(body)));
  const given: Partial<CloudReceiptOptions> = isObject(options) ? options : {};
  const { operation, day = today(), rules = defaultRules } = given;
  // The days of rates are compared with this day as text.
  if (typeof day !== "string" || !/^\d{4}-\d\d-\d\d$/.test(day))
    throw wrong("day", builderTexts.noDay(shownAsSent(day)));
  const root = pickFields(body, rootKeys).fields;
  if (operation === undefined) throw wrong("operation", builderTexts.noOperation, "order.missing-value");
  if (operation !== "sell" && operation !== "sell_refund")
    throw wrong("operation", builderTexts.otherOperation(shownAsSent(operation)));
  if (root.operation !== undefined && root.operation !== operation)
    throw wrong("operation", builderTexts.notAsCalled(operation));
  const receipt = isObject(root.receipt) ? pickFields(root.receipt, receiptKeys).fields : {};
  throwIfAny(itemFlaws(receipt.items));
  return fromOnlineReceipt({ ...body, operation }, rules, { taxes: [], today: day }).receipt;
}

function wrong(place: string, message: FaultText, code: FaultCode = "order.wrong-value"): Fault {
  return faultOfProblems([problem(code, place, message)]);
}

/** Whether the body does not say if it is a sale or a refund. Cloud services see that by the address. */
export function lacksOperation(body: object): boolean {
  const root = pickFields(body, rootKeys).fields;
  const receipt = isObject(root.receipt) ? pickFields(root.receipt, receiptKeys).fields : {};
  const isOfCloud = receipt.client !== undefined || receipt.company !== undefined;
  return isOfCloud && root.operation === undefined && receipt.operation === undefined;
}

/** The daemon would not report a position without a rate, but print it at the register's default. */
function itemFlaws(items: unknown): readonly OrderProblem[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, index) => {
    if (!isObject(item)) return [];
    const { vat, tax } = pickFields(item, itemKeys).fields;
    const noRate = {
      en: 'is missing: a position without VAT says "none"; `vats` of the receipt is not read',
      ru: 'не указана: товар без НДС пишет "none"; `vats` чека не читается',
    };
    return (vat ?? tax) === undefined ? [problem("order.missing-value", `receipt.items[${index}].vat`, noRate)] : [];
  });
}
