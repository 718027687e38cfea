import { createReferenceDriver } from "@fiscald/drivers/reference/driver.js";
import { prepareReference } from "@fiscald/emulators/reference/emulator.js";
import { describeDriver } from "../driver-contract.js";
import { makeRegister } from "./make-register.js";

describeDriver("reference", {
  openRegister: ({ clock }) =>
    makeRegister({
      clock,
      model: prepareReference({ model: null, protocol: null, unconfirmed: {}, wire: "loopback" }),
    }),
  createDriver: (options) => createReferenceDriver({ ...options, random: () => 0.5 }),
  holdsAnyLetter: true,
});
