import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";

/** What of a job is run: one of its parts, or the shift opening on the way. */
export type RunSubject = { readonly part: number; readonly preparing: boolean };

/**
 * `Baseline.requestId` of a run. The same job, register, part and number of earlier attempts always give the same id,
 * also from a restored or new database, and whether or not the shift had to be opened. No other run has it: two
 * daemons whose sites have one id and equal orders differ in the issuer.
 */
export function requestIdOf(
  { site, key, mark, forced, id, createdAt }: Job,
  register: RegisterId,
  { part, preparing }: RunSubject,
  attempts: readonly Pick<Attempt, "part" | "witness">[],
): string {
  const opens = ({ witness }: Pick<Attempt, "witness">) => witness.kind === "shift-open";
  const before = attempts.filter((attempt) => opens(attempt) === preparing && (preparing || attempt.part === part));
  // Jobs without a site's order, and forced ones, are identified by their row alone.
  const subject = key === null || forced ? `${key?.key ?? ""}#${id}@${createdAt}` : key.key;
  return `${mark?.issuer ?? ""}|${site ?? ""}|${subject}|${register}|${preparing ? "open shift" : part}|${before.length}`;
}
