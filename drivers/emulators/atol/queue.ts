/** The service's jobs. The state file keeps jobs that can change something until they are purged. */
import { parseLocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { describeCode } from "./errors.js";

const elementSchema = z.object({
  status: z.enum(["wait", "inProgress", "ready", "error", "interrupted", "blocked", "canceled"]),
  code: z.int(),
  result: z.unknown(),
});
export type TaskElement = z.infer<typeof elementSchema>;

const jobSchema = z.object({
  uuid: z.string(),
  number: z.int(),
  createdAt: z.string(),
  tasks: z.array(z.looseObject({ type: z.string() })),
  elements: z.array(elementSchema),
  /** Number of the drive's last document before the fiscal task that runs. Null: no fiscal task runs. */
  fdBefore: z.int().nullable(),
});
export type ServiceJob = z.infer<typeof jobSchema>;
export type ServiceTask = ServiceJob["tasks"][number];

const QUEUE = "atol-queue";
/** Key of a job's own setting, followed by the job's number, so that only the changed job is written. */
const JOB = "atol-job.";
const KEEP_SECONDS = 43_200 * 60;
const KEPT_QUERIES = 50;
const INTERRUPTED = 502;
const NO_LINK = 2;
const queueSchema = z.object({ lastNumber: z.int(), blockReason: z.string() });

function isQuery({ type }: ServiceTask): boolean {
  return /^get|Status$/.test(type);
}

export class JobQueue {
  /** By uuid, in the order in which the jobs came. */
  private readonly jobs: Map<string, ServiceJob>;
  private readonly open: Set<ServiceJob>;
  private readonly finishedQueries = new Set<ServiceJob>();
  private lastNumber: number;
  private reason: string;

  constructor(private readonly core: FiscalCore) {
    const text = core.makerSetting(QUEUE);
    const stored = text === null ? null : queueSchema.parse(JSON.parse(text));
    this.lastNumber = stored?.lastNumber ?? 0;
    this.reason = stored?.blockReason ?? "";
    const jobs = core
      .makerSettings(JOB)
      .map((job) => jobSchema.parse(JSON.parse(job)))
      .sort((one, other) => one.number - other.number);
    this.jobs = new Map(jobs.map((job) => [job.uuid, job]));
    this.open = new Set(jobs.filter(isUnfinished));
  }

  /** Null: the uuid is taken. */
  add(uuid: string, tasks: readonly ServiceTask[]): ServiceJob | null {
    this.purge();
    if (this.find(uuid) !== null) return null;
    this.lastNumber += 1;
    const elements = tasks.map((): TaskElement => ({ status: "wait", code: 0, result: null }));
    const job: ServiceJob = {
      uuid,
      number: this.lastNumber,
      createdAt: this.core.now(),
      tasks: [...tasks],
      elements,
      fdBefore: null,
    };
    this.jobs.set(uuid, job);
    this.saveQueue();
    this.change(job, elements);
    return job;
  }

  find(uuid: string): ServiceJob | null {
    this.purge();
    return this.jobs.get(uuid) ?? null;
  }

  /** The oldest unfinished job. Jobs that `isLost` accepts do not block later jobs. */
  next(isLost: (job: ServiceJob) => boolean): ServiceJob | null {
    const byAge = [...this.open].sort((one, other) => one.number - other.number);
    return byAge.find((job) => !isLost(job)) ?? null;
  }

  setElement(job: ServiceJob, index: number, element: TaskElement): void {
    this.change(job, job.elements.with(index, element));
  }

  setStart(job: ServiceJob, index: number, fiscal: boolean): void {
    job.fdBefore = fiscal ? this.core.lastFd : null;
    this.change(job, job.elements.with(index, { status: "inProgress", code: 0, result: null }));
  }

  get inProgress(): ReadonlySet<string> {
    return new Set([...this.open].filter((job) => statusOf(job).includes("inProgress")).map(({ uuid }) => uuid));
  }

  setBlockReason(reason: string): void {
    this.reason = reason;
    this.saveQueue();
  }

  interruptAfter(job: ServiceJob, index: number): void {
    const interrupted = { status: "interrupted", code: INTERRUPTED, result: null } as const;
    this.change(
      job,
      job.elements.map((element, place) => (place > index ? interrupted : element)),
    );
  }

  cancel(job: ServiceJob): void {
    this.change(
      job,
      job.elements.map(() => ({ status: "canceled", code: 503, result: null })),
    );
  }

  /** The service allows cancelling waiting jobs only. */
  cancelWaiting(): void {
    for (const job of [...this.open]) if (statusOf(job).every((status) => status === "wait")) this.cancel(job);
  }

  /** Forgets ended jobs, as if the time `deleteRequestsAfter` had passed. */
  forgetEnded(): void {
    this.forget((job) => !isUnfinished(job));
  }

  /** Interrupts the newest job that is no query: error 502 if it has not begun, else the outcome is unknown. */
  interruptNewest(): void {
    const job = [...this.jobs.values()].findLast(({ tasks }) => !tasks.every(isQuery));
    if (job === undefined || statusOf(job).some((status) => status === "inProgress" || status === "blocked")) return;
    this.change(
      job,
      job.elements.map(({ status }) => {
        return { status: "interrupted", code: status === "wait" ? INTERRUPTED : NO_LINK, result: null };
      }),
    );
  }

  addSlip(): void {
    this.add(`other-client-${this.lastNumber + 1}`, [{ type: "nonFiscal", items: [], printFooter: true }]);
  }

  get status(): { readonly ready: number; readonly notReady: number; readonly canceled: number } {
    const notReady = this.open.size;
    const canceled = [...this.jobs.values()].filter((job) => statusOf(job).includes("canceled")).length;
    return { ready: this.jobs.size - notReady - canceled, notReady, canceled };
  }

  get block(): { readonly job: ServiceJob | null; readonly reason: string } {
    return { job: [...this.open].find((job) => statusOf(job).includes("blocked")) ?? null, reason: this.reason };
  }

  /** Removes ended jobs whose time is over. The oldest jobs stand first in the list. */
  private purge(): void {
    const now = this.core.now();
    const isOld = (job: ServiceJob) => {
      const created = parseLocalTime(job.createdAt);
      return created !== null && secondsBetween(created, now) >= KEEP_SECONDS && !isUnfinished(job);
    };
    const [oldest] = this.jobs.values();
    if (oldest !== undefined && isOld(oldest)) this.forget(isOld);
  }

  private change(job: ServiceJob, elements: TaskElement[]): void {
    job.elements = elements;
    if (isUnfinished(job)) this.open.add(job);
    else this.open.delete(job);
    if (isUnfinished(job) || !job.tasks.every(isQuery)) {
      this.core.setMakerSetting(`${JOB}${job.number}`, JSON.stringify(job));
      return;
    }
    this.core.dropMakerSetting(`${JOB}${job.number}`);
    this.finishedQueries.add(job);
    const [oldest] = this.finishedQueries;
    if (this.finishedQueries.size > KEPT_QUERIES) this.forget((other) => other === oldest);
  }

  private forget(fits: (job: ServiceJob) => boolean): void {
    for (const job of [...this.jobs.values()].filter(fits)) {
      this.jobs.delete(job.uuid);
      this.finishedQueries.delete(job);
      this.core.dropMakerSetting(`${JOB}${job.number}`);
    }
  }

  private saveQueue(): void {
    this.core.setMakerSetting(QUEUE, JSON.stringify({ lastNumber: this.lastNumber, blockReason: this.reason }));
  }
}

export function statusOf(job: ServiceJob): readonly TaskElement["status"][] {
  return job.elements.map(({ status }) => status);
}

function isUnfinished(job: ServiceJob): boolean {
  return statusOf(job).some((status) => status === "wait" || status === "inProgress" || status === "blocked");
}

export function jobOnWire(job: ServiceJob, generation: "v1" | "v2", omitsResult: boolean): object {
  return {
    results: job.elements.map(({ status, code, result }) => ({
      status,
      ...(generation === "v1"
        ? { errorCode: code, errorDescription: describeCode(code) }
        : { error: { code, description: describeCode(code) } }),
      // The result of an unfinished task: an open-source server leaves it out, ATOL's web server writes null.
      ...(result === null && omitsResult ? {} : { result }),
    })),
  };
}
