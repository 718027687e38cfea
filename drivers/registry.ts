/** Loads the driver for a maker and a connection of the config when it is needed: a row for each maker. */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";
import { explainMissing } from "@fiscald/shared/optional-package.js";
import { z } from "zod";
import { atolOptionsSchema } from "./atol/options.js";
import type { Connection } from "./connection.js";
import type { DriverParts } from "./driver-parts.js";
import type { DriverProbe } from "./driver-probe.js";
import type { FiscalDriver } from "./fiscal-driver.js";
import { openWire, type PortSearch } from "./open-wire.js";
import { piritOptionsSchema } from "./pirit/options.js";
import { shtrihOptionsSchema } from "./shtrih/options.js";

type AnyParts = DriverParts<unknown, Readonly<Record<string, number>>>;

/** The options come unchecked from the config; waits are for tests and the fault campaign. */
export interface DriverSetup extends Omit<AnyParts, "openTransport"> {
  readonly driver: DriverName;
  readonly connection: Connection;
  /** Finds a register whose USB device has returned under another path. */
  readonly portSearch?: PortSearch | undefined;
  readonly wrapTransport?: ((open: TransportFactory) => TransportFactory) | undefined;
}

export interface OpenedDriver {
  readonly driver: FiscalDriver;
  stop(): Promise<void>;
}

interface DriverRow<Options> {
  readonly options: z.ZodType<Options>;
  /** How registers of this maker can be reached. Default: over bytes. */
  readonly connections?: readonly Connection["kind"][];
  /** True: every document of the maker's registers names a cashier, even the closing of a shift. Default: false. */
  readonly needsCashier?: boolean;
  /** False: the maker's registers also print a position without a tax rate. Default: true. */
  readonly needsRate?: boolean;
  probe(): Promise<DriverProbe>;
  create(parts: AnyParts, options: Options): Promise<FiscalDriver>;
}

function row<Options>({
  options,
  create,
  probe,
  connections = ["serial", "tcp", "emulator"],
  needsCashier = false,
  needsRate = true,
}: DriverRow<Options>) {
  const createChecked = (parts: AnyParts) => create(parts, parseOptions(options, parts.options));
  return { options, connections, needsCashier, needsRate, probe, create: createChecked };
}

export const driverRows = {
  shtrih: row({
    options: shtrihOptionsSchema,
    probe: async () => (await import("./shtrih/probe.js")).shtrihProbe,
    create: async (parts, options) => (await import("./shtrih/driver.js")).createShtrihDriver({ ...parts, options }),
  }),
  pirit: row({
    options: piritOptionsSchema,
    probe: async () => (await import("./pirit/probe.js")).piritProbe,
    create: async (parts, options) => (await import("./pirit/driver.js")).createPiritDriver({ ...parts, options }),
  }),
  atol: row({
    options: atolOptionsSchema,
    probe: async () => (await import("./atol/probe.js")).atolProbe,
    connections: ["http", "emulator"],
    needsCashier: true,
    create: async (parts, options) => (await import("./atol/driver.js")).createAtolDriver({ ...parts, options }),
  }),
  reference: row({
    options: z.strictObject({}),
    needsRate: false,
    probe: async () => (await import("./reference/line-protocol.js")).referenceProbe,
    create: async (parts) => (await import("./reference/driver.js")).createReferenceDriver(parts),
  }),
} as const;

export type DriverName = keyof typeof driverRows;

export const driverNames: readonly DriverName[] = Object.keys(driverRows).filter(isDriverName);

function isDriverName(name: string): name is DriverName {
  return Object.hasOwn(driverRows, name);
}

/** In the order in which a tie between makers is decided. */
export async function loadProbes(): Promise<ReadonlyMap<DriverName, DriverProbe>> {
  const probes = new Map<DriverName, DriverProbe>();
  for (const name of driverNames) probes.set(name, await driverRows[name].probe());
  return probes;
}

/** Makes a driver and opens nothing yet, except an emulator. Faults: `config.invalid`, those of `openEmulator`. */
export async function createDriver(setup: DriverSetup): Promise<OpenedDriver> {
  const { driver, connection: _, portSearch: __, wrapTransport = (open) => open, ...parts } = setup;
  const pipe = await openPipe(setup);
  const created = await driverRows[driver].create({ ...parts, openTransport: wrapTransport(pipe.openTransport) });
  return {
    driver: created,
    async stop() {
      await created.close();
      await pipe.stop();
    },
  };
}

interface Pipe {
  readonly openTransport: TransportFactory;
  stop(): Promise<void>;
}

async function openPipe({ driver, connection, portSearch, clock }: DriverSetup): Promise<Pipe> {
  if (connection.kind !== "emulator") {
    return { openTransport: await openWire(connection, portSearch), stop: async () => {} };
  }
  const { kind: _, ...options } = connection;
  const { openEmulator } = await loadEmulators();
  const emulator = await openEmulator({ ...options, maker: driver, clock });
  return { openTransport: emulator.transportFactory, stop: () => emulator.close() };
}

/** Computers at a till do not have this package. Fault: `usage.package-missing`. */
export async function loadEmulators(): Promise<typeof import("@fiscald/emulators/open-emulator.js")> {
  try {
    return await import("@fiscald/emulators/open-emulator.js");
  } catch (error) {
    throw explainMissing("@fiscald/emulators", error);
  }
}

function parseOptions<Options>(schema: z.ZodType<Options>, options: unknown): Options {
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  throw new Fault("config.invalid", { message: z.prettifyError(parsed.error), place: "options" });
}
