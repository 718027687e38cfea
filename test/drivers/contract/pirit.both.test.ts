import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { spell } from "@fiscald/drivers/pirit/protocol/fields.js";
import { preparePirit } from "@fiscald/emulators/pirit/emulator.js";
import { describeDriver } from "../driver-contract.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

function pirit(model: "viki-print-80" | "viki-print-57", ffd: 2 | 4): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, ffd, model: preparePirit({ model, protocol: null, unconfirmed: {}, wire: "loopback" }) }),
    createDriver: (options) =>
      createPiritDriver({ ...options, random: () => 0.5, options: piritOptionsSchema.parse({}) }),
    spell,
  };
}

describeDriver("pirit", pirit("viki-print-80", 2));
describeDriver("pirit 1.2", pirit("viki-print-57", 4));
