import type { Job } from "../../store/job.js";
import type { Journal } from "../../store/journal.js";

export const RETRIED = "retried by the operator";
export const PRINT_ANYWAY = "print anyway";
export const TRIED_AGAIN = "order repeated, tried again";
const ways: readonly string[] = [RETRIED, PRINT_ANYWAY, TRIED_AGAIN];

/**
 * Its site was told that it is not printed, and it is tried once more all the same: whoever ordered something in its place
 * meanwhile did not know. Not so a copy of what was printed: its own story begins with the wish of the operator.
 */
export function hasComeBack(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): boolean {
  return journal
    .ofJob(id)
    .slice(1)
    .some(({ what }) => ways.includes(what));
}
