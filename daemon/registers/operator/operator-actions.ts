/**
 * What a person may do about a job or a register (interfaces.md section 2). Each leaves a journal line with its reason,
 * in the transaction that does it. Faults: `job.not-found`, `job.wrong-state`, `job.already-printed`,
 * `job.being-printed`, `job.document-mismatch`, `job.document-left-out`, `register.no-register`, `register.offline`.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import type { RegisterFleet } from "../actor/register-fleet.js";
import { findMoveObstacle } from "../printing/move-obstacle.js";
import { hasComeBack, PRINT_ANYWAY, RETRIED } from "../recovery/come-back.js";
import { contentOf } from "../recovery/content-of.js";
import type { Stores } from "../register-context.js";
import { answers, type RegisterSnapshot } from "../register-snapshot.js";
import { reportJob } from "../shift/scheduled-close.js";
import type { SiteFacts } from "../site-facts.js";
import { type Resolution, refusePrintedHere, resolveAsNotPrinted, resolveAsPrinted } from "./resolve-job.js";
import {
  doubtOf,
  type PaperNumbers,
  resolveByPaper,
  resolveBySayingSo,
  resolveUnaskedAsNotPrinted,
} from "./resolve-unasked.js";

export interface OperatorActions {
  /** Failed or refused only, and only while nothing else of that order is printed or under way. */
  retry(job: number, reason: string): Job;
  /** Queued only. */
  cancel(job: number, reason: string): Job;
  /** Queued only, to a register that may print it. */
  move(job: number, register: RegisterId, reason: string): Job;
  /** A refused, cancelled or printed job is printed (once more) although its order was printed before. */
  printAnyway(job: number, reason: string): Job;
  /**
   * Unsure only. The document is read on the register that has its drive; null for a job that leaves none (cash in, cash
   * out). `paper`: what it says, where no register that answers has that drive.
   */
  resolvePrinted(job: number, fd: number | null, reason: string, paper?: PaperNumbers | null): Promise<Job>;
  /** Unsure only. After the fence it is queued again; without one when its register is configured no longer. */
  /** `checked`: documents that may be its own, cannot be read, and were looked at by the operator. */
  resolveNotPrinted(job: number, reason: string, checked?: readonly number[]): Promise<Job>;
  report(register: RegisterId, report: "x" | "z", reason: string): Job;
  /** The device that is connected now is the right one. */
  acceptIdentity(register: RegisterId, reason: string): void;
}

export interface OperatorActionsOptions {
  readonly stores: Stores;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots">;
  readonly facts: Pick<SiteFacts, "result">;
  readonly clock: Clock;
  /** 8 random hex: a print that is forced has a mark of its own. */
  newDigits(): string;
  /** Something was queued. */
  wake(): void;
}

export function createOperatorActions(options: OperatorActionsOptions): OperatorActions {
  const { stores, fleet, facts, clock, newDigits, wake } = options;
  const { jobs, journal } = stores;

  function note(what: string, job: Job, reason: string, details: Readonly<Record<string, unknown>> = {}): void {
    const { id, register, site } = job;
    journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details: { reason, ...details } });
  }

  function act(what: string, id: number, reason: string, change: (job: Job) => Job): Job {
    const after = jobs.transaction(() => {
      const changed = change(jobs.get(id));
      note(what, changed, reason);
      return changed;
    });
    wake();
    return after;
  }

  /** Another job of the same order that is printed or may yet be. */
  function findRival(job: Job): Job | undefined {
    if (job.site === null || job.orderId === null) return undefined;
    const others = jobs.findByOrder(job.site, job.orderId).filter(({ id }) => id !== job.id);
    return others.find((other) => mayBePrinted(other) && excludeEachOther(job, other, hasComeBack(journal, other)));
  }

  function retry(id: number, reason: string): Job {
    return act(RETRIED, id, reason, (job) => {
      if (job.state !== "failed" && job.state !== "refused") throw wrongState(job);
      const rival = findRival(job);
      if (rival !== undefined) {
        const code = rival.state === "printed" ? "job.already-printed" : "job.being-printed";
        throw new Fault(code, { message: `job ${rival.id} of the same order is ${rival.state}` });
      }
      return jobs.requeueByOperator(id, { markDigits: null }, clock.now());
    });
  }

  function printAnyway(id: number, reason: string): Job {
    return act(PRINT_ANYWAY, id, reason, (job) => {
      if (job.state === "refused" || job.state === "cancelled" || waitsForPerson(job)) {
        return jobs.requeueByOperator(id, { markDigits: newDigits() }, clock.now());
      }
      if (job.state !== "printed") throw wrongState(job);
      // Asked for twice, by two people or two clicks, it is printed once more, not twice.
      const again = job.site === null || job.key === null ? [] : jobs.findByKey(job.site, job.key.key, job.key.version);
      const pending = again.find(isUnderWay);
      if (pending !== undefined) {
        throw new Fault("job.being-printed", { message: `job ${pending.id} of the same order is ${pending.state}` });
      }
      const { source, site, raw, polledKkm, receipt, key, register, taxRegister } = job;
      const mark = job.mark === null ? null : { ...job.mark, digits: newDigits() };
      const copy = { source, site, raw, polledKkm, receipt, key, mark, register, taxRegister };
      return jobs.insertJob({ ...copy, forced: true, state: "queued", fault: null, now: clock.now() });
    });
  }

  /** A clock that an order may not set: nothing was sent. */
  function waitsForPerson({ state, fault }: Job): boolean {
    return state === "failed" && fault?.code === "device.clock-jump";
  }

  function cancel(id: number, reason: string): Job {
    return act("cancelled by the operator", id, reason, () => {
      const job = jobs.cancel(id, { code: "job.cancelled", message: reason }, clock.now());
      if (job.source !== "site") return job;
      jobs.setReportedOutcome(id, "failed");
      facts.result(job, "failed");
      return job;
    });
  }

  function move(id: number, register: RegisterId, reason: string): Job {
    return act("moved by the operator", id, reason, (job) => {
      if (job.state !== "queued") throw wrongState(job);
      const to = fleet.get(register).snapshot();
      const own = fleet.snapshots().find(({ settings }) => settings.id === job.register);
      const [from, there] = own === undefined ? inPlaceOf(job.register, to) : [own, to];
      const taxSource = stores.registers.taxSource(job.taxRegister);
      const { receipt, doneParts } = job;
      const obstacle = findMoveObstacle({ receipt, doneParts, from, to: there, taxSource });
      if (obstacle !== null) throw new Fault("register.no-register", { message: obstacle.reason, place: register });
      return jobs.move(id, register, clock.now());
    });
  }

  /** A register that the config names no longer: its taxpayer and its tax rows, as they are on record, still bind. */
  function inPlaceOf(id: RegisterId, to: RegisterSnapshot): readonly [from: RegisterSnapshot, to: RegisterSnapshot] {
    const there = { ...to, settings: { ...to.settings, group: "in its place" } };
    const record = stores.registers.find(id);
    const identity = record?.identity ?? to.identity;
    return [{ ...there, settings: { ...there.settings, id }, identity, tables: record?.tables ?? null }, there];
  }

  function requireUnsure(id: number): Job {
    const job = jobs.get(id);
    if (job.state !== "unsure") throw wrongState(job);
    return job;
  }

  /**
   * Who is asked: of a document the register that has its drive now, of what may still be under way the job's own; null = it
   * is configured no longer.
   */
  function witnessOf(job: Job, { kind }: Resolution): RegisterId | null {
    const holder = holderOfDrive(job);
    const own = fleet.snapshots().find(({ settings }) => settings.id === job.register);
    const asked = kind === "printed" ? (holder ?? own) : (own ?? holder);
    return asked?.settings.id ?? null;
  }

  /** The register that has the drive which the job was sent to; one that answers before one that is only said to have it. */
  function holderOfDrive(job: Job): RegisterSnapshot | undefined {
    const drive = doubtOf(stores, job)?.baseline.fn;
    const holders = fleet.snapshots().filter(({ identity }) => drive !== undefined && identity?.fn === drive);
    return holders.find(answers) ?? holders[0];
  }

  /** Its own register cannot show the job's document any more: another one has that drive, and is read first. */
  async function refuseIfMarkedElsewhere(job: Job, asked: RegisterId, checked: readonly number[]): Promise<void> {
    const witness = doubtOf(stores, job)?.witness;
    const holder = holderOfDrive(job);
    if (witness?.kind !== "receipt" || witness.mark === null) return;
    if (holder === undefined || holder.settings.id === asked) return;
    const { id } = holder.settings;
    if (!answers(holder)) {
      const message = `the drive that may hold this receipt is in ${id}, which does not answer: connect it, or settle the job as printed by its paper`;
      throw new Fault("register.offline", { message, place: id });
    }
    await fleet.get(id).perform((tools) => refusePrintedHere(tools, job, checked));
  }

  async function settle(id: number, how: Resolution): Promise<Job> {
    const waiting = requireUnsure(id);
    const register = witnessOf(waiting, how);
    if (register === null) {
      if (how.kind === "not-printed") refuseWhileUnidentified();
      const resolve = how.kind === "printed" ? resolveBySayingSo : resolveUnaskedAsNotPrinted;
      return woken(resolve(options, waiting, how.reason));
    }
    if (how.kind === "not-printed") await refuseIfMarkedElsewhere(waiting, register, how.checked ?? []);
    await fleet.get(register).perform(async (tools) => {
      // Recovery may have settled it while this waited for its turn.
      const job = requireUnsure(id);
      return how.kind === "printed" ? resolveAsPrinted(tools, how, job) : resolveAsNotPrinted(tools, how, job);
    });
    return woken(jobs.get(id));
  }

  /** The job's register is not in the config: a register that was never connected may be it, under another id. */
  function refuseWhileUnidentified(): void {
    const register = fleet.snapshots().find(({ identity }) => identity === null)?.settings.id;
    if (register === undefined) return;
    const message =
      `${register} was never connected and may be the job's register under another id: ` +
      "connect it, name its former id as renamedFrom, or take it out of the config, and start fiscald again";
    throw new Fault("register.offline", { message, place: register });
  }

  function woken(job: Job): Job {
    wake();
    return job;
  }

  function settleByPaper(id: number, fd: number | null, reason: string, paper: PaperNumbers): Job {
    const job = requireUnsure(id);
    const mismatch = (message: string) => new Fault("job.document-mismatch", { message });
    if (fd === null) throw mismatch("name the receipt's document number");
    const holder = fleet.snapshots().find((register) => register.identity?.fn === paper.fn && answers(register));
    if (holder !== undefined) {
      throw mismatch(
        `drive ${paper.fn} is in ${holder.settings.id} and is read there: name the document's number alone`,
      );
    }
    return woken(resolveByPaper(options, job, { ...paper, fd }, reason));
  }

  return {
    retry,
    cancel,
    move,
    printAnyway,
    resolvePrinted: async (job, fd, reason, paper = null) =>
      paper === null ? settle(job, { kind: "printed", fd, reason }) : settleByPaper(job, fd, reason, paper),
    resolveNotPrinted: (job, reason, checked = []) => settle(job, { kind: "not-printed", fd: null, reason, checked }),
    report(register, report, reason) {
      fleet.get(register);
      const job = jobs.transaction(() => {
        const receipt = reportJob(report);
        const nobody = { source: "operator", site: null, raw: null, polledKkm: null, key: null } as const;
        const now = clock.now();
        const queued = jobs.insertJob({
          ...nobody,
          receipt,
          register,
          forced: false,
          state: "queued",
          fault: null,
          now,
        });
        note(`${report} report asked for`, queued, reason);
        return queued;
      });
      wake();
      return job;
    },
    acceptIdentity: (register, reason) => fleet.get(register).acceptIdentity(reason),
  };
}

function wrongState({ id, state }: Job): Fault {
  return new Fault("job.wrong-state", { message: `job ${id} is ${state}`, details: { job: id, state } });
}

function mayBePrinted(job: Job): boolean {
  return isUnderWay(job) || job.state === "printed";
}

function isUnderWay({ state }: Job): boolean {
  return state === "queued" || state === "printing" || state === "unsure";
}

/**
 * One order may have several returns, and a prepayment with its settlement, but not two sales; the same one never. Of two that
 * carry the kit's ids the later one was made knowing what had become of the earlier one, and not the other way round; unless
 * that one came back after its site had heard that it failed.
 */
function excludeEachOther(job: Job, other: Job, cameBack: boolean): boolean {
  const areOfKit = job.receiptId !== null && other.receiptId !== null;
  if (areOfKit && job.receiptId !== other.receiptId && other.id < job.id && !cameBack) return false;
  return contentOf(job) === contentOf(other) || (isFullSale(job) && isFullSale(other));
}

function isFullSale(job: Job): boolean {
  return job.operation === "sale" && !isSettlement(job);
}

/** Pays with what was paid before (tag 1215). */
function isSettlement({ receipt }: Job): boolean {
  return receipt.kind === "receipt" && receipt.payments.some(({ typeClose }) => typeClose === 2);
}
