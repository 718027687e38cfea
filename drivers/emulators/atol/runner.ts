/**
 * Runs the service's jobs, one task at a time, and recovers from an unknown outcome as the maker's service does. The
 * number of the last document is read before a fiscal task. After an error code that leaves the outcome unknown the
 * queue stops until the number can be read again, and the number decides.
 */
import type { LinkPort } from "../device/maker-protocol.js";
import { type DeviceCommand, type DeviceOutcome, encode, failed, readOutcome } from "./commands.js";
import { blockReasonOf, stopsQueue } from "./errors.js";
import type { JobQueue, ServiceJob } from "./queue.js";
import type { AtolSettings } from "./settings.js";
import { isFiscalTask } from "./task-schemas.js";

const RETRY_MS = 3_000;
/** How long a service that was killed forgets its running job before it resumes the job. */
const RESUME_MS = 1_000;
const NO_LINK = 2;

export interface RunnerParts {
  readonly port: LinkPort;
  readonly queue: JobQueue;
  readonly settings: AtolSettings;
}

export class QueueRunner {
  private busy = false;
  private late: ReadonlySet<string> = new Set();
  /** Jobs that a killed service left in progress and that the restarted service forgets, for ever or for a while. */
  private lost: ReadonlySet<string>;

  constructor(private readonly parts: RunnerParts) {
    const { queue, settings, port } = parts;
    const late = settings.killed === "late";
    this.lost = late || settings.killed === "lost" ? queue.inProgress : new Set();
    if (late && this.lost.size > 0) port.later(RESUME_MS, () => this.resume());
  }

  wake(): void {
    if (this.busy) return;
    this.busy = true;
    this.parts.port.later(0, () => this.goOn());
  }

  private resume(): void {
    this.late = this.lost;
    this.lost = new Set();
    this.wake();
  }

  private goOn(): void {
    const { queue } = this.parts;
    const job = queue.next(({ uuid }) => this.lost.has(uuid));
    const index = job?.elements.findIndex(({ status }) => ["wait", "inProgress", "blocked"].includes(status)) ?? -1;
    if (job === null || index < 0) {
      this.busy = false;
      return;
    }
    const element = job.elements[index];
    const task = job.tasks[index];
    if (element === undefined || task === undefined) return;
    if (element.status === "blocked") this.recover(job, index, element.code);
    else if (element.status === "inProgress" && this.late.has(job.uuid)) this.takeUp(job, index);
    else if (element.status === "inProgress") this.failed(job, index, NO_LINK);
    else this.begin(job, index);
  }

  private takeUp(job: ServiceJob, index: number): void {
    this.ask({ kind: "recover", fdBefore: job.fdBefore ?? 0 }, ({ code, result }) => {
      if (code !== 0) this.failed(job, index, code);
      else if (result === null) this.begin(job, index);
      else {
        this.parts.queue.setElement(job, index, { status: "ready", code: 0, result });
        this.goOn();
      }
    });
  }

  private begin(job: ServiceJob, index: number): void {
    const { queue } = this.parts;
    const task = job.tasks[index];
    if (task === undefined) return;
    queue.setStart(job, index, isFiscalTask(task));
    this.ask({ kind: "run", task }, (outcome) => {
      if (outcome.code !== 0) {
        this.failed(job, index, outcome.code);
        return;
      }
      queue.setElement(job, index, { status: "ready", code: 0, result: outcome.result });
      this.goOn();
    });
  }

  private failed(job: ServiceJob, index: number, code: number): void {
    const task = job.tasks[index];
    if (task !== undefined && isFiscalTask(task) && stopsQueue(code)) this.block(job, index, code);
    else this.fail(job, index, code);
  }

  private fail(job: ServiceJob, index: number, code: number): void {
    const { queue } = this.parts;
    queue.setElement(job, index, { status: "error", code, result: null });
    queue.interruptAfter(job, index);
    this.goOn();
  }

  private block(job: ServiceJob, index: number, code: number): void {
    const { queue, port } = this.parts;
    queue.setElement(job, index, { status: "blocked", code, result: null });
    queue.setBlockReason(blockReasonOf(code));
    port.later(RETRY_MS, () => this.recover(job, index, code));
  }

  /** Queries whether the document number grew, and repeats the query while it fails itself. */
  private recover(job: ServiceJob, index: number, code: number): void {
    const { queue, port, settings } = this.parts;
    this.ask({ kind: "recover", fdBefore: job.fdBefore ?? 0 }, (outcome) => {
      if (outcome.code !== 0) {
        port.later(RETRY_MS, () => this.recover(job, index, code));
        return;
      }
      queue.setBlockReason("");
      if (outcome.result === null) {
        this.fail(job, index, code);
        return;
      }
      queue.setElement(job, index, { status: "ready", code: 0, result: outcome.result });
      if (settings.restOfJob === "interrupted") queue.interruptAfter(job, index);
      this.goOn();
    });
  }

  private ask(command: DeviceCommand, done: (outcome: DeviceOutcome) => void): void {
    this.parts.port.execute(encode(command), (answer) => done(answer === null ? failed(NO_LINK) : readOutcome(answer)));
  }
}
