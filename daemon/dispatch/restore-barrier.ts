/**
 * After a start on a database that may have forgotten something: whom a job waits for. The registers of its group and its
 * site may hold its receipt already (it was moved there, and the database is a restored copy). After a clean stop the
 * database remembers, and nobody waits.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";

export interface RivalsOptions {
  /** What was printed may have been forgotten. */
  readonly memory: { readonly isForgetful: boolean; remembered(): void };
  /** The database knows of all that was ever printed: no register has to be asked before another one prints. */
  remembersAll(): boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Rivals {
  start(): void;
  /** Before each look at the queue: once all were read, what the database had forgotten is known. */
  recall(registers: Registers): void;
  /** Those of its group and its site that may hold receipts of its jobs were read. */
  wereAsked(own: RegisterSnapshot, registers: Registers): boolean;
  /** Monotonic: from then on one that cannot be read is waited for no more, unless the database is known to be forgetful. */
  lateAt(): number;
}

type Registers = ReadonlyMap<RegisterId, RegisterSnapshot>;

const WAIT_MS = 30_000;

export function createRivals({ memory, remembersAll, clock, log }: RivalsOptions): Rivals {
  let lateAt = 0;
  let isForgetful = false;
  let hasSaidSo = false;
  const isLate = () => clock.monotonic() >= lateAt;

  return {
    start() {
      lateAt = clock.monotonic() + WAIT_MS;
      isForgetful = memory.isForgetful;
    },
    recall(registers) {
      if (!isForgetful) return;
      const missing = [...registers.values()].flatMap(({ recovered, settings }) => (recovered ? [] : [settings.id]));
      if (missing.length === 0) {
        memory.remembered();
        isForgetful = false;
        log.info("all registers were read: what the database had forgotten is known");
      } else if (!hasSaidSo && isLate()) {
        hasSaidSo = true;
        const message = "the database was put back or deleted: orders wait until these registers were read";
        log.error(message, { registers: missing.join(", ") });
      }
    },
    wereAsked({ settings }, registers) {
      if (!isForgetful && remembersAll()) return true;
      const isRival = (other: RegisterSnapshot["settings"]) =>
        (settings.group !== null && other.group === settings.group) ||
        other.sites.some((site) => settings.sites.includes(site));
      const isEnough = !isForgetful && isLate();
      // One that is being read just now is waited for in any case.
      const wasAsked = ({ recovered, phase }: RegisterSnapshot) => recovered || (isEnough && phase !== "recovering");
      return [...registers.values()].every((other) => wasAsked(other) || !isRival(other.settings));
    },
    lateAt: () => lateAt,
  };
}
