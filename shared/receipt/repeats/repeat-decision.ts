/** The facts that `decideRepeat` needs and the answers that it gives. */
import { formatRoubles, kopecks } from "../../amounts.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import type { FaultCode } from "../../fault-codes.js";
import { type Receipt, type SaleReceipt, totalOf } from "../receipt.js";
import { repeatTexts } from "./repeat-texts.js";

/** Replaced, withdrawn, set-aside and refused receipts are no earlier receipts: their identity may come again. */
export interface EarlierReceipt {
  /** A number that grows with each later receipt of the order. */
  readonly id: number;
  readonly receipt: Receipt;
  readonly state: "queued" | "held" | "printing" | "unsure" | "printed" | "failed" | "cancelled";
  /** Whether the site has had the result; `meanwhile`: it was delivered after this order had been asked for. */
  readonly told: "no" | "meanwhile" | "yes";
  /** The name by which people know the receipt: "FD 42 of 2026-11-20", "receipt 0b6f7a52-...". */
  readonly name: FaultText;
  /** Tag 1077 (fiscal sign) of its document; null = it has none. */
  readonly fiscalSign: string | null;
  readonly tries: number;
  readonly doneParts: number;
  isInOpenShift(): boolean;
  /** Whether the register of a half-done service job has the same shift and fiscal drive as at its last part. */
  isStillInItsShift(): boolean;
  /** True: a person at the till ordered the receipt, and the site may not know of it. */
  readonly isByOperator?: boolean;
  wasTriedAgain(): boolean;
}

export function isWaiting({ state }: EarlierReceipt): boolean {
  return state === "queued" || state === "held";
}

export function isOpen(other: EarlierReceipt): boolean {
  return isWaiting(other) || other.state === "printing" || other.state === "unsure";
}

export function isPrinted({ state }: EarlierReceipt): boolean {
  return state === "printed";
}

export function isOpenOrPrinted(other: EarlierReceipt): boolean {
  return isOpen(other) || isPrinted(other);
}

export interface Offer {
  readonly receipt: Receipt;
  /** What the shop gave in place of the `receiptId`. */
  readonly key?: string | undefined;
  /** `site`, `kit`: the answer of a site or of the kit to a poll. `shop`: the shop's call at the kit or sidecar. */
  readonly from: "site" | "kit" | "shop";
  /** True: a person puts the receipt back. The kit judged it before the results of its other receipts were known. */
  readonly isPutBack?: boolean;
  /** Exceptions that the shop asks for by name, which needs a `receiptId`. */
  readonly lifted?: { readonly printAnyway: boolean; readonly beyondSold: boolean };
}

/** Warnings for logs and for the history of a job. */
export const warningTexts = {
  "new-id-each-time": "the site makes a new receiptId at each offer",
  "other-lines": "the known receiptId came with other lines",
  "sale-unknown": "the sale of this return is not known here",
} as const;
export type RepeatWarning = keyof typeof warningTexts;

export type RepeatDecision<E extends EarlierReceipt> =
  /** `replaces`: waiting receipts whose place the new receipt takes, in the same transaction. */
  | { readonly action: "new"; readonly replaces: readonly E[]; readonly warning: RepeatWarning | null }
  /** The failed receipt is tried again. `isChanged`: its order says something else now, which has to be printed. */
  | { readonly action: "again"; readonly of: E; readonly replaces: readonly E[]; readonly isChanged: boolean }
  | Known<E>
  | RepeatRefusal<E>;

/** `ignore`: nothing is done, and the poll counts as empty. `result`: the answer is the earlier receipt's result. */
export interface Known<E> {
  readonly action: "ignore" | "result";
  readonly of: E;
  readonly reason: string;
  readonly warning: RepeatWarning | null;
}

export interface RepeatRefusal<E> {
  readonly action: "refuse";
  readonly code: FaultCode;
  readonly message: FaultText;
  readonly because: E;
  /** The receipt `because` has equal content: the answer has its numbers, with `outcome: "printed"`. */
  readonly isPrinted: boolean;
  /** The same order may be printed later without a change. */
  readonly again: boolean;
  /** The question that only a person can answer; null = there is none. */
  readonly asks: "sell-again" | "return-again" | null;
}

export function receiptsOf(earlier: readonly EarlierReceipt[]): readonly Receipt[] {
  return earlier.map(({ receipt }) => receipt);
}

export function inRoubles(value: number): string {
  return formatRoubles(kopecks(value));
}

export function accept<E extends EarlierReceipt>(replaces: readonly E[] = []) {
  return { action: "new", replaces, warning: null } as const;
}

export function refuseRepeat<E>(
  code: FaultCode,
  because: E,
  message: FaultText,
  more: Partial<Pick<RepeatRefusal<E>, "isPrinted" | "again" | "asks">> = {},
): RepeatRefusal<E> {
  return { action: "refuse", code, message, because, isPrinted: false, again: false, asks: null, ...more };
}

/** Tag 1192 of a receipt that puts a wrong document right; "" = the receipt has none. */
export function fixedSign({ requisites }: SaleReceipt): string {
  return plainSign(requisites?.additional);
}

/** Leaves out zeros at the beginning, as some services do; "" = no fiscal sign. */
export function plainSign(sign: string | null | undefined): string {
  return (sign ?? "").replace(/^0+/, "");
}

const stateWords: Partial<Record<EarlierReceipt["state"], FaultText>> = {
  held: repeatTexts.waiting,
  unsure: repeatTexts.unsure,
  printed: repeatTexts.unreported,
};

export function refuseForNow<E extends EarlierReceipt>(because: E): RepeatRefusal<E> {
  const state = stateWords[because.state];
  const message = state === undefined ? repeatTexts.beingPrinted(because.name) : repeatTexts.state(because.name, state);
  return refuseRepeat("job.being-printed", because, message, { again: true });
}

/** The text has the numbers of both orders. */
export function refuseReusedId<E extends EarlierReceipt>({ receipt, key }: Offer, because: E): RepeatRefusal<E> {
  const id = key === undefined ? `receiptId ${receipt.receiptId}` : `key ${key}`;
  const message = repeatTexts.reusedId(id, inWords(because.receipt), inWords(receipt));
  return refuseRepeat("receipt.id-reused", because, message);
}

function inWords(receipt: Receipt): FaultText {
  const order = receipt.orderId ?? "";
  if (receipt.kind === "service") return repeatTexts.serviceJob(order);
  return repeatTexts[receipt.operation](inRoubles(totalOf(receipt)), order);
}
