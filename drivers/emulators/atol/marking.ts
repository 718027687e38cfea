/** Checks of marking codes (format 1.2). Keywords in a code choose the result; `ENDLESS` gets none. */
import { z } from "zod";
import { isMarkingCode, markResult } from "../memory/marking-codes.js";
import { type DeviceOutcome, doneWith, failed } from "./commands.js";
import type { ServiceTask } from "./queue.js";
import type { AtolSettings } from "./settings.js";
import { type ImcParams, imcSchema } from "./task-schemas.js";

const UNREADABLE_TASK = 501;
const WRONG_VALUE = 8;
const UNKNOWN_TASK = 11;
const NOT_OF_THIS_FFD = 59;
const CHECK_RUNS = 401;
const WRONG_STATE = 410;
const NO_GS1 = 405;
const NO_ANSWER_IN_TIME = 421;
const QUESTIONS = 2;

type CheckResult = NonNullable<ImcParams["itemInfoCheckResult"]>;

export class MarkChecker {
  private checking: { readonly mark: string; readonly params: ImcParams; questions: number; isReady: boolean } | null =
    null;
  private readonly accepted = new Map<string, ImcParams>();

  constructor(
    private readonly ffd12: boolean,
    private readonly settings: AtolSettings,
  ) {}

  perform(task: ServiceTask): DeviceOutcome {
    switch (task.type) {
      case "beginMarkingCodeValidation":
        return this.begin(task);
      case "getMarkingCodeValidationStatus":
        return this.status();
      case "acceptMarkingCode": {
        if (this.checking === null) return failed(WRONG_STATE);
        const { mark, params } = this.checking;
        this.accepted.set(mark, params);
        this.checking = null;
        return doneWith({ itemInfoCheckResult: checkResultOf(mark) });
      }
      case "declineMarkingCode":
        if (this.checking?.isReady !== true) return failed(WRONG_STATE);
        this.checking = null;
        return doneWith(null);
      case "cancelMarkingCodeValidation":
        this.checking = null;
        return doneWith(null);
      case "clearMarkingCodeValidationResult":
        // Only accepted codes are cleared; a running check goes on.
        this.accepted.clear();
        return doneWith(null);
      default:
        return failed(UNKNOWN_TASK);
    }
  }

  /** True: the code of a position was accepted for this use, and the position has the result of the check. */
  covers(position: ImcParams): boolean {
    const mark = hexOf(position);
    const checked = this.accepted.get(mark);
    if (checked === undefined || position.itemInfoCheckResult === undefined) return false;
    const expected = checkResultOf(mark);
    const copied = position.itemInfoCheckResult;
    return (
      checked.itemEstimatedStatus === position.itemEstimatedStatus &&
      (
        ["imcCheckFlag", "imcCheckResult", "imcStatusInfo", "imcEstimatedStatusCorrect", "ecrStandAloneFlag"] as const
      ).every((name) => copied[name] === expected[name])
    );
  }

  /** Forgets all checks when the power fails: none of them is in lasting memory. */
  forget(): void {
    this.checking = null;
    this.accepted.clear();
  }

  private begin(task: ServiceTask): DeviceOutcome {
    if (!this.ffd12) return failed(NOT_OF_THIS_FFD);
    if (this.checking !== null) return failed(CHECK_RUNS);
    const inList = this.settings.markingParams === "list";
    const shape = inList ? z.tuple([imcSchema]).transform(([only]) => only) : imcSchema;
    const parsed = z.object({ params: shape }).safeParse(task);
    if (!parsed.success) return failed(UNREADABLE_TASK);
    const { params } = parsed.data;
    if (isMeasured(params) !== (params.itemQuantity !== undefined && (params.itemUnits ?? 0) !== 0)) {
      return failed(WRONG_VALUE);
    }
    const mark = hexOf(params);
    if (!isMarkingCode(mark)) return failed(NO_GS1);
    this.checking = { mark, params, questions: 0, isReady: false };
    const { imcCheckFlag, imcCheckResult } = checkResultOf(mark);
    const fmCheckErrorReason = imcCheckFlag ? "checked" : "noKey";
    return doneWith({
      offlineValidation: { fmCheck: imcCheckFlag, fmCheckResult: imcCheckResult, fmCheckErrorReason },
    });
  }

  private status(): DeviceOutcome {
    if (this.checking === null) return failed(WRONG_STATE);
    this.checking.questions += 1;
    const { mark, questions } = this.checking;
    const notYet = { ready: false, sentImcRequest: true, driverError: noError, onlineValidation: null };
    if (questions < QUESTIONS || isEndless(mark)) return doneWith(notYet);
    this.checking.isReady = true;
    const itemInfoCheckResult = checkResultOf(mark);
    if (!itemInfoCheckResult.imcStatusInfo) {
      const driverError = { code: NO_ANSWER_IN_TIME, error: "", description: "Истёк таймаут" };
      return doneWith({ ready: true, sentImcRequest: false, driverError, onlineValidation: null });
    }
    const good = itemInfoCheckResult.imcEstimatedStatusCorrect;
    return doneWith({
      ready: true,
      sentImcRequest: true,
      driverError: noError,
      onlineValidation: {
        itemInfoCheckResult,
        markOperatorResponse: { responseStatus: true, itemStatusCheck: good },
        markOperatorResponseResult: good ? "correct" : "incorrect",
      },
    });
  }
}

/** True: the goods are sold by measure, and their check needs quantity and unit. */
function isMeasured({ itemEstimatedStatus }: ImcParams): boolean {
  return itemEstimatedStatus === "itemDryForSale" || itemEstimatedStatus === "itemDryReturn";
}

const noError = { code: 0, error: "", description: "Ошибок нет" };

export function hexOf({ imc }: Pick<ImcParams, "imc">): string {
  return Buffer.from(imc, "base64").toString("hex");
}

function checkResultOf(mark: string): CheckResult {
  const result = markResult(mark);
  return {
    imcCheckFlag: (result & 1) !== 0,
    imcCheckResult: (result & 2) !== 0,
    imcStatusInfo: (result & 4) !== 0,
    imcEstimatedStatusCorrect: (result & 8) !== 0,
    ecrStandAloneFlag: false,
  };
}

function isEndless(mark: string): boolean {
  return Buffer.from(mark, "hex").includes("ENDLESS");
}
