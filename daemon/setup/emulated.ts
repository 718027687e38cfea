/** A site outside private networks may be a real shop, which would take an emulated register's results for receipts. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { Fault } from "@fiscald/shared/fault.js";
import { type ConfigProblem, configFault, configProblem } from "../config/config-problem.js";
import type { Config } from "../config/config-schema.js";
import type { RegisterConfig } from "../config/register-schema.js";
import type { SiteConfig } from "../config/site-schema.js";
import { configReasons } from "../messages/reasons/config-reasons.js";

/** Resolves with all addresses of a host name; rejects when it has none. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export interface RefusedEmulator extends ConfigProblem {
  /** True: the name of a site is not found at this moment, so a later start may allow the register. */
  readonly mayPass: boolean;
}

export function emulatedTitles(registers: readonly Pick<RegisterConfig, "id" | "title" | "connection">[]) {
  return registers.flatMap(({ id, title, connection }) => (connection.kind === "emulator" ? [title ?? id] : []));
}

export async function findRefusedEmulators(
  { emulated, registers, sites }: Pick<Config, "emulated" | "registers" | "sites">,
  lookUp: LookUp = systemLookUp,
): Promise<readonly RefusedEmulator[]> {
  if (emulated.allow) return [];
  const problems = registers.map(async ({ connection, sites: served }, index): Promise<readonly RefusedEmulator[]> => {
    if (connection.kind !== "emulator") return [];
    const found = await Promise.all(
      sites.filter(({ id }) => served.includes(id)).map((site) => findForeignHost(site, lookUp)),
    );
    const place = `registers[${index}].connection.kind`;
    return found.flatMap((it) => (it === null ? [] : [{ ...configProblem(place, it.reason), mayPass: it.mayPass }]));
  });
  return (await Promise.all(problems)).flat();
}

async function findForeignHost({ id, urls }: SiteConfig, lookUp: LookUp) {
  const hosts = Object.values(urls).flatMap((url) => (url === null ? [] : hostOf(url)));
  for (const host of new Set(hosts)) {
    const addresses = await addressesOf(host, lookUp);
    if (addresses.length === 0) return { reason: configReasons.emulatorUnresolved({ site: id, host }), mayPass: true };
    if (!addresses.every(isNear)) return { reason: configReasons.emulatorForSite({ site: id, host }), mayPass: false };
  }
  return null;
}

/** When only a name is not found yet, as before the network is up, a service manager must start the daemon again. */
export function refusedFault(path: string, refused: readonly RefusedEmulator[]): Fault {
  const [first] = refused;
  if (first === undefined || !refused.every(({ mayPass }) => mayPass)) return configFault(path, refused);
  return new Fault("site.dns", { message: { en: first.message, ru: first.ru }, place: first.path });
}

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

async function addressesOf(host: string, lookUp: LookUp): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  if (/^(.+\.)?localhost$/.test(host)) return ["127.0.0.1"];
  return lookUp(host).catch(() => []);
}

async function systemLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

const nearNetworks = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  nearNetworks.addSubnet(network, prefix, "ipv4");
}
nearNetworks.addAddress("::1", "ipv6");
nearNetworks.addSubnet("fc00::", 7, "ipv6");
nearNetworks.addSubnet("fe80::", 10, "ipv6");

/** True for this machine and for private networks. */
function isNear(address: string): boolean {
  return nearNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4") || isOwnAddress(address);
}

export function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address) === true);
}
