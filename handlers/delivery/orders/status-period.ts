/** Filters GET /orders by delivery status within a period, in every form that HTTP can carry (54-fz 15). */
import { sql } from "kysely";
import { z } from "zod";
import { badRequest } from "../http/api-errors.js";
import type { Page } from "../http/paging.js";
import { timeQuery } from "../http/wire-types.js";
import type { Reader } from "../store/delivery-store.js";
import { parseStoredOrder } from "./rows.js";
import type { StoredOrder } from "./stored-order.js";

const text = z.string().optional();

/** Headers of the same names are read too, except for the name with brackets, which HTTP forbids. */
export const statusPeriodQuery = {
  journalStartAt: timeQuery.optional().meta({ description: "YYYY-MM-DD HH:MM:SS (GMT); default: since ever." }),
  journalFinishAt: timeQuery.optional().meta({ description: "YYYY-MM-DD HH:MM:SS (GMT); default: now." }),
  journalParams: text.meta({ description: '`deliveryStatusId=3` or `{"deliveryStatusId":3}`.' }),
  "journalParams-deliveryStatusId": text,
  "journalParams[deliveryStatusId]": text.meta({
    description: "In the query only: HTTP forbids brackets in a header's name.",
  }),
};

export type StatusPeriodQuery = {
  readonly [Name in keyof typeof statusPeriodQuery]?: z.output<(typeof statusPeriodQuery)[Name]>;
} & { readonly page?: number | undefined; readonly count?: number | undefined };

export function isPeriodAsked(query: StatusPeriodQuery): boolean {
  return Object.keys(query).some((name) => name in statusPeriodQuery);
}

export interface StatusPeriod {
  readonly deliveryStatusId: number;
  /** Milliseconds since the epoch. Both ends belong to the period. */
  readonly startAt: number;
  readonly finishAt: number;
}

export function statusPeriodOf(query: StatusPeriodQuery, now: number): StatusPeriod | null {
  const status = statusText(query);
  const { journalStartAt, journalFinishAt } = query;
  if (status === null) {
    if (journalStartAt === undefined && journalFinishAt === undefined) return null;
    throw badRequest("is missing", "journalParams[deliveryStatusId]");
  }
  if (!/^\d{1,3}$/.test(status)) throw badRequest("must be a delivery status", "journalParams[deliveryStatusId]");
  const startAt = journalStartAt ?? 0;
  // The API names whole seconds, and the whole last second belongs to the period.
  const finishAt = journalFinishAt === undefined ? now : journalFinishAt + 999;
  if (journalFinishAt !== undefined && finishAt < startAt)
    throw badRequest("is before journalStartAt", "journalFinishAt");
  return { deliveryStatusId: Number(status), startAt, finishAt };
}

function statusText(query: StatusPeriodQuery): string | null {
  const plain = query["journalParams[deliveryStatusId]"] ?? query["journalParams-deliveryStatusId"];
  if (plain !== undefined) return plain.trim();
  if (query.journalParams === undefined) return null;
  const match = /^\s*(?:\{\s*"deliveryStatusId"\s*:\s*"?(\d+)"?\s*\}|deliveryStatusId\s*=\s*(\d+))\s*$/.exec(
    query.journalParams,
  );
  const status = match?.[1] ?? match?.[2];
  if (status === undefined) throw badRequest("must be deliveryStatusId=N", "journalParams");
  return status;
}

/** Active orders that had the delivery status at some moment of the period, even if they got it earlier. */
export async function listOrdersWithStatus(
  db: Reader,
  resource: number,
  period: StatusPeriod,
  page: Page,
): Promise<readonly StoredOrder[]> {
  const rows = await db
    .selectFrom("delivery_orders as orders")
    .select("orders.body")
    .where((is) => is.and({ "orders.resource": resource, "orders.is_active": 1 }))
    .where((expression) =>
      expression.exists(
        expression
          .selectFrom("delivery_status_changes as change")
          .select("change.id")
          .where("change.resource", "=", resource)
          .whereRef("change.order_id", "=", "orders.order_id")
          .whereRef("change.is_refund", "=", "orders.is_refund")
          .where("change.status_id", "=", period.deliveryStatusId)
          .where("change.created_at", "<=", period.finishAt)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("delivery_status_changes as later")
                  .select(sql.lit(1).as("one"))
                  .where("later.resource", "=", resource)
                  .whereRef("later.order_id", "=", "change.order_id")
                  .whereRef("later.is_refund", "=", "change.is_refund")
                  .whereRef("later.id", ">", "change.id")
                  .where("later.created_at", "<=", period.startAt),
              ),
            ),
          ),
      ),
    )
    .orderBy("orders.sort_key")
    .orderBy("orders.is_refund")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => parseStoredOrder(row.body));
}
