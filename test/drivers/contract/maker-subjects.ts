/** The contract's subjects of every maker but Shtrih-M, whose subject is in shtrih-subject.ts. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { type AtolOptions, atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { type PiritOptions, piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { spell } from "@fiscald/drivers/pirit/protocol/fields.js";
import { createReferenceDriver } from "@fiscald/drivers/reference/driver.js";
import { prepareAtol } from "@fiscald/emulators/atol/emulator.js";
import { preparePirit } from "@fiscald/emulators/pirit/emulator.js";
import { prepareReference } from "@fiscald/emulators/reference/emulator.js";
import { makeRegister, type RegisterOptions } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

interface Given<Options> extends Pick<RegisterOptions, "ffd" | "taxSystems"> {
  readonly unconfirmed?: Readonly<Record<string, string>>;
  readonly options?: Partial<Options>;
}

const plain = { model: null, protocol: null, unconfirmed: {}, wire: "loopback" } as const;
const random = () => 0.5;

export interface AtolSubject extends Given<AtolOptions> {
  readonly protocol?: "v1" | "v2";
}

export function atol({ protocol = "v2", unconfirmed = {}, options = {}, ...given }: AtolSubject = {}): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ ...given, clock, model: prepareAtol({ ...plain, protocol, unconfirmed }) }),
    createDriver: (parts) => createAtolDriver({ ...parts, random, options: atolOptionsSchema.parse(options) }),
  };
}

export interface PiritSubject extends Given<PiritOptions> {
  readonly model?: "viki-print-80" | "viki-print-57";
}

export function pirit({ model, unconfirmed = {}, options = {}, ffd = 2 }: PiritSubject = {}): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ ffd, clock, model: preparePirit({ ...plain, model: model ?? null, unconfirmed }) }),
    createDriver: (parts) => createPiritDriver({ ...parts, random, options: piritOptionsSchema.parse(options) }),
    spell,
  };
}

export function reference(given: Pick<RegisterOptions, "ffd"> = {}): ContractSubject {
  return {
    openRegister: ({ clock }) => makeRegister({ ...given, clock, model: prepareReference(plain) }),
    createDriver: (parts) => createReferenceDriver({ ...parts, random }),
    holdsAnyLetter: true,
  };
}
