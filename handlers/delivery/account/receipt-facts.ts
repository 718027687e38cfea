/** What a receipt of an order needs besides the order. */
import type { z } from "zod";
import { agentTypes, onlineSettings, taxSystems } from "../catalog/online-settings.js";
import { loadReferences, type Reference } from "../catalog/references.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { viewReferences } from "../orders/view.js";
import type { Reader } from "../store/delivery-store.js";
import { textField } from "../store/stored-json.js";
import { RETURNED } from "./due-receipts.js";
import { loadPrepayment } from "./prepayment-ledger.js";
import type { ReceiptFacts } from "./receipt-lines.js";
import { loadSaleLedger } from "./sale-ledger.js";

/**
 * Of an order, or of the same order in two versions. `except`: the receipt in question, which is not among its own facts.
 * `catalog`: what was read already.
 */
export async function loadReceiptFacts(
  db: Reader,
  resource: number,
  versions: readonly [StoredOrder, ...StoredOrder[]],
  except: string | null = null,
  catalog?: CatalogFacts,
): Promise<ReceiptFacts> {
  const [order] = versions;
  return {
    ...(catalog ?? (await loadCatalogFacts(db, resource, versions))),
    prepayment: await prepaymentOf(db, resource, order, except),
    sold: versions.some(isReturned) ? await soldOf(db, resource, order, except) : null,
  };
}

/** What is of no single order: many orders may be given at once. */
export type CatalogFacts = Pick<ReceiptFacts, "found" | "taxSystem" | "agentType">;

export async function loadCatalogFacts(
  db: Reader,
  resource: number,
  versions: readonly StoredOrder[],
): Promise<CatalogFacts> {
  const named = await loadReferences(db, resource, [
    ...viewReferences(versions),
    ...versions.flatMap(receiptReferences),
  ]);
  const supplierTaxes = [...(named.get("suppliers")?.values() ?? [])].map(({ body }) => textField(body, "taxId"));
  const itemTaxes = versions.flatMap(({ goods }) => goods.map(({ taxId }) => taxId));
  const taxes = await loadReferences(
    db,
    resource,
    [...itemTaxes, ...supplierTaxes].flatMap((id) => (id === null ? [] : [{ kind: "taxes", id, place: "" }])),
  );
  const settings = await currentSettings(db, resource);
  return {
    found: new Map([...named, ...taxes]),
    taxSystem: settings === null ? null : taxSystems[settings.company.taxSystem],
    agentType: agentTypes[settings?.agent?.type ?? "another"],
  };
}

function isReturned({ isRefund, deliveryStatusId }: StoredOrder): boolean {
  return isRefund || deliveryStatusId === RETURNED;
}

async function saleOf(db: Reader, resource: number, order: StoredOrder): Promise<StoredOrder | undefined> {
  const key = { orderId: order.originalOrderId ?? order.orderId, isRefund: false };
  return order.isRefund ? (await findOrders(db, resource, [key.orderId])).get(keyText(key))?.order : order;
}

async function soldOf(
  db: Reader,
  resource: number,
  order: StoredOrder,
  except: string | null,
): Promise<ReceiptFacts["sold"]> {
  const sale = await saleOf(db, resource, order);
  return sale === undefined ? null : ((await loadSaleLedger(db, resource, sale, except))?.left ?? null);
}

async function prepaymentOf(
  db: Reader,
  resource: number,
  order: StoredOrder,
  except: string | null,
): Promise<ReceiptFacts["prepayment"]> {
  const sale = await saleOf(db, resource, order);
  if (sale === undefined) return null;
  return (await loadPrepayment(db, resource, sale, except))?.prepayment ?? null;
}

function receiptReferences(order: StoredOrder): readonly Reference[] {
  const place = "";
  return [
    { kind: "paymentTypes", id: order.paymentId, place },
    ...order.payments.map(({ paymentTypeId }) => ({ kind: "paymentTypes" as const, id: paymentTypeId, place })),
    ...(order.supplierId === null ? [] : [{ kind: "suppliers" as const, id: order.supplierId, place }]),
  ];
}

/** The settings that were set last. */
async function currentSettings(db: Reader, resource: number): Promise<z.output<typeof onlineSettings> | null> {
  const row = await db
    .selectFrom("delivery_online_settings")
    .select("body")
    .where("resource", "=", resource)
    .orderBy("updated_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : onlineSettings.parse(JSON.parse(row.body));
}
