import type { Clock } from "@fiscald/shared/clock.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import type { Stores } from "../register-context.js";

/**
 * Jobs that say `printing` although no program of theirs runs: the daemon ended, or an outcome could not be recorded. They
 * become unsure. One that was cut off between two of its parts has nothing in doubt and is queued again. `register` null =
 * every register.
 */
export function markInterrupted(
  { jobs, attempts, journal }: Pick<Stores, "jobs" | "attempts" | "journal">,
  clock: Clock,
  register: RegisterId | null,
): readonly Job[] {
  return jobs.transaction(() =>
    jobs.interrupt(register, clock.now()).map((job) => {
      const inDoubt = attempts.interrupt(job.id, clock.now());
      journal.add({
        at: clock.now(),
        actor: "daemon",
        what: inDoubt ? "cut off while printing" : "cut off between two parts, queued again",
        job: job.id,
        register: job.register,
      });
      return inDoubt ? job : jobs.requeue(job.id, { fault: null, countTry: false }, clock.now());
    }),
  );
}
