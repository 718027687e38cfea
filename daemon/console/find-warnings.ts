import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import { secondsBetween } from "@fiscald/shared/local-time.js";
import type { LogFields } from "@fiscald/shared/logger.js";
import type { Config } from "../config/config-schema.js";
import { answers, type RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { JobStore } from "../store/job-store.js";
import type { OutboxStore } from "../store/outbox-store.js";
import { driveFlags, type WarningKind, warningTexts } from "./warning-texts.js";

/** Something that will be trouble, while there is still time. */
export interface EarlyWarning {
  /** The same as long as it is the same trouble. */
  readonly key: string;
  readonly kind: WarningKind;
  readonly text: FaultText;
  readonly fields: LogFields;
}

export interface WarningSources {
  readonly limits: Config["warnings"];
  readonly snapshots: readonly RegisterSnapshot[];
  readonly sites: readonly SiteHealth[];
  /** Sites that are configured no longer, with the results that wait for them. */
  readonly leftSites: readonly LeftSite[];
  /** Why the database cannot keep what a site would answer; null = it can. */
  readonly storeFault: Fault | null;
  /** Jobs that wait, with the wall clock of their coming. */
  readonly waiting: readonly { readonly id: number; readonly register: string; readonly createdAt: number }[];
  /** What was seen of each register over time, by its id. */
  readonly watched: ReadonlyMap<string, WatchedRegister>;
  /** Wall clock. */
  readonly now: number;
  /** Monotonic ms. */
  readonly at: number;
}

export interface LeftSite {
  readonly site: SiteId;
  readonly results: number;
}

/** What one look at a register cannot tell: since when it is so, monotonic ms. */
export interface WatchedRegister {
  /** The OFD queue has not become shorter since; null = it is empty or unknown. */
  readonly unsent: { readonly count: number; readonly since: number } | null;
  /** It has said at each look since that it is printing. */
  readonly printingSince: number | null;
}

const oneMinuteMs = 60_000;
const oneHourMs = 3_600_000;
/** One poll that went wrong is nothing to warn of. */
const siteTroubleMs = oneMinuteMs;

const lookAtJobs = 100;

/** Of the queue those that have waited longest. */
export function longestWaiting(jobs: Pick<JobStore, "queue" | "get">): WarningSources["waiting"] {
  return jobs
    .queue()
    .slice(0, lookAtJobs)
    .map(({ id }) => jobs.get(id));
}

export function findLeftSites(
  outbox: Pick<OutboxStore, "waitingResults">,
  { sites }: Pick<Config, "sites">,
): readonly LeftSite[] {
  return [...outbox.waitingResults()].flatMap(([site, results]) =>
    sites.some(({ id }) => id === site) ? [] : [{ site, results }],
  );
}

export function watchRegister(before: WatchedRegister | undefined, now: RegisterSnapshot, at: number): WatchedRegister {
  const count = now.state?.unsent?.count ?? 0;
  const known = before?.unsent ?? null;
  const isStuck = known !== null && count >= known.count;
  const printing = now.state?.print === "printing";
  return {
    unsent: count === 0 ? null : { count, since: isStuck ? known.since : at },
    printingSince: printing ? (before?.printingSince ?? at) : null,
  };
}

export function findWarnings(sources: WarningSources): readonly EarlyWarning[] {
  return [
    ...storeWarnings(sources.storeFault),
    ...jobWarnings(sources),
    ...twinWarnings(sources.snapshots),
    ...sources.leftSites.map(({ site, results }) => warning(`site ${site} left`, "site-left", { site, results })),
    ...sources.sites.flatMap((health) => siteWarnings(health, sources.now)),
    ...sources.snapshots.flatMap((snapshot) => registerWarnings(snapshot, sources)),
  ];
}

function storeWarnings(fault: Fault | null): readonly EarlyWarning[] {
  return fault === null ? [] : [warning("store", "store-trouble", { code: fault.code, reason: fault.message })];
}

function jobWarnings({ waiting, limits, now }: WarningSources): readonly EarlyWarning[] {
  return waiting
    .filter(({ createdAt }) => now - createdAt > limits.orderWaitsMinutes * oneMinuteMs)
    .map(({ id, register, createdAt }) => {
      const minutes = Math.round((now - createdAt) / oneMinuteMs);
      return warning(`job ${id}`, "job-waits", { job: id, register, minutes });
    });
}

/** One device by two ways, such as USB and network, would be driven by two at once; no two devices have one drive. */
function twinWarnings(snapshots: readonly RegisterSnapshot[]): readonly EarlyWarning[] {
  const seen = snapshots.filter(({ state }) => state !== null);
  return seen.flatMap((register, index) => {
    const { settings, identity, state } = register;
    const { id } = settings;
    const others = seen.slice(0, index);
    const kkm = identity?.kkm ?? null;
    const sameKkm = kkm === null ? undefined : others.find((other) => other.identity?.kkm === kkm);
    if (sameKkm !== undefined) {
      return [warning(`${id} same-kkm`, "same-kkm", { register: id, other: sameKkm.settings.id, kkm })];
    }
    // A register that is switched off may have given its drive to another one.
    const sameFn = others.find((other) => answers(other) && other.state?.fn === state?.fn);
    if (sameFn === undefined || !answers(register)) return [];
    return [warning(`${id} same-fn`, "same-fn", { register: id, other: sameFn.settings.id, fn: state?.fn })];
  });
}

function siteWarnings({ site, fault, since }: SiteHealth, now: number): readonly EarlyWarning[] {
  if (fault === null || since === null || now - since < siteTroubleMs) return [];
  const minutes = Math.round((now - since) / oneMinuteMs);
  return [
    warning(`site ${site} ${fault.code}`, "site-unreachable", {
      site,
      code: fault.code,
      reason: fault.message,
      minutes,
    }),
  ];
}

function registerWarnings(
  { settings: { id }, state }: RegisterSnapshot,
  sources: WarningSources,
): readonly EarlyWarning[] {
  if (state === null) return [];
  const { limits, watched, at } = sources;
  const { fnDaysLeft, fnDocumentsLeft, fnWarnings, paper } = state;
  const found: EarlyWarning[] = [];
  const warn = (kind: Exclude<WarningKind, "drive-flag">, fields: LogFields = {}) =>
    found.push(warning(`${id} ${kind}`, kind, { register: id, ...fields }));

  const hours = Math.max(oldestUnsentHours(state), stuckHours(watched.get(id), at));
  if (hours > limits.unsentToOfdHours) warn("ofd-queue", { count: state.unsent?.count, hours: Math.round(hours) });
  if (fnDaysLeft !== null && fnDaysLeft <= limits.driveDaysLeft) warn("drive-days", { daysLeft: fnDaysLeft });
  if (fnDocumentsLeft !== null && fnDocumentsLeft <= limits.driveDocumentsLeft) {
    warn("drive-documents", { documentsLeft: fnDocumentsLeft });
  }
  for (const [bit, text] of driveFlags) {
    if ((fnWarnings & bit) === 0) continue;
    found.push({ key: `${id} flag ${bit}`, kind: "drive-flag", text, fields: { register: id, flag: bit } });
  }
  if (paper === "low") warn("paper-low");
  const printingMinutes = minutesSince(watched.get(id)?.printingSince ?? null, at);
  if (printingMinutes >= limits.printingMinutes) warn("printing-long", { minutes: Math.round(printingMinutes) });
  return found;
}

/** Both times are of the register's own clock. */
function oldestUnsentHours({ unsent, clock }: NonNullable<RegisterSnapshot["state"]>): number {
  return unsent?.firstAt == null || clock === null ? 0 : secondsBetween(unsent.firstAt, clock) / 3600;
}

/** For registers that only count: a queue that moves becomes shorter now and then. */
function stuckHours(watched: WatchedRegister | undefined, at: number): number {
  return watched?.unsent == null ? 0 : (at - watched.unsent.since) / oneHourMs;
}

export function minutesSince(since: number | null, at: number): number {
  return since === null ? 0 : (at - since) / oneMinuteMs;
}

function warning(key: string, kind: Exclude<WarningKind, "drive-flag">, fields: LogFields): EarlyWarning {
  return { key, kind, text: warningTexts[kind], fields };
}
