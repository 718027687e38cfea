/** The callbacks of a site. Money comes in kopecks, ids as trimmed plain text, links are decoded. */
import type { ResultOutcome } from "@fiscald/shared/exchange/calls.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type { OrderAnswer, PlainReceipt } from "./order-body.js";

/** The site's callbacks; each may be async. When one throws, the answer is code 4, and the print server calls again. */
export interface HostCallbacks {
  /** The next paid order for this register, or null. The builders make such orders. */
  nextReceipt(poll: OrderPoll): MaybePromise<OrderAnswer | null>;
  /** Gets a receipt that could not be sent and must be offered again. Absent = the kit keeps it for the next poll. */
  onAnswerLost?(answer: OrderAnswer, poll: OrderPoll): MaybePromise<void>;
  onResult?(result: PrintResult): MaybePromise<void>;
  /** `messageId`: the call's `webhook-id`; null = the print server sends none. */
  onSync?(registers: readonly SyncedRegister[], messageId: string | null): MaybePromise<void>;
  onActivity?(activity: RegisterActivity): MaybePromise<void>;
  onZReport?(report: ZReport): MaybePromise<void>;
  /** Called when the print server could not read what `nextReceipt` returned. */
  onError?(problem: OrderRefused): MaybePromise<void>;
}

export type MaybePromise<T> = T | Promise<T>;

export interface OrderPoll {
  readonly kkm: string;
  /** The calling daemon's id; null = the print server sends none. */
  readonly daemonId: string | null;
  /** Absent = the poll is not signed. */
  readonly signed?: SignedPoll;
  /** How long an empty answer may be delayed, ms; 0 = answer at once. */
  readonly waitMs: number;
  /** Aborts when the caller has hung up or the time is up. */
  readonly signal: AbortSignal;
}

export interface SignedPoll {
  /** Header `webhook-id`. */
  readonly messageId: string;
  /** Header `webhook-timestamp`, as milliseconds since the epoch. */
  readonly sentAt: number;
  /** A random id of the daemon's present start; null = an early version of the daemon, which sends none. */
  readonly run: string | null;
}

export interface PrintResult {
  /** Header `webhook-id`, the same over all repeats of one message; null = the print server does not send it. */
  readonly messageId: string | null;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  /** After `unknown` the order must not be sold again, because the receipt may exist. */
  readonly outcome: ResultOutcome;
  /** A result code of the protocol, 0 to 4, or another number of a print server that has codes of its own. */
  readonly resultCode: number;
  readonly resultInfo: string;
  /** For the site's program. `path` is "" where no field is meant; `message` is English. Absent = none are named. */
  readonly problems?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** Doubts, in Russian, about a receipt that was accepted, such as a rate that looks wrong. Absent = none. */
  readonly warnings?: readonly { readonly path: string; readonly message: string }[];
  readonly orderId: string | null;
  /** The id that the kit gave the receipt. A text that is no UUID fits no receipt. Null = no id, or a blank one. */
  readonly receiptId: string | null;
  /** The `key` with which the receipt was enqueued, such as a refund's id. Absent = no key. */
  readonly key?: string;
  readonly shiftNumber: string | null;
  /** Address of the electronic receipt at the data operator (OFD). */
  readonly link: string | null;
  /** Tag 1077 (fiscal sign). */
  readonly fiscalSign: string | null;
  /** Tag 1040 (number of the fiscal document). */
  readonly fdNumber: string | null;
  /** Tag 1042 (number of the receipt in its shift). */
  readonly receiptNumber: string | null;
  /** Tag 1012 (time of the document), the register's wall time. */
  readonly time: string | null;
  readonly operation: Operation | null;
  /** The document is a correction: form 31, or a repair by ordinary receipts (FFD 1.05). Absent = no correction. */
  readonly correction?: true;
  /** What was sold or returned; null = the print server does not say it. */
  readonly totalKopecks: number | null;
  /** A person at the till ordered the return or correction. Absent = the site ordered the receipt. */
  readonly by?: "operator";
  /** Comes with `by`: the receipt that was registered. Absent = the receipt could not be read. */
  readonly receipt?: PlainReceipt;
  /** True for an emulated register, which makes no fiscal document, whatever the outcome says. Absent = a real one. */
  readonly emulated?: true;
  /**
   * `prepayment`: money before the goods. `settlement`: the goods after a prepayment. `whole`: both at once. Null = not
   * known, because no store of the kit has the receipt, or because it is a service job.
   */
  readonly stage: ReceiptStage | null;
}

/** The stages of a sale. A return has the stage of the receipt that it returns. */
export type ReceiptStage = "prepayment" | "settlement" | "whole";

export interface SyncedRegister {
  readonly name: string;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  /** Tax rows of the register. Positions may pass their ids as `tax`. */
  readonly taxes: readonly TitledId[];
  /** Payment types of the register. Payments may pass their ids as `typeClose`. */
  readonly paymentTypes: readonly TitledId[];
  /** True for an emulated register, which makes no fiscal document. Absent = a real one. */
  readonly emulated?: true;
}

export interface TitledId {
  readonly id: number;
  readonly title: string;
}

export interface RegisterActivity {
  /** Header `webhook-id`, the same over all repeats of one message; null = the print server does not send it. */
  readonly messageId: string | null;
  readonly kkm: string;
  readonly connected: boolean;
  readonly device: string;
  readonly title: string;
}

export interface ZReport {
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  readonly resultCode: number;
  readonly resultInfo: string;
  readonly closedShift: string;
  readonly shiftTotalKopecks: number | null;
}

export interface OrderRefused {
  readonly kkm: string | null;
  readonly orderId: string | null;
  readonly resultCode: number;
  readonly resultInfo: string;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** The received body, cut to 8 KB. */
  readonly raw: string;
}

/** The kinds of calls. Each kind has a callback of its own. */
export type CallKind = "order" | "result" | "sync" | "activity" | "zreport" | "error";
