import { kopecks } from "@fiscald/shared/amounts.js";
import { isFaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import type { Job, JobDocument, JobState } from "./job.js";
import { fromSteadyJson } from "./json-column.js";
import { storedReceiptSchema } from "./stored-receipt.js";

export const jobStates = [
  "queued",
  "printing",
  "unsure",
  "printed",
  "failed",
  "refused",
  "cancelled",
] as const satisfies readonly JobState[];

export const localTimeColumn = z.string().transform((value, context) => {
  const time = parseLocalTime(value);
  if (time !== null) return time;
  context.addIssue({ code: "custom", message: "no local time" });
  return z.NEVER;
});

const faultCodeColumn = z.string().transform((code) => (isFaultCode(code) ? code : "internal"));
const flag = z.literal([0, 1]).transform((value) => value === 1);

const jobRow = z.object({
  id: z.int(),
  source: z.enum(["site", "schedule", "operator"]),
  site: z.string().transform(toSiteId).nullable(),
  raw: z.int().nullable(),
  polled_kkm: z.string().transform(toKkm).nullable(),
  order_id: z.string().transform(toOrderId).nullable(),
  receipt_id: z.string().transform(toReceiptId).nullable(),
  order_key: z.string().nullable(),
  key_version: z.int().nullable(),
  canonical: z.string().nullable(),
  kind: z.enum(["receipt", "service"]),
  operation: z.enum(["sale", "return"]).nullable(),
  total: z.int().transform(kopecks).nullable(),
  receipt: fromSteadyJson(storedReceiptSchema),
  forced: flag,
  register: z.string().transform(toRegisterId),
  tax_register: z.string().transform(toRegisterId),
  awaits_kkm: z.string().transform(toKkm).nullable(),
  state: z.enum(jobStates),
  done_parts: z.int(),
  began: flag,
  tries: z.int(),
  fault_code: faultCodeColumn.nullable(),
  fault_message: z.string().nullable(),
  fn: z.string().transform(toFnSerial).nullable(),
  fd: z.int().nullable(),
  fiscal_sign: z.string().nullable(),
  shift: z.int().nullable(),
  receipt_number: z.int().nullable(),
  document_time: localTimeColumn.nullable(),
  created_at: z.int(),
  updated_at: z.int(),
});

/** A row of `jobs` as the typed job. Throws a ZodError when the database holds what no version of ours wrote. */
export function decodeJob(row: unknown): Job {
  const value = jobRow.parse(row);
  const { order_key: key, key_version: version, canonical } = value;
  return {
    id: value.id,
    source: value.source,
    site: value.site,
    raw: value.raw,
    polledKkm: value.polled_kkm,
    orderId: value.order_id,
    receiptId: value.receipt_id,
    key: key === null || version === null || canonical === null ? null : { key, version, canonical },
    kind: value.kind,
    operation: value.operation,
    total: value.total,
    receipt: value.receipt,
    forced: value.forced,
    register: value.register,
    taxRegister: value.tax_register,
    awaitsKkm: value.awaits_kkm,
    state: value.state,
    doneParts: value.done_parts,
    began: value.began,
    tries: value.tries,
    fault: value.fault_code === null ? null : { code: value.fault_code, message: value.fault_message ?? "" },
    document: documentOf(value),
    createdAt: value.created_at,
    updatedAt: value.updated_at,
  };
}

function documentOf(row: z.infer<typeof jobRow>): JobDocument | null {
  const { fn, fd, fiscal_sign: fiscalSign, shift, receipt_number: receiptNumber, document_time: time } = row;
  if (fn === null || fd === null || fiscalSign === null || shift === null || time === null) return null;
  return { fn, fd, fiscalSign, shift, receiptNumber, time };
}
