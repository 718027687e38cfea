import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, readOperation } from "../backend/backend.js";
import { type CatalogRow, exampleRecord, recordView, renderCatalogRecord, rowOf } from "../catalog/catalog-table.js";
import { deliveryStatuses } from "../catalog/dictionaries.js";
import { rightsOf } from "../catalog/permissions.js";
import { listRecords } from "../catalog/records.js";
import { shopOfCourier } from "../couriers/courier-orders.js";
import { rightOut } from "../couriers/courier-schemas.js";
import type { Reader } from "../store/delivery-store.js";

const query = z.object({
  resourceId: z
    .string()
    .regex(/^\d{1,9}$/, { error: "must be a whole number" })
    .transform(Number)
    .optional(),
});

type ListCall = DeliveryCall<z.output<typeof query>, null>;

/** Without `resourceId` a courier of the cabinet sees the cabinet's lists. */
async function shopOf({ caller, query: { resourceId } }: ListCall, db: Reader): Promise<number> {
  return resourceId === undefined ? caller.resource : shopOfCourier(db, caller, { resourceId });
}

function listOperation(row: CatalogRow, summary: string): DeliveryOperation {
  return readOperation({
    path: `/${row.kind}`,
    tag: "lists",
    summary,
    query,
    answer: z.array(recordView(row)),
    example: { answer: [renderCatalogRecord(row, exampleRecord(row))] },
    async run(call, db) {
      const records = await listRecords(db, { resource: await shopOf(call, db), kind: row.kind, page: null });
      return records.map((record) => renderCatalogRecord(row, record));
    },
  });
}

export const courierListOperations: readonly DeliveryOperation[] = [
  listOperation(rowOf("paymentTypes"), "Payment types, for payments of orders"),
  listOperation(rowOf("orderReturnReasons"), "Reasons of cancellations and returns"),
  readOperation({
    path: "/dictionary/orderDeliveryStatuses",
    tag: "lists",
    summary: "Delivery statuses",
    answer: z.array(z.strictObject({ statusId: z.int(), title: z.string() })),
    example: { answer: deliveryStatuses.slice(0, 2) },
    run: async () => deliveryStatuses,
  }),
  readOperation({
    path: "/permissions",
    tag: "lists",
    summary: "What the courier's role may do; what no setting forbids is allowed",
    query,
    answer: z.array(rightOut),
    example: { answer: [{ actionId: "payment.cash", description: "Приём наличных", isAllowed: true }] },
    run: async (call, db) => rightsOf(db, await shopOf(call, db), call.caller.courier?.roleId ?? null),
  }),
];
