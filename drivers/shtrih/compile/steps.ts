import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import { DrawingBudget, type PaperPart } from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities, CompileContext } from "../../fiscal-driver.js";
import type { Step } from "../../program.js";
import type { ShtrihOptions } from "../options.js";
import type { ShtrihRequest } from "../protocol/command-row.js";
import { commands } from "../protocol/commands.js";
import { printSettings, type RegisterFacts } from "../protocol/models.js";

export type ShtrihCommand =
  /**
   * Sends a request. A refusal because of printing executes nothing, so the request is sent again once the register is
   * idle. `tag`: number of the sent tag, for the fault of a refusal.
   */
  | { readonly kind: "send"; readonly request: ShtrihRequest; readonly tag?: number }
  /** Sends the request that is the point of no return, once. */
  | ({ readonly kind: "fiscal"; readonly request: ShtrihRequest } & FiscalTraits)
  | { readonly kind: "subtotal" }
  | { readonly kind: "await-printer" }
  /** Checks a marking code, then accepts or rejects it; a rejection fails the program before anything is registered. */
  | {
      readonly kind: "check-mark";
      readonly request: ShtrihRequest;
      readonly accept: ShtrihRequest;
      readonly reject: ShtrihRequest;
    }
  | { readonly kind: "print-switch"; readonly request: ShtrihRequest; readonly on: boolean };

interface FiscalTraits {
  readonly namesDocument: boolean;
  /** The fault that error 33h (bad parameters) means for this document. Null: 33h has no special meaning. */
  readonly badValue: FaultCode | null;
}

export type ShtrihStep = Step<ShtrihCommand>;

interface StepOptions {
  readonly optional?: boolean;
  readonly group?: string;
}

export function send(name: string, request: ShtrihRequest, options: StepOptions = {}): ShtrihStep {
  return { name, command: { kind: "send", request }, repeatable: request.repeatable, ...options };
}

export function sendTag(name: string, tag: number, request: ShtrihRequest): ShtrihStep {
  return { name, command: { kind: "send", request, tag }, repeatable: request.repeatable };
}

const plainFiscal: FiscalTraits = { namesDocument: false, badValue: null };

export function fiscal(name: string, request: ShtrihRequest, traits = plainFiscal): ShtrihStep {
  return { name, command: { kind: "fiscal", request, ...traits }, repeatable: false };
}

export const awaitPrinter: ShtrihStep = { name: "await-printer", command: { kind: "await-printer" }, repeatable: true };

/** Switches paper off for the next receipt, or back to the owner's setting. No step if the owner set "nothing". */
export function switchPaper(
  on: boolean,
  { printSwitch }: Pick<RegisterFacts, "printSwitch">,
  password: number,
  options: StepOptions = {},
): readonly ShtrihStep[] {
  if (printSwitch === null || printSwitch.owner === printSettings.nothing) return [];
  const value = Uint8Array.of(on ? printSwitch.owner : printSettings.nextNot);
  const request = commands.writeTable.encode({ password, ...printSwitch.field, value });
  const name = on ? "paper-on" : "paper-off";
  return [{ name, command: { kind: "print-switch", request, on }, repeatable: true, ...options }];
}

export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly options: ShtrihOptions;
  /** True: an electronic receipt was interrupted before the setting "skip the next document" was switched off again. */
  readonly printIsOff: boolean;
}

export interface PaperContext {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  readonly drawing: DrawingBudget;
  readonly password: number;
}

export type PaperSteps = PaperPart<ShtrihStep>;

export function paperContextOf(
  { images, paintText = null }: CompileContext,
  { facts, capabilities, options }: CompilerSetup,
): PaperContext {
  const password = options.operatorPassword;
  return { facts, capabilities, images, paintText, drawing: new DrawingBudget(), password };
}
