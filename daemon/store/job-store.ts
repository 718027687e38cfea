import type { Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial, Kkm, OrderId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type OrderMark, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { inState } from "../messages/reasons/job-states.js";
import { storeReasons } from "../messages/reasons/store-reasons.js";
import type { Database, Statement } from "./database/sqlite-file.js";
import { guarded, sqliteCodeOf } from "./database/store-fault.js";
import type { Job, JobDocument, JobState } from "./job.js";
import { briefColumns, type JobFilter, listJobs, prepareJobStatements, sumDay } from "./job-statements.js";
import { decodeBrief, decodeJob, jobStates, writeReceipt } from "./rows/job-row.js";

export type ReportedOutcome = "printed" | "failed" | "unknown";

export type JobFault = NonNullable<Job["fault"]>;

export interface NewRaw {
  readonly site: SiteId;
  readonly polledKkm: Kkm;
  readonly receivedAt: number;
  readonly hash: string;
  readonly body: string;
}

export interface NewJob
  extends Pick<Job, "source" | "site" | "raw" | "polledKkm" | "receipt" | "key" | "forced" | "register" | "fault"> {
  /** The order mark (tag 1086); omitted for a job that no site ordered. */
  readonly mark?: OrderMark | null;
  /** Omitted for a job without a receipt. */
  readonly taxes?: JobTaxes;
  readonly state: "queued" | "held" | "refused";
  readonly now: number;
}

export type JobTaxes = Pick<Job, "taxes" | "taxpayer">;

export interface NewPlace extends JobTaxes {
  readonly register: RegisterId;
}

export interface DonePart {
  readonly parts: number;
  readonly document: JobDocument | null;
}

export interface OperatorRequeue {
  readonly markDigits: string | null;
  readonly place?: NewPlace | null;
}

export type JobStore = ReturnType<typeof createJobStore>;

/**
 * The job queue. Run each statement in one `transaction` with the other writes of its decision. Orders are listed
 * newest first, queues oldest first. The comment of a state change names the permitted former states; any other state
 * throws `job.wrong-state`. `now` is the wall clock in ms, for display only.
 */
export function createJobStore(db: Database) {
  const statements = prepareJobStatements(db);
  const decode = (row: unknown): Job | null => (row === undefined ? null : decodeJob(row));
  const decodeAll = (rows: readonly unknown[]): Job[] => rows.map(decodeJob);
  const find = (id: number): Job | null => decode(statements.byId.get(id));

  function get(id: number): Job {
    const job = find(id);
    if (job === null) throw new Fault("job.not-found", { message: storeReasons.noJob({ id }) });
    return job;
  }

  /** `row` is the result of an UPDATE ... RETURNING that has the permitted states in its condition. */
  function changed(id: number, row: unknown): Job {
    const job = decode(row);
    if (job !== null) return job;
    const { state } = get(id);
    throw new Fault("job.wrong-state", {
      message: storeReasons.jobState({ id, state: inState(state) }),
      details: { job: id, state },
    });
  }

  const endWith = (statement: Statement) => (id: number, fault: JobFault, now: number) =>
    changed(id, statement.get({ id, now, ...faultColumns(fault) }));

  return guarded({
    /** Throws a `store.*` fault if nothing was committed. A body may run inside an open transaction. */
    transaction: <T>(body: () => T): T => db.transaction(body).immediate(),
    insertRaw: (raw: NewRaw) => Number(statements.insertRaw.run(raw).lastInsertRowid),
    insertJob: (job: NewJob) => decodeJob(statements.insertJob.get(toInsertRow(job))),

    get,
    find,
    stateOf: (id: number) => stateColumn.parse(statements.stateOf.pluck().get(id) ?? null),
    findByKey: (site: SiteId, key: string, version: number) => decodeAll(statements.byKey.all(site, key, version)),
    findByOrder: (site: SiteId | null, orderId: OrderId) =>
      decodeAll(statements.byOrder.all(site, identityOf(orderId))),
    findByDocument: (fn: FnSerial, fd: number) => decode(statements.byDocument.get(fn, fd)),
    /** Prefers a printed job. As in match-documents.ts, a `receiptId` is known by its digits alone. */
    findFinishedByMark(mark: string): Job | null {
      const { issuer, digits } = parseMark(mark) ?? { issuer: null, digits: "" };
      return issuer === null ? null : decode(statements.finishedByMark.get({ issuer, digits }));
    },
    list: (filter: JobFilter) => decodeAll(listJobs(db, "*", filter)),
    brief: (filter: JobFilter) => listJobs(db, briefColumns, filter).map(decodeBrief),
    queue: () => statements.queue.all().map(decodeBrief),
    /** All queued, held and unsure jobs. */
    waiting: () => statements.waiting.all().map(decodeBrief),
    /** Queued, held, printing and unsure jobs of these registers. */
    unfinished: (registers: readonly RegisterId[]) => decodeAll(statements.unfinished.all(JSON.stringify(registers))),
    /** Wall clock in ms; null = the register has no unfinished job. */
    oldestUnfinishedAt: (register: RegisterId) =>
      z.int().nullable().parse(statements.oldestUnfinishedAt.pluck().get(register)),
    /** Counts queued and printing jobs. */
    waitingCount: (register: RegisterId) => z.int().parse(statements.waitingCount.pluck().get(register)),
    countByState(): ReadonlyMap<JobState, number> {
      const rows = z.array(z.object({ state: z.enum(jobStates), count: z.int() })).parse(statements.countByState.all());
      return new Map(rows.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]));
    },
    sumOfShift: (fn: FnSerial, shift: number) => shiftSums.parse(statements.sumOfShift.get(fn, shift)),
    /** The day is that of the registers' clocks. */
    sumOfDay: (day: NonNullable<JobFilter["ofDay"]>) => daySums.parse(sumDay(db, day)),

    /** queued -> printing. Returns null if the job is no longer queued. */
    claim: (id: number, register: RegisterId, now: number) => decode(statements.claim.get({ id, register, now })),
    /** With the last of `parts` the job is printed. Throws `job.document-mismatch` for another job's document. */
    addDonePart: (id: number, { parts, document }: DonePart, now: number) =>
      changed(id, withDocument(statements.addDonePart, { id, now, parts }, document)),
    /** queued, printing, unsure -> queued, after proof that nothing more was registered. */
    requeue: (id: number, { fault, countTry }: { fault: JobFault | null; countTry: boolean }, now: number) =>
      changed(id, statements.requeue.get({ id, now, tries: countTry ? 1 : 0, ...faultColumns(fault) })),
    /** queued, held, printing, unsure -> printed. A null document keeps the parts'. Throws like `addDonePart`. */
    markPrinted: (id: number, document: JobDocument | null, now: number) =>
      changed(id, withDocument(statements.markPrinted, { id, now }, document)),
    /** queued, printing, unsure -> failed, when the receipt is definitely not registered. This counts as a try. */
    markFailed: endWith(statements.markFailed),
    /** queued, printing -> unsure. A job that is unsure already gets the new fault. */
    markUnsure: endWith(statements.markUnsure),
    /** queued, held -> cancelled. */
    cancel: endWith(statements.cancel),
    /** queued -> held. */
    hold: endWith(statements.hold),
    /** All held and unsure jobs. Later receipts of their orders wait for them. */
    undecided: () => statements.undecided.all().map(decodeBrief),
    /** held, failed, refused: replaces the receipt by another receipt of the same order. */
    replaceReceipt: (id: number, receipt: Receipt, now: number) =>
      changed(id, statements.replaceReceipt.get({ id, now, receipt: writeReceipt(receipt) })),
    /** held -> queued. */
    approve: (id: number, now: number) => changed(id, statements.approve.get({ id, now })),
    /** failed -> queued, as the site sent the order again. `taxes`: what its tax ids mean now; null = as before. */
    requeueFailed: (id: number, now: number, taxes: JobTaxes | null = null) =>
      changed(id, statements.requeueFailed.get({ id, now, ...newTaxColumns(taxes) })),
    /** failed -> queued or held, with the content that the order has now, as if the order were new. */
    mend: (id: number, content: NewJob, tries: number) =>
      changed(id, statements.mend.get({ ...toInsertRow(content), id, tries })),
    /**
     * failed, refused, cancelled -> queued, on the operator's request. The tries start at 0. `markDigits` belong to a
     * new order mark, for a job whose order was printed before. Without a `place` the job stays on its register.
     */
    requeueByOperator(id: number, { markDigits, place = null }: OperatorRequeue, now: number): Job {
      const columns = { register: place?.register ?? null, ...newTaxColumns(place) };
      return changed(id, statements.requeueByOperator.get({ id, now, markDigits, ...columns }));
    },
    /** Permitted for a queued job without a finished program. The fault of the former register is forgotten. */
    move: (id: number, register: RegisterId, now: number) => changed(id, statements.move.get({ id, register, now })),
    /** printing -> unsure, for the interrupted jobs of a register (null = of all registers). */
    interrupt: (register: RegisterId | null, now: number) => decodeAll(statements.interrupt.all({ register, now })),

    /** The last result that was reported to the site; null = none was. */
    reportedOutcome: (id: number) => reportedColumn.parse(statements.reported.pluck().get(id) ?? null),
    setReportedOutcome: (id: number, outcome: ReportedOutcome | null) => void statements.setReported.run(outcome, id),
  });
}

const stateColumn = z.enum(jobStates).nullable();
const reportedColumn = z.enum(["printed", "failed", "unknown"]).nullable();
const sum = z.int().transform((value) => value as Kopecks);
const shiftSums = z.object({ sales: sum, returns: sum });
const daySums = shiftSums.extend({ saleCount: z.int(), returnCount: z.int() });

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

interface DocumentRow {
  readonly id: number;
  readonly now: number;
  readonly parts?: number;
}

function withDocument(statement: Statement, row: DocumentRow, document: JobDocument | null): unknown {
  try {
    return statement.get({ ...row, ...(document ?? noDocument) });
  } catch (error) {
    throw sqliteCodeOf(error) === "SQLITE_CONSTRAINT_UNIQUE" ? documentOfAnotherJob(row.id, document) : error;
  }
}

function documentOfAnotherJob(id: number, document: JobDocument | null): Fault {
  const message = storeReasons.documentTaken({ fd: document?.fd ?? 0, fn: document?.fn ?? "", job: id });
  return new Fault("job.document-mismatch", { message, details: { job: id, fn: document?.fn, fd: document?.fd } });
}
