/** A driver of one maker at another maker's register: every pair fails with a text that names the possibility. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { createReferenceDriver } from "@fiscald/drivers/reference/driver.js";
import { type DriverName, driverNames } from "@fiscald/drivers/registry.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { prepareAtol } from "@fiscald/emulators/atol/emulator.js";
import type { EmulatedModel, ModelOptions } from "@fiscald/emulators/device/emulated-model.js";
import { preparePirit } from "@fiscald/emulators/pirit/emulator.js";
import { prepareReference } from "@fiscald/emulators/reference/emulator.js";
import { prepareShtrih } from "@fiscald/emulators/shtrih/emulator.js";
import { isFault } from "@fiscald/shared/fault.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { makeRegister } from "./contract/make-register.js";
import type { ContractSubject } from "./contract/subject.js";
import { ContractWorld } from "./contract/world.js";

/** A new maker does not compile without its rows here. */
const drivers: Readonly<Record<DriverName, ContractSubject["createDriver"]>> = {
  shtrih: (parts) => createShtrihDriver({ ...parts, options: shtrihOptionsSchema.parse({}) }),
  pirit: (parts) => createPiritDriver({ ...parts, random: () => 0.5, options: piritOptionsSchema.parse({}) }),
  atol: (parts) => createAtolDriver({ ...parts, random: () => 0.5, options: atolOptionsSchema.parse({}) }),
  reference: (parts) => createReferenceDriver({ ...parts, random: () => 0.5 }),
};

const plain: ModelOptions = { model: null, protocol: null, unconfirmed: {}, wire: "loopback" };
const registers: Readonly<Record<DriverName, (options: ModelOptions) => EmulatedModel>> = {
  shtrih: prepareShtrih,
  pirit: preparePirit,
  atol: prepareAtol,
  reference: prepareReference,
};

const maybeAnother =
  "nothing answers in this driver's protocol: the register is off, the port or its speed is wrong, or it is another maker's";
/** Driver -> register -> code and text. HTTP gets only a timeout, or takes bytes that are no HTTP for damage. */
const expected: { readonly [D in DriverName]: Readonly<Record<Exclude<DriverName, D>, readonly [string, string]>> } = {
  shtrih: {
    pirit: ["link.timeout", maybeAnother],
    atol: ["link.timeout", maybeAnother],
    reference: ["link.timeout", maybeAnother],
  },
  pirit: {
    shtrih: ["link.foreign", "the device answers, but not by this protocol"],
    atol: ["link.timeout", maybeAnother],
    reference: ["link.timeout", maybeAnother],
  },
  atol: {
    shtrih: ["link.corrupt", "Parse Error: Expected HTTP/, RTSP/ or ICE/"],
    pirit: ["link.timeout", "GET /api/v2/serverInfo: the service does not answer"],
    reference: ["link.timeout", "GET /api/v2/serverInfo: the service does not answer"],
  },
  reference: {
    shtrih: ["link.corrupt", "damaged frame: cut short"],
    pirit: ["link.timeout", "the device does not answer"],
    atol: ["link.timeout", "the device does not answer"],
  },
};

const pairs = driverNames.flatMap((driver) => {
  const words: Readonly<Partial<Record<DriverName, readonly [string, string]>>> = expected[driver];
  const others = driverNames.filter((name) => name !== driver);
  return others.map((register) => ({ driver, register, words: words[register] }));
});

test.each(pairs)(
  "connecting the driver for $driver to a $register register fails with a fault that suggests another driver",
  async ({ driver, register, words }) => {
    const model = registers[register](plain);
    const openRegister: ContractSubject["openRegister"] = ({ clock }) => makeRegister({ clock, model });
    const world = new ContractWorld({ openRegister, createDriver: drivers[driver] });
    const before = world.register.core.documents.length;
    try {
      const fault = await world.live(world.driver.connect(world.signal)).then(
        () => null,
        (error: unknown) => error,
      );
      if (!isFault(fault)) throw new Error(`no fault, but ${fault}`);
      expect([fault.code, fault.message]).toEqual(words);
      // Beside the message, every code has a text that says that the driver may be the wrong one.
      const { text, hint } = faultCodes[fault.code];
      expect(`${text.en} ${hint.en}`).toMatch(/driver/);
      expect(`${text.ru} ${hint.ru}`).toMatch(/драйвер/);
      expect(world.register.core.documents).toHaveLength(before);
    } finally {
      await world.close();
    }
  },
);
