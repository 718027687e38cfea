/** Reads the online-fiscal-compatible format as a `Receipt`. A sum below price x quantity means a discount. */
import { formatRoubles, parseRoubles, vatInside } from "../../amounts.js";
import { isObject, pickFields, spellingsOf } from "../../exchange/lenient-fields.js";
import {
  MAX_ONLINE_ITEMS,
  type OnlineItem,
  type OnlineOrder,
  onlineReceiptSchema,
} from "../../exchange/online-receipt.js";
import { type OrderWarning, parseBy, problem, throwIfAny, underNames, warning } from "../../exchange/order-problem.js";
import { toOrderId } from "../../ids.js";
import { parseWireTime } from "../../local-time.js";
import type { ReceiptPlaces, ReceiptRules } from "../check-receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { rateOfTaxId, type TaxRow, taxIdOfRate, type VatCode, vatRates } from "../vat.js";
import { readUnderGivenNames, underOwnKeys } from "./from-cloud-receipt.js";
import type { RateSurroundings } from "./item-rates.js";
import { type GivenItem, type ReadReceipt, readSale } from "./read-sale.js";

/** The kopeck by which rounding may make a sum larger than price x quantity. */
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
export function fromOnlineReceipt(body: unknown, rules: ReceiptRules, surroundings: RateSurroundings): ReadReceipt {
  if (rules.corrections === true && isObject(body)) {
    const { correction, receipt } = pickFields(body, bodyKeys).fields;
    if (isObject(correction) && receipt === undefined) return readCorrection(body, correction, rules, surroundings);
  }
  return readBody(body, rules, surroundings);
}

const bodyKeys = spellingsOf(["correction", "receipt"]);

/** Cloud services put a correction under `correction` in place of `receipt`. Problems name the key that was sent. */
function readCorrection(
  body: Readonly<Record<string, unknown>>,
  receipt: object,
  rules: ReceiptRules,
  surroundings: RateSurroundings,
): ReadReceipt {
  const others = Object.entries(body).filter(([key]) => !bodyKeys.has(key.toLowerCase()));
  const given = ({ path }: { readonly path: string }) => path.replace(/^receipt\b/, "correction");
  const read = underNames(given, () => readBody({ ...Object.fromEntries(others), receipt }, rules, surroundings));
  // A body that was sent as a correction never becomes a sale, even if its operation is an ordinary one.
  const { receipt: made } = read;
  if (made.kind !== "receipt" || made.correction === undefined) {
    throwIfAny([problem("order.missing-value", "correctionInfo", refusalTexts.correctionOfWhat)]);
  }
  return {
    ...read,
    warnings: read.warnings.map((one) => ({ ...one, path: given(one) })),
    taxPlaces: read.taxPlaces.map((path) => given({ path })),
  };
}

function readBody(body: unknown, rules: ReceiptRules, surroundings: RateSurroundings): ReadReceipt {
  refuseTooManyItems(body);
  if (!isObject(body)) return readOrder({ fields: body, rates: [] }, rules, surroundings);
  const cloud = underOwnKeys(body, surroundings.taxes, rules.corrections === true);
  return readUnderGivenNames(cloud, () => readOrder(cloud, rules, surroundings));
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
  const { attributes, payments, total } = order.receipt;
  const isReturned = order.operation === "return" || order.operation === "return-correction";
  const read = readSale(
    {
      receipt: {
        orderId: order.external_id ?? toOrderId(""),
        receiptId: order.receiptId ?? null,
        kkm: order.kkm ?? null,
        format: "online",
        cancelFirst: false,
        operation: isReturned ? "return" : "sale",
        printDoc: order.printDoc !== false,
        cancelledByOrder: false,
      },
      isCorrection: order.operation === "sale-correction" || order.operation === "return-correction",
      lines: wireItems.map(givenItem),
      payments: payments.map(({ type, sum }) => ({ typeClose: type, sum })),
      head: order,
      contacts: [
        { text: attributes?.email, path: "receipt.attributes.email" },
        { text: attributes?.phone, path: "receipt.attributes.phone" },
        { text: order.clientContact, path: "clientContact" },
      ],
      places,
      flaws: [],
      total: { path: "receipt.total", sum: total },
    },
    rules,
    surroundings,
  );
  const warnings = [...read.warnings, ...timestampWarnings(order), ...taxWarnings(wireItems, surroundings.taxes)];
  return { ...read, warnings };
}

function refuseTooManyItems(body: unknown): void {
  const receipt = isObject(body) ? pickFields(body, spellingsOf(["receipt"])).fields.receipt : undefined;
  const items = isObject(receipt) ? pickFields(receipt, spellingsOf(["items"])).fields.items : undefined;
  if (!Array.isArray(items) || items.length <= MAX_ONLINE_ITEMS) return;
  throwIfAny([problem("order.too-large", places.lines, refusalTexts.tooManyItems(items.length, MAX_ONLINE_ITEMS))]);
}

function givenItem(fields: OnlineItem, position: number): GivenItem {
  const { name, sum } = fields;
  const at = (field: string) => `receipt.items[${position}].${field}`;
  return {
    type: "given",
    name,
    fields,
    printSum: false,
    at,
    rateField: "tax",
    flaws: [],
    total: (gross) =>
      sum > gross + ROUNDING
        ? problem("receipt.total-mismatch", at("sum"), refusalTexts.sumAbove(formatRoubles(sum), formatRoubles(gross)))
        : sum,
  };
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
