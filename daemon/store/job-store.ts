import type { Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { FnSerial, Kkm, OrderId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type OrderMark, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { storeReasons } from "../messages/reasons/store-reasons.js";
import type { Database } from "./database/sqlite-file.js";
import { guarded, sqliteCodeOf } from "./database/store-fault.js";
import type { Job, JobDocument, JobSource, JobState, OrderKeyRecord, QueuedJob } from "./job.js";
import type { JobFilter } from "./job-statements.js";
import { listJobs, prepareJobStatements } from "./job-statements.js";
import { decodeJob, decodeQueued, jobStates, writeReceipt } from "./rows/job-row.js";

/**
 * The job queue. Each method is one statement; run it in one `transaction` with the other writes of the same decision.
 * The comment of a state change names the states that it may start from; from any other state it throws
 * `job.wrong-state`. `now` is the wall clock in ms, for display only.
 */
export interface JobStore {
  /**
   * Runs `body` in one transaction, or in the transaction that is open. Throws a `store.*` fault if it did not commit.
   */
  transaction<T>(body: () => T): T;

  insertRaw(raw: NewRaw): number;
  insertJob(job: NewJob): Job;

  /** Throws `job.not-found`. */
  get(id: number): Job;
  find(id: number): Job | null;
  stateOf(id: number): JobState | null;
  /** Newest first. */
  findByKey(site: SiteId, key: string, version: number): Job[];
  /** Newest first. */
  findByOrder(site: SiteId, orderId: OrderId): Job[];
  /** The job that owns a fiscal document. */
  findByDocument(fn: FnSerial, fd: number): Job | null;
  /**
   * The printed job, else the failed or cancelled one, that has this text of tag 1086. As in the matcher, the order id
   * does not count, and a `receiptId` is known by its digits alone.
   */
  findFinishedByMark(mark: string): Job | null;
  /** Newest first. */
  list(filter: JobFilter): Job[];
  /** All queued jobs, oldest first, without their receipts. */
  queue(): QueuedJob[];
  /** Queued, held, printing and unsure jobs of these registers, oldest first. */
  unfinished(registers: readonly RegisterId[]): Job[];
  /** Wall clock time at which the oldest unfinished job of a register was created; null without one. */
  oldestUnfinishedAt(register: RegisterId): number | null;
  /** Queued and printing jobs of a register. */
  waitingCount(register: RegisterId): number;
  countByState(): ReadonlyMap<JobState, number>;
  /** Totals of the sales and of the returns that our jobs printed in a shift. */
  sumOfShift(fn: FnSerial, shift: number): { readonly sales: Kopecks; readonly returns: Kopecks };

  /** queued -> printing, on this register. Null if the job is no longer queued. */
  claim(id: number, register: RegisterId, now: number): Job | null;
  /**
   * Counts a finished program; with the last of `parts` the job is printed. Throws `job.document-mismatch` if the
   * document belongs to another job.
   */
  addDonePart(id: number, done: { readonly parts: number; readonly document: JobDocument | null }, now: number): Job;
  /**
   * queued, printing, unsure -> queued, after proof that nothing more was registered. `countTry`: count it as a try.
   */
  requeue(id: number, why: { readonly fault: JobFault | null; readonly countTry: boolean }, now: number): Job;
  /** queued, held, printing, unsure -> printed, with this document or that of its parts. Throws like `addDonePart`. */
  markPrinted(id: number, document: JobDocument | null, now: number): Job;
  /** queued, printing, unsure -> failed: definitely not registered. It counts as a try. */
  markFailed(id: number, fault: JobFault, now: number): Job;
  /** queued, printing -> unsure; of an unsure one the fault is renewed. */
  markUnsure(id: number, fault: JobFault, now: number): Job;
  /** queued, held -> cancelled. */
  cancel(id: number, why: JobFault, now: number): Job;
  /** held -> queued. */
  approve(id: number, now: number): Job;
  /** failed -> queued, because the site sent the order again. `taxes`: what its tax ids mean now; null = as before. */
  requeueFailed(id: number, now: number, how?: { readonly taxes: JobTaxes | null }): Job;
  /**
   * failed, refused, cancelled -> queued on the operator's request; the tries start at 0. `markDigits`: the job is
   * printed although its order was printed before, and its mark gets these digits. Without a `place` it stays where it is.
   */
  requeueByOperator(id: number, how: OperatorRequeue, now: number): Job;
  /** Moves a queued job without a finished program to another register; how the former one failed is not its fault. */
  move(id: number, register: RegisterId, now: number): Job;
  /** printing -> unsure for the interrupted jobs of a register (null = of all registers). */
  interrupt(register: RegisterId | null, now: number): Job[];

  /** The last result that was reported to the site; null = none. */
  reportedOutcome(id: number): ReportedOutcome | null;
  setReportedOutcome(id: number, outcome: ReportedOutcome | null): void;
}

export type ReportedOutcome = "printed" | "failed" | "unknown";

export interface JobFault {
  readonly code: FaultCode;
  readonly message: string;
  /** The message in Russian; null or none = it has no Russian words. */
  readonly ru?: string | null;
}

export interface NewRaw {
  readonly site: SiteId;
  readonly polledKkm: Kkm;
  readonly receivedAt: number;
  readonly hash: string;
  readonly body: string;
}

export interface NewJob {
  readonly source: JobSource;
  readonly site: SiteId | null;
  readonly raw: number | null;
  readonly polledKkm: Kkm | null;
  readonly receipt: Receipt;
  readonly key: OrderKeyRecord | null;
  /** Omitted for a job that no site ordered. */
  readonly mark?: OrderMark | null;
  readonly forced: boolean;
  readonly register: RegisterId;
  /** Omitted for a job without a receipt. */
  readonly taxes?: JobTaxes;
  readonly state: "queued" | "held" | "refused";
  readonly fault: JobFault | null;
  readonly now: number;
}

export type JobTaxes = Pick<Job, "taxes" | "taxpayer">;

/** A register of another number than the one that a refused order was polled for. */
export interface NewPlace extends JobTaxes {
  readonly register: RegisterId;
}

export interface OperatorRequeue {
  readonly markDigits: string | null;
  readonly place?: NewPlace | null;
}

export function createJobStore(db: Database): JobStore {
  const statements = prepareJobStatements(db);
  const decode = (row: unknown): Job | null => (row === undefined ? null : decodeJob(row));
  const decodeAll = (rows: readonly unknown[]) => rows.map(decodeJob);

  function find(id: number): Job | null {
    return decode(statements.byId.get(id));
  }

  function get(id: number): Job {
    const job = find(id);
    if (job === null) throw new Fault("job.not-found", { message: storeReasons.noJob(id) });
    return job;
  }

  /** `update` is an UPDATE ... RETURNING with the permitted states in its condition. */
  function changed(id: number, update: () => unknown): Job {
    const job = decode(update());
    if (job !== null) return job;
    const { state } = get(id);
    throw new Fault("job.wrong-state", { message: storeReasons.jobState(id, state), details: { job: id, state } });
  }

  return guarded<JobStore>({
    transaction: (body) => db.transaction(body).immediate(),
    insertRaw: (raw) => Number(statements.insertRaw.run(raw).lastInsertRowid),
    insertJob: (job) => decodeJob(statements.insertJob.get(toInsertRow(job))),
    get,
    find,
    stateOf: (id) => stateColumn.parse(statements.stateOf.pluck().get(id) ?? null),
    findByKey: (site, key, version) => decodeAll(statements.byKey.all(site, key, version)),
    findByOrder: (site, orderId) => decodeAll(statements.byOrder.all(site, identityOf(orderId))),
    findFinishedByMark: (mark) => {
      const { issuer, digits } = parseMark(mark) ?? { issuer: null, digits: "" };
      return issuer === null ? null : decode(statements.finishedByMark.get({ issuer, digits }));
    },
    findByDocument: (fn, fd) => decode(statements.byDocument.get(fn, fd)),
    list: (filter) => decodeAll(listJobs(db, filter)),
    queue: () => statements.queue.all().map(decodeQueued),
    unfinished: (registers) => decodeAll(statements.unfinished.all(JSON.stringify(registers))),
    oldestUnfinishedAt: (register) => z.int().nullable().parse(statements.oldestUnfinishedAt.pluck().get(register)),
    waitingCount: (register) => z.int().parse(statements.waitingCount.pluck().get(register)),
    countByState: () => {
      const rows = z.array(z.object({ state: z.enum(jobStates), count: z.int() })).parse(statements.countByState.all());
      return new Map(rows.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]));
    },
    sumOfShift: (fn, shift) => shiftSums.parse(statements.sumOfShift.get(fn, shift)),

    claim: (id, register, now) => decode(statements.claim.get({ id, register, now })),
    addDonePart: (id, { parts, document }, now) =>
      changed(id, () =>
        withDocument(id, document, (columns) => statements.addDonePart.get({ id, now, parts, ...columns })),
      ),
    requeue: (id, { fault, countTry }, now) =>
      changed(id, () => statements.requeue.get({ id, now, tries: countTry ? 1 : 0, ...faultColumns(fault) })),
    markPrinted: (id, document, now) =>
      changed(id, () => withDocument(id, document, (columns) => statements.markPrinted.get({ id, now, ...columns }))),
    markFailed: (id, fault, now) => changed(id, () => statements.markFailed.get({ id, now, ...faultColumns(fault) })),
    markUnsure: (id, fault, now) => changed(id, () => statements.markUnsure.get({ id, now, ...faultColumns(fault) })),
    cancel: (id, why, now) => changed(id, () => statements.cancel.get({ id, now, ...faultColumns(why) })),
    approve: (id, now) => changed(id, () => statements.approve.get({ id, now })),
    requeueFailed: (id, now, { taxes } = { taxes: null }) =>
      changed(id, () => statements.requeueFailed.get({ id, now, ...newTaxColumns(taxes) })),
    requeueByOperator: (id, { markDigits, place = null }, now) =>
      changed(id, () => {
        const columns = { register: place?.register ?? null, ...newTaxColumns(place) };
        return statements.requeueByOperator.get({ id, now, markDigits, ...columns });
      }),
    move: (id, register, now) => changed(id, () => statements.move.get({ id, register, now })),
    interrupt: (register, now) => decodeAll(statements.interrupt.all({ register, now })),

    reportedOutcome: (id) => reportedColumn.parse(statements.reported.pluck().get(id) ?? null),
    setReportedOutcome: (id, outcome) => void statements.setReported.run(outcome, id),
  });
}

const stateColumn = z.enum(jobStates).nullable();
const reportedColumn = z.enum(["printed", "failed", "unknown"]).nullable();
const sum = z.int().transform((value) => value as Kopecks);
const shiftSums = z.object({ sales: sum, returns: sum });

function toInsertRow(job: NewJob) {
  const { receipt, key } = job;
  const isReceipt = receipt.kind === "receipt";
  return {
    source: job.source,
    site: job.site,
    raw: job.raw,
    polledKkm: job.polledKkm,
    orderId: identityOf(receipt.orderId),
    receiptId: receipt.receiptId,
    key: key?.key ?? null,
    version: key?.version ?? null,
    canonical: key?.canonical ?? null,
    issuer: job.mark?.issuer ?? null,
    markDigits: job.mark?.digits ?? null,
    kind: receipt.kind,
    operation: isReceipt ? receipt.operation : null,
    total: isReceipt ? totalOf(receipt) : null,
    receipt: writeReceipt(receipt),
    forced: job.forced ? 1 : 0,
    register: job.register,
    ...taxColumns(job.taxes ?? { taxes: [], taxpayer: null }),
    state: job.state,
    now: job.now,
    ...faultColumns(job.fault),
  };
}

/** Null: as before. */
function newTaxColumns(taxes: JobTaxes | null) {
  return taxes === null ? { taxes: null, taxpayer: null } : taxColumns(taxes);
}

function taxColumns({ taxes, taxpayer }: JobTaxes) {
  return { taxes: JSON.stringify(taxes), taxpayer: taxpayer === null ? null : JSON.stringify(taxpayer) };
}

function faultColumns(fault: JobFault | null) {
  return { faultCode: fault?.code ?? null, faultMessage: fault?.message ?? null, faultRu: fault?.ru ?? null };
}

const noDocument = { fn: null, fd: null, fiscalSign: null, shift: null, receiptNumber: null, time: null };

function withDocument<T>(
  id: number,
  document: JobDocument | null,
  update: (columns: JobDocument | typeof noDocument) => T,
): T {
  try {
    return update(document ?? noDocument);
  } catch (error) {
    throw sqliteCodeOf(error) === "SQLITE_CONSTRAINT_UNIQUE" ? documentOfAnotherJob(id, document) : error;
  }
}

function documentOfAnotherJob(id: number, document: JobDocument | null): Fault {
  const message = storeReasons.documentTaken(document?.fd ?? 0, document?.fn ?? "", id);
  return new Fault("job.document-mismatch", { message, details: { job: id, fn: document?.fn, fd: document?.fd } });
}
