import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import type { LogFields, Logger } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import {
  findWarnings,
  readTroubles,
  type TroubleStores,
  type WatchedRegister,
  watchRegister,
} from "./find-warnings.js";
import type { SetRow } from "./state-rows.js";
import type { EarlyWarning } from "./warning-texts.js";

export interface WarningMonitor {
  start(): void;
  stop(): void;
  /** The current warnings, the worst first. */
  read(): readonly SeenWarning[];
}

export interface WarningMonitorOptions {
  readonly config: Pick<Config, "sites" | "warnings"> & { readonly log: Pick<Config["log"], "language"> };
  readonly snapshots: () => readonly RegisterSnapshot[];
  readonly howSet: (snapshot: RegisterSnapshot) => readonly SetRow[];
  readonly siteHealth: () => readonly SiteHealth[];
  /** Why the database cannot store new orders; null = it can. */
  readonly storeFault: () => Fault | null;
  readonly hasLock: () => boolean;
  /** Why the console is closed; null = the console is open. */
  readonly consoleFault: () => Fault | null;
  /** Why a person cannot be alerted; null = alerts can be sent. */
  readonly alertFault: () => Fault | null;
  readonly stores: TroubleStores;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface SeenWarning extends EarlyWarning {
  /** When the trouble began or was seen first, wall clock. */
  readonly since: number;
}

const oneMinuteMs = 60_000;

/** Checks once a minute and logs each warning when it appears and when it ends. */
export function createWarningMonitor(options: WarningMonitorOptions): WarningMonitor {
  const { config, snapshots, siteHealth, storeFault, hasLock, consoleFault, alertFault, stores, clock, log } = options;
  const { howSet } = options;
  let known = new Map<string, EarlyWarning>();
  let watched: ReadonlyMap<string, WatchedRegister> = new Map();
  let timer: Timer | null = null;
  let began: ReadonlyMap<string, number> = new Map();

  function check(): void {
    timer = clock.setTimer(oneMinuteMs, check);
    try {
      const at = clock.monotonic();
      watched = new Map(
        snapshots().map((now) => [now.settings.id, watchRegister(watched.get(now.settings.id), now, at)]),
      );
      logChanges(read());
    } catch (error) {
      log.error("early warnings could not be checked", { fault: toFault(error, "internal") });
    }
  }

  function find(): readonly EarlyWarning[] {
    const now = clock.now();
    return findWarnings({
      limits: config.warnings,
      snapshots: snapshots(),
      howSet,
      sites: siteHealth(),
      storeFault: storeFault(),
      hasLock: hasLock(),
      consoleFault: consoleFault(),
      alertFault: alertFault(),
      stored: readTroubles(stores, config, now),
      watched,
      now,
      at: clock.monotonic(),
    });
  }

  function read(): readonly SeenWarning[] {
    const now = clock.now();
    const found = find().map((warning) => ({ ...warning, since: warning.since ?? began.get(warning.key) ?? now }));
    began = new Map(found.map(({ key, since }) => [key, since]));
    return found;
  }

  function logChanges(found: readonly EarlyWarning[]): void {
    const next = new Map(found.map((warning) => [warning.key, warning]));
    for (const warning of found) if (!known.has(warning.key)) log.warn("a warning began", fieldsOf(warning));
    for (const [key, warning] of known) if (!next.has(key)) log.info("a warning is over", fieldsOf(warning));
    known = next;
  }

  function fieldsOf({ kind, text, fields }: EarlyWarning): LogFields {
    return { kind, ...fields, warning: text[config.log.language] };
  }

  return {
    start() {
      timer = clock.setTimer(oneMinuteMs, check);
    },
    stop: () => timer?.cancel(),
    read,
  };
}
