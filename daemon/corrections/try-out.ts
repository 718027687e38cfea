/** Compiles receipts for a register without printing them, so that the second document of a pair is known to be possible. */
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import { compileJob } from "../registers/printing/compile-job.js";
import type { NewJob } from "../store/job-store.js";

/** Rejects with the fault of the first receipt that the register does not print, or of the register. */
export function tryOutOn(
  fleet: Pick<RegisterFleet, "get">,
  register: RegisterId,
  jobs: readonly NewJob[],
): Promise<void> {
  return fleet.get(register).perform(async (tools) => {
    const state = await tools.context.driver.readState(tools.signal);
    for (const { receipt, site, mark = null, forced, taxes } of jobs) {
      const { taxes: meanings = [], taxpayer = null } = taxes ?? {};
      const job = { kind: receipt.kind, receipt, site, mark, forced, taxes: meanings, taxpayer, doneParts: 0 };
      await compileJob(tools, job, state);
    }
  });
}
