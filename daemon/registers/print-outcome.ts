import type { Fault } from "@fiscald/shared/fault.js";
import type { JobEnd } from "./register-machine.js";

/** What a try to print a job has come to, as far as the queue and the register are concerned. */
export type PrintEnd =
  /** Printed, failed, or not waiting any more. `failed`: whether the order or the register is at fault is not known. */
  | { readonly kind: "done"; readonly failed?: true }
  /** Still queued; not before this time has passed. */
  | {
      readonly kind: "again";
      readonly afterMs: number;
      /** The database could not write: nothing to hold against the register. */
      readonly ofStore?: true;
      /** What the receipt needs and this register lacks, found before anything began: another of the group may have it. */
      readonly lacks?: string;
      /** The register is still printing what came before: it is the register that takes nothing for this time, no fault of it. */
      readonly ofPrinting?: true;
    }
  /** Still queued; the register needs a person. `visible`: its own state shows it, and shows when it is over. */
  | { readonly kind: "blocked"; readonly fault: Fault; readonly visible: boolean }
  /** Unsure: recovery comes next, on a fresh connection. */
  | { readonly kind: "doubt"; readonly fault: Fault }
  /** Still queued; the connection is gone. */
  | { readonly kind: "lost"; readonly fault: Fault };

/** What it means for the register. */
export function toJobEnd(end: PrintEnd): JobEnd {
  return end.kind === "done" || end.kind === "again" ? { kind: "sound" } : end;
}
