/** The facts and the answers of `decideRepeat` (decide-repeat.ts). */
import { formatRoubles, kopecks } from "../../amounts.js";
import type { FaultCode } from "../../fault-codes.js";
import { type Receipt, totalOf } from "../receipt.js";

/** Replaced, withdrawn, set-aside and refused receipts are left out: another receipt may be queued under their identity. */
export interface EarlierReceipt {
  /** Later ones of the order have greater numbers. */
  readonly id: number;
  /** Its `receiptId` is null where the caller gave none. */
  readonly receipt: Receipt;
  readonly state: "queued" | "held" | "printing" | "unsure" | "printed" | "failed" | "cancelled";
  /** `meanwhile`: the result was delivered after this order had been asked for. */
  readonly told: "no" | "meanwhile" | "yes";
  /** What people know it by: "FD 42 of 2026-11-20", "receipt 0b6f7a52-..." */
  readonly name: string;
  /** How often it failed. */
  readonly tries: number;
  /** Parts of a service job that are done. */
  readonly doneParts: number;
  /** Whether its document belongs to the shift that its register has open now. */
  isInOpenShift(): boolean;
  /** Whether the register of a half-done service job is still in the shift, on the drive, of its last part. */
  isStillInItsShift(): boolean;
  /** It was told as failed, and has been tried again since. */
  wasTriedAgain(): boolean;
}

export interface Offer {
  readonly receipt: Receipt;
  /** `site`: a poll's answer; `kit`: a poll's answer of the kit; `shop`: a call of the shop at the kit or sidecar. */
  readonly from: "site" | "kit" | "shop";
  /** Asked for by name, which needs a `receiptId`. */
  readonly lifted?: { readonly printAnyway: boolean; readonly beyondSold: boolean };
}

/** For logs and stories. */
export const warningTexts = {
  "new-id-each-time": "the site makes a new receiptId at each offer",
  "other-lines": "the known receiptId came with other lines",
  "sale-unknown": "the sale of this return is not known here",
} as const;
export type RepeatWarning = keyof typeof warningTexts;

export type Decision<E extends EarlierReceipt> =
  /** `replaces`: waiting receipts whose place it takes, in the same transaction. */
  | { readonly action: "new"; readonly replaces: readonly E[]; readonly warning: RepeatWarning | null }
  /** A failed receipt is tried again. */
  | { readonly action: "again"; readonly of: E; readonly replaces: readonly E[] }
  | Known<E>
  | Refusal<E>;

/** `ignore`: there is nothing to do, an empty poll. `result`: the result of the earlier receipt is the answer. */
export interface Known<E> {
  readonly action: "ignore" | "result";
  readonly of: E;
  readonly reason: string;
  readonly warning: RepeatWarning | null;
}

export interface Refusal<E> {
  readonly action: "refuse";
  readonly code: FaultCode;
  readonly message: string;
  /** What stands in the way. */
  readonly because: E;
  /** `because` is of equal content: its numbers go with the answer, as `outcome: "printed"`. */
  readonly isPrinted: boolean;
  /** The same order may be printed later, without a change. */
  readonly again: boolean;
  /** Nobody but a person can know what is meant. */
  readonly asks: "sell-again" | "return-again" | null;
}

export function inRoubles(value: number): string {
  return formatRoubles(kopecks(value));
}

export function accept<E extends EarlierReceipt>(replaces: readonly E[] = []) {
  return { action: "new", replaces, warning: null } as const;
}

export function refuse<E>(
  code: FaultCode,
  because: E,
  message: string,
  more: Partial<Pick<Refusal<E>, "isPrinted" | "again" | "asks">> = {},
): Refusal<E> {
  return { action: "refuse", code, message, because, isPrinted: false, again: false, asks: null, ...more };
}

const stateWords: Partial<Record<EarlierReceipt["state"], string>> = {
  held: "waiting for a person",
  unsure: "unsure",
  printed: "printed, its result is on its way",
};

export function refuseForNow<E extends EarlierReceipt>(because: E): Refusal<E> {
  const message = `${because.name} of this order is ${stateWords[because.state] ?? "still being printed"}`;
  return refuse("job.being-printed", because, message, { again: true });
}

/** The numbers of both: the order number here is the new one's. */
export function refuseReusedId<E extends EarlierReceipt>(receipt: Receipt, because: E): Refusal<E> {
  const message =
    `receiptId ${receipt.receiptId} belongs to ${inWords(because.receipt)}; ` +
    `this is ${inWords(receipt)}: make a new UUID for it`;
  return refuse("receipt.id-reused", because, message);
}

function inWords(receipt: Receipt): string {
  if (receipt.kind === "service") return `a service job of order ${receipt.orderId}`;
  return `a ${receipt.operation} of ${inRoubles(totalOf(receipt))} of order ${receipt.orderId}`;
}
