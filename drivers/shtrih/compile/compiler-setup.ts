import type { Capabilities } from "../../fiscal-driver.js";
import type { ShtrihOptions } from "../options.js";
import type { RegisterFacts } from "../register-facts.js";

/** Settings of the compiler beside the receipt and its context. */
export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly options: ShtrihOptions;
  /** "Skip the next document" is on: an electronic receipt ended before paper was switched on again. */
  readonly printIsOff: boolean;
}
