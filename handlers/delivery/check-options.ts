/** Refuses misspelt and impossible options when the delivery API starts. */

import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { aClock, aDatabase, aFunction, aLogger, hasMethod } from "../print-server/check-options.js";
import type { ApiLimits } from "./http/mount-api.js";
import type { DeliveryOptions } from "./open-delivery.js";

export interface MountDeliveryOptions extends DeliveryOptions, ApiLimits {
  /** The path of the app below which everything is mounted, such as `/delivery`; default: the root. */
  readonly path?: string;
}

const wholeAboveZero = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);

export const mountOptions = z
  .strictObject({
    database: aDatabase,
    publicUrl: z.url({ protocol: /^https?$/, error: "must be an address such as https://shop.example" }),
    path: z.string().regex(/^(\/[\w.~-]+)*\/?$/, { error: "must be a path such as /delivery" }),
    fiscalPath: z.string(),
    bodyLimitBytes: wholeAboveZero,
    requestsPerMinute: z.union([wholeAboveZero, z.literal(false)], {
      error: "must be a whole number above zero, or false",
    }),
    strictTransitions: z.boolean(),
    printPrepaymentReceipt: z.boolean(),
    printReceipts: z.boolean(),
    allowPrivateCallbacks: z.boolean(),
    pageBase: z.literal([0, 1]),
    registerTimeZone: z.string().refine(isTimeZone, { error: "must be a time zone such as Europe/Moscow" }),
    clock: aClock,
    logger: aLogger,
    resolve: aFunction,
  } satisfies Record<keyof MountDeliveryOptions, z.ZodType>)
  .partial()
  .extend({ database: aDatabase });

export const optionNames = Object.keys(mountOptions.shape);

/** Throws the fault `config.invalid` for a router: print servers need the full path, and only the app knows it. */
export function checkApp(app: unknown): void {
  if (hasMethod(app, "use") && hasMethod(app, "path")) return;
  const message = "`app` must be an Express application, not a router of one.";
  throw new Fault("config.invalid", { message, place: "app" });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
