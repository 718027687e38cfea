/** Loads accounts, and what receipts of their orders need, with as many queries for 500 sales as for 1. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { agentAliases } from "@fiscald/shared/exchange/item-fields.js";
import type { Payment } from "@fiscald/shared/receipt/receipt.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import type { ReceiptTables } from "../../print-server/receipt-tables.js";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import { companyTaxSystems, findOnlineSettings } from "../catalog/online-settings.js";
import { groupBy, textField } from "../catalog/records.js";
import { type FoundRecords, loadReferences, type Reference } from "../catalog/references.js";
import { missing } from "../http/api-errors.js";
import type { FiscalDocument } from "../orders/fiscal-records.js";
import { findOrders, type KnownOrder, keyText, saleIdOf } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { viewReferences } from "../orders/view.js";
import type { Reader } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import { type Account, type AccountEntry, isLive } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import type { GivenLine } from "./refundable.js";

const entriesOfSales = prepareQuery((db: Reader, resource: number, saleIds: readonly string[]) =>
  db
    .selectFrom("account_entries")
    .selectAll()
    .where("resource", "=", resource)
    .where("sale_id", "in", saleIds)
    .orderBy("sale_id")
    .orderBy("seq"),
);

const refundsOfSales = prepareQuery((db: Reader, resource: number, saleIds: readonly string[]) =>
  db
    .selectFrom("delivery_refunds")
    .select(["refund_id", "sale_id"])
    .where("resource", "=", resource)
    .where("sale_id", "in", saleIds)
    .orderBy("refund_id"),
);

const alertsOfSales = prepareQuery((db: Reader, resource: number, saleIds: readonly string[]) =>
  db
    .selectFrom("account_alerts")
    .select(["sale_id", "findings"])
    .where("resource", "=", resource)
    .where("sale_id", "in", saleIds),
);

const receiptsOfKit = prepareQuery((db: Reader, receiptIds: readonly string[]) =>
  db
    .withTables<ReceiptTables>()
    .selectFrom("print_receipts")
    .select(["receipt_id", "state", "result"])
    .where("receipt_id", "in", receiptIds),
);

/** `known`: orders that the caller has read or written; `isNew`: sales that have no entries yet. */
export async function loadAccounts(
  db: Reader,
  resource: number,
  saleIds: readonly string[],
  {
    known = new Map(),
    isNew = new Set(),
  }: {
    readonly known?: ReadonlyMap<string, KnownOrder>;
    readonly isNew?: ReadonlySet<string>;
  } = {},
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set(saleIds)];
  const old = ids.filter((id) => !isNew.has(id));
  const padded = paddedList(old);
  const entries = old.length === 0 ? [] : await entriesOfSales(db, resource, padded);
  const isOfKit = (row: EntryRow) => isOpenRow(row) || row.state === "failed";
  const ofKit = entries.flatMap((row) => (isOfKit(row) && row.receipt_id !== null ? [row.receipt_id] : []));
  const receipts = ofKit.length === 0 ? [] : await receiptsOfKit(db, paddedList(ofKit));
  const receiptOf = new Map(receipts.map((row) => [row.receipt_id, row]));
  const links = old.length === 0 ? [] : await refundsOfSales(db, resource, padded);
  const alerts = old.length === 0 ? [] : await alertsOfSales(db, resource, padded);
  const toRead = [
    ...ids.filter((orderId) => !known.has(keyText({ orderId, isRefund: false }))),
    ...links.map((link) => link.refund_id).filter((orderId) => !known.has(keyText({ orderId, isRefund: true }))),
  ];
  const orders = new Map([...(await findOrders(db, resource, toRead)), ...known]);
  const entriesOf = groupBy(entries, (row) => row.sale_id);
  const refundsOf = groupBy(links, (link) => link.sale_id);
  const alertOf = new Map(alerts.map((row) => [row.sale_id, row.findings]));
  const accounts = new Map<string, Account>();
  for (const saleId of ids) {
    const sale = orders.get(keyText({ orderId: saleId, isRefund: false }));
    if (sale === undefined) continue;
    const own = (entriesOf.get(saleId) ?? []).map((row) => entryOf(row, receiptOf.get(row.receipt_id ?? "")));
    const refunds = (refundsOf.get(saleId) ?? []).flatMap(({ refund_id: orderId }) => {
      const refund = orders.get(keyText({ orderId, isRefund: true }));
      return refund !== undefined && isCounted(refund, own) ? [refund] : [];
    });
    const alert = alertOf.get(saleId) ?? null;
    accounts.set(saleId, { saleId, sale: sale.order, isHidden: !sale.isActive, refunds, entries: own, alert });
  }
  return accounts;
}

export async function requireAccount(db: Reader, resource: number, orderId: string): Promise<Account> {
  const known = await findOrders(db, resource, [orderId]);
  const found = known.get(keyText({ orderId, isRefund: false })) ?? known.get(keyText({ orderId, isRefund: true }));
  const saleId = found === undefined ? orderId : saleIdOf(found.order);
  const account = (await loadAccounts(db, resource, [saleId], { known })).get(saleId);
  if (account === undefined) throw missing("order", orderId);
  return account;
}

/** A deleted refund order counts if it was paid, or if its return is printed or may be. */
function isCounted({ order, isActive }: KnownOrder, entries: readonly AccountEntry[]): boolean {
  if (isActive || order.statusId === 1 || order.receiptStatusId === 1) return true;
  return entries.some((entry) => entry.refundId === order.orderId && isLive(entry));
}

/** The receipt's account entry, with its order. Null: no order has the receipt. */
export async function findByReceipt(db: Reader, resource: number, receiptId: string) {
  const entry = await db
    .selectFrom("account_entries")
    .select(["sale_id as saleId", "seq", "kind", "state", "refund_id as refundId"])
    .where((is) => is.and({ resource, receipt_id: receiptId }))
    .executeTakeFirst();
  if (entry === undefined) return null;
  const key = { orderId: entry.refundId ?? entry.saleId, isRefund: entry.refundId !== null };
  const known = (await findOrders(db, resource, [key.orderId])).get(keyText(key));
  return known === undefined ? null : { ...entry, ...known };
}

export async function findByDocument(db: Reader, resource: number, { fn, fd }: FiscalDocument) {
  const row = await db
    .selectFrom("account_entries")
    .select(["sale_id as saleId", "seq", "kind", "issued_by as by"])
    .where((is) => is.and({ resource, fn, fd }))
    .where("state", "<>", "void")
    .executeTakeFirst();
  return row ?? null;
}

type EntryRow = DeliveryTables["account_entries"];

type KitReceipt = Pick<ReceiptTables["print_receipts"], "state" | "result">;

function isOpenRow({ state }: Pick<EntryRow, "state">): boolean {
  return state === "queued" || state === "handed";
}

/** This program wrote the row's JSON. The kit's row tells whether a print server has the receipt. */
function entryOf(row: EntryRow, receipt: KitReceipt | undefined): AccountEntry {
  const lines: readonly GivenLine[] = JSON.parse(row.lines);
  const payments: readonly Payment[] = JSON.parse(row.payments);
  return {
    seq: row.seq,
    kind: row.kind,
    basisSeq: row.basis_seq,
    refundId: row.refund_id,
    by: row.issued_by,
    state: isOpenRow(row) ? (receipt?.state === "queued" ? "queued" : "handed") : row.state,
    receiptId: row.receipt_id,
    fn: row.fn,
    fd: row.fd,
    lines,
    payments,
    taxSystem: row.tax_system,
    total: kopecks(row.total),
    isAssumed: row.is_assumed === 1,
    details: row.details,
    ...(row.state === "failed" && receipt?.state === "failed" && failureOf(receipt)),
    createdAt: row.created_at,
  };
}

/** In one line, because an alert is a list of lines. */
function failureOf({ result }: KitReceipt) {
  const told: Pick<PrintResult, "resultInfo"> | null = JSON.parse(result ?? "null");
  const failure = told?.resultInfo.replace(/\s+/g, " ").trim() ?? "";
  return failure !== "" && { failure };
}

export async function loadCatalogFacts(
  db: Reader,
  resource: number,
  orders: readonly StoredOrder[],
  known?: FoundRecords,
): Promise<CatalogFacts> {
  const references = [...viewReferences(orders), ...orders.flatMap(receiptReferences)];
  const named = await loadReferences(db, resource, references, known);
  const supplierTaxes = [...(named.get("suppliers")?.values() ?? [])].map(({ body }) => textField(body, "taxId"));
  const itemTaxes = orders.flatMap(({ goods }) => goods.map(({ taxId }) => taxId));
  const taxes = [...itemTaxes, ...supplierTaxes].flatMap((id): readonly Reference[] =>
    id === null ? [] : [{ kind: "taxes", id, place: "" }],
  );
  const settings = await findOnlineSettings(db, resource);
  return {
    found: await loadReferences(db, resource, taxes, named),
    taxSystem: settings === null ? null : companyTaxSystems[settings.company.taxSystem],
    agentType: settings?.agent === undefined ? null : agentAliases[settings.agent.type],
  };
}

function receiptReferences(order: StoredOrder): readonly Reference[] {
  const payments = [...order.payments, ...(order.namedPayments ?? [])];
  const types = [order.paymentId, order.originalPaymentId, ...payments.map(({ paymentTypeId }) => paymentTypeId)];
  return [
    ...types.map((id) => ({ kind: "paymentTypes" as const, id, place: "" })),
    ...(order.supplierId === null ? [] : [{ kind: "suppliers" as const, id: order.supplierId, place: "" }]),
  ];
}
