/** The online-fiscal-compatible format as a `Receipt`: a sum below price x quantity is a discount. */
import { formatRoubles, MAX_SUM, parseRoubles, vatInside } from "../../amounts.js";
import { isObject, pickFields, spellingsOf } from "../../exchange/lenient-fields.js";
import {
  MAX_ONLINE_ITEMS,
  type OnlineItem,
  type OnlineOrder,
  onlineReceiptSchema,
} from "../../exchange/online-receipt.js";
import {
  type OrderProblem,
  type OrderWarning,
  parseBy,
  problem,
  throwIfAny,
  underNames,
  warning,
} from "../../exchange/order-problem.js";
import { toOrderId } from "../../ids.js";
import { parseWireTime } from "../../local-time.js";
import { defaultRules, netPayments, type ReceiptPlaces, type ReceiptRules, settleReceipt } from "../check-receipt.js";
import { markProblems } from "../marking-code.js";
import type { ItemLine, SaleReceipt } from "../receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { rateOfTaxId, type TaxRow, taxIdOfRate, type VatCode, vatRates } from "../vat.js";
import { fromCloudReceipt, givenPlace } from "./from-cloud-receipt.js";
import type { ReadReceipt } from "./from-task-table.js";
import { grossOf, itemLine, itemName, itemProblems, itemWarnings, methodOf } from "./item-line.js";
import { type RateSurroundings, rateProblems, rateWarnings, unknownSurroundings } from "./item-rates.js";
import { cashierProblems, contactOf, receiptHead } from "./receipt-head.js";

/** A sum may be above price x quantity by the kopeck that rounding costs. */
const ROUNDING = 1;

const places: ReceiptPlaces = {
  lineData: (position) => `receipt.items[${position}].name`,
  lines: "receipt.items",
  payments: "receipt.payments",
  contact: "receipt.attributes",
  orderId: "external_id",
  internetUrl: "internetPaymentUrl",
};

/**
 * `body`: the object with `external_id` and `receipt`. Throws one fault that names every problem. With the register's
 * `taxes` it warns where `tax_sum` differs from what the register will count.
 */
export function fromOnlineReceipt(
  body: unknown,
  rules: ReceiptRules = defaultRules,
  surroundings: RateSurroundings = unknownSurroundings,
): ReadReceipt {
  refuseTooManyItems(body);
  if (!isObject(body)) return readOrder({ fields: body, rates: [] }, rules, surroundings);
  const cloud = fromCloudReceipt(body, surroundings.taxes);
  const placeOf = givenPlace(cloud.places);
  const read = underNames(placeOf, () => readOrder(cloud, rules, surroundings), cloud.problems);
  const warnings = read.warnings.map((warning) => ({ ...warning, path: placeOf(warning) }));
  return { ...read, warnings, taxPlaces: read.taxPlaces.map((path) => placeOf({ path })) };
}

function readOrder(
  cloud: { readonly fields: unknown; readonly rates: readonly (VatCode | null)[] },
  rules: ReceiptRules,
  surroundings: RateSurroundings,
): ReadReceipt {
  const order = parseBy(onlineReceiptSchema, cloud.fields);
  const wireItems = order.receipt.items.map((item, position) => {
    const rate = cloud.rates[position] ?? null;
    return rate === null ? item : { ...item, tax: taxIdOfRate(rate) };
  });
  const read = wireItems.map(readItem);
  const items = read.flatMap(({ item }) => item ?? []);
  const rates = wireItems.map((item, position) => {
    const path = fieldAt(position)("tax");
    return { tax: item.tax, method: methodOf(item), isRefund: order.operation !== "sell", path };
  });
  const isPermitAsked = rules.requirePermit === true && order.operation === "sell";
  const marks = wireItems.map(({ markingCode: code = null, industryProps: permit }, position) => {
    return { code, permit, at: fieldAt(position) };
  });
  const itemsProblems = [
    ...read.flatMap(({ problems }) => problems),
    ...rates.flatMap((rate) => rateProblems(rate, surroundings, rules)),
    ...markProblems(marks, isPermitAsked),
  ];
  const attributes = order.receipt.attributes;
  const {
    contact,
    unreadable,
    warnings: ofContact,
  } = contactOf([
    { text: attributes?.email, path: "receipt.attributes.email" },
    { text: attributes?.phone, path: "receipt.attributes.phone" },
    { text: order.clientContact, path: "clientContact" },
  ]);
  const receipt: SaleReceipt = {
    kind: "receipt",
    orderId: order.external_id ?? toOrderId(""),
    receiptId: order.receiptId ?? null,
    kkm: order.kkm ?? null,
    format: "online",
    cancelFirst: false,
    operation: order.operation === "sell" ? "sale" : "return",
    lines: items,
    payments: netPayments(order.receipt.payments.map(({ type, sum }) => ({ typeClose: type, sum }))),
    contact,
    printDoc: order.printDoc !== false,
    ...receiptHead(order),
    expectedInn: order.service?.inn ?? null,
    cancelledByOrder: false,
  };
  const settled = settleReceipt(receipt, rules, places, {
    lines: itemsProblems,
    contact: unreadable,
    cashier: cashierProblems(order),
    total: { path: "receipt.total", sum: order.receipt.total },
  });
  const warnings = [
    ...settled.warnings,
    ...ofContact,
    ...wireItems.flatMap((item, position) => itemWarnings(item.name, item, fieldAt(position))),
    ...timestampWarnings(order),
    ...rates.flatMap((rate) => rateWarnings(rate, surroundings)),
    ...taxWarnings(wireItems, surroundings.taxes),
  ];
  return { receipt: settled.receipt, warnings, taxPlaces: rates.map(({ path }) => path) };
}

function fieldAt(position: number) {
  return (field: string) => `receipt.items[${position}].${field}`;
}

function refuseTooManyItems(body: unknown): void {
  const receipt = isObject(body) ? pickFields(body, spellingsOf(["receipt"])).fields.receipt : undefined;
  const items = isObject(receipt) ? pickFields(receipt, spellingsOf(["items"])).fields.items : undefined;
  if (!Array.isArray(items) || items.length <= MAX_ONLINE_ITEMS) return;
  throwIfAny([problem("order.too-large", places.lines, refusalTexts.tooManyItems(items.length, MAX_ONLINE_ITEMS))]);
}

function readItem(
  wire: OnlineItem,
  position: number,
): { readonly item: ItemLine | null; readonly problems: readonly OrderProblem[] } {
  const at = fieldAt(position);
  const { price, quantity, sum } = wire;
  const name = itemName(wire.name);
  const problems = [...itemProblems({ name, quantity, extensions: wire }, at)];
  const gross = grossOf(price, quantity);
  if (gross === null) {
    const flaw = problem("order.wrong-value", at("price"), refusalTexts.productAbove(formatRoubles(MAX_SUM)));
    return { item: null, problems: [...problems, flaw] };
  }
  if (sum > gross + ROUNDING) {
    const message = refusalTexts.sumAbove(formatRoubles(sum), formatRoubles(gross));
    problems.push(problem("receipt.total-mismatch", at("sum"), message));
  }
  return { item: itemLine({ name, price, quantity, total: sum, printSum: false, extensions: wire }), problems };
}

function timestampWarnings(order: OnlineOrder): readonly OrderWarning[] {
  if (order.timestamp === undefined || parseWireTime(order.timestamp) !== null) return [];
  return [warning("timestamp", refusalTexts.noTime)];
}

function taxWarnings(items: readonly OnlineItem[], taxes: readonly TaxRow[]): readonly OrderWarning[] {
  return items.flatMap((item, position) => {
    const stated = item.tax_sum === undefined ? null : parseRoubles(item.tax_sum);
    const vat = rateOfTaxId(item.tax ?? null) ?? taxes.find(({ id }) => id === item.tax)?.vat ?? null;
    if (stated === null || vat === null) return [];
    const counted = vatInside(item.sum, vatRates[vat].percent ?? 0);
    if (Math.abs(stated - counted) <= 1) return [];
    const text = refusalTexts.otherTax(formatRoubles(stated), formatRoubles(counted));
    return [warning(`receipt.items[${position}].tax_sum`, text)];
  });
}
