import { Fault } from "@fiscald/shared/fault.js";
import { missingInternetTag } from "../compile/receipt-tags.js";
import { unlessRefused } from "../driver-parts.js";
import type { Baseline, DeviceState, DocumentNumbers, FencedState, FenceOptions } from "../fiscal-driver.js";
import type { Program } from "../program.js";
import type { ProgramPort, StepAnswer } from "../run-program.js";
import { documentOf, type FiscalParams, fiscalResultSchema, parseAnswer } from "./protocol/answers.js";
import { taskResultOf } from "./protocol/client.js";
import type { JobClient } from "./protocol/job-client.js";
import { type AtolCommand, type ReceiptTask, receiptTasks, type Task } from "./protocol/tasks.js";
import { type CheckMarkParts, checkMark } from "./read/check-mark.js";
import { holdsInternetTag } from "./read/read-documents.js";

export interface PortParts extends CheckMarkParts {
  /** Uuid of the job that makes the document, stored before the run. */
  readonly uuid: string;
  readonly baseline: Baseline;
  readState(signal: AbortSignal): Promise<DeviceState>;
  /** Throws the fault that prevents a receipt (`open`), or any job (`any`). */
  requireReady(shift: "open" | "any", signal: AbortSignal): Promise<void>;
  fence(options: FenceOptions, signal: AbortSignal): Promise<FencedState>;
  finishPrint(signal: AbortSignal): Promise<void>;
  /** Reports whether the service's answer says that the document was printed too. */
  onPrinted(printed: boolean): void;
}

const fiscalTasks: readonly Task["type"][] = [...Object.values(receiptTasks), "openShift", "closeShift"];

export function createPort(parts: PortParts): ProgramPort<AtolCommand> {
  const { desk, timeouts, uuid, baseline } = parts;
  const checked = new Map<number, unknown>();
  let made: FiscalParams | null = null;
  let unfinished = false;

  async function execute({ command }: { readonly command: AtolCommand }, signal: AbortSignal): Promise<StepAnswer> {
    switch (command.kind) {
      case "check":
        await parts.requireReady(command.shift, signal);
        return {};
      case "check-mark": {
        // Clears the codes of an earlier receipt. The service may refuse while an old check runs; that stops nothing.
        const clearing: Task = { type: "clearMarkingCodeValidationResult" };
        if (checked.size === 0) await unlessRefused(() => desk.runOne(clearing, timeouts.quickMs, signal));
        const { itemInfoCheckResult, warning } = await checkMark(command.params, parts, signal);
        checked.set(command.place, itemInfoCheckResult);
        return warning === null ? {} : { warning };
      }
      case "job":
        await desk.runOne(command.task, timeouts.documentMs, signal);
        return {};
      case "named-job":
        return runNamed(withChecks(command.task, checked), signal);
      case "confirm-internet":
        await confirmInternet(desk, made, signal);
        return {};
      case "finish-print":
        if (unfinished) await parts.finishPrint(signal);
        return {};
    }
  }

  async function runNamed(task: Task, signal: AbortSignal): Promise<StepAnswer> {
    const result = taskResultOf(task, await desk.runNamed(uuid, task, signal));
    if (!fiscalTasks.includes(task.type)) return {};
    const { fiscalParams, warnings } = parseAnswer(task.type, fiscalResultSchema, result);
    if (fiscalParams.fnNumber !== baseline.fn) {
      throw new Fault("link.corrupt", {
        message: `answered by drive ${fiscalParams.fnNumber}, ours is ${baseline.fn}`,
      });
    }
    made = fiscalParams;
    unfinished = warnings?.notPrinted === true;
    parts.onPrinted(!unfinished);
    return { fd: fiscalParams.fiscalDocumentNumber };
  }

  /**
   * Every run uses up its stored name before any step may count as "not printed". So after the loss of a database the
   * next attempt uses the same names in the same order, and the service refuses the name under which the receipt was
   * printed.
   */
  async function fence(options: FenceOptions, signal: AbortSignal): Promise<FencedState> {
    const { requestId } = baseline;
    if (requestId == null) return parts.fence(options, signal);
    const state = await parts.fence({ ...options, requests: [requestId] }, signal);
    if (state.requests?.get(requestId)?.kind === "ended") return state;
    throw new Fault("job.outcome-unknown", { message: "the print service knows a job of this name already" });
  }

  return {
    execute,
    fence,
    readNumbers: async (program) => numbersOf(program, made),
    readDrawer: async (signal) => (await parts.readState(signal)).drawer,
    finishPrint: parts.finishPrint,
  };
}

async function confirmInternet(desk: JobClient, made: FiscalParams | null, signal: AbortSignal): Promise<void> {
  if (made === null) throw new Fault("link.corrupt", { message: "the answer names no document" });
  const fd = made.fiscalDocumentNumber;
  if (!(await holdsInternetTag(desk, fd, signal))) throw missingInternetTag(fd, "internetByParameter");
}

function withChecks(task: Task, checked: ReadonlyMap<number, unknown>): Task {
  if (!isReceipt(task) || task.items === undefined) return task;
  const items = task.items.map((item, place) =>
    item.type === "position" && item.imcParams !== undefined
      ? { ...item, imcParams: { ...item.imcParams, itemInfoCheckResult: checked.get(place) } }
      : item,
  );
  return { ...task, items };
}

function isReceipt(task: Task): task is ReceiptTask {
  return Object.values<string>(receiptTasks).includes(task.type);
}

function numbersOf({ kind }: Program<AtolCommand>, made: FiscalParams | null): DocumentNumbers {
  if (made === null) throw new Fault("link.corrupt", { message: "the answer names no document" });
  if (kind.type === "receipt" && made.total != null && made.total !== kind.total) {
    throw new Fault("link.corrupt", { message: `document ${made.fiscalDocumentNumber} has another total` });
  }
  const { total: _, ...numbers } = documentOf({ fiscalParams: made });
  return kind.type === "receipt" ? numbers : { ...numbers, receiptNumber: null };
}
