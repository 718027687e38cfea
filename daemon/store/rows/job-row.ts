import { time as timeSchema } from "@fiscald/drivers/fact-schemas.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import { isFaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import type { BriefJob, Job, JobDocument, JobState } from "../job.js";
import { type Columns, columnsOf } from "./columns.js";
import { taxesSchema, taxpayerSchema } from "./fiscal-columns.js";
import { cachedJson } from "./json-column.js";

export const jobStates = [
  "queued",
  "held",
  "printing",
  "unsure",
  "printed",
  "failed",
  "refused",
  "cancelled",
] as const satisfies readonly JobState[];

const sources = ["site", "schedule", "operator"] as const;
const kinds = ["receipt", "service"] as const;
const operations = ["sale", "return"] as const;
/** No field is left out, or a correction could become a sale. Only this store writes the column. */
const receiptSchema = z.custom<Receipt>(
  (value) => isObject(value) && kinds.some((kind) => kind === value["kind"]) && Array.isArray(value["lines"]),
  "not a receipt",
);
const receipts = cachedJson(receiptSchema);
const taxes = cachedJson(taxesSchema);
const taxpayers = cachedJson(taxpayerSchema);

/** The receipt is also cached, so that printing does not parse it again. */
export const writeReceipt = receipts.write;

export function decodeJob(row: unknown): Job {
  const columns = columnsOf(row);
  const { int, text, flag, oneOf, orNull } = columns;
  const key = orNull("order_key", text);
  const version = orNull("key_version", int);
  const canonical = orNull("canonical", text);
  const issuer = orNull("issuer", text);
  const digits = orNull("mark_digits", text);
  return {
    id: int("id"),
    source: oneOf("source", sources),
    site: orNull("site", (name) => toSiteId(text(name))),
    raw: orNull("raw", int),
    polledKkm: orNull("polled_kkm", (name) => toKkm(text(name))),
    orderId: orNull("order_id", (name) => toOrderId(text(name))),
    receiptId: orNull("receipt_id", (name) => toReceiptId(text(name))),
    key: key === null || version === null || canonical === null ? null : { key, version, canonical },
    mark: issuer === null || digits === null ? null : { issuer, digits },
    kind: oneOf("kind", kinds),
    operation: orNull("operation", (name) => oneOf(name, operations)),
    total: orNull("total", (name) => kopecks(int(name))),
    receipt: receipts.read(text("receipt")),
    forced: flag("forced"),
    register: toRegisterId(text("register")),
    taxes: taxes.read(text("taxes")),
    taxpayer: orNull("taxpayer", (name) => taxpayers.read(text(name))),
    state: oneOf("state", jobStates),
    doneParts: int("done_parts"),
    tries: int("tries"),
    fault: toJobFault(orNull("fault_code", text), orNull("fault_message", text), orNull("fault_ru", text)),
    document: documentOf(columns),
    createdAt: int("created_at"),
    updatedAt: int("updated_at"),
  };
}

export function decodeBrief(row: unknown): BriefJob {
  const { int, text, flag, oneOf, orNull } = columnsOf(row);
  return {
    id: int("id"),
    orderId: orNull("order_id", (name) => toOrderId(text(name))),
    state: oneOf("state", jobStates),
    source: oneOf("source", sources),
    site: orNull("site", (name) => toSiteId(text(name))),
    register: toRegisterId(text("register")),
    forced: flag("forced"),
    doneParts: int("done_parts"),
    tries: int("tries"),
    fault: toJobFault(orNull("fault_code", text), orNull("fault_message", text)),
    createdAt: int("created_at"),
    updatedAt: int("updated_at"),
  };
}

export function toJobFault(code: string | null, message: string | null, ru: string | null = null): Job["fault"] {
  if (code === null) return null;
  return { code: isFaultCode(code) ? code : "internal", message: message ?? "", ...(ru === null ? {} : { ru }) };
}

function documentOf({ int, text, orNull }: Columns): JobDocument | null {
  const fn = orNull("fn", (name) => toFnSerial(text(name)));
  const fd = orNull("fd", int);
  const fiscalSign = orNull("fiscal_sign", text);
  const shift = orNull("shift", int);
  const time = orNull("document_time", (name) => timeSchema.parse(text(name)));
  if (fn === null || fd === null || fiscalSign === null || shift === null || time === null) return null;
  return { fn, fd, fiscalSign, shift, receiptNumber: orNull("receipt_number", int), time };
}
