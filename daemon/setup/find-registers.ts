import { networkInterfaces } from "node:os";
import { type Discovery, discover, type FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { endpointName, type HostToAsk } from "@fiscald/drivers/discover/endpoints.js";
import { probeWaits } from "@fiscald/drivers/discover/probing-result.js";
import { loadProbes } from "@fiscald/drivers/registry.js";
import { type ListSerialPorts, listSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Config } from "../config/config-schema.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";

export interface RegisterSearch {
  /** These addresses are searched besides this machine. */
  readonly hosts: readonly HostToAsk[];
  /** Only these ports are searched. Empty: all ports are searched. */
  readonly namedPorts: readonly string[];
  /** These ports and addresses are not searched; the text is the reason. */
  readonly held: ReadonlyMap<string, string>;
  readonly listPorts?: ListSerialPorts | undefined;
  readonly signal: AbortSignal;
}

/** Nothing is printed or written on any register. */
export async function findRegisters(search: RegisterSearch): Promise<Discovery> {
  const { hosts, namedPorts, held, listPorts = listSerialPorts, signal } = search;
  return discover(
    {
      probes: await loadProbes(),
      ...{ listPorts, namedPorts, hosts, held },
      ownAddresses: ownAddresses(),
      waits: probeWaits,
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
    },
    signal,
  );
}

/** The running daemon talks to these ports and addresses, so a search leaves them out. */
export function heldPlaces(
  registers: Config["registers"],
  reasonOf: (register: RegisterId) => string,
): ReadonlyMap<string, string> {
  return new Map(
    registers.flatMap(({ id, connection }) => {
      if (connection.kind === "serial") return [[connection.path, reasonOf(id)] as const];
      if (connection.kind !== "tcp") return [];
      const { host, port } = connection;
      return [[endpointName({ kind: "tcp", host, port, named: true }), reasonOf(id)] as const];
    }),
  );
}

/** A print service answers several programs at a time, so a search may find a register that the config already has. */
export function isBehindService(
  { connection, options }: Pick<FoundRegister, "connection" | "options">,
  registers: Config["registers"],
): boolean {
  if (connection.kind !== "http") return false;
  const url = new URL(connection.url).href;
  return registers.some((known) => {
    if (known.connection.kind !== "http" || new URL(known.connection.url).href !== url) return false;
    const [one, other] = [known.options["deviceId"] ?? null, options["deviceId"] ?? null];
    return one === null || other === null || one === other;
  });
}

/** Parses `192.168.1.5`, `till-2:7778` or `[fe80::1]:7778`. */
export function parseHost(text: string): HostToAsk {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s/]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? null : Number(match[3]);
  if (host === undefined || port === 0 || (port !== null && port > 65_535)) {
    throw new Fault("usage.wrong", { message: commandReasons.noHost({ text }) });
  }
  return { host, port };
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ family }) => family === "IPv4").map(({ address }) => address),
  );
}
