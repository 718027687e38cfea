/**
 * Orders that name a number which no register of their site is known to have, while one of them was never connected: it
 * may be that one. They wait until it has said who it is, and are refused when nobody is left who could be meant.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { knownKkm, type RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { RawOrders } from "../store/raw-orders.js";

export interface HeldOrders {
  /** Looks at them anew, if there are any. How long until somebody has to look again, ms; null = nothing is held. */
  settle(registers: readonly RegisterSnapshot[], anyHeld: boolean): number | null;
}

export interface HeldOrdersOptions {
  readonly jobs: Pick<JobStore, "held" | "assign" | "markFailed" | "setReportedOutcome" | "transaction">;
  readonly rawOrders: Pick<RawOrders, "find">;
  readonly journal: Journal;
  readonly events: Pick<SiteEvents, "refused" | "addFormatError">;
  /** What was printed may have been forgotten: "not printed" can be said of no order then. */
  readonly memory: { readonly isForgetful: boolean };
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long an order waits, in one run, for a register that was never connected; then its site hears that it cannot be printed. */
export const HOLD_MS = 15 * 60_000;

export function createHeldOrders(options: HeldOrdersOptions): HeldOrders {
  const { jobs, rawOrders, journal, events, memory, clock, log } = options;
  /** Monotonic ms: a computer's clock may be set right in the middle of its first start. */
  let heldSince: ReadonlyMap<number, number> = new Map();

  /** Null: it is not held any more. */
  function settleOne(job: Job, registers: readonly RegisterSnapshot[]): number | null {
    const ofSite = registers.filter(({ settings }) => job.site !== null && settings.sites.includes(job.site));
    const named = ofSite.find((register) => knownKkm(register) === job.awaitsKkm);
    if (named !== undefined) {
      assign(job, named.settings.id);
      return null;
    }
    const unseen = ofSite.find((register) => knownKkm(register) === null)?.settings.id ?? null;
    const leftMs = (heldSince.get(job.id) ?? clock.monotonic()) + HOLD_MS - clock.monotonic();
    if (unseen !== null && leftMs > 0) return leftMs;
    if (unseen !== null && memory.isForgetful) return HOLD_MS;
    refuse(job, unknownKkm(job.awaitsKkm, unseen));
    return null;
  }

  function assign(job: Job, register: RegisterId): void {
    jobs.transaction(() => {
      jobs.assign(job.id, register, clock.now());
      note("its register is known", job, { kkm: job.awaitsKkm, register });
    });
    log.info("the register that an order names is known", { job: job.id, order: job.orderId, register });
  }

  function refuse(job: Job, fault: Fault): void {
    const { id, site, orderId, register, raw, awaitsKkm, createdAt } = job;
    jobs.transaction(() => {
      // A register that was away is no try: the order may come again for as long as its site wants it printed. A number that
      // nobody has would be refused again at once, and again.
      const failed = jobs.markFailed(id, fault, clock.now(), { countTry: fault.code === "register.unknown-kkm" });
      note("order refused", job, { code: fault.code, reason: fault.message });
      jobs.setReportedOutcome(id, "failed");
      events.refused(failed, null);
      if (fault.code !== "register.unknown-kkm" || site === null || awaitsKkm === null) return;
      const body = (raw === null ? null : rawOrders.find(raw)?.body) ?? "";
      events.addFormatError({ site, register, kkm: awaitsKkm, orderId, fault, body, receivedAt: createdAt });
    });
    log.warn("refused an order", { job: id, order: orderId, fault });
  }

  function note(what: string, { id: job, register, site, raw }: Job, details: Readonly<Record<string, unknown>>): void {
    journal.add({ at: clock.now(), actor: "daemon", what, job, register, site, raw, details });
  }

  return {
    settle(registers, anyHeld) {
      const held = anyHeld ? jobs.held() : [];
      heldSince = new Map(held.map(({ id }) => [id, heldSince.get(id) ?? clock.monotonic()]));
      const left = held.flatMap((job) => settleOne(job, registers) ?? []);
      return left.length === 0 ? null : Math.min(...left);
    },
  };
}

/** `unseen`: a register of the site whose number nobody knows; null = all are known, and none has this one. */
export function unknownKkm(kkm: Kkm | null, unseen: RegisterId | null): Fault {
  if (unseen === null) {
    const message = `no register with kkm ${kkm} is configured for this site`;
    return new Fault("register.unknown-kkm", { message, place: "kkm" });
  }
  const message = `kkm ${kkm} is not known: it may be the one of ${unseen}, which was never connected so far`;
  return new Fault("register.offline", { message, place: "kkm" });
}

/** Why it waits, for people. */
export function heldReason({ awaitsKkm, register }: Job): string {
  const minutes = HOLD_MS / 60_000;
  return `${unknownKkm(awaitsKkm, register).message}; after ${minutes} minutes it is refused`;
}
