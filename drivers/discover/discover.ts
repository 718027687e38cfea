/**
 * Looks for registers without a config: every endpoint is probed for every maker, and the driver of the maker that
 * answered identifies the register. Endpoints are probed in parallel, each by one prober only.
 */
import { realpath } from "node:fs/promises";
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { DriverProbe, ProbeRequest, RegisterBehind } from "../driver-probe.js";
import type { Identity } from "../fiscal-driver.js";
import { hexOf } from "../link/wire-trace.js";
import { openWire, type WireConnection } from "../open-wire.js";
import { createDriver, type DriverName, driverRows } from "../registry.js";
import { keyOfPort } from "../transport/find-port.js";
import { abortable } from "../transport/pipe-parts.js";
import type { ListSerialPorts, SerialPortInfo, UsbDevice } from "../transport/serial-ports.js";
import { type Endpoint, endpointName, endpointsToProbe, findUsbModel, type HostToAsk, speedsFor } from "./endpoints.js";
import { type ProbeCandidate, probeLine } from "./probe-line.js";
import { type ProbeWaits, withLimit } from "./probing-result.js";

export interface DiscoverOptions {
  readonly probes: ReadonlyMap<DriverName, DriverProbe>;
  readonly listPorts: ListSerialPorts;
  /** Serial ports that a person named. Empty: all ports of this machine. */
  readonly namedPorts: readonly string[];
  readonly hosts: readonly HostToAsk[];
  readonly ownAddresses: readonly string[];
  /** Ports and addresses that another part of this product uses, with its name: discovery does not touch them. */
  readonly held: ReadonlyMap<string, string>;
  readonly waits: ProbeWaits;
  readonly clock: Clock;
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

export interface FoundRegister {
  readonly place: string;
  readonly driver: DriverName;
  readonly connection: WireConnection;
  readonly options: Readonly<Record<string, unknown>>;
  /** Distinguishes registers behind one connection, as `device kkt-1`. Absent: there is only one. */
  readonly behind?: string;
  /** Null: the register speaks the maker's protocol but could not be identified; `fault` says why. */
  readonly identity: Identity | null;
  readonly fault: Fault | null;
  readonly usb: UsbDevice | null;
}

/**
 * `busy`: another program uses the endpoint. `forbidden`: this user may not open the endpoint. `silent`: no answer.
 * `foreign`: the answer is of no known register. `closed`: nothing listens there, or no such port exists. `not-asked`:
 * known by its USB ids; its registers are found in another way.
 */
export interface OtherEndpoint {
  readonly place: string;
  readonly state: "busy" | "forbidden" | "silent" | "foreign" | "closed" | "not-asked";
  readonly reason: string;
  readonly usb: UsbDevice | null;
  readonly named: boolean;
}

export interface Discovery {
  readonly found: readonly FoundRegister[];
  readonly others: readonly OtherEndpoint[];
  readonly advice?: readonly FaultText[];
}

const ACK = 0x06;
const endedEarly: readonly string[] = ["link.not-found", "link.lost"];
/** More probes at once would only wait for Node's few worker threads. */
const AT_ONCE = 8;

/** Rejects with `link.aborted`, and with `link.not-found` when the system lists no ports and nobody named one. */
export async function discover(options: DiscoverOptions, signal: AbortSignal): Promise<Discovery> {
  const probes = [...options.probes.values()];
  const ports = await listPorts(options, signal);
  const places = await oneAsker(endpointsToProbe({ ...options, ports, probes }));
  const waiting = [...places.entries()];
  const answers: (Discovery | undefined)[] = [];
  const askNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, place] = next;
      answers[index] = await askPlace(options, place, ports, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return {
    found: answers.flatMap((answer) => answer?.found ?? []),
    others: answers.flatMap((answer) => answer?.others ?? []),
    advice: probes.flatMap(({ advice }) => advice ?? []),
  };
}

/** A failed listing of ports is no fault when a person named an endpoint. */
async function listPorts(
  { clock, waits, ...options }: DiscoverOptions,
  signal: AbortSignal,
): Promise<readonly SerialPortInfo[]> {
  try {
    return await withLimit(clock, waits.openMs, signal, (limited) => abortable(options.listPorts(), limited));
  } catch (error) {
    const isNamed = options.namedPorts.length > 0 || options.hosts.length > 0;
    if (signal.aborted || !isNamed) throw toFault(error, "link.not-found");
    return [];
  }
}

async function askPlace(
  options: DiscoverOptions,
  place: Endpoint,
  ports: readonly SerialPortInfo[],
  signal: AbortSignal,
): Promise<Discovery> {
  const none = (state: OtherEndpoint["state"], reason: string): Discovery => {
    const usb = place.kind === "serial" ? place.usb : null;
    return { found: [], others: [{ place: endpointName(place), state, reason, usb, named: place.named }] };
  };
  const holder = options.held.get(endpointName(place));
  if (holder !== undefined) return none("busy", holder);
  const instead = place.kind === "serial" ? findUsbModel(place.usb, [...options.probes.values()])?.instead : undefined;
  if (instead !== undefined) return none("not-asked", instead);
  try {
    const answer = await askConnections(options, place, signal);
    if (answer.kind === "found") {
      return { found: answer.registers.map((register) => withUsb(register, place, ports)), others: [] };
    }
    return none(answer.kind, answer.reason);
  } catch (error) {
    if (signal.aborted) throw new Fault("link.aborted", { cause: signal.reason });
    const fault = toFault(error, "internal");
    if (fault.area !== "link") throw fault;
    if (fault.code === "link.forbidden") return none("forbidden", `${fault.message}. ${fault.hint.en}`);
    return none(fault.code === "link.busy" ? "busy" : "closed", fault.message);
  }
}

type PlaceAnswer =
  | { readonly kind: "found"; readonly registers: readonly FoundRegister[] }
  | { readonly kind: "silent" | "foreign"; readonly reason: string };

async function askConnections(options: DiscoverOptions, place: Endpoint, signal: AbortSignal): Promise<PlaceAnswer> {
  const probes = [...options.probes.values()];
  let last: PlaceAnswer = { kind: "silent", reason: "no answer at any of the usual speeds" };
  if (place.kind === "tcp") {
    const { host, port } = place;
    return askConnection(options, place, { kind: "tcp", host, port }, signal);
  }
  for (const baudRate of speedsFor(place.usb, probes)) {
    const connection: WireConnection = { kind: "serial", path: place.path, baudRate };
    const answer = await askConnection(options, place, connection, signal);
    if (answer.kind === "found") return answer;
    if (answer.kind === "foreign") last = answer;
  }
  return last;
}

async function askConnection(
  options: DiscoverOptions,
  place: Endpoint,
  connection: WireConnection,
  signal: AbortSignal,
): Promise<PlaceAnswer> {
  const { clock, waits, probes } = options;
  const openTransport = await openWire(connection);
  const requests = [...probes].flatMap(([driver, probe]) =>
    probe.requests.filter((request) => mayAsk(place, probe, request)).map((request) => ({ driver, request })),
  );
  const mild = requests.filter(({ request }) => request.stage === "text" || isBytePlace(options, place));
  const answer = await probeLine({ openTransport, requests: mild, clock, waits }, signal);
  if (answer.kind === "silent") return { kind: "silent", reason: "something listens there but does not answer" };
  if (answer.kind === "foreign") return { kind: "foreign", reason: foreignReason(answer.answer) };
  for (const candidate of answer.candidates) {
    const registers = await identify({ options, place, connection, candidate, openTransport }, signal);
    if (registers.length > 0) return { kind: "found", registers };
  }
  return { kind: "foreign", reason: "it answered like a register, but did not tell who it is" };
}

/** Text probes go only to endpoints that a person named, or to a port that is the maker's own. */
function mayAsk(place: Endpoint, { baudRates, tcpPorts }: DriverProbe, { stage }: ProbeRequest): boolean {
  if (place.kind === "serial" && baudRates.length === 0) return false;
  return stage !== "text" || place.named || (place.kind === "tcp" && tcpPorts.includes(place.port));
}

/** False for a port that only makers with text probes use: bytes of other makers' probes do not go there. */
function isBytePlace({ probes }: DiscoverOptions, place: Endpoint): boolean {
  if (place.kind === "serial" || place.named) return true;
  const owners = [...probes.values()].filter(({ tcpPorts }) => tcpPorts.includes(place.port));
  return owners.some(({ requests }) => requests.some(({ stage }) => stage !== "text"));
}

interface Identification {
  readonly options: DiscoverOptions;
  readonly place: Endpoint;
  readonly connection: WireConnection;
  readonly candidate: ProbeCandidate;
  readonly openTransport: TransportFactory;
}

async function identify(parts: Identification, signal: AbortSignal): Promise<readonly FoundRegister[]> {
  const { options, place, candidate, openTransport } = parts;
  const { clock, logger, waits, probes } = options;
  const { driver } = candidate;
  const connection = connectionOf(driver, parts.connection);
  const found: FoundRegister[] = [];
  try {
    const one: readonly RegisterBehind[] = [{ options: {}, fault: null }];
    const list = probes.get(driver)?.registersBehind ?? (async () => one);
    const registers = await withLimit(clock, waits.identityMs, signal, (limited) =>
      list({ openTransport, logger, clock }, limited),
    );
    for (const register of registers) {
      const driverOptions = { ...candidate.options, ...register.options };
      const behind = register.name === undefined ? {} : { behind: register.name };
      const base = { place: endpointName(place), driver, connection, options: driverOptions, ...behind, usb: null };
      if (register.fault !== null) found.push({ ...base, identity: null, fault: register.fault });
      else found.push({ ...base, ...(await readIdentity(options, base, signal)) });
    }
    return found;
  } catch (error) {
    const fault = toFault(error, "internal");
    if (signal.aborted || fault.area !== "link") throw fault;
    return found;
  }
}

async function readIdentity(
  options: DiscoverOptions,
  register: Pick<FoundRegister, "driver" | "connection" | "options">,
  signal: AbortSignal,
): Promise<Pick<FoundRegister, "identity" | "fault">> {
  const { clock, logger, random, waits } = options;
  const { driver, stop } = await createDriver({ ...register, clock, logger, random });
  const connect = () => withLimit(clock, waits.identityMs, signal, (limited) => driver.connect(limited));
  try {
    // A register with one socket may still be closing the previous connection.
    const identity = await connect().catch(async (error: unknown) => {
      if (!isFault(error) || !endedEarly.includes(error.code)) throw error;
      await withLimit(clock, waits.openMs, signal, (limited) => clock.sleep(waits.settleMs, limited));
      return connect();
    });
    return { identity, fault: null };
  } catch (error) {
    if (isFault(error) && error.area === "device") return { identity: null, fault: error };
    throw error;
  } finally {
    await stop();
  }
}

function connectionOf(driver: DriverName, connection: WireConnection): WireConnection {
  if (connection.kind !== "tcp" || driverRows[driver].connections.includes("tcp")) return connection;
  const { host, port } = connection;
  return { kind: "http", url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

/** Adds the USB serial number, by which the register is found when the path of its port has changed. */
function withUsb(register: FoundRegister, place: Endpoint, ports: readonly SerialPortInfo[]): FoundRegister {
  const { connection } = register;
  if (connection.kind !== "serial" || place.kind !== "serial") return register;
  const key = keyOfPort(connection.path, ports);
  const found = key === null ? connection : { ...connection, usbSerialNumber: key.serialNumber };
  return { ...register, connection: found, usb: place.usb };
}

function foreignReason(answer: Uint8Array): string {
  const shown = hexOf(answer.subarray(0, 8));
  const what = `something answered (${shown}${answer.length > 8 ? " ..." : ""}), but no register that is known here`;
  return answer.every((byte) => byte === ACK) ? `${what}; one that is at work answers so, too: look again` : what;
}

/** Merges two names of one port into one endpoint. */
async function oneAsker(places: readonly Endpoint[]): Promise<readonly Endpoint[]> {
  const kept = new Map<string, Endpoint>();
  for (const place of places) {
    const name = place.kind === "serial" ? await realpath(place.path).catch(() => place.path) : endpointName(place);
    if (!kept.has(name)) kept.set(name, place);
  }
  return [...kept.values()];
}
