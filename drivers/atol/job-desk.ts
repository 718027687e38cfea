/**
 * Jobs of the print service from POST to final status. A job that can change something is posted under a uuid that was
 * stored before; until its final status has been seen it stands among the unsettled, and the fence does not pass.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RequestEnd } from "../fiscal-driver.js";
import { documentOf, fiscalResultSchema, fnStatusSchema } from "./answers.js";
import type { JobStatus, PrintServiceClient, TaskView } from "./client.js";
import { driverFault } from "./device-errors.js";
import type { QueryType, Task } from "./tasks.js";
import type { AtolTimeouts } from "./timeouts.js";

export interface JobDeskParts {
  readonly client: PrintServiceClient;
  readonly clock: Clock;
  readonly timeouts: AtolTimeouts;
  /** A uuid that was never used. */
  readonly newUuid: () => string;
}

/** Tasks that v2 answers at once under another name, past the queue. */
const operations: Readonly<Partial<Record<QueryType, string>>> = {
  getDeviceInfo: "queryDeviceInfo",
  getDeviceStatus: "queryDeviceStatus",
  getShiftStatus: "queryShiftStatus",
  getShiftTotals: "queryShiftTotals",
  getFnInfo: "queryFnInfo",
  getFnStatus: "queryFnStatus",
  ofdExchangeStatus: "queryOfdExchangeStatus",
};

const question: Task = { type: "getFnStatus" };
const MAX_ROUNDS = 3;

export class JobDesk {
  /** Uuids that were posted, or may have been, and whose final status has not been seen. */
  private readonly unsettled = new Set<string>();

  constructor(private readonly parts: JobDeskParts) {}

  /** One task under a uuid that is known to be stored. Its last view; rejects with an unknown outcome. */
  async runNamed(uuid: string, task: Task, signal: AbortSignal): Promise<TaskView> {
    this.unsettled.add(uuid);
    const [view] = await this.run(uuid, [task], this.parts.timeouts.documentMs, signal);
    this.unsettled.delete(uuid);
    if (view === undefined) throw new Fault("link.foreign", { message: `the job of ${task.type} has no result` });
    return view;
  }

  /** The result of one task that may be done again. A failed one is a `device.*` fault. */
  async runOne(task: Task, limitMs: number, signal: AbortSignal): Promise<unknown> {
    const [view] = await this.run(this.parts.newUuid(), [task], limitMs, signal);
    return resultOf(task, view);
  }

  /** All tasks of one job, as far as they came: after a failed one the others are `interrupted`. */
  runAll(tasks: readonly Task[], signal: AbortSignal): Promise<readonly TaskView[]> {
    return this.run(this.parts.newUuid(), tasks, this.parts.timeouts.quickMs, signal);
  }

  /** Results of questions, in their order; past the queue where the service can. */
  async ask(types: readonly QueryType[], signal: AbortSignal): Promise<readonly unknown[]> {
    const { client } = this.parts;
    const direct = types.map((type) => (client.hasOperations ? operations[type] : undefined));
    const queued = types.filter((_, place) => direct[place] === undefined).map((type): Task => ({ type }));
    const views = queued.length === 0 ? [] : await this.runAll(queued, signal);
    const fromQueue = queued.map((task, place) => resultOf(task, views[place]));
    const results: unknown[] = [];
    for (const operation of direct) {
      results.push(operation === undefined ? fromQueue.shift() : await client.operate(operation, signal));
    }
    return results;
  }

  /**
   * What became of the unsettled jobs and of `uuids`, each of which has ended, or stays in progress while the queue goes on
   * behind it. A uuid that the service does not know is given to a question, so that what is still on its way under it is
   * refused. Rejects while one is blocked, or the queue does not move.
   */
  async settle(uuids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, RequestEnd>> {
    for (const uuid of uuids) this.unsettled.add(uuid);
    const ends = new Map<string, RequestEnd>();
    for (let round = 0; ; round += 1) {
      const given = await this.look(ends, round > 0, signal);
      if (this.unsettled.size === 0 || (round > 0 && !given)) return ends;
      if (round === MAX_ROUNDS) throw new Fault("link.lost", { message: "the print service forgets its jobs at once" });
      await this.run(this.parts.newUuid(), [question], this.parts.timeouts.fenceMs, signal);
    }
  }

  /** Asks for each of the unsettled. True when one was not known and its name was given to a question. */
  private async look(ends: Map<string, RequestEnd>, queueIsOver: boolean, signal: AbortSignal): Promise<boolean> {
    const { client } = this.parts;
    let given = false;
    for (const uuid of [...this.unsettled]) {
      let views = await this.readTwice(uuid, signal);
      if (views === null) {
        given = true;
        await client.post(uuid, [question], signal);
        views = await client.read(uuid, signal);
      }
      // Nothing is known by that name, and nothing can be: the register is off.
      if (views === null)
        throw new Fault("link.not-found", { message: "the print service takes no jobs for this register" });
      if (queueIsOver && views.some(({ status }) => status === "blocked")) throw await this.lateFault(signal);
      if (await this.takeBack(uuid, views, signal)) views = (await this.readTwice(uuid, signal)) ?? [];
      const hasEnded = views.every(({ status }) => isFinal(status));
      ends.set(uuid, hasEnded ? endOf(views) : { kind: "open" });
      if (hasEnded) this.unsettled.delete(uuid);
    }
    return given;
  }

  /**
   * Answers do not name their job: an earlier one, of whatever else has ended, is not to be taken for this one's. That it goes
   * on decides nothing, and need not be said twice.
   */
  private async readTwice(uuid: string, signal: AbortSignal): Promise<readonly TaskView[] | null> {
    const { client } = this.parts;
    const views = await client.read(uuid, signal);
    if (views === null || !views.every(({ status }) => isFinal(status))) return views;
    const again = await client.read(uuid, signal);
    // Some services forget a result that was read.
    if (again === null || JSON.stringify(again) === JSON.stringify(views)) return again;
    throw new Fault("link.foreign", { message: "the print service tells two things of one job" });
  }

  /** Only a job that waits can be. True when the service says so: what it says of the job afterwards decides. */
  private async takeBack(uuid: string, views: readonly TaskView[], signal: AbortSignal): Promise<boolean> {
    if (!views.every(({ status }) => status === "wait")) return false;
    return (await this.parts.client.cancel(uuid, signal)) === "canceled";
  }

  private async run(uuid: string, tasks: readonly Task[], limitMs: number, signal: AbortSignal) {
    const { client, clock, timeouts } = this.parts;
    const started = clock.monotonic();
    const posted = await client.post(uuid, tasks, signal);
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

  /** At the limit what waits is taken back; whether it was, the fence sees. */
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

export function isFinal(status: JobStatus): boolean {
  return status === "ready" || status === "error" || status === "interrupted" || status === "canceled";
}

/** The fence's own question under a name that was free has no effect; whatever else is `ready` was carried out. */
function endOf(views: readonly TaskView[]): RequestEnd {
  const done = views.find(({ status, result }) => status === "ready" && !fnStatusSchema.safeParse(result).success);
  if (done === undefined) return { kind: "ended" };
  const made = fiscalResultSchema.safeParse(done.result);
  return { kind: "done", document: made.success ? documentOf(made.data) : null };
}

/** Fault: the driver's error, or that the task was not carried out. */
export function resultOf(task: Task, view: TaskView | undefined): unknown {
  if (view?.status === "ready") return view.result;
  throw driverFault(task.type, view?.code ?? 0, view?.description || `the task ended as ${view?.status ?? "nothing"}`);
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw new Fault("link.aborted", { cause: error });
  }
}
