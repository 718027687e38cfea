/**
 * Callbacks of a site, with values that are read from the wire already: money in kopecks, trimmed ids, decoded links.
 * Ids are plain text here, because a site has them from its own database.
 */
import type { ResultOutcome } from "@fiscald/shared/exchange/calls.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type { OrderAnswer, PlainReceipt } from "./order-body.js";

/** The site's callbacks; each may be async. When one throws, the answer is code 4, and the print server calls again. */
export interface HostCallbacks {
  /** The next paid order for this register (see the builders), or null. */
  nextReceipt(poll: OrderPoll): MaybePromise<OrderAnswer | null>;
  /**
   * Called with a receipt that could not be sent after `nextReceipt` returned it: it has to be offered again. Without
   * this callback the kit keeps the receipt in memory for the next poll.
   */
  onAnswerLost?(answer: OrderAnswer, poll: OrderPoll): MaybePromise<void>;
  onResult?(result: PrintResult): MaybePromise<void>;
  /** Called with the list of registers. `messageId`: the call's `webhook-id`; null = the print server sends none. */
  onSync?(registers: readonly SyncedRegister[], messageId: string | null): MaybePromise<void>;
  onActivity?(activity: RegisterActivity): MaybePromise<void>;
  onZReport?(report: ZReport): MaybePromise<void>;
  /** The print server could not read what `nextReceipt` answered. */
  onError?(problem: OrderRefused): MaybePromise<void>;
}

export type MaybePromise<T> = T | Promise<T>;

export interface OrderPoll {
  readonly kkm: string;
  /** The calling daemon's id; null = the print server sends none. */
  readonly daemonId: string | null;
  /** The content of the poll's signature; absent = the poll is not signed. */
  readonly signed?: SignedPoll;
  /** How long an empty answer may be delayed, ms; 0 = answer at once. */
  readonly waitMs: number;
  /** Aborts when the caller has gone or the time is up. */
  readonly signal: AbortSignal;
}

export interface SignedPoll {
  /** Header `webhook-id`. */
  readonly messageId: string;
  /** Header `webhook-timestamp`, as milliseconds since the epoch. */
  readonly sentAt: number;
  /** The id of the daemon's present start, made at random; null = an early version of the daemon, which sends none. */
  readonly run: string | null;
}

export interface PrintResult {
  /** Header `webhook-id`, the same over all repeats of one message; null = the print server does not send it. */
  readonly messageId: string | null;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  /** What became of the order; `unknown` must never be read as "sell again". */
  readonly outcome: ResultOutcome;
  /** A result code of the protocol, 0 to 4, or a number of the print server's own. */
  readonly resultCode: number;
  readonly resultInfo: string;
  /**
   * All problems of the order, for the site's program to read (`errors` of the call). `path` is "" where no field is
   * meant, `code` never changes its meaning, `message` is English. Absent = the print server names no problems.
   */
  readonly problems?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  /** Doubts about a receipt that was taken, in Russian, such as a rate that looks wrong. Absent = none. */
  readonly warnings?: readonly { readonly path: string; readonly message: string }[];
  readonly orderId: string | null;
  /**
   * The id of a receipt that the kit has handed out. A print server's own text that is no UUID stays as it was sent,
   * and fits no receipt. Null = there is none, or it is blank.
   */
  readonly receiptId: string | null;
  /** The `key` that `enqueue` had with the receipt, such as a refund's id. Absent = no key. */
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
  /** It corrects such a settlement: form 31, or a repair by ordinary receipts (FFD 1.05). Absent = it is a receipt. */
  readonly correction?: true;
  /** The sum that was sold or returned. */
  readonly totalKopecks: number | null;
  /** A person at the till, not the site, had a receipt returned or corrected. Absent = the site ordered it. */
  readonly by?: "operator";
  /** Comes with `by`: the receipt that was registered. Absent = it could not be read. */
  readonly receipt?: PlainReceipt;
  /** True for an emulated register: there is no fiscal document, whatever the outcome says. Absent = a real one. */
  readonly emulated?: true;
  /**
   * What the receipt is to its order: money before the goods, the goods after a prepayment, or all at once. Null = not
   * known: the receipt is in no store of the kit, or it is a service job.
   */
  readonly stage: ReceiptStage | null;
}

/** The stages of a sale; a return has the stage of what it returns. */
export type ReceiptStage = "prepayment" | "settlement" | "whole";

export interface SyncedRegister {
  readonly name: string;
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
  /** Tax rows of the register, with the ids that positions may pass as `tax`. */
  readonly taxes: readonly TitledId[];
  /** Payment types of the register, with the ids that payments may pass as `typeClose`. */
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

/** The kinds of calls; each goes to a callback of its own. */
export type CallKind = "order" | "result" | "sync" | "activity" | "zreport" | "error";
