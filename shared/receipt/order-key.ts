/**
 * Decides which orders are the same order: their canonical texts are equal. Each text is stored with its version.
 * Golden vectors freeze the text: a change needs a new version, and old rows are compared by their own version.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type OrderId, type ReceiptId, type SiteId, toOrderId, toSiteId } from "../ids.js";
import { netPayments } from "./check-receipt.js";
import { type OrderMark, shortHash } from "./order-mark.js";
import { withoutChange } from "./paid-kopecks.js";
import { type Correction, type ItemLine, itemsOf, type Line, ownPropertyOf, type Receipt } from "./receipt.js";
import { withoutUnseen } from "./text-hygiene.js";

const ORDER_KEY_VERSION = 1;

export interface OrderKey {
  /** SHA-256 of the canonical text, hex. */
  readonly key: string;
  readonly version: number;
  readonly canonical: string;
}

export function orderKey(options: { readonly site: SiteId; readonly receipt: Receipt }): OrderKey {
  return keyOf(canonicalParts(options));
}

/** The key is the same for every receipt with this `receiptId`, whatever its content is. */
export function keyOfId(site: SiteId, receiptId: ReceiptId): OrderKey {
  return keyOf(partsOfId(site, receiptId));
}

function keyOf(parts: readonly unknown[]): OrderKey {
  const canonical = JSON.stringify(parts);
  const key = createHash("sha256").update(canonical, "utf8").digest("hex");
  return { key, version: ORDER_KEY_VERSION, canonical };
}

function partsOfId(site: SiteId, receiptId: ReceiptId): readonly unknown[] {
  return ["v1", site, "receipt-id", receiptId];
}

/** Numbers that a person cannot tell apart become one number. */
export function identityOf(orderId: OrderId): OrderId;
export function identityOf(orderId: OrderId | null): OrderId | null;
export function identityOf(orderId: OrderId | null): OrderId | null {
  return orderId === null ? null : toOrderId(withoutUnseen(orderId).normalize("NFC"));
}

export function hasUnseen(orderId: OrderId | null): boolean {
  return orderId !== null && withoutUnseen(orderId) !== orderId.trim();
}

/** The canonical text without site and `receiptId`. Receipts of equal content have equal texts. */
export function contentText(receipt: Receipt): string {
  return JSON.stringify(canonicalParts({ site: toSiteId(""), receipt: { ...receipt, receiptId: null } }));
}

/** A correction has no change in cash, so change does not count where a correction is compared. */
export function isEqual(one: Receipt, other: Receipt): boolean {
  const asCompared = isCorrected(one) || isCorrected(other) ? paidExactly : (receipt: Receipt) => receipt;
  return contentText(asCompared(one)) === contentText(asCompared(other));
}

/** Compares everything, to the last tag, except the register and the time of payment. */
export function isSaidAlike(one: Receipt, other: Receipt): boolean {
  return isDeepStrictEqual(said(one), said(other));
}

function said(receipt: Receipt): object {
  return { ...receipt, orderId: identityOf(receipt.orderId), kkm: null, format: null, paidAt: null };
}

export function isCorrected(receipt: Receipt): boolean {
  return receipt.kind === "receipt" && receipt.correction?.ofOrder === true;
}

function paidExactly(receipt: Receipt): Receipt {
  return receipt.kind === "service" ? receipt : { ...receipt, payments: withoutChange(receipt) };
}

export function markDigits(receipt: Receipt): string {
  if (receipt.receiptId !== null) return shortHash(receipt.receiptId);
  const [version, , ...content] = canonicalParts({ site: toSiteId(""), receipt });
  return shortHash(JSON.stringify([version, ...content]));
}

/** Null: the order has its own text in tag 1084, where the mark would stand. */
export function orderMarkOf(receipt: Receipt, issuer: string): OrderMark | null {
  return ownPropertyOf(receipt) === null ? { issuer, digits: markDigits(receipt) } : null;
}

/** The parts are in arrays only, because their order belongs to the text. */
function canonicalParts({ site, receipt }: { readonly site: SiteId; readonly receipt: Receipt }): readonly unknown[] {
  if (receipt.receiptId !== null) return partsOfId(site, receipt.receiptId);
  if (receipt.kind === "service") {
    return ["v1", site, "service", identityOf(receipt.orderId), receipt.cancelFirst, receipt.lines.map(serviceParts)];
  }
  return [
    "v1",
    site,
    receipt.operation,
    identityOf(receipt.orderId),
    itemsOf(receipt).map(itemParts),
    netPayments(receipt.payments).map(({ typeClose, sum }) => [typeClose, sum]),
    ...requisiteParts(receipt.requisites),
    ...correctionParts(receipt.correction),
  ];
}

function correctionParts(correction: Correction | undefined): readonly unknown[] {
  if (correction === undefined || correction.ofOrder === true) return [];
  const { type, date } = correction;
  return [["correction", type, date, ...(correction.type === "instruction" ? [correction.number] : [])]];
}

/** Orders without the rare fields keep the text that they had before these fields were introduced. */
function requisiteParts(requisites: object | undefined): readonly unknown[] {
  return requisites === undefined ? [] : [sortedEntries(requisites)];
}

function sortedEntries(requisites: object): readonly unknown[] {
  return Object.entries(requisites)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, isPlainObject(value) ? sortedEntries(value) : value]);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The price before discounts does not count: quantity and total are registered. */
function itemParts(item: ItemLine): readonly unknown[] {
  const agent =
    item.agent === null ? null : [item.agent.type, item.agent.supplierInn, ...requisiteParts(item.agent.data)];
  return [
    item.name.normalize("NFC").trim(),
    item.quantity,
    item.total,
    item.tax,
    item.subject,
    item.method,
    item.markingCode,
    agent,
    ...requisiteParts(item.requisites),
  ];
}

function serviceParts(line: Line): readonly unknown[] {
  switch (line.type) {
    case "cash":
      return ["cash", line.direction, line.sum];
    case "report":
      return ["report", line.report];
    case "text":
      return ["text", line.content.kind === "text" ? line.content.text.normalize("NFC") : line.content.kind];
    case "barcode":
      return ["barcode", line.symbology, line.data];
    case "image":
      return ["image", line.source];
    case "item":
    case "sync-time":
    case "header":
    case "footer":
    case "cut":
      return [line.type];
  }
}

export function isSameGoods(one: ItemLine, other: ItemLine): boolean {
  const isSameCode = (code: "goodsCode" | "markingCode") => one[code] !== null && one[code] === other[code];
  const [name, otherName] = [one, other].map((item) => item.name.normalize("NFC").trim());
  return name === otherName || isSameCode("goodsCode") || isSameCode("markingCode");
}
