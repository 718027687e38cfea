import { defaultLinkTimeouts, type LinkTimeouts } from "../../link/exchange-machine.js";

/** Every wait of this driver, in ms, by name (Shtrih-M protocol, 2.4). A test or a fault campaign shortens them. */
export interface ShtrihTimeouts extends LinkTimeouts {
  readonly status: number;
  readonly ordinary: number;
  readonly report: number;
  readonly openShift: number;
  readonly marking: number;
  /** Until a print that is under way must be done. */
  readonly printing: number;
  /** Between two state reads of a device that is printing. */
  readonly printPoll: number;
}

/** The waits for an answer that a command's row may name. */
export type AnswerTimeout = "status" | "ordinary" | "report" | "openShift" | "marking";

export const shtrihTimeouts: ShtrihTimeouts = {
  ...defaultLinkTimeouts,
  status: 3_000,
  ordinary: 30_000,
  report: 65_000,
  openShift: 120_000,
  marking: 40_000,
  printing: 60_000,
  printPoll: 200,
};
