import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import { localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import type { LogFields } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import type { CheckStore } from "../../store/document-checks.js";
import type { Job, JobState } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import { type Journal, PRINTED_TWICE } from "../../store/journal.js";
import type { OutboxStore } from "../../store/outbox-store.js";
import { describeCause } from "../why/describe-cause.js";
import { type NotPrintedCause, registerTrouble, siteTrouble } from "../why/why-not-printed.js";
import { documentWarnings, readChecks, type StoredChecks, settingWarnings } from "./document-warnings.js";
import { driveWarnings } from "./drive-warnings.js";
import type { SetRow } from "./state-rows.js";
import type { EarlyWarning } from "./warning-texts.js";
import { type KindWithText, warningKinds, warningTexts } from "./warning-texts.js";

export interface WarningSources {
  readonly limits: Config["warnings"];
  readonly snapshots: readonly RegisterSnapshot[];
  readonly howSet: (snapshot: RegisterSnapshot) => readonly SetRow[];
  readonly sites: readonly SiteHealth[];
  /** Why the database cannot store new orders; null = it can. */
  readonly storeFault: Fault | null;
  /** Whether the lock file that keeps a second daemon from starting is in its place. */
  readonly hasLock: boolean;
  /** Why the console is closed; null = the console is open. */
  readonly consoleFault: Fault | null;
  /** Why a person cannot be alerted; null = alerts can be sent. */
  readonly alertFault: Fault | null;
  readonly stored: StoredTroubles;
  /** What was observed of each register over time, by its id. */
  readonly watched: ReadonlyMap<string, WatchedRegister>;
  /** The present time, wall clock in ms. */
  readonly now: number;
  /** The present time, monotonic ms. */
  readonly at: number;
}

export interface RemovedSite {
  readonly site: SiteId;
  readonly results: number;
}

/** Problems that the database shows even while no daemon runs. */
export interface StoredTroubles {
  /** Queued jobs; `createdAt`: wall clock. */
  readonly waiting: readonly { readonly id: number; readonly register: string; readonly createdAt: number }[];
  readonly unsure: readonly JobInTrouble[];
  readonly held: readonly JobInTrouble[];
  /** Jobs that failed in the last week, newest first. */
  readonly failed: readonly JobInTrouble[];
  readonly refused: readonly JobInTrouble[];
  /** Doubled receipts of the last week, newest first. */
  readonly doubles: readonly DoubleReceipt[];
  readonly rejectedAnswers: readonly RejectedAnswerEntry[];
  readonly outbox: readonly UndeliveredEvents[];
  /** Sites that were removed from the config, with the number of undelivered results. */
  readonly removedSites: readonly RemovedSite[];
  readonly checks: StoredChecks;
}

export interface JobInTrouble {
  readonly id: number;
  readonly order: string | null;
  readonly register: string;
  readonly reason: string;
  /** When the job got into this state, wall clock. */
  readonly at: number;
}

/** A receipt that was found in addition to the receipt of its order. */
export interface DoubleReceipt {
  readonly kind: "printed-twice" | "printed-after-all";
  readonly at: number;
  readonly job: number;
  readonly register: string | null;
  /** Drive and number of the found document, and of the document that the job was printed as. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RejectedAnswerEntry {
  readonly site: string;
  readonly at: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface UndeliveredEvents {
  readonly site: SiteId;
  readonly pending: number;
  readonly refused: number;
  /** When the oldest pending event was made. `refusedAt`: the same for refused events. */
  readonly oldestAt: number | null;
  readonly refusedAt: number | null;
}

/** What a single state read cannot show: how long something lasts. Times are monotonic ms. */
export interface WatchedRegister {
  /** Since when the queue to the OFD (fiscal data operator) has not become shorter; null = it is empty or unknown. */
  readonly unsent: { readonly count: number; readonly since: number } | null;
  /** Since when every state read has reported printing. */
  readonly printingSince: number | null;
}

const oneMinuteMs = 60_000;
const oneHourMs = 3_600_000;
/** Shorter than this a site's trouble gives no warning, so a single failed poll gives none. */
const siteTroubleMs = oneMinuteMs;
/** 54-fz 6: the state may have been read a while ago, so only a clock that is ahead can be detected. */
const clockAheadMs = 10 * oneMinuteMs;

const jobsShown = 20;
const shownDays = 7;

export interface TroubleStores {
  readonly jobs: Pick<JobStore, "queue" | "get" | "list">;
  readonly journal: Pick<Journal, "rejectedAnswers" | "doubles">;
  readonly outbox: Pick<OutboxStore, "countUndelivered" | "oldestAt" | "waitingResults">;
  readonly checks: Pick<CheckStore, "open" | "notCompared">;
}

/** Reads a limited number of each kind: they are for people, and the query blocks the daemon once a minute. */
export function readTroubles(
  { jobs, journal, outbox, checks }: TroubleStores,
  config: Pick<Config, "sites">,
  now: number,
): StoredTroubles {
  const since = now - shownDays * 24 * oneHourMs;
  const inState = (state: JobState) => jobs.list({ state, limit: jobsShown });
  const missing = (state: JobState) => jobs.list({ state, missingSince: since, limit: jobsShown }).map(inTrouble);
  return {
    waiting: jobs
      .queue()
      .slice(0, jobsShown)
      .map(({ id }) => jobs.get(id)),
    unsure: inState("unsure").map(inTrouble),
    held: inState("held").map(inTrouble),
    failed: missing("failed"),
    refused: missing("refused"),
    doubles: journal.doubles(since, jobsShown).flatMap(({ what, at, job, register, details }): DoubleReceipt[] => {
      if (job === null) return [];
      if (what === PRINTED_TWICE) return [{ kind: "printed-twice", at, job, register, details }];
      // The doubled receipt was settled: its job was retried since, and the site knows the receipt.
      const isOver = jobs.get(job).state === "printed";
      return isOver ? [] : [{ kind: "printed-after-all", at, job, register, details }];
    }),
    rejectedAnswers: journal
      .rejectedAnswers(since, jobsShown)
      .map(({ site, at, details }) => ({ site: site ?? "", at, details })),
    outbox: config.sites.map(({ id: site }) => ({
      site,
      ...outbox.countUndelivered(site),
      oldestAt: outbox.oldestAt(site, "pending"),
      refusedAt: outbox.oldestAt(site, "refused"),
    })),
    removedSites: findRemovedSites(outbox, config),
    checks: readChecks(checks),
  };
}

function inTrouble({ id, orderId, register, fault, updatedAt: at }: Job): JobInTrouble {
  return { id, order: orderId, register, reason: fault === null ? "" : `${fault.code}: ${fault.message}`, at };
}

export function findRemovedSites(
  outbox: Pick<OutboxStore, "waitingResults">,
  { sites }: Pick<Config, "sites">,
): readonly RemovedSite[] {
  return [...outbox.waitingResults()].flatMap(([site, results]) =>
    sites.some(({ id }) => id === site) ? [] : [{ site, results }],
  );
}

export function watchRegister(before: WatchedRegister | undefined, now: RegisterSnapshot, at: number): WatchedRegister {
  const count = now.state?.unsent?.count ?? 0;
  const known = before?.unsent ?? null;
  const isStuck = known !== null && count >= known.count;
  // A register that cannot be read because it prints has an older state here.
  const printing = now.phase === "finishing" || now.state?.print === "printing";
  return {
    unsent: count === 0 ? null : { count, since: isStuck ? known.since : at },
    printingSince: printing ? (before?.printingSince ?? at) : null,
  };
}

/** The worst first. */
export function findWarnings(sources: WarningSources): readonly EarlyWarning[] {
  const found = [
    ...storeWarnings(sources),
    ...jobWarnings(sources),
    ...documentWarnings(sources.stored.checks),
    ...sameDeviceWarnings(sources.snapshots),
    ...deliveryWarnings(sources),
    ...sources.sites.flatMap((health) => siteWarnings(health, sources.now)),
    ...sources.snapshots.flatMap((snapshot) => connectionWarnings(snapshot)),
    ...sources.snapshots.flatMap((snapshot) => registerWarnings(snapshot, sources)),
    ...sources.snapshots.flatMap((snapshot) => settingWarnings(snapshot.settings.id, sources.howSet(snapshot))),
  ];
  return found.toSorted((one, other) => warningKinds.indexOf(one.kind) - warningKinds.indexOf(other.kind));
}

/** The warning of commands when no daemon runs that could report on registers and sites. */
export function daemonDown(): EarlyWarning {
  return warning("daemon", "daemon-down", {});
}

function storeWarnings({ storeFault, hasLock, consoleFault, alertFault }: WarningSources): readonly EarlyWarning[] {
  const ofFault = (key: string, kind: KindWithText, fault: Fault | null) =>
    fault === null ? [] : [warning(key, kind, { code: fault.code, reason: fault.message })];
  return [
    ...ofFault("store", "store-trouble", storeFault),
    ...(hasLock ? [] : [warning("lock", "lock-gone", {})]),
    ...ofFault("console", "console-closed", consoleFault),
    ...ofFault("alerts", "alert-failed", alertFault),
  ];
}

function jobWarnings({ stored, limits, now }: WarningSources): readonly EarlyWarning[] {
  const late = stored.waiting.filter(({ createdAt }) => now - createdAt > limits.orderWaitsMinutes * oneMinuteMs);
  return [
    ...(["unsure", "held"] as const).flatMap((state) =>
      stored[state].map(({ id, order, register, reason, at }) =>
        warning(`job ${id} ${state}`, `job-${state}`, { job: id, order, register, reason }, at),
      ),
    ),
    ...stored.doubles.map(({ kind, at, job, register, details: { fn, fd, printed } }) =>
      ofEvents(`receipt ${fd} of ${fn}`, kind, { job, register, fn, fd, printed }, [at]),
    ),
    ...ofMany("job-failed", stored.failed),
    ...ofMany("job-refused", stored.refused),
    ...late.map(({ id, register, createdAt }) =>
      warning(`job ${id}`, "job-waits", { job: id, register, minutes: minutesFrom(createdAt, now) }, createdAt),
    ),
  ];
}

/** One warning for all such jobs: as old as the oldest, with the order and the reason of the newest. */
function ofMany(kind: "job-failed" | "job-refused", jobs: readonly JobInTrouble[]): readonly EarlyWarning[] {
  const [newest] = jobs;
  if (newest === undefined) return [];
  const numbers = jobs.map(({ id }) => id).join(", ");
  const { order, register, reason } = newest;
  const fields = { count: atLeast(jobs.length), jobs: numbers, order, register, newest: reason };
  return [ofEvents(kind, kind, fields, timesOf(jobs))];
}

function timesOf(rows: readonly { readonly at: number }[]): readonly number[] {
  return rows.map(({ at }) => at);
}

function deliveryWarnings({ stored, limits, now }: WarningSources): readonly EarlyWarning[] {
  const sites = [...new Set(stored.rejectedAnswers.map(({ site }) => site))];
  return [
    ...sites.map((site) => {
      const answers = stored.rejectedAnswers.filter((answer) => answer.site === site);
      const { order, code, reason } = answers[0]?.details ?? {};
      const fields = { site, count: atLeast(answers.length), order, code, reason };
      return ofEvents(`answers of ${site}`, "answer-rejected", fields, timesOf(answers));
    }),
    ...stored.removedSites.map(({ site, results }) => warning(`site ${site} left`, "site-left", { site, results })),
    ...stored.outbox.flatMap(({ site, pending, refused, oldestAt, refusedAt }) => [
      ...(refused > 0
        ? [warning(`events of ${site} refused`, "event-refused", { site, count: refused }, refusedAt)]
        : []),
      ...(oldestAt !== null && now - oldestAt > limits.orderWaitsMinutes * oneMinuteMs
        ? [
            warning(
              `events of ${site} wait`,
              "event-waits",
              { site, count: pending, minutes: minutesFrom(oldestAt, now) },
              oldestAt,
            ),
          ]
        : []),
    ]),
  ];
}

function atLeast(count: number): string {
  return count < jobsShown ? String(count) : `${count} or more`;
}

function minutesFrom(past: number, now: number): number {
  return Math.round((now - past) / oneMinuteMs);
}

/** The text comes from the fault that keeps the register from printing. */
function connectionWarnings(snapshot: RegisterSnapshot): readonly EarlyWarning[] {
  return registerTrouble(snapshot).map((cause) => {
    const { kind, register, fault } = cause;
    const days = fault.days === undefined ? {} : { days: fault.days };
    const fields = { register, code: fault.code, reason: fault.message, ...days };
    const began = "since" in cause ? { since: cause.since } : {};
    return { key: `${register} ${kind}`, kind, text: sentences(cause), fields, ...began };
  });
}

function sentences(cause: NotPrintedCause): FaultText {
  const { text, next } = describeCause(cause, []);
  return { en: `${text.en} ${next.en}`, ru: `${text.ru} ${next.ru}` };
}

/** Two registers with one registration number or drive are one device, for example connected by USB and by network. */
function sameDeviceWarnings(snapshots: readonly RegisterSnapshot[]): readonly EarlyWarning[] {
  const read = snapshots.filter(({ state }) => state !== null);
  return read.flatMap((register, index) => {
    const { settings, identity, state } = register;
    const { id } = settings;
    const others = read.slice(0, index);
    const kkm = identity?.kkm ?? null;
    const sameKkm = kkm === null ? undefined : others.find((other) => other.identity?.kkm === kkm);
    if (sameKkm !== undefined) {
      return [warning(`${id} same-kkm`, "same-kkm", { register: id, other: sameKkm.settings.id, kkm })];
    }
    // The drive of a register that is switched off may have been moved to another register.
    const sameFn = others.find((other) => other.isConnected && other.state?.fn === state?.fn);
    if (sameFn === undefined || !register.isConnected) return [];
    return [warning(`${id} same-fn`, "same-fn", { register: id, other: sameFn.settings.id, fn: state?.fn })];
  });
}

function siteWarnings(health: SiteHealth, now: number): readonly EarlyWarning[] {
  const cause = siteTrouble(health);
  if (cause === null || now - cause.since < siteTroubleMs) return [];
  const { site, fault, since } = cause;
  const downSince = new Date(since).toISOString();
  const fields = { site, code: fault.code, reason: fault.message, minutes: minutesFrom(since, now), since: downSince };
  return [{ key: `site ${site}`, kind: "site-unreachable", text: sentences(cause), fields }];
}

function registerWarnings(
  { settings: { id, timeZone }, state }: RegisterSnapshot,
  sources: WarningSources,
): readonly EarlyWarning[] {
  if (state === null) return [];
  const { limits, watched, now, at } = sources;
  const { paper, clock } = state;
  const found: EarlyWarning[] = [];
  const warn = (kind: KindWithText, fields: LogFields = {}) =>
    found.push(warning(`${id} ${kind}`, kind, { register: id, ...fields }));

  found.push(...driveWarnings(id, state, { limits, stuckHours: stuckHours(watched.get(id), at) }));
  const aheadMs = clock === null ? 0 : secondsBetween(localTimeAt(now, timeZone), clock) * 1000;
  if (aheadMs > clockAheadMs) warn("clock-ahead", { clock, minutes: Math.round(aheadMs / oneMinuteMs) });
  if (paper === "low") warn("paper-low");
  const printingMinutes = minutesSince(watched.get(id)?.printingSince ?? null, at);
  if (printingMinutes >= limits.printingMinutes) warn("printing-long", { minutes: Math.round(printingMinutes) });
  return found;
}

/** For registers that report only the number of unsent documents: a queue that is sent becomes shorter at times. */
function stuckHours(watched: WatchedRegister | undefined, at: number): number {
  return watched?.unsent == null ? 0 : (at - watched.unsent.since) / oneHourMs;
}

export function minutesSince(since: number | null, at: number): number {
  return since === null ? 0 : (at - since) / oneMinuteMs;
}

/** `since`: wall clock; null = the time when it is first seen. */
function warning(key: string, kind: KindWithText, fields: LogFields, since: number | null = null): EarlyWarning {
  return { key, kind, text: warningTexts[kind], fields, ...(since === null ? {} : { since }) };
}

function ofEvents(key: string, kind: KindWithText, fields: LogFields, times: readonly number[]): EarlyWarning {
  return { ...warning(key, kind, fields, Math.min(...times)), lastAt: Math.max(...times) };
}
