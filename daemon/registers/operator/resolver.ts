/** Finds the register that can answer for an unsure job, and lets it check the operator's answer. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Job } from "../../store/job.js";
import type { RegisterFleet } from "../actor/register-fleet.js";
import { JobRecorder } from "../job-recorder.js";
import { drivesOf } from "../recovery/candidates.js";
import { sweep } from "../recovery/sweep.js";
import type { SiteEventSink, Stores } from "../register-context.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { driveOfDocument } from "./document-checks.js";
import {
  type NotPrintedAnswer,
  type PrintedAnswer,
  type Resolution,
  type ResolveParts,
  resolveAsNotPrinted,
  resolveAsPrinted,
  resolveByPaper,
  settleAsNotPrinted,
} from "./resolve-job.js";

export interface ResolverOptions {
  readonly stores: Stores;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots" | "issuers">;
  readonly facts: SiteEventSink;
  readonly clock: Clock;
  readonly log: Logger;
  /** Wakes the dispatcher: a job was queued. */
  wake(): void;
}

export class Resolver {
  private readonly jobs: Stores["jobs"];

  constructor(private readonly options: ResolverOptions) {
    this.jobs = options.stores.jobs;
  }

  async settle(id: number, answer: Resolution): Promise<Job> {
    const job = this.requireUnsure(id);
    const register = this.registerToAsk(job, answer);
    if (answer.kind === "printed") await this.settleAsPrinted(job, answer, register);
    else await this.settleAsNotPrinted(job, answer, register);
    this.options.wake();
    return this.jobs.get(id);
  }

  private requireUnsure(id: number): Job {
    const job = this.jobs.get(id);
    if (job.state !== "unsure") throw wrongState(job);
    return job;
  }

  /**
   * The register to read: for a document the one that has its drive now, for a job that may still be printing its
   * own; null = there is none.
   */
  private registerToAsk(job: Job, answer: Resolution): RegisterId | null {
    const own = this.options.fleet.snapshots().find(({ settings }) => settings.id === job.register);
    if (answer.kind === "not-printed") {
      const holders = drivesOf(this.options.stores, job).flatMap((drive) => this.holderOfDrive(drive) ?? []);
      return (own ?? holders[0])?.settings.id ?? null;
    }
    const { fd, paper } = answer;
    if (paper !== null) {
      const holder = this.holderOfDrive(paper.fn);
      return holder?.isConnected === true ? holder.settings.id : null;
    }
    const drive = fd === null ? drivesOf(this.options.stores, job)[0] : driveOfDocument(this.options.stores, job, fd);
    return ((drive == null ? undefined : this.holderOfDrive(drive)) ?? own)?.settings.id ?? null;
  }

  /** A connected one before one that is only on record with it. */
  private holderOfDrive(drive: FnSerial): RegisterSnapshot | undefined {
    const holders = this.options.fleet.snapshots().filter(({ identity }) => identity?.fn === drive);
    return holders.find(({ isConnected }) => isConnected) ?? holders[0];
  }

  private async settleAsPrinted(job: Job, answer: PrintedAnswer, register: RegisterId | null): Promise<void> {
    if (register !== null) {
      // Recovery may have settled it while this waited for its turn.
      await this.options.fleet
        .get(register)
        .perform((tools) => resolveAsPrinted(tools, answer, this.requireUnsure(job.id)));
      await this.matchOthers(register);
      return;
    }
    resolveByPaper(this.partsWithoutRegister(job), job, answer);
    // Nothing was asked of a register so far, and its turn may be far off.
    void this.matchOthers(job.register);
  }

  private partsWithoutRegister({ register }: Job): ResolveParts {
    const { stores, facts, clock, log, fleet } = this.options;
    const recorder = new JobRecorder({ stores, facts, clock, log, register });
    return { stores, issuers: fleet.issuers, clock, recorder };
  }

  private async settleAsNotPrinted(job: Job, answer: NotPrintedAnswer, register: RegisterId | null): Promise<void> {
    if (register === null) {
      this.refuseWhileUnidentified();
      settleAsNotPrinted(this.partsWithoutRegister(job), job, answer, null);
      return;
    }
    await this.options.fleet
      .get(register)
      .perform((tools) => resolveAsNotPrinted(tools, answer, this.requireUnsure(job.id)));
  }

  /** Sweeps again: other jobs may have been unsure because of this document. */
  private async matchOthers(register: RegisterId): Promise<void> {
    try {
      await this.options.fleet.get(register).perform((tools) => sweep(tools));
    } catch {
      // The answer is recorded; what fails now is done by the next sweep.
    }
  }

  /** The job's register is not in the config: a register that was never connected may be it, under another id. */
  private refuseWhileUnidentified(): void {
    const register = this.options.fleet.snapshots().find(({ identity }) => identity === null)?.settings.id;
    if (register === undefined) return;
    const message =
      `${register} was never connected and may be the job's register under another id: ` +
      "connect it, name its former id as renamedFrom, or take it out of the config, and start fiscald again";
    throw new Fault("register.offline", { message, place: register });
  }
}

export function wrongState({ id, state }: Job): Fault {
  return new Fault("job.wrong-state", { message: `job ${id} is ${state}`, details: { job: id, state } });
}
