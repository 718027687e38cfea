import { type DiscoverOptions, type Discovery, discover } from "@fiscald/drivers/discover/discover.js";
import type { ProbeWaits } from "@fiscald/drivers/discover/probing-result.js";
import { type DriverName, loadProbes } from "@fiscald/drivers/registry.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";

/** Far above what an emulator needs, far below the waits for real registers. */
export const testWaits: ProbeWaits = {
  openMs: 5_000,
  answerMs: 250,
  settleMs: 100,
  patientMs: 300,
  identityMs: 15_000,
};

/** Discovers in the given places only, by the probes of all makers or of some. */
export async function look(
  places: Partial<DiscoverOptions>,
  drivers?: readonly DriverName[],
  signal: AbortSignal = new AbortController().signal,
): Promise<Discovery> {
  const all = await loadProbes();
  const probes = new Map([...all].filter(([name]) => drivers === undefined || drivers.includes(name)));
  const discovery = await discover(
    {
      probes,
      listPorts: async () => [],
      namedPorts: [],
      hosts: [],
      ownAddresses: [],
      held: new Map(),
      waits: testWaits,
      clock: systemClock,
      random: () => 0.5,
      logger: silentLogger,
      ...places,
    },
    signal,
  );
  // Makers' programs on this machine are looked for too; no test depends on whether there are any.
  const isLocal = (place: string) => place === "127.0.0.1:16732" || place === "127.0.0.1:50003";
  return { ...discovery, others: discovery.others.filter(({ place }) => !isLocal(place)) };
}

export interface WatchedRegister {
  readonly emulator: Emulator;
  /** Commands that the register carried out: the maker's own code, then the name that all makers share. */
  readonly commands: readonly string[];
  /** All bytes that came in as hex, read over the control port. */
  bytesIn(): Promise<string>;
  /** Everything that a probe must not change: documents, counters, the open receipt, the paper. */
  snapshot(): Promise<object>;
}

/** An emulated register in the middle of a day: with a shift, a receipt, and another receipt open. */
export async function openWatched(options: EmulatorOptions): Promise<WatchedRegister> {
  const emulator = await openEmulator({ ...options, control: "127.0.0.1:0" });
  const { core, device } = emulator;
  const base = `http://${emulator.control}`;
  await fetch(`${base}/receipts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ totalKopecks: 1000, name: "Чай" }),
  });
  const opened = core.openReceipt({ operation: "sale", operator: 30 });
  if (!opened.ok) throw new Error(opened.refusal);
  const commands: string[] = [];
  device.addBehaviour({
    onCommand({ names }) {
      commands.push(names.join(" "));
      return "pass";
    },
  });
  const get = async (path: string) => (await fetch(`${base}${path}`)).text();
  return {
    emulator,
    commands,
    async bytesIn() {
      const records: { direction: string; hex: string }[] = JSON.parse(await get("/wire"));
      return records
        .filter(({ direction }) => direction === "in")
        .map(({ hex }) => hex)
        .join("");
    },
    async snapshot() {
      const { connected: _, bytes: __, time: ___, answeringMs: ____, ...state } = JSON.parse(await get("/state"));
      return { state, documents: JSON.parse(await get("/documents")), tape: await get("/tape") };
    },
  };
}

export function endOf({ listening }: Emulator): { readonly host: string; readonly port: number } {
  const [, host = "", port = ""] = /^\w+:(.*):(\d+)$/.exec(listening ?? "") ?? [];
  return { host, port: Number(port) };
}
