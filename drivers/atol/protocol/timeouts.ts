/** The named waits of this driver in ms; a test or a fault campaign shortens them. */
export interface AtolTimeouts {
  readonly connectMs: number;
  /** Until the service's whole answer to one HTTP request. */
  readonly requestMs: number;
  readonly quickMs: number;
  /** Until a job that makes a document has ended, whether or not the queue is blocked. */
  readonly documentMs: number;
  readonly markMs: number;
  /** Until every request whose outcome is not known has ended. */
  readonly fenceMs: number;
  /** Between two questions after a job; the first wait is a tenth of it. */
  readonly pollMs: number;
}

export const atolTimeouts: AtolTimeouts = {
  connectMs: 3_000,
  requestMs: 5_000,
  quickMs: 10_000,
  documentMs: 60_000,
  markMs: 20_000,
  fenceMs: 20_000,
  pollMs: 1_000,
};
