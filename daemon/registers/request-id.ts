import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../store/job.js";

/**
 * `Baseline.requestId` of a run: the same job, register and number of attempts before it always give the same, also from a
 * database that was restored from a copy; no other run has it.
 */
export function requestIdOf(
  { site, key, forced, id, createdAt }: Job,
  register: RegisterId,
  attemptsBefore: number,
): string {
  // What is no order of a site, and what the operator forced, is known by its row alone.
  const subject = key === null || forced ? `${key?.key ?? ""}#${id}@${createdAt}` : key.key;
  return `${site ?? ""}|${subject}|${register}|${attemptsBefore}`;
}
