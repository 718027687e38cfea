import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { FnSerial, Kkm, OrderId, ReceiptId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { OrderMark } from "@fiscald/shared/receipt/mark.js";
import type { Operation, Receipt } from "@fiscald/shared/receipt/receipt.js";

/**
 * `queued -> printing -> printed | failed`, plus `unsure` (nobody knows yet), `refused` (never queued) and `cancelled`.
 * `failed` means definitely not registered.
 */
export type JobState = "queued" | "printing" | "unsure" | "printed" | "failed" | "refused" | "cancelled";

export type JobSource = "site" | "schedule" | "operator";

export interface Job {
  readonly id: number;
  readonly source: JobSource;
  readonly site: SiteId | null;
  readonly raw: number | null;
  readonly polledKkm: Kkm | null;
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  readonly key: OrderKeyRecord | null;
  /** Made once, at accept; null = no site ordered it. Text jobs have one too: a print service's requests are named by it. */
  readonly mark: OrderMark | null;
  readonly kind: Receipt["kind"];
  readonly operation: Operation | null;
  readonly total: Kopecks | null;
  readonly receipt: Receipt;
  readonly forced: boolean;
  readonly register: RegisterId;
  /** Whose tax ids the receipt uses (tax-table-versions.ts). */
  readonly taxRegister: RegisterId;
  readonly state: JobState;
  readonly doneParts: number;
  readonly began: boolean;
  readonly tries: number;
  readonly fault: { readonly code: FaultCode; readonly message: string } | null;
  readonly document: JobDocument | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What the dispatcher needs to know of a waiting job. */
export interface QueuedJob {
  readonly id: number;
  readonly source: JobSource;
  readonly site: SiteId | null;
  readonly orderId: string | null;
  readonly register: RegisterId;
  readonly kind: Receipt["kind"];
  readonly doneParts: number;
  /** How often a register has refused it. */
  readonly tries: number;
}

/** domain 7.3; two keys are compared only when their versions are equal. */
export interface OrderKeyRecord {
  readonly key: string;
  readonly version: number;
  readonly canonical: string;
}

/** The numbers of the document that fulfilled the job. */
export interface JobDocument {
  readonly fn: FnSerial;
  readonly fd: number;
  readonly fiscalSign: string;
  readonly shift: number;
  readonly receiptNumber: number | null;
  readonly time: LocalTime;
}
