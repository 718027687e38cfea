import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { prepareAtol } from "@fiscald/drivers/atol/emulator.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import { describeDriver } from "../driver-contract.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

function atol(protocol: "v1" | "v2"): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, model: prepareAtol({ model: null, protocol, unconfirmed: {}, wire: "loopback" }) }),
    createDriver: (options) =>
      createAtolDriver({ ...options, random: () => 0.5, options: atolOptionsSchema.parse({}) }),
  };
}

describeDriver("atol v1", atol("v1"));
describeDriver("atol v2", atol("v2"));
