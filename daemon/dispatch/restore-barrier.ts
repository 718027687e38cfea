/**
 * Says which registers must be read before a job is printed, after a start on a database that may have lost jobs.
 * Another register may have printed the job: one of its site, or one in such a register's group (a restored copy does
 * not know of the move). After a clean stop no job waits.
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
    /** The register that must be read before this one prints an order, which it may have printed; null = none. */
    awaited({ settings }: RegisterSnapshot, registers: Registers): RegisterId | null {
      if (!isForgetful && memory.remembersAll) return null;
      // A crash without a known data loss limits the wait for an unreadable register, but not for one that is being
      // read.
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
    /** Monotonic ms. From then on no unreadable register is waited for, unless results are known to be lost. */
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
