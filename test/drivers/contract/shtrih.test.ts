import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { prepareShtrih } from "@fiscald/drivers/shtrih/emulator.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { describeDriver } from "../driver-contract.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

function shtrih(model: "desktop" | "smartpos" | "nano", link: "v1" | "v2"): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, model: prepareShtrih({ model, protocol: link, unconfirmed: {}, wire: "loopback" }) }),
    createDriver: (options) => createShtrihDriver({ ...options, options: shtrihOptionsSchema.parse({ link }) }),
  };
}

describeDriver("shtrih v1", shtrih("desktop", "v1"));
describeDriver("shtrih v2", shtrih("smartpos", "v2"));
