import type { ConnectedRegister } from "../connected-register.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";

/** What an operator's action has at hand while it is the register's turn. */
export interface RegisterTools {
  readonly context: RegisterContext;
  readonly recorder: JobRecorder;
  readonly connected: ConnectedRegister;
  /** No sweep of this run has read everything: what a lost database knew may still be on the drive. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}
