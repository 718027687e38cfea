import type { Job } from "./job.js";
import type { Journal } from "./journal.js";

export const RETRIED = "retried by the operator";
export const PRINT_ANYWAY = "print anyway";
export const TRIED_AGAIN = "order repeated, tried again";
const ways: readonly string[] = [RETRIED, PRINT_ANYWAY, TRIED_AGAIN];

/**
 * Whether the job was tried again after its failure was reported to the site: what the site ordered in its place
 * meanwhile did not know of that try. A copy made by `print-anyway` begins with that entry and was not retried.
 */
export function wasRetried(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): boolean {
  return journal
    .ofJob(id)
    .slice(1)
    .some(({ what }) => ways.includes(what));
}
