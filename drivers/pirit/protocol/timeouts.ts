import { defaultLinkTimeouts, type LinkTimeouts } from "../../link/exchange-machine.js";

/**
 * Every wait of this driver, in ms, by name. The protocol names none (reference, section 1): when one of these is over the
 * device is asked by ENQ whether it is still busy. A test or a fault campaign shortens them.
 */
export interface PiritTimeouts extends LinkTimeouts {
  readonly status: number;
  readonly ordinary: number;
  /** 20, 21, 23, 31, 59: documents of the drive and reports. */
  readonly document: number;
  /** 23 may update the keys of marking, 79/1 asks a server. */
  readonly slow: number;
}

/** Names a command may take for its answer. */
export type AnswerTimeout = "status" | "ordinary" | "document" | "slow";

export const piritTimeouts: PiritTimeouts = {
  ...defaultLinkTimeouts,
  status: 3_000,
  ordinary: 10_000,
  document: 30_000,
  slow: 60_000,
};
