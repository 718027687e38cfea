import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";

/** How asking a site for orders goes: for log, status, metrics and early warnings. */
export interface SiteHealth {
  readonly site: SiteId;
  /** Why it could not be asked last; null = all is well. */
  readonly fault: Fault | null;
  /** Wall clock since when it can or cannot be asked; null before the first poll. */
  readonly since: number | null;
  /** Polls that went out and were not answered whole, since the start. */
  readonly lostAnswers: number;
  /** The last poll of each kkm that was answered, wall clock. */
  readonly polled: ReadonlyMap<Kkm, number>;
}

export interface SiteHealthMonitor {
  /** A poll of one register met a fault, or (null) went well again. */
  note(fault: Fault | null, kkm: Kkm): void;
  /** A poll was answered, whatever the answer says. */
  answered(kkm: Kkm): void;
  read(): SiteHealth;
}

export interface SiteHealthOptions {
  readonly site: SiteId;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
}

/**
 * Several registers ask one site: trouble is told once, not once per register and try. Only a lost answer is told each
 * time, with its kkm: an order may be waiting on the site that nobody will offer again.
 */
export function createSiteHealth({ site, clock, log, onChange }: SiteHealthOptions): SiteHealthMonitor {
  let health: SiteHealth = { site, fault: null, since: null, lostAnswers: 0, polled: new Map() };
  return {
    note(fault, kkm) {
      const before = health.fault;
      const lost = fault?.code === "site.answer-lost";
      if (lost) log.error("answer to an order poll lost", { kkm, fault });
      else if (fault !== null && fault.code !== before?.code)
        log.warn("site cannot be asked for orders", { kkm, fault });
      else if (fault === null && before !== null) log.info("site is asked for orders again", { kkm });
      const changed = fault?.code !== before?.code;
      // One trouble after another is one time without the site.
      const turned = (fault === null) !== (before === null);
      const since = turned || health.since === null ? clock.now() : health.since;
      health = { ...health, fault, since, lostAnswers: health.lostAnswers + (lost ? 1 : 0) };
      if (changed || lost) onChange();
    },
    answered(kkm) {
      const now = clock.now();
      health = { ...health, since: health.since ?? now, polled: new Map(health.polled).set(kkm, now) };
    },
    read: () => health,
  };
}
