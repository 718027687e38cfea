/** Facts and settings of the register that the compiler works for, and the part of them that paper lines need. */
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import { DrawingBudget, type PaperPart } from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities, CompileContext } from "../../fiscal-driver.js";
import type { ShtrihOptions } from "../options.js";
import type { RegisterFacts } from "../protocol/models.js";
import type { ShtrihStep } from "./steps.js";

export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly options: ShtrihOptions;
  /** The setting "skip the next document" is on: an electronic receipt ended before paper was switched on again. */
  readonly printIsOff: boolean;
}

export interface PaperContext {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  /** What the present document may still draw. */
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
