import type { Fault } from "@fiscald/shared/fault.js";

/** The result of one attempt to print a job, for the queue and for the register. */
export type PrintOutcome =
  /** Printed, failed, or no longer queued. `failed`: the cause may be the order or the register. */
  | { readonly kind: "done"; readonly failed?: true }
  /** Still queued; not before this time has passed. */
  | {
      readonly kind: "again";
      readonly afterMs: number;
      /** The database could not write: nothing to hold against the register. */
      readonly ofStore?: true;
      /**
       * The feature that the receipt needs and this register lacks, found before the first byte: another register of
       * the group may have it.
       */
      readonly lacks?: string;
      /** The register is still printing an earlier document: it takes no job now, which is no fault of it. */
      readonly ofPrinting?: true;
    }
  /** Still queued; the register needs a person. `visible`: its own state shows it, and shows when it is over. */
  | { readonly kind: "blocked"; readonly fault: Fault; readonly visible: boolean }
  /** Unsure: recovery comes next, on a fresh connection. */
  | { readonly kind: "doubt"; readonly fault: Fault }
  /** Still queued; the connection is gone. */
  | { readonly kind: "lost"; readonly fault: Fault };
