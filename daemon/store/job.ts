import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { FnSerial, Inn, Kkm, OrderId, ReceiptId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { OrderMark } from "@fiscald/shared/receipt/order-mark.js";
import type { Operation, Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";

/**
 * `queued -> printing -> printed | failed`, plus `held` (before `queued`, waiting for a person), `unsure` (the outcome
 * is unknown), `refused` (not accepted) and `cancelled`. `failed` means not registered, as far as the register showed;
 * a document that is found later is reported. All changes: daemon/ARCHITECTURE.md.
 */
export type JobState = "queued" | "held" | "printing" | "unsure" | "printed" | "failed" | "refused" | "cancelled";

export function isUnfinished(state: JobState): boolean {
  return state === "queued" || state === "held" || state === "printing" || state === "unsure";
}

export function isLive({ state }: { readonly state: JobState }): boolean {
  return state === "printed" || isUnfinished(state);
}

/** A return of the operator has a `receiptId` only if its site can tell the return from receipts of its own. */
export function isForSite({ source, site, receiptId }: Pick<Job, "source" | "site" | "receiptId">): boolean {
  return source === "site" || (site !== null && receiptId !== null);
}

export type JobSource = "site" | "schedule" | "operator";

export interface Job {
  readonly id: number;
  readonly source: JobSource;
  readonly site: SiteId | null;
  readonly raw: number | null;
  readonly polledKkm: Kkm | null;
  /** The order number in the form in which orders are compared. The receipt has the number as the site sent it. */
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  readonly key: OrderKeyRecord | null;
  /** Null if no site ordered the job. Text jobs have a mark too, which is a print service's request id. */
  readonly mark: OrderMark | null;
  readonly kind: Receipt["kind"];
  readonly operation: Operation | null;
  readonly total: Kopecks | null;
  readonly receipt: Receipt;
  readonly forced: boolean;
  readonly register: RegisterId;
  /** The meaning of the receipt's tax ids when the order was accepted. */
  readonly taxes: readonly TaxMeaning[];
  /** The taxpayer of the job's register when the order was accepted; null = the register was never identified. */
  readonly taxpayer: Taxpayer | null;
  readonly state: JobState;
  readonly doneParts: number;
  /** How often a register refused the job. */
  readonly tries: number;
  /** `ru` is the message in Russian; null or absent = there is no Russian message. */
  readonly fault: { readonly code: FaultCode; readonly message: string; readonly ru?: string | null } | null;
  readonly document: JobDocument | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Taxpayer {
  readonly inn: Inn;
  /** Bits of tag 1062 (tax systems); 0 = the register does not report them. */
  readonly taxSystems: number;
}

export type BriefJob = Pick<
  Job,
  | ("id" | "orderId" | "state" | "source" | "site" | "register")
  | ("forced" | "doneParts" | "tries" | "fault" | "createdAt" | "updatedAt")
>;

/** Equal orders have equal keys. Only keys of the same version are compared. */
export interface OrderKeyRecord {
  readonly key: string;
  readonly version: number;
  readonly canonical: string;
}

export interface JobDocument {
  readonly fn: FnSerial;
  readonly fd: number;
  readonly fiscalSign: string;
  readonly shift: number;
  readonly receiptNumber: number | null;
  readonly time: LocalTime;
}
