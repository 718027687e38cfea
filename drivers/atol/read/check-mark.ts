/** The check of one marking code (format 1.2): begin, poll until the result is there, accept or decline. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { type MarkVerdict, markVerdict, requireGoodMark, uncheckedWarning } from "../../compile/marking.js";
import { unlessRefused } from "../../driver-parts.js";
import type { AtolTimeouts } from "../options.js";
import { parseAnswer } from "../protocol/answers.js";
import { driverCodeOf, driverFault, meansUncheckedOnline } from "../protocol/device-errors.js";
import type { JobClient } from "../protocol/job-client.js";
import type { Fields, Task } from "../protocol/tasks.js";

const offlineSchema = z.object({ offlineValidation: z.object({ fmCheck: z.boolean(), fmCheckResult: z.boolean() }) });
/** The bits of tag 2106 (result of the check) by their names, from bit 0 on. */
const resultSchema = z.object({
  imcCheckFlag: z.boolean(),
  imcCheckResult: z.boolean(),
  imcStatusInfo: z.boolean(),
  imcEstimatedStatusCorrect: z.boolean(),
  ecrStandAloneFlag: z.boolean().default(false),
});
const statusSchema = z.object({
  ready: z.boolean(),
  driverError: z.object({ code: z.int(), description: z.string().nullish() }).nullish(),
  onlineValidation: z.object({ itemInfoCheckResult: resultSchema }).nullish(),
});
const acceptedSchema = z.object({ itemInfoCheckResult: z.unknown() });

export interface CheckMarkParts {
  readonly desk: JobClient;
  readonly clock: Clock;
  readonly timeouts: AtolTimeouts;
  readonly paramsAsList: boolean;
}

export interface CheckedMark {
  readonly itemInfoCheckResult: unknown;
  readonly warning: Fault | null;
}

/** The driver's error number when another check runs: a register checks one code at a time. */
const ANOTHER_CHECK_RUNS = 401;

type RunTask = (task: Task) => Promise<unknown>;

/**
 * Checks a code and accepts it. Faults: `device.marking-refused`, `device.marking-unavailable`. After a fault no check
 * runs at the register any more, unless the link broke.
 */
export async function checkMark(params: Fields, parts: CheckMarkParts, signal: AbortSignal): Promise<CheckedMark> {
  const run: RunTask = (task) => parts.desk.runOne(task, parts.timeouts.quickMs, signal);
  const verdict = await decide(params, parts, run, signal);
  if (verdict !== "good" && verdict !== "unasked") await run({ type: "declineMarkingCode" });
  requireGoodMark(verdict);
  const accepted = await run({ type: "acceptMarkingCode" });
  const { itemInfoCheckResult } = parseAnswer("acceptMarkingCode", acceptedSchema, accepted);
  return { itemInfoCheckResult, warning: uncheckedWarning(verdict) };
}

const cancelling: Task = { type: "cancelMarkingCodeValidation" };

/** Cancels a check that ends without a verdict: a check that still runs would block the next one (error 401). */
async function decide(params: Fields, parts: CheckMarkParts, run: RunTask, signal: AbortSignal): Promise<MarkVerdict> {
  try {
    const { offlineValidation } = await begin(params, parts, run);
    const byDrive = markVerdict(bitsOf([offlineValidation.fmCheck, offlineValidation.fmCheckResult]));
    // The marking system is still being asked: the check can be cancelled now, but not declined.
    if (byDrive === "refused by the drive") requireGoodMark(byDrive);
    return await askMarkingSystem(parts, signal);
  } catch (error) {
    // When the register refuses the cancelling as well, its first refusal is reported.
    if (isFault(error) && error.area === "device") await unlessRefused(() => run(cancelling));
    throw error;
  }
}

/** Cancels first a check that an earlier run or another program left running. */
async function begin(params: Fields, { paramsAsList }: CheckMarkParts, run: RunTask) {
  const type = "beginMarkingCodeValidation";
  const task: Task = { type, params: paramsAsList ? [params] : params };
  let begun: unknown;
  try {
    begun = await run(task);
  } catch (error) {
    if (!isFault(error) || driverCodeOf(error) !== ANOTHER_CHECK_RUNS) throw error;
    await run(cancelling);
    begun = await run(task);
  }
  return parseAnswer(type, offlineSchema, begun);
}

/** A marking server that cannot be reached is no refusal. */
async function askMarkingSystem({ desk, clock, timeouts }: CheckMarkParts, signal: AbortSignal): Promise<MarkVerdict> {
  const started = clock.monotonic();
  const type = "getMarkingCodeValidationStatus";
  for (;;) {
    try {
      const answer = await desk.runOne({ type }, timeouts.quickMs, signal);
      const { ready, driverError, onlineValidation } = parseAnswer(type, statusSchema, answer);
      if (ready) {
        const code = driverError?.code ?? 0;
        if (code !== 0) throw driverFault("marking check", code, driverError?.description ?? "");
        const result = onlineValidation?.itemInfoCheckResult;
        return result === undefined ? "unasked" : markVerdict(tag2106Of(result));
      }
    } catch (error) {
      const code = isFault(error) ? driverCodeOf(error) : null;
      if (code === null || !meansUncheckedOnline(code)) throw error;
      return "unasked";
    }
    if (clock.monotonic() - started > timeouts.markMs) throw new Fault("device.marking-unavailable");
    await clock.sleep(timeouts.pollMs, signal);
  }
}

function tag2106Of(result: z.output<typeof resultSchema>): number {
  const { imcCheckFlag, imcCheckResult, imcStatusInfo, imcEstimatedStatusCorrect, ecrStandAloneFlag } = result;
  return bitsOf([imcCheckFlag, imcCheckResult, imcStatusInfo, imcEstimatedStatusCorrect, ecrStandAloneFlag]);
}

function bitsOf(flags: readonly boolean[]): number {
  return flags.reduce((bits, on, place) => (on ? bits | (1 << place) : bits), 0);
}
