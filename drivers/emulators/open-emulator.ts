/** A whole emulated register: core, protocol, faults, ports for hosts and for control. */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import { type Clock, systemClock } from "@fiscald/shared/clock.js";
import { startControl } from "./control/control-server.js";
import { DeviceEmulator } from "./device/device-emulator.js";
import { chooseOne, type PrepareModel } from "./device/emulated-model.js";
import { FaultList } from "./faults/fault-list.js";
import { FiscalCore } from "./memory/fiscal-core.js";
import type { MemoryOptions } from "./memory/register-memory.js";
import { makeRegistration } from "./memory/registration.js";
import { memoryStore, openStateFile } from "./memory/state-file.js";
import { Tape } from "./paper/tape.js";
import { createLoopbackFactory } from "./wire/loopback.js";
import { type ListenAddress, type OpenPort, parseListenAddress, serveDevice } from "./wire/serve.js";

const makers = {
  shtrih: async () => (await import("./shtrih/emulator.js")).prepareShtrih,
  pirit: async () => (await import("./pirit/emulator.js")).preparePirit,
  atol: async () => (await import("./atol/emulator.js")).prepareAtol,
  reference: async () => (await import("./reference/emulator.js")).prepareReference,
} as const satisfies Readonly<Record<string, () => Promise<PrepareModel>>>;

function isMaker(name: string): name is keyof typeof makers {
  return Object.hasOwn(makers, name);
}

type CoreOptions = Omit<MemoryOptions, "registration" | "fn" | "store" | "clock" | "tape" | "msPerRow">;

export interface EmulatorOptions extends CoreOptions {
  readonly maker: string;
  readonly model?: string | undefined;
  readonly protocol?: string | undefined;
  readonly kkm?: string | undefined;
  readonly inn?: string | undefined;
  /** Serial number of the drive for a new state; a loaded state has its own. */
  readonly fn?: string | undefined;
  /** Format version (FFD) of the registration; default "1.05". Marking needs "1.2". */
  readonly ffd?: "1.05" | "1.1" | "1.2" | undefined;
  readonly statePath?: string | null | undefined;
  readonly timing?: "instant" | "realistic" | undefined;
  readonly baudRate?: number | undefined;
  /** `tcp:HOST:PORT`, `http:HOST:PORT` or `serial:PATH`; default: only the loopback. */
  readonly listen?: string | undefined;
  readonly control?: string | undefined;
  readonly unconfirmed?: Readonly<Record<string, string>> | undefined;
  readonly clock?: Clock | undefined;
}

export interface Emulator {
  readonly title: string;
  readonly core: FiscalCore;
  readonly device: DeviceEmulator;
  readonly faults: FaultList;
  /** Opens a pipe to the emulator in this process, for connections of the kind `emulator`. */
  readonly transportFactory: TransportFactory;
  /** `tcp:127.0.0.1:7778`, with the real port. Null: loopback only. */
  readonly listening: string | null;
  readonly control: string | null;
  close(): Promise<void>;
}

const ffdCodes = { "1.05": 2, "1.1": 3, "1.2": 4 } as const;
/** A fast receipt printer prints fifty rows a second. */
const REALISTIC_MS_PER_ROW = 20;

/** Faults: `usage.wrong`, `store.damaged`, `link.busy` for a port that is taken. */
export async function openEmulator(options: EmulatorOptions): Promise<Emulator> {
  const prepare = await makers[chooseOne("maker", options.maker, Object.keys(makers).filter(isMaker))]();
  const listen = options.listen === undefined ? null : parseListenAddress(options.listen);
  const model = prepare({
    model: options.model ?? null,
    protocol: options.protocol ?? null,
    unconfirmed: options.unconfirmed ?? {},
    wire: wireOf(listen),
  });
  const clock = options.clock ?? systemClock;
  const timing = options.timing ?? "instant";
  const { registration, fn } = makeRegistration({
    ...options,
    ffd: ffdCodes[options.ffd ?? "1.05"],
    taxes: model.taxes,
    paymentNames: model.paymentNames,
  });
  const { statePath = null } = options;
  const core = new FiscalCore({
    ...options,
    registration,
    fn,
    clock,
    store: statePath === null ? memoryStore() : openStateFile(statePath),
    tape: new Tape(model.columns),
    msPerRow: timing === "realistic" ? REALISTIC_MS_PER_ROW : 0,
  });
  const makerProtocol = model.createProtocol(core);
  const device = new DeviceEmulator({ makerProtocol, clock, timing, baudRate: options.baudRate });
  const faults = new FaultList({ device, makerProtocol, printer: core.printer, core });
  const servers: OpenPort[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    device.close();
    core.close();
  };
  try {
    const server = listen === null ? null : await serveDevice(device, listen, { baudRate: options.baudRate });
    if (server !== null) servers.push(server);
    const control =
      options.control === undefined
        ? null
        : await startControl({ title: model.title, core, device, faults }, options.control);
    if (control !== null) servers.push(control);
    return {
      title: model.title,
      core,
      device,
      faults,
      transportFactory: createLoopbackFactory((end) => device.attach(end)),
      listening: server?.address ?? null,
      control: control?.address ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function wireOf(listen: ListenAddress | null): "tcp" | "serial" | "loopback" {
  if (listen === null) return "loopback";
  return listen.kind === "http" ? "tcp" : listen.kind;
}
