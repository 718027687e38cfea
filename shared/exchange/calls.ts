/**
 * The five calls of the print server and the report of a format error: bodies as the daemon sends them, and schemas by
 * which the site's side reads them (form-encoded values arrive as text, keys in any letter case).
 */
import { z } from "zod";
import type { FaultCode, ResultCode } from "../fault-codes.js";
import { type FnSerial, type Inn, toFnSerial, toInn } from "../ids.js";
import { type LocalTime, parseWireTime } from "../local-time.js";
import { fieldTexts } from "./field-texts.js";
import { headFields, kkmField as kkm, orderIdField } from "./head-fields.js";
import {
  anyCaseObject,
  anyText,
  choice,
  flag,
  idText,
  listOf,
  roubles,
  scalar,
  wholeNumber,
} from "./lenient-fields.js";
import { type WireOnlineReceipt, type WireSign, wireSign } from "./online-receipt.js";

/** Result codes under the names of the protocol's document. Note that 1 is a wrong value and 3 a missing one. */
export const resultCodes = {
  SUCCESS: 0,
  MISSED_PARAMETERS: 1,
  UNKNOWN_ACTION: 2,
  PARAMETERS_ERROR: 3,
  HANDLING_ERROR: 4,
} as const satisfies Record<string, ResultCode>;

export interface SyncBody {
  readonly action: "sync";
  readonly data: readonly SyncRegister[];
}

export interface SyncRegister {
  readonly name: string;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly taxes: readonly SyncRow[];
  readonly typeClose: readonly SyncRow[];
  /** True for an emulated register, which makes no fiscal document; absent for a real one. */
  readonly emulated?: true;
}

export interface SyncRow {
  readonly id: number;
  readonly title: string;
}

export interface ActivityBody {
  readonly action: "KKMConnected" | "KKMDisconnected";
  readonly kkm: string;
  /** The maker's name of the model. */
  readonly device: string;
  readonly title: string;
}

export interface ZReportBody {
  readonly action: "ZReport";
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly resultCode: ResultCode;
  readonly resultInfo: string;
  readonly closedSession: string;
  /** The shift's sum in roubles. */
  readonly sessionSumm: number;
}

export interface OrderCall {
  readonly action: "order";
  readonly kkm: string;
  /** The daemon's id, only in signed polls: the signature does not cover the header `Fiscald-Daemon`. */
  readonly daemon?: string;
  /** The id of the daemon's present start, made at random; only in signed polls. */
  readonly run?: string;
}

/** The outcome of an order; `unknown` must never be read as "sell again". */
export type ResultOutcome = "printed" | "failed" | "unknown";

export interface ResultBody extends Partial<ResultExtras> {
  /** The name of the result call, which is a setting of the site. */
  readonly action: string;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly resultCode: ResultCode;
  readonly resultInfo: string;
  /** Number of the shift; "" when unknown. */
  readonly shiftNumber: string;
  /** Link to the electronic receipt, as base64 of its bytes; "" on failure and without a template for links. */
  readonly OFDLink: string;
  /** The order's number; null only for a service job (no receipt), or an unreadable order without a number. */
  readonly orderId: string | null;
}

export interface OrderError {
  /** The field that is wrong; "" where no field is meant. */
  readonly path: string;
  /** A code of the table of faults, which never changes its meaning. */
  readonly code: FaultCode;
  /** English, for the developer. */
  readonly message: string;
}

/** Fields beyond the protocol's document. Unknown ones are left out; the site's `resultExtras` leaves out all. */
export interface ResultExtras {
  readonly outcome: ResultOutcome;
  readonly receiptId: string;
  /** All problems of the order, for the site's own program to read; only with a resultCode other than 0. */
  readonly errors: readonly OrderError[];
  /**
   * Whether the same order may be printed when it is offered later; only in a refusal with code 4. Also false for an
   * order that failed so often that only other content, or a person, has it tried again.
   */
  readonly again: boolean;
  /** Tag 1077 (fiscal sign) as the decimal text on paper. */
  readonly fpd: string;
  /** Tag 1040 (number of the fiscal document). */
  readonly fdNumber: string;
  /** Tag 1042 (number of the receipt in its shift). */
  readonly receiptNumber: string;
  /** Tag 1012 (time of the document), `dd.mm.yyyy HH:MM:SS`. */
  readonly dateTime: string;
  readonly operation: WireSign;
  /** The form of the document, only where it is a correction. */
  readonly documentType: 31;
  /** The total in roubles. */
  readonly total: number;
  /** A person at the till ordered the receipt, not the site; `receipt` is what was registered. */
  readonly by: "operator";
  readonly receipt: WireOnlineReceipt;
  /** True for an emulated register: there is no fiscal document, whatever the outcome says. Absent for a real one. */
  readonly emulated: true;
  /** Doubts about a receipt that was accepted nevertheless, and keys of its order that nothing read; in Russian. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

export interface FormatErrorBody {
  readonly action: "error";
  readonly kkm: string;
  readonly orderId: string | null;
  readonly resultCode: 1 | 3;
  readonly resultInfo: string;
  readonly errors: readonly OrderError[];
  /** The time of the answer, an instant in ISO 8601. */
  readonly receivedAt: string;
  /** The answer's text, cut to 8 KB. */
  readonly raw: string;
}

export interface CallAnswer {
  readonly resultCode: ResultCode;
  readonly resultInfo: string;
}

const inn = anyText.default("").transform((text): Inn => toInn(text));
const fn = anyText.default("").transform((text): FnSerial => toFnSerial(text));
const textOrEmpty = anyText.default("");
const anyResultCode = wholeNumber({ min: 0, max: 999_999 });
const numberText = idText({ max: 20 });

const wireTime = scalar(fieldTexts.time, (value): LocalTime | null =>
  typeof value === "string" ? parseWireTime(value) : null,
);

/** Reads only the call's name, before all other fields. The name of the result call is the site's setting. */
export const actionSchema = anyCaseObject({ action: idText({ max: 64 }) });

const ownFlag = flag.optional().catch(undefined);

const syncRowSchema = anyCaseObject({ id: wholeNumber({ min: 0, max: 999_999 }), title: textOrEmpty });

export const syncCallSchema = anyCaseObject({
  action: anyText,
  data: listOf(
    anyCaseObject({
      name: textOrEmpty,
      kkm,
      inn,
      fn,
      taxes: z.array(syncRowSchema).default([]),
      typeClose: z.array(syncRowSchema).default([]),
      emulated: ownFlag,
    }),
  ),
});

export const activityCallSchema = anyCaseObject({
  action: choice({ KKMConnected: "KKMConnected", KKMDisconnected: "KKMDisconnected" }),
  kkm,
  device: textOrEmpty,
  title: textOrEmpty,
});

export const zReportCallSchema = anyCaseObject({
  action: anyText,
  kkm,
  inn,
  fn,
  resultCode: anyResultCode,
  resultInfo: textOrEmpty,
  closedSession: textOrEmpty,
  /** The site's roubles become kopecks here. */
  sessionSumm: roubles.optional(),
});

/** Only our daemon defines these values: another print server may send anything in these fields. */
const ownId = idText({ max: 200 }).optional().catch(undefined);

export const orderCallSchema = anyCaseObject({ action: anyText, kkm, daemon: ownId, run: ownId });

const ownNumber = numberText.optional().catch(undefined);

/** A field beyond the protocol's document may mean anything elsewhere, so it never makes a result unreadable. */
export const resultCallSchema = anyCaseObject({
  action: anyText,
  kkm,
  inn,
  fn,
  resultCode: anyResultCode,
  resultInfo: textOrEmpty,
  shiftNumber: textOrEmpty,
  OFDLink: textOrEmpty,
  orderId: orderIdField.optional(),
  receiptId: headFields.receiptId.catch(undefined),
  outcome: choice({ printed: "printed", failed: "failed", unknown: "unknown" }).optional().catch(undefined),
  again: ownFlag,
  emulated: ownFlag,
  errors: z
    .array(anyCaseObject({ path: textOrEmpty, code: anyText, message: textOrEmpty }))
    .optional()
    .catch(undefined),
  warnings: z
    .array(anyCaseObject({ path: textOrEmpty, message: textOrEmpty }))
    .optional()
    .catch(undefined),
  fpd: ownNumber,
  fdNumber: ownNumber,
  receiptNumber: ownNumber,
  dateTime: wireTime.optional().catch(undefined),
  operation: wireSign.optional().catch(undefined),
  /** The site's roubles become kopecks here. */
  total: roubles.optional().catch(undefined),
  by: choice({ operator: "operator" }).optional().catch(undefined),
  receipt: z.unknown().optional(),
});

export const formatErrorCallSchema = anyCaseObject({
  action: anyText,
  kkm: textOrEmpty,
  orderId: orderIdField.optional(),
  resultCode: anyResultCode,
  resultInfo: textOrEmpty,
  errors: z.array(anyCaseObject({ path: textOrEmpty, message: textOrEmpty })).default([]),
  receivedAt: textOrEmpty,
  raw: textOrEmpty,
});

export type ZReportCall = z.output<typeof zReportCallSchema>;
/** A result that was read. A `resultCode` above 4 is the integrator's own; `dateTime` is wall time, `total` kopecks. */
export type ResultCall = z.output<typeof resultCallSchema>;
