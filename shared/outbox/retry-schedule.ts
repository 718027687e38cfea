import { type BackoffOptions, backoffDelayMs } from "../backoff.js";
import type { RetrySchedule } from "./sender.js";

export interface BackoffScheduleOptions {
  readonly event: BackoffOptions;
  readonly outage: BackoffOptions;
  /** Refusals by a live receiver after which an event is set aside. */
  readonly maxRefusals: number;
  readonly random: () => number;
}

/** Retries without end, except where a working receiver refuses. */
export function backoffSchedule({ event, outage, maxRefusals, random }: BackoffScheduleOptions): RetrySchedule {
  return {
    afterFailure(delivery, { tries, refusals }) {
      if (delivery.kind === "outage") return 0;
      if (delivery.kind === "refused" && refusals >= maxRefusals) return null;
      return backoffDelayMs(delivery.kind === "refused" ? refusals : tries, event, random);
    },
    afterOutage: (failures) => backoffDelayMs(failures, outage, random),
  };
}
