/** Callbacks of a site, in domain values: kopecks, trimmed ids, decoded links. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { ResultOutcome } from "@fiscald/shared/exchange/calls.js";
import type { FnSerial, Inn, Kkm, OrderId, ReceiptId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type { OrderAnswer } from "./order-body.js";

/** Every callback may be async. When one throws, the answer is code 4, and the print server calls again. */
export interface HostCallbacks {
  /** The next paid order for this register (see the builders), or null. */
  nextReceipt(poll: OrderPoll): MaybePromise<OrderAnswer | null>;
  /**
   * A receipt of `nextReceipt` that could not be sent: it has to be offered again. Without this callback the kit itself
   * keeps it, in memory, for the next poll.
   */
  onAnswerLost?(answer: OrderAnswer, poll: OrderPoll): MaybePromise<void>;
  onResult?(result: PrintResult): MaybePromise<void>;
  /** `messageId`: the `webhook-id` of the call; null = the print server sends none. */
  onSync?(registers: readonly SyncedRegister[], messageId: string | null): MaybePromise<void>;
  onActivity?(activity: RegisterActivity): MaybePromise<void>;
  onZReport?(report: ZReport): MaybePromise<void>;
  /** The print server could not read what `nextReceipt` answered. */
  onError?(problem: OrderRefused): MaybePromise<void>;
  /** Whether `nextReceipt` itself waits up to `waitMs`: `Preference-Applied` is answered then. */
  readonly holdsPolls?: boolean;
  /** Whether a receipt is offered again until its result comes: cutting a poll loses nothing then. */
  readonly leases?: boolean;
}

export type MaybePromise<T> = T | Promise<T>;

export interface OrderPoll {
  readonly kkm: Kkm;
  /** The calling daemon's id; null = the print server sends none. */
  readonly daemonId: string | null;
  /** The content of the poll's signature; absent = it has none. */
  readonly signed?: SignedPoll;
  /** How long an empty answer may be delayed; 0 = answer at once. */
  readonly waitMs: number;
  /** Aborts when the caller has gone or the time is up. */
  readonly signal: AbortSignal;
}

export interface SignedPoll {
  /** `webhook-id` */
  readonly messageId: string;
  /** `webhook-timestamp`, ms. */
  readonly sentAt: number;
  /** Made at random at each start of the daemon; null = an earlier version of it. */
  readonly run: string | null;
}

export interface PrintResult {
  /** `webhook-id`: the same over all repeats of one message; null = the print server does not send it. */
  readonly messageId: string | null;
  readonly kkm: Kkm;
  readonly inn: Inn;
  readonly fn: FnSerial;
  /** `unknown` must never be read as "sell again". */
  readonly outcome: ResultOutcome;
  /** 0 to 4, or a number of the print server's own. */
  readonly resultCode: number;
  readonly resultInfo: string;
  /**
   * The `errors` of the call: all that is wrong, for a program. `path` is "" where no field is meant, `code` stays the
   * same, `message` is English. Absent = the print server names none.
   */
  readonly problems?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly orderId: OrderId | null;
  /** Of a receipt that the kit has handed out. */
  readonly receiptId: ReceiptId | null;
  readonly shiftNumber: string | null;
  /** Address of the electronic receipt. */
  readonly link: string | null;
  /** Tag 1077. */
  readonly fiscalSign: string | null;
  /** Tag 1040. */
  readonly fdNumber: string | null;
  /** Tag 1042. */
  readonly receiptNumber: string | null;
  /** Tag 1012, the register's wall time. */
  readonly time: LocalTime | null;
  readonly operation: Operation | null;
  /** Sold or returned. */
  readonly total: Kopecks | null;
}

export interface SyncedRegister {
  readonly name: string;
  readonly kkm: Kkm;
  readonly inn: Inn;
  readonly fn: FnSerial;
  /** The ids that positions may pass as `tax`. */
  readonly taxes: readonly TitledId[];
  /** The ids that payments may pass as `typeClose`. */
  readonly paymentTypes: readonly TitledId[];
}

export interface TitledId {
  readonly id: number;
  readonly title: string;
}

export interface RegisterActivity {
  /** `webhook-id`: the same over all repeats of one message; null = the print server does not send it. */
  readonly messageId: string | null;
  readonly kkm: Kkm;
  readonly connected: boolean;
  readonly device: string;
  readonly title: string;
}

export interface ZReport {
  readonly kkm: Kkm;
  readonly inn: Inn;
  readonly fn: FnSerial;
  readonly resultCode: number;
  readonly resultInfo: string;
  readonly closedShift: string;
  readonly shiftTotal: Kopecks | null;
}

export interface OrderRefused {
  readonly kkm: Kkm | null;
  readonly orderId: OrderId | null;
  readonly resultCode: number;
  readonly resultInfo: string;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** The received body, cut to 8 KB. */
  readonly raw: string;
}

/** Which callback a call goes to. */
export type CallKind = "order" | "result" | "sync" | "activity" | "zreport" | "error";
