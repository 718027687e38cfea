/** The check of one marking code, FFD 1.2: begin, ask until it is ready, accept or decline (protocols/atol.md 2). */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { parseAnswer } from "./answers.js";
import { driverCodeOf, driverFault, meansUncheckedOnline } from "./device-errors.js";
import type { JobDesk } from "./job-desk.js";
import type { ImcParams, Task } from "./tasks.js";
import type { AtolTimeouts } from "./timeouts.js";

const offlineSchema = z.object({ offlineValidation: z.object({ fmCheck: z.boolean(), fmCheckResult: z.boolean() }) });
const resultSchema = z.looseObject({
  imcCheckFlag: z.boolean(),
  imcCheckResult: z.boolean(),
  imcEstimatedStatusCorrect: z.boolean(),
});
const statusSchema = z.object({
  ready: z.boolean(),
  driverError: z.object({ code: z.int(), description: z.string().nullish() }).nullish(),
  onlineValidation: z.object({ itemInfoCheckResult: resultSchema }).nullish(),
});
const acceptedSchema = z.object({ itemInfoCheckResult: z.unknown() });

export interface CheckMarkParts {
  readonly desk: JobDesk;
  readonly clock: Clock;
  readonly timeouts: AtolTimeouts;
  readonly paramsAsList: boolean;
}

/** What has to be copied into the position. Faults: `device.marking-refused`, `device.marking-unavailable`. */
export async function checkMark(params: ImcParams, parts: CheckMarkParts, signal: AbortSignal): Promise<unknown> {
  const { desk, timeouts, paramsAsList } = parts;
  const run = (task: Task) => desk.runOne(task, timeouts.quickMs, signal);
  const begun = await run({ type: "beginMarkingCodeValidation", params: paramsAsList ? [params] : params });
  const { offlineValidation } = parseAnswer("beginMarkingCodeValidation", offlineSchema, begun);
  const refusedHere = offlineValidation.fmCheck && !offlineValidation.fmCheckResult;
  const refusedThere = !refusedHere && (await refusedOnline(parts, signal));
  if (refusedHere || refusedThere) {
    await run({ type: "declineMarkingCode" });
    throw new Fault("device.marking-refused", { details: { refusedBy: refusedHere ? "drive" : "marking system" } });
  }
  return parseAnswer("acceptMarkingCode", acceptedSchema, await run({ type: "acceptMarkingCode" })).itemInfoCheckResult;
}

/** A server that nobody can reach refuses nothing. */
async function refusedOnline({ desk, clock, timeouts }: CheckMarkParts, signal: AbortSignal): Promise<boolean> {
  const started = clock.monotonic();
  for (;;) {
    try {
      const answer = await desk.runOne({ type: "getMarkingCodeValidationStatus" }, timeouts.quickMs, signal);
      const { ready, driverError, onlineValidation } = parseAnswer(
        "getMarkingCodeValidationStatus",
        statusSchema,
        answer,
      );
      if (ready) {
        const code = driverError?.code ?? 0;
        if (code !== 0 && !meansUncheckedOnline(code))
          throw driverFault("marking check", code, driverError?.description ?? "");
        const result = onlineValidation?.itemInfoCheckResult ?? null;
        if (result === null || !result.imcCheckFlag) return false;
        return !result.imcCheckResult || !result.imcEstimatedStatusCorrect;
      }
    } catch (error) {
      const code = isFault(error) ? driverCodeOf(error) : null;
      if (code === null || !meansUncheckedOnline(code)) throw error;
      return false;
    }
    if (clock.monotonic() - started > timeouts.markMs) throw new Fault("device.marking-unavailable");
    await clock.sleep(timeouts.pollMs, signal);
  }
}
