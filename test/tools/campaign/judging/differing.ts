/** Compares each document of the registers with its order, tag by tag, by the campaign's own reading of the order. */
import { type CampaignOrder, factOf, itemName, labelOf, paymentsOf } from "../plan/orders.js";
import { CASHIER } from "../processes/daemon-config.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import { issuerOf } from "./verdict.js";

/** The only tax system of the emulated registers. */
const TAX_SYSTEM = 1;
const DIRECTIONS = { sale: 1, return: 2 } as const;
/** By `typeClose`. */
const paymentTags = [1031, 1081, 1215, 1216, 1217] as const;
/** Row 2 of the tables of all makers: 10 %, or without VAT where the rows are counted from 0. */
const ratesOfRow2: readonly number[] = [2, 5];

type Row = readonly [tag: number, meant: unknown, registered: unknown];

/** Tags in which the document differs from its order. `isMarked`: null = a mark and no mark are both correct. */
export function differingTags(
  document: RegisteredDocument,
  order: CampaignOrder,
  isMarked: boolean | null = null,
): readonly number[] {
  const { facts, operation, totalKopecks, prices } = order;
  const payments = paymentsOf(order);
  const rows: readonly Row[] = [
    [1054, DIRECTIONS[operation], document.operation === null ? null : DIRECTIONS[document.operation]],
    [1020, totalKopecks, document.totalKopecks],
    [1055, TAX_SYSTEM, document.taxSystem],
    [1008, facts.contact, document.contact],
    [1125, facts.place !== null, document.internet],
    [1187, facts.place, document.settlementPlace],
    [1021, CASHIER, document.cashier],
    ...paymentTags.map((tag, typeClose): Row => [tag, payments[typeClose] ?? 0, paidBy(document.payments, typeClose)]),
    [1086, isMarked ?? true, isMarked === null || issuerOf(document) !== null],
    [1059, prices.length, document.items.length],
    ...document.items.flatMap((item, line) => lineRows(item, order, line)),
  ];
  return [...new Set(rows.filter(([, meant, registered]) => meant !== registered).map(([tag]) => tag))];
}

function lineRows(item: RegisteredDocument["items"][number], order: CampaignOrder, line: number): readonly Row[] {
  const { facts, label, prices } = order;
  const price = Math.round((prices[line] ?? 0) * 100);
  const rate = factOf(facts.rates, line);
  const isRow2 = rate === null && ratesOfRow2.includes(item.vat);
  return [
    [1030, itemName(label, line), item.name],
    [1079, price, item.priceKopecks],
    [1023, 1, item.quantity],
    [1043, price, item.sumKopecks],
    [1199, isRow2 ? item.vat : rate, item.vat],
    [1212, factOf(facts.subjects, line), item.subject],
    [1214, facts.method, item.method],
  ];
}

export function paidBy(payments: RegisteredDocument["payments"], typeClose: number): number {
  return payments
    .filter((payment) => payment.typeClose === typeClose)
    .reduce((sum, { sumKopecks }) => sum + sumKopecks, 0);
}

export interface FindOptions {
  readonly documents: readonly RegisteredDocument[];
  readonly orders: readonly CampaignOrder[];
  /** Whether the document's register writes order marks. Null: not always. */
  isMarked(document: RegisteredDocument): boolean | null;
  isNoticed(document: RegisteredDocument, tags: readonly number[]): boolean;
}

/**
 * Documents with a difference that nobody was told of. Where several orders have the document's label, it is compared
 * with the most similar one: a changed order has other prices.
 */
export function findDiffering({ documents, orders, isMarked, isNoticed }: FindOptions): readonly string[] {
  return documents.flatMap((document) => {
    const label = labelOf(document);
    const [closest] = orders
      .filter((order) => order.label === label)
      .map((order) => ({ order, tags: differingTags(document, order, isMarked(document)) }))
      .sort((one, other) => one.tags.length - other.tags.length);
    if (closest === undefined || closest.tags.length === 0 || isNoticed(document, closest.tags)) return [];
    return [`${closest.order.key} in ${closest.tags.join(", ")} of document ${document.fd}`];
  });
}
