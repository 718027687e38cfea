/** One port, one name on this machine, whatever a config calls it; and where the system lets one process hold that name. */
import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";

/** `serial /dev/ttyUSB0`, `serial COM3`, `tcp 10.0.0.7:7778`. */
export type PortName = string;

const lookupMs = 1000;

/** Links such as those of `/dev/serial/by-id` and the device behind them are one; what is not there keeps its own name. */
export async function serialPortName(path: string, platform: NodeJS.Platform = process.platform): Promise<PortName> {
  return nameOfDevice(await serialDevice(path, platform).catch(() => path), platform);
}

/** The path of the device itself, whatever link leads to it. Rejects with `link.not-found`. */
export async function serialDevice(path: string, platform: NodeJS.Platform = process.platform): Promise<string> {
  if (platform === "win32") return path;
  return realpath(path).catch((cause: Error) => {
    throw new Fault("link.not-found", { message: `serial ${path}: ${cause.message}`, cause });
  });
}

export function nameOfDevice(device: string, platform: NodeJS.Platform = process.platform): PortName {
  return `serial ${platform === "win32" ? device.replace(/^\\\\\.\\/, "").toUpperCase() : device}`;
}

/** The address as written and, where it is a name that can be looked up in time, those behind it. */
export async function tcpPortNames(
  host: string,
  port: number,
  clock: Clock,
  find: (host: string) => Promise<readonly string[]> = findAddresses,
): Promise<readonly PortName[]> {
  const over = new AbortController();
  const found = find(host).catch(() => []);
  const addresses = await Promise.race([found, clock.sleep(lookupMs, over.signal).then(() => [])]).finally(() =>
    over.abort(),
  );
  return [...new Set([host.toLowerCase(), ...addresses])].map((it) => `tcp ${it}:${port}`);
}

async function findAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * An address of this machine's own that one process can listen on, and that is free again when it has died: an abstract
 * socket, a pipe, elsewhere a socket file, which a killed process leaves behind.
 */
export function addressOfClaim(name: PortName, platform: NodeJS.Platform = process.platform): string {
  const local = `fiscald-port-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
  if (platform === "linux") return `\0${local}`;
  return platform === "win32" ? `\\\\.\\pipe\\${local}` : join(tmpdir(), `${local}.sock`);
}
