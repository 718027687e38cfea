import { kopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import { MAX_ORDER_ID } from "@fiscald/shared/exchange/head-fields.js";
import { warning } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { findOversights, keysBesideTable, type Oversight } from "@fiscald/shared/receipt/formats/find-oversights.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { noBody } from "../delivery/http/endpoint.js";
import { idIn, idOut, idUpTo, toWireIdOrNull } from "../delivery/http/wire-types.js";
import { type ReceiptTables, receiptStates } from "../print-server/receipt-tables.js";
import { createEnqueue, type FoundOdd } from "../print-server/receipts/enqueue-receipt.js";
import { findReceipts } from "../print-server/receipts/list-receipts.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import { createWithdraw } from "../print-server/receipts/withdraw-receipt.js";
import { fromCloudReceipt, lacksOperation } from "../receipts/from-cloud-receipt.js";
import { today } from "../receipts/receipt-input.js";
import { ofKysely } from "../store/callers-transaction.js";
import { orderBody, orderExamples } from "./receipt-bodies.js";
import { addressOfBody, keepAddress } from "./result-address.js";
import { sidecarRead, sidecarResource, sidecarWrite } from "./sidecar-context.js";
import { type Language, languageOf, refuseAt, refuseOrder, shownWarning } from "./sidecar-errors.js";
import { waitForResult } from "./wait-for-result.js";

const MOST_LISTED = 500;
const MOST_WAIT_SECONDS = 50;

const text = z.string().nullable();

const instant = z.iso.datetime().meta({ description: "UTC, such as 2026-11-20T14:05:00.000Z." });

const documentOut = z
  .strictObject({
    kkm: z.string().meta({ description: "Registration number of the register (tag 1037)." }),
    fn: z.string().meta({ description: "Number of the fiscal drive (tag 1041)." }),
    shiftNumber: text.meta({ description: "Number of the shift (tag 1038)." }),
    fdNumber: text.meta({ description: "Number of the fiscal document (tag 1040)." }),
    fiscalSign: text.meta({ description: "Fiscal sign of the document (tag 1077)." }),
    receiptNumber: text.meta({ description: "Number of the receipt in its shift (tag 1042)." }),
    time: text.meta({
      description: "Tag 1012 as on the paper: the register's own clock, without a zone, such as 2026-11-20T17:05:00.",
    }),
    link: text.meta({ description: "Page of the electronic receipt." }),
    emulated: z.boolean().meta({ description: "An emulated register's: it is no fiscal document." }),
  })
  .meta({ id: "PrintedDocument" });

export const receiptOut = z
  .strictObject({
    receiptId: z.string(),
    orderId: idOut.nullable().meta({ description: "The shop's number of the order." }),
    state: z.enum(receiptStates).meta({
      description:
        "queued, handed (a till has it), printed, failed, unknown (a document may be there: never send it again), " +
        "or replaced by newer content of the order, or taken back.",
    }),
    operation: z.enum(["sale", "return"]).nullable(),
    stage: z.enum(["prepayment", "settlement", "whole"]).nullable().meta({
      description: "Money before the goods, the goods after a prepayment, or all at once; null for a service table.",
    }),
    total: z.number().nullable().meta({ description: "What is paid, roubles." }),
    createdAt: instant,
    finishedAt: instant.nullable(),
    resultInfo: text.meta({ description: "What the till says; null while there is no result." }),
    key: text.meta({ description: "The `key` that it was sent with, such as the number of a refund." }),
    replacedBy: text.meta({
      description: "The later receipt of the order that took the place of this failed one; null = none did.",
    }),
    document: documentOut.nullable().meta({ description: "Null unless printed." }),
    warnings: z.array(z.strictObject({ path: z.string(), message: z.string() })).meta({
      description:
        "What is odd although it can be printed: a key that is not read, a missing rate, a return of goods that are not " +
        "known to be sold, and what the till doubts (in Russian); in the answer to POST also content that came after the " +
        "receipt was handed out.",
    }),
  })
  .meta({ id: "QueuedReceipt" });

const example = {
  receiptId: "0b6f7a52-6f0e-4b57-9f0c-2f3d2b9f6a11",
  orderId: "A-1042",
  state: "queued",
  operation: "sale",
  stage: "whole",
  total: 240,
  createdAt: "2026-11-20T14:05:00.000Z",
  finishedAt: null,
  resultInfo: null,
  key: null,
  replacedBy: null,
  document: null,
  warnings: [],
};

export const receiptOperations = [
  sidecarWrite({
    method: "post",
    path: "/receipts",
    summary: "Puts a receipt into the queue, once however often it is sent, and answers it as it is now",
    query: z.object({
      operation: z
        .enum(["sell", "sell_refund"])
        .optional()
        .meta({ description: "The body is one of a cloud receipt service, which has the operation in its address." }),
      key: z.string().min(1).max(200).optional().meta({
        description: "In place of a receiptId: the shop's number of the refund or payment, one for each receipt.",
      }),
      printAnyway: z
        .literal("true")
        .optional()
        .meta({ description: "A further sale of the order is wanted. Needs a receiptId, or a key." }),
      beyondSold: z.literal("true").optional().meta({
        description: "A return of more than is known to be sold is wanted. Needs a receiptId, or a key.",
      }),
    }),
    body: orderBody.meta({
      description:
        "A paid order as a print server reads it, in either format. The same receiptId or key, or the same content of " +
        "an orderId, is the same receipt; a service table needs a receiptId, a key or an Idempotency-Key for that.",
    }),
    answer: receiptOut,
    status: 200,
    example: { ...orderExamples, answer: example },
    async run({ backend, caller, query, body, languages }, tx) {
      const read = readReceipt(body, query.operation, today(backend.clock.now()));
      const resource = sidecarResource(caller.resource);
      const store = backend.store.withTables<ReceiptTables>();
      const { clock, logger, strict } = backend;
      const enqueue = createEnqueue({ store, resource, clock, logger, strict });
      const lifted = { printAnyway: query.printAnyway !== undefined, beyondSold: query.beyondSold !== undefined };
      const key = query.key === undefined ? {} : { key: query.key };
      const within = ofKysely(tx);
      const { url, warnings: ofAddress } = await addressOfBody(tx, { resource: caller.resource, body });
      const odd = { ...read, warnings: [...read.warnings, ...ofAddress] };
      const { receiptId, warnings } = await enqueue(read.receipt, { within, ...lifted, ...key }, odd).catch(
        (error: unknown) => refuseOrder(error),
      );
      const [found] = await findReceipts(within.withTables<ReceiptTables>(), { resource, receiptId });
      if (found === undefined) throw new Fault("internal", { message: "A receipt is not where it was put." });
      if (url !== null) await keepAddress(tx, { resource: caller.resource, receiptId, url });
      return toWire({ ...found, warnings }, languageOf(languages, backend.language));
    },
  }),
  sidecarRead({
    path: "/receipts",
    summary: "All receipts of an order, oldest first; or those in a state, the earliest change first, 500 at most",
    query: z.object({
      orderId: idUpTo(MAX_ORDER_ID).optional(),
      state: z.enum(receiptStates).optional(),
      since: z.iso
        .datetime({ offset: true, error: "must be a time with its zone, such as 2026-11-20T21:00:00Z" })
        .optional()
        .meta({ description: "Changed then or later. For the next 500 give the time of the last one." }),
    }),
    answer: z.array(receiptOut),
    example: { query: { orderId: "A-1042" }, answer: [example] },
    async run({ backend, caller, languages, query: { orderId, state, since } }) {
      const language = languageOf(languages, backend.language);
      const resource = sidecarResource(caller.resource);
      const { db } = backend.store.withTables<ReceiptTables>();
      const wanted = { resource, orderId, state, since: since === undefined ? 0 : Date.parse(since) };
      const found =
        orderId === undefined
          ? await findReceipts(db, wanted, MOST_LISTED, true)
          : (await findReceipts(db, wanted)).toReversed();
      return found.map((one) => toWire(one, language));
    },
  }),
  sidecarRead({
    path: "/receipts/{receiptId}",
    summary: "One receipt, if wanted once it has its result",
    query: z.object({
      receiptId: idIn,
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(MOST_WAIT_SECONDS)
        .default(0)
        .meta({ description: `How long to wait for the result, seconds, ${MOST_WAIT_SECONDS} at most.` }),
    }),
    answer: receiptOut,
    example: { query: { receiptId: example.receiptId, wait: "25" }, answer: example },
    async run({ backend, caller, languages, query: { receiptId, wait } }) {
      const resource = sidecarResource(caller.resource);
      const { db } = backend.store.withTables<ReceiptTables>();
      const find = async () => (await findReceipts(db, { resource, receiptId }))[0];
      const found = await waitForResult(backend, find, wait * 1000);
      if (found === undefined) throw noReceipt(receiptId);
      return toWire(found, languageOf(languages, backend.language));
    },
  }),
  sidecarWrite({
    method: "delete",
    path: "/receipts/{receiptId}",
    summary: "Takes back a receipt that no till has, or puts a failed one away: it is `replaced`",
    query: z.object({ receiptId: idIn }),
    body: noBody,
    answer: receiptOut,
    status: 200,
    example: { query: { receiptId: example.receiptId }, answer: { ...example, state: "replaced" } },
    async run({ backend, caller, languages, query: { receiptId } }, tx) {
      const resource = sidecarResource(caller.resource);
      const within = ofKysely(tx);
      const withdraw = createWithdraw({ store: backend.store.withTables<ReceiptTables>(), resource });
      await withdraw(receiptId, { within });
      const [found] = await findReceipts(within.withTables<ReceiptTables>(), { resource, receiptId });
      if (found === undefined) throw noReceipt(receiptId);
      if (found.state !== "replaced") throw notTakenBack(found);
      return toWire(found, languageOf(languages, backend.language));
    },
  }),
];

function noReceipt(receiptId: string): Fault {
  return new Fault("api.not-found", {
    message: { en: `There is no receipt ${receiptId}.`, ru: `Чека ${receiptId} нет.` },
  });
}

function notTakenBack({ receiptId, state, result }: StoredReceipt): Fault {
  const en = `is ${state}: only a queued or failed receipt can be taken back`;
  const ru = `в состоянии ${state}: отозвать можно только чек, которого нет у кассы (queued), и непробитый (failed)`;
  const fdNumber = result?.fdNumber ?? null;
  return refuseAt("job.wrong-state", "receiptId", { en, ru }, { receiptId, fdNumber });
}

const noOperation = {
  en: "is missing: end the address with ?operation=sell or with ?operation=sell_refund",
  ru: "не указана: закончите адрес на ?operation=sell или ?operation=sell_refund",
};

interface ReadBody extends FoundOdd {
  readonly receipt: Receipt;
}

/** Fault `api.invalid` names every problem. */
export function readReceipt(body: object, operation: "sell" | "sell_refund" | undefined, day: string): ReadBody {
  if (operation !== undefined) {
    const unread = findOversights(body, "online", null);
    try {
      return { receipt: fromCloudReceipt(body, { operation, day }), warnings: [], oversights: unread };
    } catch (error) {
      refuseOrder(error, unread);
    }
  }
  if (lacksOperation(body)) throw refuseAt("order.missing-value", "operation", noOperation);
  const read = readOrder(JSON.stringify(body), { format: "auto", today: day });
  if (read.kind === "receipt") return { ...read, oversights: [...read.oversights, ...besidesOf(body)] };
  if (read.kind === "broken") refuseOrder(read.fault, read.oversights);
  throw refuseAt("order.unreadable", "", { en: "There is no receipt in this order.", ru: "В этом заказе нет чека." });
}

const besideResponse = {
  en: "stands beside `response`, and was not read: it belongs inside",
  ru: "стоит рядом с `response` и не прочитан: его место внутри",
};

/** Keys beside `response`. A print server reads only a few of them. */
function besidesOf(body: object): readonly Oversight[] {
  const keys = Object.keys(body);
  if (!keys.some((key) => key.toLowerCase() === "response")) return [];
  const unread = keys.filter((key) => !keysBesideTable.includes(key.toLowerCase()));
  return unread.map((key) => ({ ...warning(key, besideResponse), key, kind: "unknown-key" }));
}

export function toWire(receipt: StoredReceipt, language: Language): z.output<typeof receiptOut> {
  const { receiptId, orderId, key, state, operation, stage, totalKopecks, createdAt, finishedAt, result } = receipt;
  return {
    receiptId,
    orderId: toWireIdOrNull(orderId),
    state,
    operation,
    stage,
    total: totalKopecks === null ? null : toRoublesNumber(kopecks(totalKopecks)),
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    resultInfo: result?.resultInfo ?? null,
    key,
    replacedBy: receipt.replacedBy,
    document:
      result === null || state !== "printed"
        ? null
        : {
            kkm: result.kkm,
            fn: result.fn,
            shiftNumber: result.shiftNumber,
            fdNumber: result.fdNumber,
            fiscalSign: result.fiscalSign,
            receiptNumber: result.receiptNumber,
            time: result.time,
            link: result.link,
            emulated: result.emulated === true,
          },
    warnings: [...receipt.warnings.map((one) => shownWarning(one, language)), ...warningsOfTill(receipt)],
  };
}

/** The till's warnings are in Russian. Those that the receipt itself has already are left out. */
function warningsOfTill({ warnings: own, result }: Pick<StoredReceipt, "warnings" | "result">) {
  const isOwn = (path: string, message: string) => own.some((one) => one.path === path && one.ru === message);
  return (result?.warnings ?? []).filter(({ path, message }) => !isOwn(path, message));
}
