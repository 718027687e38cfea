import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { toFault } from "@fiscald/shared/fault.js";
import { secondsBetween } from "@fiscald/shared/local-time.js";
import type { LogFields, Logger } from "@fiscald/shared/logger.js";
import type { Config } from "../config/config-schema.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { JobStore } from "../store/job-store.js";

/** Something that will be trouble, while there is still time. */
export interface EarlyWarning {
  /** The same as long as it is the same trouble. */
  readonly key: string;
  readonly message: string;
  readonly fields: LogFields;
}

export interface WarningSources {
  readonly limits: Config["warnings"];
  readonly snapshots: readonly RegisterSnapshot[];
  /** Jobs that wait, with the wall clock of their coming. */
  readonly waiting: readonly { readonly id: number; readonly register: string; readonly createdAt: number }[];
  /** Wall clock. */
  readonly now: number;
}

export interface WarningMonitor {
  start(): void;
  stop(): void;
  /** What is to be warned of at the moment. */
  read(): readonly EarlyWarning[];
}

export interface WarningMonitorOptions {
  readonly limits: Config["warnings"];
  readonly snapshots: () => readonly RegisterSnapshot[];
  readonly jobs: Pick<JobStore, "list">;
  readonly clock: Clock;
  readonly log: Logger;
}

const oneMinuteMs = 60_000;
const lookAtJobs = 100;
/** FN warning bits (domain 4.2) and what they say. */
const driveWarnings: readonly (readonly [number, string])[] = [
  [0x01, "the fiscal drive must be replaced within days"],
  [0x02, "the fiscal drive's key resource ends soon"],
  [0x04, "the fiscal drive's memory is nearly full"],
  [0x08, "the OFD has not answered in time"],
  [0x10, "the OFD refused a document"],
  [0x20, "the register's settings must be renewed, says the OFD"],
  [0x40, "the OFD's licence is annulled"],
  [0x80, "the fiscal drive reports a critical error"],
];

/** Looks once a minute; each trouble is told when it begins and when it is over. */
export function createWarningMonitor(options: WarningMonitorOptions): WarningMonitor {
  const { limits, snapshots, jobs, clock, log } = options;
  let known = new Map<string, EarlyWarning>();
  let timer: Timer | null = null;

  function look(): void {
    timer = clock.setTimer(oneMinuteMs, look);
    try {
      const waiting = jobs.list({ state: "queued", limit: lookAtJobs });
      tell(findWarnings({ limits, snapshots: snapshots(), waiting, now: clock.now() }));
    } catch (error) {
      log.error("early warnings could not be looked for", { fault: toFault(error, "internal") });
    }
  }

  function tell(found: readonly EarlyWarning[]): void {
    const next = new Map(found.map((warning) => [warning.key, warning]));
    for (const { key, message, fields } of found) if (!known.has(key)) log.warn(message, fields);
    for (const [key, { message, fields }] of known) if (!next.has(key)) log.info(`over: ${message}`, fields);
    known = next;
  }

  return {
    start() {
      timer = clock.setTimer(oneMinuteMs, look);
    },
    stop: () => timer?.cancel(),
    read: () => [...known.values()],
  };
}

export function findWarnings({ limits, snapshots, waiting, now }: WarningSources): readonly EarlyWarning[] {
  const late = waiting.filter(({ createdAt }) => now - createdAt > limits.orderWaitsMinutes * oneMinuteMs);
  const jobWarnings = late.map(({ id, register, createdAt }) => ({
    key: `job ${id}`,
    message: "a job waits long",
    fields: { job: id, register, minutes: Math.round((now - createdAt) / oneMinuteMs) },
  }));
  return [...jobWarnings, ...snapshots.flatMap((snapshot) => registerWarnings(snapshot, limits))];
}

function registerWarnings(
  { settings: { id }, state }: RegisterSnapshot,
  limits: Config["warnings"],
): readonly EarlyWarning[] {
  if (state === null) return [];
  const found: EarlyWarning[] = [];
  const warn = (what: string, message: string, fields: LogFields = {}) =>
    found.push({ key: `${id} ${what}`, message, fields: { register: id, ...fields } });

  const { unsent, clock, fnDaysLeft, fnWarnings, paper } = state;
  // Both times are of the register's own clock.
  const unsentHours = unsent?.firstAt == null || clock === null ? 0 : secondsBetween(unsent.firstAt, clock) / 3600;
  if (unsentHours > limits.unsentToOfdHours) {
    const hours = Math.round(unsentHours);
    warn("unsent", "documents do not reach the OFD; after 30 days the drive blocks", { count: unsent?.count, hours });
  }
  if (fnDaysLeft !== null && fnDaysLeft <= limits.driveDaysLeft) {
    warn("drive", "the fiscal drive expires soon", { daysLeft: fnDaysLeft });
  }
  for (const [bit, message] of driveWarnings) if ((fnWarnings & bit) !== 0) warn(`flag ${bit}`, message);
  if (paper === "low") warn("paper", "paper is running low");
  return found;
}
