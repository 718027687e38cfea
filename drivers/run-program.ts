/**
 * Runs a program on one connection and returns its outcome, in the same way for all makers; the port sends the steps.
 *
 *   before the fiscal step    a refusal: the fence on this connection, then `not-printed`.
 *                             an unreliable connection, or a fence that fails: `unsure`.
 *   at the fiscal step        everything but a good answer: `unsure`. The fiscal memory decides, never the error code.
 *                             a good answer without proof (old document number, unchanged drawer): `unsure`.
 *   after it                  `printed`, with a warning; an unfinished print is continued once.
 */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault, saidBy, toFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { FiscalDocument } from "./fiscal-document.js";
import type { Baseline, DeviceState, DocumentNumbers, DrawerTotals, RunOutcome } from "./fiscal-driver.js";
import type { Program, Step, Witness } from "./program.js";

/** A driver's functions to run its programs. Every method rejects with a fault: `link.*` = the connection failed. */
export interface ProgramPort<C> {
  /** A fiscal step is sent once. */
  execute(step: Step<C>, signal: AbortSignal): Promise<StepAnswer>;
  fence(options: { readonly cancelOpen: boolean }, signal: AbortSignal): Promise<DeviceState>;
  /**
   * Numbers of the document that the fiscal step made. `fd`: its number in the answer; null = the answer has none, and
   * the drive's last document is used. Rejects when they cannot be read or the document is not the program's.
   */
  readNumbers(program: Program<C>, fd: number | null, signal: AbortSignal): Promise<DocumentNumbers>;
  readDrawer(signal: AbortSignal): Promise<DrawerTotals | null>;
  finishPrint(signal: AbortSignal): Promise<void>;
}

export interface StepAnswer {
  readonly subtotal?: Kopecks;
  readonly fd?: number;
  readonly warning?: Fault;
}

export interface RunOptions<C> {
  readonly program: Program<C>;
  readonly baseline: Baseline;
  readonly port: ProgramPort<C>;
  readonly signal: AbortSignal;
}

/** Throws only `link.aborted`, and only before the first byte. */
export async function runProgram<C>(options: RunOptions<C>): Promise<RunOutcome> {
  const { program, port, signal } = options;
  if (signal.aborted) throw new Fault("link.aborted", { cause: signal.reason });
  const warnings = program.warnings.map((message) => new Fault("receipt.unsupported", { message }));
  const before = program.fiscalStep === null ? program.steps : program.steps.slice(0, program.fiscalStep);

  const failure = await runSteps(before, warnings, options);
  if (failure !== null) return notReached(failure, options);
  const fiscal = program.fiscalStep === null ? undefined : program.steps[program.fiscalStep];
  if (fiscal === undefined) return { kind: "printed", document: null, warnings };

  let document: DocumentNumbers | null;
  try {
    const answer = await port.execute(fiscal, signal);
    document = await prove(answer, options);
  } catch (error) {
    return { kind: "unsure", fault: toFault(error, "internal") };
  }
  await runRest(program.steps.slice((program.fiscalStep ?? 0) + 1), warnings, options);
  return { kind: "printed", document, warnings };
}

interface Failure {
  readonly fault: Fault;
  /** True: an open receipt is the program's own and is to be cancelled. */
  readonly opened: boolean;
}

async function runSteps<C>(
  steps: readonly Step<C>[],
  warnings: Fault[],
  { port, signal }: RunOptions<C>,
): Promise<Failure | null> {
  const failedGroups = new Set<string>();
  let opened = false;
  for (const step of steps) {
    if (step.group !== undefined && failedGroups.has(step.group)) continue;
    try {
      const answer = await port.execute(step, signal);
      if (step.opensReceipt === true) opened = true;
      if (answer.warning !== undefined) warnings.push(answer.warning);
      if (step.expectSubtotal !== undefined) compareSubtotal(step.expectSubtotal, answer);
    } catch (error) {
      const fault = placed(toFault(error, "internal", { place: step.name }), step);
      if (step.optional !== true || stopsPrinting(fault)) return { fault, opened };
      if (step.group !== undefined) failedGroups.add(step.group);
      warnings.push(fault);
    }
  }
  return null;
}

/** Adds the position of the step to the fault: "item 2" and "mark 2" are `items[1]`. */
function placed(fault: Fault, { name }: Step): Fault {
  const [, number] = /^(?:item|mark|check-mark) (\d+)/.exec(name) ?? [];
  if (number === undefined) return fault;
  const { code, details, cause, givenUp } = fault;
  return new Fault(code, { message: saidBy(fault), details, cause, givenUp, place: `items[${Number(number) - 1}]` });
}

function compareSubtotal(expected: Kopecks, { subtotal }: StepAnswer): void {
  if (subtotal === expected) return;
  const theirs = subtotal === undefined ? "nothing" : formatRoubles(subtotal);
  throw new Fault("device.subtotal-mismatch", {
    message: `the register's subtotal is ${theirs}, ours is ${formatRoubles(expected)}`,
    details: { expected, subtotal },
  });
}

async function notReached<C>(
  { fault, opened }: Failure,
  { program, baseline, port, signal }: RunOptions<C>,
): Promise<RunOutcome> {
  if (isLinkFault(fault)) return { kind: "unsure", fault };
  if (program.fiscalStep === null) return { kind: "not-printed", fault };
  try {
    const state = await port.fence({ cancelOpen: opened }, signal);
    const ourReceiptIsGone = !opened || state.openReceipt === null;
    const untouched = ourReceiptIsGone && state.fn === baseline.fn && state.lastFd === baseline.lastFd;
    return { kind: untouched ? "not-printed" : "unsure", fault };
  } catch (fenceError) {
    const fenceFault = toFault(fenceError, "internal");
    const details = { ...fault.details, fence: { code: fenceFault.code, message: fenceFault.message } };
    return { kind: "unsure", fault: new Fault(fault.code, { message: saidBy(fault), details, cause: fault }) };
  }
}

/** A good answer to the fiscal step counts only with the proof that the program's witness names. */
async function prove<C>(answer: StepAnswer, { program, baseline, port, signal }: RunOptions<C>) {
  switch (program.witness.kind) {
    case "none":
      return null;
    case "drawer": {
      await proveDrawer(program.witness, baseline, port, signal);
      return null;
    }
    default: {
      if (answer.fd !== undefined) requireNewer(answer.fd, baseline);
      const numbers = await port.readNumbers(program, answer.fd ?? null, signal);
      requireNewer(numbers.fd, baseline);
      if (numbers.fn !== baseline.fn) throw staleAnswer(`the fiscal drive is ${numbers.fn}, it was ${baseline.fn}`);
      return numbers;
    }
  }
}

/** Called by `readNumbers`: the document must be the program's own. */
export function requireWitness(
  { fd, type, operation, total }: Pick<FiscalDocument, "fd" | "type" | "operation" | "total">,
  { witness }: Program,
): void {
  const matches =
    witness.kind === "receipt"
      ? type === witness.document && operation === witness.operation && total === witness.total
      : type === witness.kind;
  if (!matches) throw new Fault("link.corrupt", { message: `document ${fd} is not the one of this program` });
}

function requireNewer(fd: number, baseline: Baseline): void {
  if (fd <= baseline.lastFd) throw staleAnswer(`document ${fd} is not newer than ${baseline.lastFd}`);
}

/** The answer was "done". Where no counter shows that cash was moved, nobody knows whether it was. */
async function proveDrawer<C>(
  { direction, sum }: Extract<Witness, { kind: "drawer" }>,
  { drawer: before }: Baseline,
  port: ProgramPort<C>,
  signal: AbortSignal,
): Promise<void> {
  if (before === null) return;
  const unread = (cause?: unknown) =>
    new Fault("device.cash-unproven", { message: "the drawer counters could not be read", cause });
  const now = await port.readDrawer(signal).catch((error: unknown) => {
    throw unread(error);
  });
  if (now === null) throw unread();
  const counter = direction === "in" ? "cashIn" : "cashOut";
  const ofDrawer = (now.cash - before.cash) * (direction === "in" ? 1 : -1);
  // Some models keep only one of the two counters, the movements or the cash in the drawer.
  const moved = Math.max(now[counter] - before[counter], ofDrawer);
  if (moved >= sum) return;
  const message = `the drawer counters moved by ${formatRoubles(kopecks(moved))}, not by ${formatRoubles(sum)}`;
  throw new Fault("device.cash-unproven", { message, details: { before, now } });
}

function staleAnswer(message: string): Fault {
  return new Fault("link.corrupt", { message: `a stale answer to the fiscal step: ${message}` });
}

/** Runs the cut and footer of a document that exists already; failures of these steps are warnings. */
async function runRest<C>(
  steps: readonly Step<C>[],
  warnings: Fault[],
  { port, signal }: RunOptions<C>,
): Promise<void> {
  for (const step of steps) {
    try {
      await port.execute(step, signal);
    } catch (error) {
      const fault = toFault(error, "internal", { place: step.name });
      warnings.push(fault);
      if (isLinkFault(fault)) return;
      if (stopsPrinting(fault)) {
        await finishOnce(warnings, port, signal);
        return;
      }
    }
  }
}

async function finishOnce<C>(warnings: Fault[], port: ProgramPort<C>, signal: AbortSignal): Promise<void> {
  try {
    await port.finishPrint(signal);
  } catch (error) {
    warnings.push(toFault(error, "internal", { place: "finish print" }));
  }
}

const printStops: readonly FaultCode[] = [
  "device.paper-out",
  "device.cover-open",
  "device.printer-fault",
  "device.print-unfinished",
];

/** After such a fault nothing more can be printed or asked, so a cosmetic step must not hide it. */
function stopsPrinting(fault: Fault): boolean {
  return isLinkFault(fault) || printStops.includes(fault.code);
}

function isLinkFault(fault: Fault): boolean {
  return fault.area === "link" || fault.code === "internal";
}
