/**
 * Says which registers must be read before a job is printed, after a start on a database that may have lost jobs.
 * Another register may have printed the job already: one of the job's site, or one in such a register's group (the job
 * was moved there, which a restored copy does not know). After a clean stop the database is complete, and no job waits.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { DatabaseMemory } from "../store/database/meta-store.js";

export interface RestoreBarrierOptions {
  readonly memory: DatabaseMemory;
  readonly clock: Clock;
  readonly log: Logger;
}

type Registers = ReadonlyMap<RegisterId, RegisterSnapshot>;

const WAIT_AFTER_CRASH_MS = 30_000;

export function createRestoreBarrier({ memory, clock, log }: RestoreBarrierOptions) {
  let lateAt = 0;
  let isForgetful = false;
  let warned = false;
  const isLate = () => clock.monotonic() >= lateAt;

  return {
    start(): void {
      lateAt = clock.monotonic() + WAIT_AFTER_CRASH_MS;
      isForgetful = memory.isForgetful;
    },
    /** Called before each read of the queue. When all registers have been read, the lost results are known again. */
    update(registers: Registers): void {
      if (!isForgetful) return;
      const missing = [...registers.values()].flatMap(({ recovered, settings }) => (recovered ? [] : [settings.id]));
      if (missing.length === 0) {
        memory.remembered();
        isForgetful = false;
        log.info("all registers were read: what the database had forgotten is known");
      } else if (!warned && isLate()) {
        warned = true;
        const message = "the database was put back or deleted: orders wait until these registers were read";
        log.error(message, { registers: missing.join(", ") });
      }
    },
    /**
     * The register that must be read before this register prints an order, because it may have printed it; null = none.
     */
    awaited({ settings }: RegisterSnapshot, registers: Registers): RegisterId | null {
      if (!isForgetful && memory.remembersAll) return null;
      // After a crash without a known data loss, the wait for a register that cannot be read has this limit. A register
      // that is being read for the first time is always waited for.
      const isGivenUp = ({ phase, fault }: RegisterSnapshot) =>
        !isForgetful && isLate() && (phase !== "recovering" || fault !== null);
      const sharing = whoShareOrders(
        settings,
        [...registers.values()].map((one) => one.settings),
      );
      const other = [...registers.values()].find(
        (one) => !one.recovered && !isGivenUp(one) && sharing.has(one.settings),
      );
      return other?.settings.id ?? null;
    },
    /**
     * The time (monotonic ms) after which no register that cannot be read is waited for, unless the database is known
     * to have lost results.
     */
    lateAt: () => lateAt,
  };
}

type Bound = Pick<RegisterSnapshot["settings"], "group" | "sites">;

/**
 * The registers that may have printed an order due on `own`. The order is of a site of this register or of a register
 * of its group, went to any register of that site, and may have moved within that register's group.
 */
function whoShareOrders(own: Bound, all: readonly Bound[]): ReadonlySet<Bound> {
  const withGroups = (some: readonly Bound[]) =>
    all.filter((one) => some.includes(one) || some.some(({ group }) => group !== null && group === one.group));
  const sites = new Set(withGroups([own]).flatMap((one) => one.sites));
  return new Set(withGroups([own, ...all.filter((one) => one.sites.some((site) => sites.has(site)))]));
}
