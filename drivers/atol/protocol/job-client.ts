/**
 * Runs jobs of the print service from POST to their final status. A job that can change something is posted under a
 * uuid that was stored before. Until the final status is known the job is unsettled, and the fence fails.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RequestEnd } from "../../fiscal-driver.js";
import type { AtolTimeouts } from "../options.js";
import { documentOf, fiscalResultSchema, fnStatusSchema, type QueryType } from "./answers.js";
import { type JobStatus, type PrintServiceClient, type TaskView, taskResultOf } from "./client.js";
import { type FenceFacts, questionsOf, readFenceFacts } from "./fence-query.js";
import type { Task } from "./tasks.js";

export interface JobClientParts {
  readonly client: PrintServiceClient;
  readonly clock: Clock;
  readonly timeouts: AtolTimeouts;
  readonly newUuid: () => string;
}

const question: Task = { type: "getFnStatus" };

export interface SettledJobs {
  readonly ends: ReadonlyMap<string, RequestEnd>;
  /** Facts that were read after all unsettled jobs had ended. Null: no job was unsettled, or all were cancelled. */
  readonly seen: FenceFacts | null;
}

export class JobClient {
  /** Uuids that were posted, or perhaps posted, and whose final status is unknown. */
  private readonly unsettled = new Set<string>();

  constructor(private readonly parts: JobClientParts) {}

  /** Runs one task under a uuid that was stored before. Rejects when the final status stays unknown. */
  async runNamed(uuid: string, task: Task, signal: AbortSignal): Promise<TaskView> {
    this.unsettled.add(uuid);
    const [view] = await this.run(uuid, [task], this.parts.timeouts.documentMs, signal);
    this.unsettled.delete(uuid);
    if (view === undefined) throw new Fault("link.foreign", { message: `the job of ${task.type} has no result` });
    return view;
  }

  /** Runs one task that may safely be repeated. Rejects with `device.*` for a failed task. */
  async runOne(task: Task, limitMs: number, signal: AbortSignal): Promise<unknown> {
    const [view] = await this.run(this.parts.newUuid(), [task], limitMs, signal);
    return taskResultOf(task, view);
  }

  /** Reads documents of the drive. After a document that cannot be read, the remaining tasks are `interrupted`. */
  readDocuments(tasks: readonly Task[], signal: AbortSignal): Promise<readonly TaskView[]> {
    // A drive may need a second for each document.
    return this.run(this.parts.newUuid(), tasks, this.parts.timeouts.quickMs * tasks.length, signal);
  }

  async ask(types: readonly QueryType[], signal: AbortSignal): Promise<readonly unknown[]> {
    const tasks = types.map((type): Task => ({ type }));
    const views = await this.run(this.parts.newUuid(), tasks, this.parts.timeouts.quickMs, signal);
    return tasks.map((task, place) => taskResultOf(task, views[place]));
  }

  /**
   * Finds out how the unsettled jobs and `uuids` ended. The service carries its jobs out one after the other, so a
   * fence of queries waits in the queue behind them. Once the fence is answered, each earlier job has ended, or will
   * stay in progress for ever. Answers of the service do not name their job, so an answer to another job must not
   * settle a job that still runs: only the fence, whose answer identifies it, proves that the earlier jobs are over.
   * Rejects while the queue does not move.
   */
  async settle(uuids: readonly string[], signal: AbortSignal): Promise<SettledJobs> {
    for (const uuid of uuids) this.unsettled.add(uuid);
    const ends = new Map<string, RequestEnd>();
    const note = (uuid: string, end: RequestEnd) => {
      ends.set(uuid, end);
      if (end.kind !== "open") this.unsettled.delete(uuid);
    };
    for (const uuid of [...this.unsettled]) {
      if (await this.isOffTheQueue(uuid, signal)) note(uuid, { kind: "ended" });
    }
    if (this.unsettled.size === 0) return { ends, seen: null };
    const named = this.parts.newUuid();
    const tasks = questionsOf(named).map((type): Task => ({ type }));
    const seen = readFenceFacts(named, await this.run(named, tasks, this.parts.timeouts.fenceMs, signal));
    for (const uuid of [...this.unsettled]) note(uuid, await this.endAfterAll(uuid, signal));
    return { ends, seen };
  }

  /**
   * Cancels the job if it waits. If its uuid is free, posts a query under this uuid, so that a late POST of the job is
   * refused. True: the job waited and was cancelled.
   */
  private async isOffTheQueue(uuid: string, signal: AbortSignal): Promise<boolean> {
    const { client } = this.parts;
    if ((await client.post(uuid, [question], signal)) === "accepted") return false;
    const views = await client.read(uuid, signal);
    if (views === null || !(await this.takeBack(uuid, views, signal))) return false;
    const after = await this.readTwice(uuid, signal);
    return after?.every(({ status }) => status === "canceled") === true;
  }

  private async endAfterAll(uuid: string, signal: AbortSignal): Promise<RequestEnd> {
    const views = await this.readTwice(uuid, signal);
    return views === null ? this.endOfUnknown(uuid, signal) : endOf(views);
  }

  /**
   * Settles a job that the service does not know although all earlier jobs are over (the service may forget a job that
   * was read once). The documents of the drive decide. If the uuid was free until now, a late POST may have taken the
   * uuid since; then the final status of that job decides.
   */
  private async endOfUnknown(uuid: string, signal: AbortSignal): Promise<RequestEnd> {
    const { client, timeouts } = this.parts;
    const posted = await client.post(uuid, [question], signal);
    if (posted === "accepted") await this.waitForEnd(uuid, posted, timeouts.fenceMs, signal);
    const views = await this.readTwice(uuid, signal);
    return views === null ? { kind: "ended" } : endOf(views);
  }

  /** Rejects while the job still runs. Null: the service does not know the job any more. */
  private async readTwice(uuid: string, signal: AbortSignal): Promise<readonly TaskView[] | null> {
    const { client } = this.parts;
    const views = await client.read(uuid, signal);
    if (views !== null && !views.every(({ status }) => isFinal(status))) return views;
    const again = await client.read(uuid, signal);
    if (again === null || JSON.stringify(again) === JSON.stringify(views)) return again;
    throw new Fault("link.foreign", { message: "the print service gave two answers about one job" });
  }

  /** Cancels a job, which works only while the job waits. The service's later answers about the job decide. */
  private async takeBack(uuid: string, views: readonly TaskView[], signal: AbortSignal): Promise<boolean> {
    if (!views.every(({ status }) => status === "wait")) return false;
    return (await this.parts.client.cancel(uuid, signal)) === "canceled";
  }

  private async run(uuid: string, tasks: readonly Task[], limitMs: number, signal: AbortSignal) {
    const posted = await this.parts.client.post(uuid, tasks, signal);
    return this.waitForEnd(uuid, posted, limitMs, signal);
  }

  private async waitForEnd(uuid: string, posted: "accepted" | "known", limitMs: number, signal: AbortSignal) {
    const { client, clock, timeouts } = this.parts;
    const started = clock.monotonic();
    for (let pauseMs = timeouts.pollMs / 10; ; pauseMs = Math.min(timeouts.pollMs, pauseMs * 2)) {
      const views = await client.read(uuid, signal);
      if (views === null) {
        const why = posted === "known" ? "is switched off in the print service" : "was forgotten by the print service";
        throw new Fault(posted === "known" ? "link.not-found" : "link.lost", {
          message: `the register or the job ${why}`,
        });
      }
      if (views.every(({ status }) => isFinal(status))) return views;
      if (clock.monotonic() - started >= limitMs) return this.giveUp(uuid, views, signal);
      await sleep(clock, pauseMs, signal);
    }
  }

  /** Stops waiting for a job and cancels it if it still waits; the fence later finds out how the job ended. */
  private async giveUp(uuid: string, views: readonly TaskView[], signal: AbortSignal): Promise<never> {
    await this.takeBack(uuid, views, signal);
    throw await this.lateFault(signal);
  }

  private async lateFault(signal: AbortSignal): Promise<Fault> {
    const { isBlocked, reason } = await this.parts.client.queue(signal);
    return isBlocked
      ? blockedFault(reason)
      : new Fault("link.timeout", { message: "the print service did not finish in time" });
  }
}

export function blockedFault(reason: string): Fault {
  const details = { reason };
  return new Fault("device.service-blocked", {
    message: `the print service's queue is blocked (${reason || "no reason given"})`,
    details,
  });
}

function isFinal(status: JobStatus): boolean {
  return status === "ready" || status === "error" || status === "interrupted" || status === "canceled";
}

/** The outcome by the final status. A `ready` job was carried out, unless it is the fence's query of this uuid. */
function endOf(views: readonly TaskView[]): RequestEnd {
  if (views.length !== 1) throw new Fault("link.foreign", { message: `a job of one task has ${views.length} results` });
  if (!views.every(({ status }) => isFinal(status))) return { kind: "open" };
  const done = views.find(({ status, result }) => status === "ready" && !fnStatusSchema.safeParse(result).success);
  if (done === undefined) return { kind: "ended" };
  const made = fiscalResultSchema.safeParse(done.result);
  return { kind: "done", document: made.success ? documentOf(made.data) : null };
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw new Fault("link.aborted", { cause: error });
  }
}
