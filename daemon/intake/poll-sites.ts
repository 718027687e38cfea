import type { Clock } from "@fiscald/shared/clock.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { issuerOf } from "../config/issuer.js";
import { receiptRulesOf, type SiteConfig } from "../config/site-schema.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import type { Stores } from "../registers/register-context.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { Deliveries } from "../sites/deliveries.js";
import type { SiteClient } from "../sites/site-client.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { SiteHealthMonitor } from "../sites/site-health.js";
import type { JobState } from "../store/job.js";
import { OrderIntake } from "./accept-order.js";
import type { IntakeGate } from "./intake-gate.js";
import type { AcceptResult } from "./intake-parts.js";
import { createPoller, type Poller } from "./poller.js";
import { registersOfSite } from "./registers-of-site.js";

export interface PolledSite {
  readonly config: SiteConfig;
  readonly client: SiteClient;
  readonly health: SiteHealthMonitor;
}

export interface PollSitesOptions {
  readonly sites: readonly PolledSite[];
  readonly knownSites: readonly SiteId[];
  readonly memory: { readonly isForgetful: boolean };
  readonly fleet: Pick<RegisterFleet, "snapshots" | "find">;
  readonly stores: Pick<Stores, "jobs" | "journal" | "oversights" | "attempts" | "registers">;
  readonly events: SiteEvents;
  readonly deliveries: Deliveries;
  /** Shared by all pollers. */
  readonly gate: IntakeGate;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly decideRepeat?: typeof decideRepeat;
  readonly wake: () => void;
}

export interface SitePoller extends Poller {
  readonly site: SiteId;
  readonly register: RegisterId;
}

export function createPollers(options: PollSitesOptions): readonly SitePoller[] {
  const { fleet, events, gate, clock, random, log, wake } = options;
  const { jobs, journal, oversights } = options.stores;
  const snapshotOf = (id: RegisterId) => fleet.find(({ settings }) => settings.id === id);

  return options.sites.flatMap(({ config: site, client, health }) => {
    const siteLog = log.child({ site: site.id }, "intake");
    const boundNow = () => fleet.snapshots().filter(({ settings }) => settings.sites.includes(site.id));
    const intake = new OrderIntake({
      site: site.id,
      issuer: issuerOf(site),
      largestReceipt: site.largestReceipt,
      otherSites: () => options.knownSites.filter((id) => id !== site.id),
      isConfigured: (id) => options.sites.some(({ config }) => config.id === id),
      ...(options.decideRepeat === undefined ? {} : { decideRepeat: options.decideRepeat }),
      jobs,
      journal,
      oversights,
      events,
      read: { format: site.receiptFormat, rules: receiptRulesOf(site) },
      registers: registersOfSite(site.id, options),
      isForgetful: () => options.memory.isForgetful,
      clock,
      log: siteLog,
      wake,
    });
    /** Registers whose polls fail; true = a good answer of another register has woken the poller already. */
    const failing = new Map<RegisterId, boolean>();
    /**
     * The first good answer ends the site's trouble and wakes its other polls, whose pauses may be minutes. Further
     * good answers wake nothing, so a site that fails for one register only is not asked in a hot loop.
     */
    const noteAnswer = (register: RegisterId, kkm: Kkm) => {
      const isBack = failing.delete(register);
      const woken = pollers.filter(({ register: other }) =>
        isBack ? failing.has(other) : failing.get(other) === false,
      );
      // A register that was woken before and still fails is asked no sooner, so for it the trouble goes on.
      if (isBack || (woken.length > 0 && woken.length === failing.size)) health.note(null, kkm);
      for (const poller of woken) {
        failing.set(poller.register, true);
        poller.askNow();
      }
    };
    const pollers: readonly SitePoller[] = boundNow().map(({ settings: { id: register } }) => ({
      ...{ site: site.id, register },
      ...createPoller({
        periodMs: site.pollEverySeconds * 1000,
        kkm: () => snapshotOf(register)?.identity?.kkm ?? null,
        hasRoom: () => hasRoom(register, jobs.waitingCount(register), fleet.snapshots()),
        poll: (kkm, signal) => client.poll(kkm, signal),
        accept(answer) {
          // This call also writes to the database; a write that fails here does not lose the answer.
          health.answered(answer.kkm, answer.leases);
          const result = intake.accept({ register, ...answer });
          health.offered(answer.kkm, answer.leases ? null : jobForPerson(result));
          if (result.kind !== "site-error") health.strange(answer.kkm, result.kind === "strange");
          return result;
        },
        onTrouble(fault, kkm) {
          if (fault === null) return noteAnswer(register, kkm);
          health.note(fault, kkm);
          failing.set(register, failing.get(register) ?? false);
        },
        ...{ deliveries: options.deliveries, gate, clock, random },
        log: siteLog.child({ register }),
      }),
    }));
    return pollers;
  });
}

/** The job of an order that came again and waits for a person. A site that offers its oldest order first is stuck. */
function jobForPerson(result: AcceptResult): number | null {
  const job = result.kind === "repeat" ? result.job : null;
  return job !== null && forPerson.includes(job.state) ? job.id : null;
}

const forPerson: readonly JobState[] = ["held", "unsure", "failed", "refused"];

/** A site is not asked for more orders of a register that has this many waiting jobs. */
const MAX_WAITING = 20;

/** Whether this register has room for another order, or another register of its group may take the order. Pure. */
export function hasRoom(
  id: RegisterId,
  waiting: number,
  registers: readonly Pick<RegisterSnapshot, "settings" | "phase" | "pausedSince">[],
): boolean {
  const own = registers.find(({ settings }) => settings.id === id);
  if (waiting < MAX_WAITING && own?.pausedSince === null) return true;
  const group = own?.settings.group ?? null;
  // While another register of the group is free, the waiting jobs may still move there.
  const isFree = ({ phase, pausedSince }: (typeof registers)[number]) => phase === "ready" && pausedSince === null;
  return registers.some((other) => {
    return other !== own && group !== null && other.settings.group === group && isFree(other);
  });
}
