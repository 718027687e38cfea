import type { SweepOptions } from "../recovery/sweep.js";

/** What an operator's action has at hand while it is the register's turn. */
export interface RegisterTools extends SweepOptions {
  /** No sweep of this run has read everything: what a lost database knew may still be on the drive. */
  readonly isFirst: boolean;
}
