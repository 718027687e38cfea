/** `POST /receipts`, `GET /receipts` and `GET /receipts/{receiptId}`: a shop in any language puts receipts in and sees what became of them. */
import { toRoublesNumber } from "@fiscald/shared/amounts.js";
import { MAX_ORDER_ID } from "@fiscald/shared/exchange/head-fields.js";
import { type OrderWarning, problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { findOversights } from "@fiscald/shared/receipt/formats/find-oversights.js";
import { readOrder, warningsOf } from "@fiscald/shared/receipt/formats/read-order.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { invalidAll } from "../delivery/http/api-errors.js";
import { type HttpContext, operationsOf } from "../delivery/http/endpoint.js";
import { formatApiTime, idIn, idOut, idUpTo, timeOut, toWireIdOrNull } from "../delivery/http/wire-types.js";
import { type ReceiptTables, receiptStates } from "../print-server/receipt-tables.js";
import { createEnqueue } from "../print-server/receipts/enqueue-receipt.js";
import { findReceipts } from "../print-server/receipts/list-receipts.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import { fromCloudReceipt, lacksOperation } from "../receipts/from-cloud-receipt.js";
import { today } from "../receipts/receipt-input.js";
import { plainTransaction } from "../store/open-store.js";

const { readOperation, writeOperation } = operationsOf<HttpContext>();

/** The name under which a shop's receipts are in the receipt store; those of its delivery orders are under its number. */
export function sidecarResource(shop: number): string {
  return `shop-${shop}`;
}

const text = z.string().nullable();

const documentOut = z
  .strictObject({
    kkm: z.string(),
    fn: z.string(),
    shiftNumber: text,
    fdNumber: text,
    fiscalSign: text,
    receiptNumber: text,
    link: text.meta({ description: "Page of the electronic receipt." }),
  })
  .meta({ id: "PrintedDocument" });

const receiptOut = z
  .strictObject({
    receiptId: z.string(),
    orderId: idOut.nullable(),
    state: z.enum(receiptStates).meta({
      description:
        "queued, handed (a till has it), printed, failed, unknown (a document may be there: never send it again), " +
        "or replaced by newer content of the order.",
    }),
    operation: z.enum(["sale", "return"]).nullable(),
    total: z.number().nullable().meta({ description: "Roubles." }),
    createdAt: timeOut,
    finishedAt: timeOut.nullable(),
    resultInfo: text.meta({ description: "What the till says; null while there is no result." }),
    document: documentOut.nullable().meta({ description: "Null unless printed." }),
  })
  .meta({ id: "QueuedReceipt" });

const takenOut = receiptOut
  .extend({
    warnings: z.array(z.strictObject({ path: z.string(), message: z.string() })).meta({
      description: "What is odd in the order although it can be printed: a key that is not read, a missing rate.",
    }),
  })
  .meta({ id: "TakenReceipt" });

const example = {
  receiptId: "0b6f7a52-6f0e-4b57-9f0c-2f3d2b9f6a11",
  orderId: "A-1042",
  state: "queued",
  operation: "sale",
  total: 240,
  createdAt: "2026-11-20 14:05:00",
  finishedAt: null,
  resultInfo: null,
  document: null,
};

const orderExample = {
  response: {
    orderId: "A-1042",
    taskTable: [
      { type: "OpenCheckSell" },
      { type: "Registration", data: "Чай", param: { price: 120, quantity: 2, vat: { type: "vat22" } } },
      { type: "Payment", param: { summ: 240, typeClose: 1 } },
      { type: "CloseCheck" },
    ],
  },
};

const cloudExample = {
  external_id: "A-1042",
  receipt: {
    client: { email: "anna@mail.example" },
    company: { email: "shop@mail.example", sno: "osn", inn: "7700000000", payment_address: "https://shop.example" },
    items: [{ name: "Чай", price: 120, quantity: 2, sum: 240, vat: { type: "vat22" } }],
    payments: [{ type: 1, sum: 240 }],
    total: 240,
  },
};

export const receiptOperations = [
  writeOperation({
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
    body: z.looseObject({}).meta({
      description:
        "A paid order as a print server reads it, in either format. The same receiptId or key, or the same content of " +
        "an orderId, is the same receipt; a service table needs a receiptId, a key or an Idempotency-Key for that.",
    }),
    answer: takenOut,
    status: 200,
    example: {
      body: orderExample,
      otherBodies: { "of a cloud service": cloudExample },
      answer: { ...example, warnings: [] },
    },
    async run({ backend, caller, query, body }, tx) {
      const { receipt, warnings } = readReceipt(body, query.operation, today(backend.clock.now()));
      const resource = sidecarResource(caller.resource);
      const store = backend.store.withTables<ReceiptTables>();
      const enqueue = createEnqueue({ store, resource, clock: backend.clock, logger: backend.logger });
      const lifted = { printAnyway: query.printAnyway !== undefined, beyondSold: query.beyondSold !== undefined };
      const key = query.key === undefined ? {} : { key: query.key };
      const within = plainTransaction(tx);
      const { receiptId } = await enqueue(receipt, { within, ...lifted, ...key }).catch(refuse);
      const [found] = await findReceipts(within.withTables<ReceiptTables>(), { resource, receiptId });
      if (found === undefined) throw new Fault("internal", { message: "A receipt is not where it was put." });
      return { ...toWire(found), warnings: warnings.map(({ path, message }) => ({ path, message })) };
    },
  }),
  readOperation({
    path: "/receipts",
    summary: "All receipts of an order, oldest first",
    query: z.object({ orderId: idUpTo(MAX_ORDER_ID) }),
    answer: z.array(receiptOut),
    example: { query: { orderId: "A-1042" }, answer: [example] },
    async run({ backend, caller, query: { orderId } }) {
      const resource = sidecarResource(caller.resource);
      const found = await findReceipts(backend.store.withTables<ReceiptTables>().db, { resource, orderId });
      return found.toReversed().map(toWire);
    },
  }),
  readOperation({
    path: "/receipts/{receiptId}",
    summary: "One receipt",
    query: z.object({ receiptId: idIn }),
    answer: receiptOut,
    example: { query: { receiptId: example.receiptId }, answer: example },
    async run({ backend, caller, query: { receiptId } }) {
      const resource = sidecarResource(caller.resource);
      const [found] = await findReceipts(backend.store.withTables<ReceiptTables>().db, { resource, receiptId });
      if (found === undefined) throw new Fault("api.not-found", { message: `There is no receipt ${receiptId}.` });
      return toWire(found);
    },
  }),
];

const noOperation = "is missing: end the address with ?operation=sell or with ?operation=sell_refund";

interface ReadBody {
  readonly receipt: Receipt;
  readonly warnings: readonly OrderWarning[];
}

/** Reads a receipt. Fault "api.invalid" names every problem. */
export function readReceipt(body: object, operation: "sell" | "sell_refund" | undefined, day: string): ReadBody {
  try {
    if (operation !== undefined) {
      const receipt = fromCloudReceipt(body, { operation, day });
      return { receipt, warnings: findOversights(body, "online", null) };
    }
    if (lacksOperation(body)) throw invalidAll([{ place: "operation", message: noOperation }]);
    const read = readOrder(JSON.stringify(body), { format: "auto", today: day });
    if (read.kind === "receipt") return { receipt: read.receipt, warnings: warningsOf(read) };
    if (read.kind === "broken") throw read.fault;
  } catch (error) {
    refuse(error);
  }
  throw invalidAll([{ place: "", message: "There is no receipt in this order." }]);
}

function refuse(error: unknown): never {
  if (!isFault(error) || error.code === "store.failed") throw error;
  throw invalidAll(problemsIn(error).map(({ path, message }) => ({ place: path, message })));
}

function toWire(receipt: StoredReceipt): z.output<typeof receiptOut> {
  const { receiptId, orderId, state, operation, total, createdAt, finishedAt, result } = receipt;
  return {
    receiptId,
    orderId: toWireIdOrNull(orderId),
    state,
    operation,
    total: total === null ? null : toRoublesNumber(total),
    createdAt: formatApiTime(createdAt),
    finishedAt: finishedAt === null ? null : formatApiTime(finishedAt),
    resultInfo: result?.resultInfo ?? null,
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
            link: result.link,
          },
  };
}
