/** GET /orders by delivery status within a period, in every form that HTTP can carry (domain 8.3, row 14). */
import { z } from "zod";
import { badRequest } from "../http/api-errors.js";
import { parseWireTime } from "../http/wire-types.js";
import type { StatusPeriod } from "./rows.js";

const text = z.string().optional();

/** As query parameters; as headers under the same names, except the one that HTTP forbids. */
export const statusPeriodQuery = {
  journalStartAt: text.meta({ description: "YYYY-MM-DD HH:MM:SS (GMT); default: since ever." }),
  journalFinishAt: text.meta({ description: "YYYY-MM-DD HH:MM:SS (GMT); default: now." }),
  journalParams: text.meta({ description: '`deliveryStatusId=3` or `{"deliveryStatusId":3}`.' }),
  "journalParams-deliveryStatusId": text,
  "journalParams[deliveryStatusId]": text.meta({
    description: "In the query only: HTTP forbids brackets in a header's name.",
  }),
};

export type StatusPeriodQuery = {
  readonly [Name in keyof typeof statusPeriodQuery]?: string | undefined;
} & { readonly page?: number | undefined; readonly count?: number | undefined };

/** Whether the query has any part of a status filter. */
export function isPeriodAsked(query: StatusPeriodQuery): boolean {
  return Object.keys(query).some((name) => name in statusPeriodQuery);
}

/** Null when no status is asked for. Fault "api.bad-request" for a period without status, an unreadable or a reversed one. */
export function statusPeriodOf(query: StatusPeriodQuery, now: number): StatusPeriod | null {
  const status = statusText(query);
  const { journalStartAt, journalFinishAt } = query;
  if (status === null) {
    if (journalStartAt === undefined && journalFinishAt === undefined) return null;
    throw badRequest("is missing", "journalParams[deliveryStatusId]");
  }
  if (!/^\d{1,3}$/.test(status)) throw badRequest("must be a delivery status", "journalParams[deliveryStatusId]");
  const startAt = timeOf(journalStartAt, "journalStartAt") ?? 0;
  const finish = endOfSecond(timeOf(journalFinishAt, "journalFinishAt"));
  if (finish !== null && finish < startAt) throw badRequest("is before journalStartAt", "journalFinishAt");
  return { deliveryStatusId: Number(status), startAt, finishAt: finish ?? now };
}

/** The API names whole seconds: all of the last one belongs to the period. */
function endOfSecond(time: number | null): number | null {
  return time === null ? null : time + 999;
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

function timeOf(value: string | undefined, name: string): number | null {
  if (value === undefined) return null;
  const time = parseWireTime(value.trim());
  if (time === null) throw badRequest("must be a time as YYYY-MM-DD HH:MM:SS (GMT)", name);
  return time;
}
