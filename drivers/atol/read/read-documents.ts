/** Reads documents of the drive by the task `getFnDocument`, which gives tags by number and money in roubles. */
import { parseQuantity } from "@fiscald/shared/amounts.js";
import { readBy } from "@fiscald/shared/exchange/lenient-fields.js";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { operationOf, unknownDocument } from "../../codec/document-tags.js";
import { tagsOfJson } from "../../codec/tag-values.js";
import type { DocumentItem, FiscalDocument } from "../../fiscal-document.js";
import { answerTo, fiscalSign, parseAnswer, placeTime, roublesAnswered } from "../protocol/answers.js";
import { taskResultOf } from "../protocol/client.js";
import type { JobClient } from "../protocol/job-client.js";
import type { Task } from "../protocol/tasks.js";

/** Documents per job: a document that cannot be read ends its job. */
const PER_JOB = 10;

const quantityTag = z.union([z.number(), z.string()]).transform(readBy(parseQuantity, "not a quantity"));
const integerTag = z.coerce.number().int();

const itemSchema = z
  .object({ "1030": z.string(), "1079": roublesAnswered, "1023": quantityTag, "1043": roublesAnswered })
  .transform(
    (tags): DocumentItem => ({
      name: tags["1030"].trimEnd(),
      price: tags["1079"],
      quantity: tags["1023"],
      sum: tags["1043"],
    }),
  );
const itemsSchema = z.union([z.array(itemSchema), itemSchema.transform((item) => [item])]);
const markSchema = z.object({ "1086": z.string() }).transform((tags) => tags["1086"].trimEnd());

const documentSchema = z.object({
  documentTLV: z.object({
    fiscalDocumentType: z.string(),
    "1040": integerTag,
    "1012": placeTime,
    "1077": fiscalSign,
    "1038": integerTag.nullish(),
    "1042": integerTag.nullish(),
    "1054": integerTag.nullish(),
    "1020": roublesAnswered.nullish(),
    "1008": z.string().nullish(),
  }),
});
const bodySchema = z.object({
  documentTLV: z.object({
    "1059": itemsSchema.optional(),
    "1084": z.union([markSchema, z.array(markSchema).transform(([first]) => first)]).nullish(),
  }),
});
const tlvSchema = z.object({ documentTLV: z.record(z.string(), z.unknown()) });

const internetSchema = z.object({ documentTLV: z.object({ "1040": integerTag, "1125": integerTag.nullish() }) });

/** True: the document has tag 1125 (internet payment). Rejects with the faults of the query. */
export async function holdsInternetTag(desk: JobClient, fd: number, signal: AbortSignal): Promise<boolean> {
  const task: Task = { type: "getFnDocument", fiscalDocumentNumber: fd, withRawData: false };
  const [view] = await desk.readDocuments([task], signal);
  const { documentTLV } = parseAnswer(task.type, internetSchema, taskResultOf(task, view));
  if (documentTLV["1040"] !== fd) {
    throw new Fault("link.corrupt", {
      message: `the service answered about document ${documentTLV["1040"]}, not ${fd}`,
    });
  }
  return documentTLV["1125"] === 1;
}

export async function documentsSince(
  desk: JobClient,
  fd: number,
  signal: AbortSignal,
  toFd = Number.POSITIVE_INFINITY,
): Promise<readonly FiscalDocument[]> {
  const [answer] = await desk.ask(["getFnStatus"], signal);
  const { fnStatus } = answerTo("getFnStatus", answer);
  const last = Math.min(fnStatus.fiscalDocumentNumber, toFd);
  const documents: FiscalDocument[] = [];
  while (fd + documents.length < last) {
    const next = fd + documents.length + 1;
    documents.push(...(await readSome(desk, next, Math.min(next + PER_JOB - 1, last), signal)));
  }
  return documents;
}

/** Returns the documents up to and including the first one that cannot be read. Never empty. */
async function readSome(
  desk: JobClient,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<readonly FiscalDocument[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const tasks = numbers.map(
    (fiscalDocumentNumber): Task => ({ type: "getFnDocument", fiscalDocumentNumber, withRawData: false }),
  );
  const views = await desk.readDocuments(tasks, signal);
  const documents: FiscalDocument[] = [];
  for (const [place, number] of numbers.entries()) {
    const view = views[place];
    const document = view?.status === "ready" ? documentOf(number, view.result) : unknownDocument(number);
    documents.push(document);
    if (view?.status !== "ready") break;
  }
  return documents;
}

function documentOf(fd: number, result: unknown): FiscalDocument {
  const head = documentSchema.safeParse(result);
  if (!head.success || head.data.documentTLV["1040"] !== fd) return unknownDocument(fd);
  const tags = head.data.documentTLV;
  const type = types[tags.fiscalDocumentType] ?? "unknown";
  const body = bodySchema.safeParse(result);
  // A correction of FFD 1.05 alone has no items.
  const isWhole = body.success && (body.data.documentTLV["1059"] !== undefined || type === "correction");
  return {
    fd,
    type,
    operation: operationOf(tags["1054"] ?? null),
    total: tags["1020"] ?? null,
    fiscalSign: tags["1077"],
    time: tags["1012"],
    shift: tags["1038"] ?? null,
    receiptNumber: tags["1042"] ?? null,
    mark: isWhole ? (body.data.documentTLV["1084"] ?? null) : null,
    body: isWhole ? "full" : bodyWithoutLines(type),
    items: isWhole ? (body.data.documentTLV["1059"] ?? []) : [],
    contact: tags["1008"] ?? null,
    ...(isWhole ? { tags: tagsOfJson(tlvSchema.parse(result).documentTLV, "roubles") } : {}),
  };
}

/** Types of documents by the service's names. A document with any other name may be of any type, even a receipt. */
const types: Readonly<Record<string, FiscalDocument["type"]>> = {
  receipt: "receipt",
  bso: "receipt",
  receiptCorrection: "correction",
  bsoCorrection: "correction",
  openShift: "shift-open",
  closeShift: "shift-close",
  registration: "other",
  changeRegistrationParameters: "other",
  closeArchive: "other",
  ofdExchangeStatus: "other",
};

function bodyWithoutLines(type: FiscalDocument["type"]): FiscalDocument["body"] {
  if (type === "receipt") return "header";
  return type === "unknown" ? "unreadable" : "full";
}
