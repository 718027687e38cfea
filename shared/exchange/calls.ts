/**
 * The five calls of the print server and the format-error report: bodies as the daemon sends them, and schemas that
 * the site's side reads them by (form-encoded values arrive as text, keys in any letter case). Wire spelling throughout.
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

/** The constants under the source document's names. Mind the meanings: 1 is a wrong value, 3 a missing one. */
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
  /** The register's own name in the config. */
  readonly title: string;
}

export interface ZReportBody {
  readonly action: "ZReport";
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly resultCode: ResultCode;
  readonly resultInfo: string;
  /** Number of the closed shift. */
  readonly closedSession: string;
  /** Roubles. */
  readonly sessionSumm: number;
}

export interface OrderBody {
  readonly action: "order";
  readonly kkm: string;
  /** The daemon's id, in signed polls: the signature does not cover the header `Fiscald-Daemon`. */
  readonly daemon?: string;
  /** Made at random at each start of the daemon, in polls that are signed. */
  readonly run?: string;
}

/** `outcome` of a result: `unknown` must never be read as "sell again". */
export type ResultOutcome = "printed" | "failed" | "unknown";

/** `operation` on the wire, in orders of the online format and in results. */
export type WireOperation = "sell" | "sell_refund";

export interface ResultBody extends Partial<ResultExtras> {
  /** The name of this call, a setting of the site. */
  readonly action: string;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly resultCode: ResultCode;
  readonly resultInfo: string;
  /** "" when unknown. */
  readonly shiftNumber: string;
  /** Base64 of the link's bytes; "" on failure or without a template. */
  readonly OFDLink: string;
  /** Null only for a service job without a number. */
  readonly orderId: string | null;
}

export interface OrderError {
  /** The field; "" where it is of none. */
  readonly path: string;
  /** A code of the table of faults: it stays the same. */
  readonly code: FaultCode;
  /** English, for the developer. */
  readonly message: string;
}

/** Beyond the source document; left out one by one where not known, altogether by the setting `resultExtras`. */
export interface ResultExtras {
  readonly outcome: ResultOutcome;
  readonly receiptId: string;
  /** With a resultCode other than 0: all that is wrong, for a program. */
  readonly errors: readonly OrderError[];
  /** Only a refusal with code 4 has it: whether the same order may be printed when it is offered later. */
  readonly again: boolean;
  /** Tag 1077 as the decimal text on paper. */
  readonly fpd: string;
  /** Tag 1040. */
  readonly fdNumber: string;
  /** Tag 1042. */
  readonly receiptNumber: string;
  /** Tag 1012, `dd.mm.yyyy HH:MM:SS`. */
  readonly dateTime: string;
  readonly operation: WireOperation;
  /** Roubles. */
  readonly total: number;
  /** What may be wrong with the receipt although it was taken, in Russian. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

export interface FormatErrorBody {
  readonly action: "error";
  readonly kkm: string;
  readonly orderId: string | null;
  readonly resultCode: 1 | 3;
  readonly resultInfo: string;
  readonly errors: readonly OrderError[];
  /** ISO 8601 instant. */
  readonly receivedAt: string;
  /** The answer as it came, cut to 8 KB. */
  readonly raw: string;
}

/** A site's answer to any call; it may also be an empty body. */
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

/** `operation` of an order or a result. */
export const wireOperation = choice({ sell: "sell", sell_refund: "sell_refund" });

/** Only the field with the call's name. The name of the result call is the site's setting. */
export const actionSchema = anyCaseObject({ action: idText({ max: 64 }) });

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
  /** Read into kopecks. */
  sessionSumm: roubles.optional(),
});

/** Of another print server they may mean anything. */
const ownId = idText({ max: 200 }).optional().catch(undefined);

export const orderCallSchema = anyCaseObject({ action: anyText, kkm, daemon: ownId, run: ownId });

const ownNumber = numberText.optional().catch(undefined);

/** What the source document does not have may mean anything of another print server, and never costs its result. */
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
  again: flag.optional().catch(undefined),
  errors: z
    .array(anyCaseObject({ path: textOrEmpty, code: anyText, message: textOrEmpty }))
    .optional()
    .catch(undefined),
  fpd: ownNumber,
  fdNumber: ownNumber,
  receiptNumber: ownNumber,
  dateTime: wireTime.optional().catch(undefined),
  operation: wireOperation.optional().catch(undefined),
  /** Read into kopecks. */
  total: roubles.optional().catch(undefined),
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
/** `resultCode` may be the integrator's own beyond 4; `dateTime` is wall time, `total` kopecks. */
export type ResultCall = z.output<typeof resultCallSchema>;
