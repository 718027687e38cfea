import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Kkm, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { LeasingSite } from "../store/database/meta-store.js";

/** How polling a site goes, for the log, the status, the metrics and the early warnings. */
export interface SiteHealth {
  readonly site: SiteId;
  readonly fault: Fault | null;
  /** Since when polls fail or work, by the wall clock; null before the first poll. */
  readonly since: number | null;
  /** The number of polls since the start that went out and got no whole answer. */
  readonly lostAnswers: number;
  /** When the last poll of each kkm was answered, by the wall clock. */
  readonly polled: ReadonlyMap<Kkm, number>;
  /** Orders that wait for a person and keep the site from offering anything else for the register; absent = none. */
  readonly stuckAt?: ReadonlyMap<Kkm, StuckOffer>;
  /** The last answer for these was neither an order nor "no orders"; absent = none. */
  readonly strangeAt?: ReadonlySet<Kkm>;
  /** The site has given an order before, or has answered with "no orders" in this run. */
  readonly isProven?: boolean;
}

export interface StuckOffer {
  readonly job: number;
  readonly since: number;
}

export type SiteHealthMonitor = ReturnType<typeof createSiteHealth>;

export interface SiteHealthOptions {
  readonly site: SiteId;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
  /** Remembers across a restart whether the site leases its orders (offers them again until a result comes). */
  readonly leasing: LeasingSite;
  /** The database has an order of this site. */
  readonly isProven?: boolean;
}

/** A trouble is logged once for all registers, but each lost answer is, as the site may not repeat the order. */
export function createSiteHealth(options: SiteHealthOptions) {
  const { site, clock, log, onChange, leasing, isProven = false } = options;
  let health: SiteHealth = { site, fault: null, since: null, lostAnswers: 0, polled: new Map(), isProven };
  let warnedOf: FaultCode | null = null;

  /** A site that leases its orders offers a lost order again, so only the cause of a lost answer matters there. */
  function noteLost(fault: Fault, kkm: Kkm): Fault {
    if (!leasing.leases) {
      log.error("answer to an order poll lost", { kkm, fault });
      return fault;
    }
    log.info("answer to an order poll lost: the site offers it again", { kkm, reason: fault.message });
    return isFault(fault.cause) ? fault.cause : fault;
  }

  return {
    note(noted: Fault | null, kkm: Kkm): void {
      const before = health.fault;
      const isLost = noted?.code === "site.answer-lost";
      const fault = noted !== null && isLost ? noteLost(noted, kkm) : noted;
      const lost = isLost && !leasing.leases;
      if (fault !== null && !isLost && fault.code !== warnedOf) {
        log.warn("site cannot be asked for orders", { kkm, fault });
        warnedOf = fault.code;
      } else if (fault === null && before !== null) log.info("site is asked for orders again", { kkm });
      if (fault === null || lost) warnedOf = null;
      const changed = fault?.code !== before?.code;
      // `since` stays while one fault follows another, because this is one outage.
      const turned = (fault === null) !== (before === null);
      const since = turned || health.since === null ? clock.now() : health.since;
      health = { ...health, fault, since, lostAnswers: health.lostAnswers + (lost ? 1 : 0) };
      if (changed || lost) onChange();
    },
    /** After an unclean end, answers to polls for these may be lost. `since` is when the daemon last surely ran. */
    mayHaveLost(kkms: readonly Kkm[], since: number | null): void {
      if (kkms.length === 0) return;
      const fields = { kkm: kkms.join(","), ...(since === null ? {} : { since: new Date(since).toISOString() }) };
      if (leasing.leases) {
        log.info(
          "order polls may have been on their way when the daemon was cut off: the site offers them again",
          fields,
        );
        return;
      }
      const message = "the daemon was cut off while an order poll may have been on its way";
      log.warn("answer to an order poll may be lost", { ...fields, fault: new Fault("site.answer-lost", { message }) });
      health = { ...health, lostAnswers: health.lostAnswers + 1 };
      onChange();
    },
    /** Called when a poll was answered. `leases`: the site offers again what it handed out, as our kit does. */
    answered(kkm: Kkm, leases: boolean): void {
      leasing.note(leases);
      const now = clock.now();
      health = { ...health, since: health.since ?? now, polled: new Map(health.polled).set(kkm, now) };
    },
    /** `job` is an order that came again and waits for a person; null = any other answer. */
    offered(kkm: Kkm, job: number | null): void {
      const before = health.stuckAt?.get(kkm)?.job ?? null;
      if (before === job) return;
      const stuckAt = new Map(health.stuckAt);
      if (job === null) stuckAt.delete(kkm);
      else stuckAt.set(kkm, { job, since: clock.now() });
      health = { ...health, stuckAt };
    },
    strange(kkm: Kkm, isStrange: boolean): void {
      const others = [...(health.strangeAt ?? [])].filter((other) => other !== kkm);
      const isKnown = health.isProven === true || !isStrange;
      health = { ...health, isProven: isKnown, strangeAt: new Set(isStrange ? [...others, kkm] : others) };
    },
    read: (): SiteHealth => health,
  };
}
