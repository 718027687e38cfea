/** Finds the register that can answer for an unsure job, and lets it check the operator's answer. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Job } from "../../store/job.js";
import type { RegisterFleet } from "../actor/register-fleet.js";
import { JobRecorder } from "../job-recorder.js";
import { doubtOf, drivesOf } from "../recovery/candidates.js";
import { sweep } from "../recovery/sweep.js";
import type { Stores } from "../register-context.js";
import { allSafety } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import type { SiteEventSink } from "../site-event-sink.js";
import { driveOfDocument } from "./document-checks.js";
import {
  type NotPrintedAnswer,
  noteNotPrinted,
  type PrintedAnswer,
  type Resolution,
  type ResolveParts,
  readOnceMore,
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
  private readonly stores: ResolverOptions["stores"];
  private readonly fleet: ResolverOptions["fleet"];
  private readonly jobs: Stores["jobs"];

  constructor(private readonly options: ResolverOptions) {
    this.stores = options.stores;
    this.fleet = options.fleet;
    this.jobs = this.stores.jobs;
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
    const own = this.fleet.snapshots().find(({ settings }) => settings.id === job.register);
    if (answer.kind === "not-printed") {
      const holders = drivesOf(this.stores, job).flatMap((drive) => this.holderOfDrive(drive) ?? []);
      return (own ?? holders[0])?.settings.id ?? null;
    }
    const { fd, paper } = answer;
    if (paper !== null) {
      const holder = this.holderOfDrive(paper.fn);
      return holder?.isConnected === true ? holder.settings.id : null;
    }
    const drive = fd === null ? drivesOf(this.stores, job)[0] : driveOfDocument(this.stores, job, fd);
    return ((drive == null ? undefined : this.holderOfDrive(drive)) ?? own)?.settings.id ?? null;
  }

  /** A connected one before one that is only on record with it. */
  private holderOfDrive(drive: FnSerial): RegisterSnapshot | undefined {
    const holders = this.fleet.snapshots().filter(({ identity }) => identity?.fn === drive);
    return holders.find(({ isConnected }) => isConnected) ?? holders[0];
  }

  /** The drives that may hold the receipt and are in other registers are read first. Returns those that were read. */
  private async readElsewhere(job: Job, asked: RegisterId): Promise<readonly FnSerial[]> {
    const witness = doubtOf(this.stores, job)?.witness;
    if (job.kind !== "receipt" || (witness !== undefined && witness.kind !== "receipt")) return [];
    const read: FnSerial[] = [];
    for (const drive of drivesOf(this.stores, job)) {
      const holder = this.holderOfDrive(drive);
      if (holder === undefined || holder.settings.id === asked) continue;
      const { id } = holder.settings;
      if (holder.isConnected) {
        await this.fleet.get(id).perform(async (tools) => {
          await readOnceMore(tools, job, await tools.context.driver.readState(tools.signal));
        });
        read.push(drive);
      } else if (witness !== undefined && witness.mark !== null) {
        const message = `the drive that may hold this receipt is in ${id}, which does not answer: connect it, or settle the job as printed by its paper`;
        throw new Fault("register.offline", { message, place: id });
      }
    }
    return read;
  }

  private async settleAsPrinted(job: Job, answer: PrintedAnswer, register: RegisterId | null): Promise<void> {
    if (register !== null) {
      // Recovery may have settled it while this waited for its turn.
      await this.fleet.get(register).perform((tools) => resolveAsPrinted(tools, answer, this.requireUnsure(job.id)));
      await this.matchOthers(register);
      return;
    }
    resolveByPaper(this.partsWithoutRegister(job), job, answer);
    // Nothing was asked of a register so far, and its turn may be far off.
    void this.matchOthers(job.register);
  }

  private partsWithoutRegister({ register }: Job): ResolveParts {
    const { stores, facts, clock, log, fleet } = this.options;
    const recorder = new JobRecorder({ stores, facts, clock, log, register, safety: allSafety });
    return { stores, issuers: fleet.issuers, clock, recorder };
  }

  private async settleAsNotPrinted(job: Job, answer: NotPrintedAnswer, register: RegisterId | null): Promise<void> {
    if (register === null) {
      this.refuseWhileUnidentified();
      settleAsNotPrinted(this.partsWithoutRegister(job), job, answer, []);
      return;
    }
    const drivesRead = await this.readElsewhere(job, register);
    if (this.jobs.stateOf(job.id) === "queued") {
      // What was read elsewhere has shown it.
      this.jobs.transaction(() => noteNotPrinted(this.options, job, answer));
      return;
    }
    await this.fleet
      .get(register)
      .perform((tools) => resolveAsNotPrinted(tools, { ...answer, drivesRead }, this.requireUnsure(job.id)));
  }

  /** Sweeps again: other jobs may have been unsure because of this document. */
  private async matchOthers(register: RegisterId): Promise<void> {
    try {
      await this.fleet.get(register).perform((tools) => sweep(tools, { isFirst: tools.isFirst }));
    } catch {
      // The answer is recorded; what fails now is done by the next sweep.
    }
  }

  /** The job's register is not in the config: a register that was never connected may be it, under another id. */
  private refuseWhileUnidentified(): void {
    const register = this.fleet.snapshots().find(({ identity }) => identity === null)?.settings.id;
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
