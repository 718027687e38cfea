/** Switches for facts on which the sources differ or are silent. The first value is the default. */
import { z } from "zod";

export const atolSettings = z.object({
  /** The answer to a DELETE of a running job in v2: 409 by an open-source server, 405 by ATOL's web server. */
  deleteRunning: z.literal(["409", "405"]),
  /** The answer about a device that is switched off: 409 by an open-source server, 403 by a PHP client. */
  inactive: z.literal(["409", "403"]),
  /** `result` of a task without one: null by ATOL's web server, no such key by an open-source server. */
  result: z.literal(["null", "omitted"]),
  /** What happens to the remaining tasks of a job that has stopped the queue, once the queue goes on. */
  restOfJob: z.literal(["interrupted", "executed"]),
  /** A running job when the service is killed: `lost` stays in progress, `late` is resumed a second later. */
  killed: z.literal(["recovered", "lost", "late"]),
  /** Tag 1125 (internet payment) in `customParameters`: understood, or left out. */
  internet: z.literal(["parameter", "ignored"]),
  markingParams: z.literal(["object", "list"]),
  /** `on`: requests need HTTP Basic with the user `cashier` and the password `secret`. */
  basic: z.literal(["off", "on"]),
  device: z.literal(["kkt-1", "kkt-2"]),
});

export type AtolSettings = z.infer<typeof atolSettings>;
