import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import type { LogFields, Logger } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SetRow } from "../how-set/state-rows.js";
import { findTroubles } from "./find-troubles.js";
import { type Found, type SeenTrouble, sentenceOf, titlesOf, toTrouble } from "./found.js";
import { type PresentParts, presentFacts, readStored, type TroubleStores } from "./gather-facts.js";

export interface TroubleWatchOptions {
  readonly config: Pick<Config, "sites" | "registers"> & { readonly log: Pick<Config["log"], "language"> };
  readonly parts: PresentParts;
  readonly howSet: (snapshot: RegisterSnapshot) => readonly SetRow[];
  readonly hasLock: () => boolean;
  readonly alertFault: () => Fault | null;
  readonly stores: TroubleStores;
  readonly log: Logger;
}

const ONE_MINUTE_MS = 60_000;

/** Searches once a minute, and logs each trouble when it begins and when it ends. */
export function watchTroubles(options: TroubleWatchOptions) {
  const { config, parts, howSet, hasLock, alertFault, stores, log } = options;
  const { clock }: { readonly clock: Clock } = parts;
  let known = new Map<string, SeenTrouble>();
  let timer: Timer | null = null;
  let began: ReadonlyMap<string, number> = new Map();

  function look(): void {
    timer = clock.setTimer(ONE_MINUTE_MS, look);
    try {
      logChanges(read());
    } catch (error) {
      log.error("troubles could not be looked for", { fault: toFault(error, "internal") });
    }
  }

  function find(): readonly Found[] {
    const present = presentFacts(parts);
    const settings = new Map(parts.snapshots().map((snapshot) => [snapshot.settings.id, snapshot]));
    return findTroubles({
      present,
      stored: readStored(stores, config, present.now),
      program: {
        ...{ hasLock: hasLock(), alertFault: alertFault() },
        howSet(register) {
          const snapshot = settings.get(register);
          return snapshot === undefined ? [] : howSet(snapshot);
        },
      },
      jobs: stores.jobs,
    });
  }

  function read(): readonly SeenTrouble[] {
    const now = clock.now();
    const found = find().map((trouble) => ({ ...trouble, since: trouble.since ?? began.get(trouble.key) ?? now }));
    began = new Map(found.map(({ key, since }) => [key, since]));
    return found;
  }

  function logChanges(found: readonly SeenTrouble[]): void {
    const next = new Map(found.filter(({ needs }) => needs !== "nobody").map((trouble) => [trouble.key, trouble]));
    for (const [key, trouble] of next) if (!known.has(key)) log.warn("a trouble began", fieldsOf(trouble));
    for (const [key, trouble] of known) if (!next.has(key)) log.info("a trouble is over", fieldsOf(trouble));
    known = next;
  }

  function fieldsOf(trouble: SeenTrouble): LogFields {
    const shown = toTrouble(trouble, titlesOf(parts.snapshots()), clock.now());
    const { kind, needs, count, detail } = shown;
    const { site, registers } = trouble;
    const about = {
      ...(site === null ? {} : { site }),
      ...(registers.length === 0 ? {} : { register: registers.join(",") }),
    };
    return { kind, needs, count, detail, ...about, trouble: sentenceOf(shown, config.log.language) };
  }

  return {
    start(): void {
      timer = clock.setTimer(ONE_MINUTE_MS, look);
    },
    stop: () => timer?.cancel(),
    read,
  };
}
