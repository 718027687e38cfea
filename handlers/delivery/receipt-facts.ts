/** What a receipt of an order needs besides the order. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { z } from "zod";
import { prepaidBeyond, prepaidSum, soldItems } from "./due-receipts.js";
import { type FiscalTask, findTasks, isRegistered, prepaymentStanding, saleStanding } from "./fiscal-tasks.js";
import type { Reader } from "./operation.js";
import { type ReceiptFacts, shareOfPrepayment } from "./order-receipt.js";
import { findOrders, keyText, type OrderKey } from "./order-rows.js";
import { itemSum } from "./order-rules.js";
import { viewReferences } from "./order-view.js";
import { loadReferences, type Reference } from "./references.js";
import { findRefunds } from "./refund-rows.js";
import { agentTypes, onlineSettings, taxSystems } from "./settings-operations.js";
import { textField } from "./stored-json.js";
import type { StoredOrder } from "./stored-order.js";

/** Of an order, or of the same order in two versions. */
export async function loadReceiptFacts(
  db: Reader,
  resource: number,
  versions: readonly [StoredOrder, ...StoredOrder[]],
): Promise<ReceiptFacts> {
  const [order] = versions;
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
  const saleKey = { orderId: order.originalOrderId ?? order.orderId, isRefund: false };
  const tasks = await findTasks(db, resource, saleKey);
  const prepaid = prepaymentStanding(tasks) === "registered" ? await prepaidOf(db, resource, saleKey) : null;
  return {
    found: new Map([...named, ...taxes]),
    taxSystem: settings === null ? null : taxSystems[settings.company.taxSystem],
    agentType: agentTypes[settings?.agent?.type ?? "another"],
    prepaymentPrinted: tasks.some(({ purpose, state }) => purpose === "prepayment" && state === "printed"),
    prepaidOnly: prepaid !== null && saleStanding(tasks) === "prepaid" ? prepaid.goods : null,
    prepaymentReturned: prepaid === null ? kopecks(0) : await returnedOf(db, resource, prepaid, tasks),
  };
}

interface Prepaid {
  readonly sale: StoredOrder;
  readonly goods: NonNullable<ReceiptFacts["prepaidOnly"]>;
}

async function prepaidOf(db: Reader, resource: number, key: OrderKey): Promise<Prepaid | null> {
  const sale = (await findOrders(db, resource, [key.orderId])).get(keyText(key))?.order;
  if (sale === undefined) return null;
  const prepaid = kopecks(prepaidSum(sale) - prepaidBeyond(sale));
  return { sale, goods: { prepaid, total: sumKopecks(soldItems(sale).map(itemSum)) } };
}

/** By status 6 all of it, by refund orders their shares; after the settlement it is the sale that goes back. */
async function returnedOf(
  db: Reader,
  resource: number,
  { sale, goods }: Prepaid,
  tasks: readonly FiscalTask[],
): Promise<Kopecks> {
  if (isRegistered(tasks, "sale")) return kopecks(0);
  if (isRegistered(tasks, "return")) return goods.prepaid;
  if (!sale.isReturned) return kopecks(0);
  const shares: Kopecks[] = [];
  for (const { order } of await findRefunds(db, resource, sale.orderId)) {
    if (!isRegistered(await findTasks(db, resource, order), "return")) continue;
    shares.push(shareOfPrepayment(goods, sumKopecks(order.goods.map(itemSum))));
  }
  return sumKopecks(shares);
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
