import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { type ShtrihOptions, shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { prepareShtrih } from "@fiscald/emulators/shtrih/emulator.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

interface SubjectOptions {
  readonly model?: string;
  /** The link protocol of driver and emulator. Default: the model's own, which the driver finds. */
  readonly link?: "v1" | "v2";
  readonly wire?: "tcp" | "loopback";
  readonly ffd?: 2 | 4;
  readonly timing?: "realistic";
  readonly unconfirmed?: Readonly<Record<string, string>>;
  readonly options?: Partial<ShtrihOptions>;
}

export function shtrihSubject(given: SubjectOptions = {}): ContractSubject {
  const { model = null, link, wire = "loopback", ffd = 2, timing, unconfirmed = {}, options = {} } = given;
  return {
    openRegister: ({ clock }) =>
      makeRegister({
        clock,
        ffd,
        ...(timing && { timing }),
        model: prepareShtrih({ model, protocol: link ?? null, unconfirmed, wire }),
      }),
    createDriver: (setup) => createShtrihDriver({ ...setup, options: shtrihOptionsSchema.parse({ link, ...options }) }),
  };
}
