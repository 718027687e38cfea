/** The lines of an order's receipt, each with its position (domain 5.1, 5.4, 8.5); pure. */
import { kopecks, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import { parseContact } from "@fiscald/shared/receipt/contact.js";
import { itemName } from "@fiscald/shared/receipt/formats/item-line.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import type { Agent, ItemLine, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import type { FoundRecords } from "../catalog/references.js";
import { vatOfTax } from "../catalog/tax-rates.js";
import { itemSum, orderTotal, toKopecks, toQuantity } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { numberField, textField } from "../store/stored-json.js";
import { base64, markingCodeOf, traitsOf } from "./match-item.js";
import { isOnReceipt, prepaidSum } from "./receipt-policy.js";
import type { GivenLine } from "./refundable-lines.js";

/** What a receipt needs besides its order, read once for many orders. */
export interface CatalogFacts {
  /** Goods, taxes, payment types, supplier, client, specificities that the orders name. */
  readonly found: FoundRecords;
  readonly taxSystem: TaxSystem | null;
  /** Bit of tag 1222 for orders with a supplier. */
  readonly agentType: number;
}

/** The prepaid part of every position: method 1 when all is prepaid, else 2. */
export function prepaidLines(order: StoredOrder, facts: CatalogFacts): readonly GivenLine[] {
  const whole = linesOf(order.goods, order, facts);
  const prepaid = prepaidSum(order);
  const method = prepaid >= orderTotal(order) ? 1 : 2;
  const totals = whole.map(({ line }) => line.total);
  const later = spreadDiscount(totals, kopecks(Math.max(0, sumKopecks(totals) - prepaid)));
  return whole
    .map(({ line, of }, index) => ({ of, line: { ...line, method, total: kopecks(line.total - (later[index] ?? 0)) } }))
    .filter(({ line }) => line.total > 0);
}

export function linesOf(items: readonly StoredItem[], order: StoredOrder, facts: CatalogFacts): readonly GivenLine[] {
  return items.filter(isOnReceipt).map((item) => ({ line: itemLine(item, order, facts), of: traitsOf(item) }));
}

function itemLine(item: StoredItem, order: StoredOrder, facts: CatalogFacts): ItemLine {
  const good = item.goodId === null ? undefined : facts.found.get("goods")?.get(item.goodId)?.body;
  const unit = item.unit || textField(good, "unit") || null;
  const markingCode = markingCodeOf(item);
  return {
    type: "item",
    name: itemName([nameOf(item, textField(good, "title")), ...specificityTexts(item, facts.found)].join(", ")),
    price: toKopecks(item.price),
    quantity: toQuantity(item.count),
    total: itemSum(item),
    tax: taxOf(item, order, facts.found),
    department: 0,
    subject: subjectOf(numberField(good, "calcId"), markingCode !== null),
    method: 4,
    unit,
    measure: measureOf(unit),
    agent: agentOf(order, facts),
    goodsCode: item.vedCode === null ? null : base64(item.vedCode),
    markingCode,
    countryCode: item.countryCode,
    customsDeclaration: item.customDeclarationCode,
    printSum: false,
  };
}

function nameOf(item: StoredItem, title: string | null): string {
  return title ?? item.description ?? `Товар ${item.goodId ?? item.position ?? ""}`.trim();
}

function specificityTexts(item: StoredItem, found: FoundRecords): readonly string[] {
  return item.specificities.flatMap(({ specificityId }) => {
    const specificity = found.get("specificities")?.get(specificityId)?.body;
    const text = [textField(specificity, "title"), textField(specificity, "value")].filter(Boolean).join(" ");
    return text === "" ? [] : [text];
  });
}

/** The position's rate, else the supplier's; null = the register's own default. */
function taxOf(item: StoredItem, order: StoredOrder, found: FoundRecords): VatCode | null {
  const supplier = order.supplierId === null ? undefined : found.get("suppliers")?.get(order.supplierId)?.body;
  const taxId = item.taxId ?? textField(supplier, "taxId");
  const tax = taxId === null ? undefined : found.get("taxes")?.get(taxId)?.body;
  return tax === undefined ? null : vatOfTax(tax);
}

/** A marked position is marked goods: 31 where it is excisable, else 33. */
function subjectOf(calcId: number | null, isMarked: boolean): number {
  const subject = calcId ?? 1;
  if (!isMarked) return subject;
  return subject === 2 || subject === 31 ? 31 : 33;
}

function agentOf(order: StoredOrder, { found, agentType }: CatalogFacts): Agent | null {
  if (order.supplierId === null) return null;
  const supplier = found.get("suppliers")?.get(order.supplierId)?.body;
  const phone = parseContact(textField(supplier, "phone") ?? "");
  const inn = textField(supplier, "inn");
  return {
    type: agentType,
    supplierName: textField(supplier, "title"),
    supplierPhones: phone?.startsWith("+") ? [phone] : [],
    supplierInn: inn === null || inn.trim() === "" ? null : toInn(inn),
  };
}
