/** Callback addresses come from callers: they must not reach into the network that this program runs in (SSRF). */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { Fault, toFault } from "@fiscald/shared/fault.js";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * The address to connect to. Fault "site.dns", or "site.refused" when any address of the name is not public: a name with
 * one public and one private address is somebody's trick.
 */
export async function resolvePublic(
  hostname: string,
  { resolve, allowPrivate }: { readonly resolve: Resolve; readonly allowPrivate: boolean },
): Promise<ResolvedAddress> {
  const addresses = await addressesOf(hostname.replace(/^\[|\]$/g, ""), resolve);
  const [first] = addresses;
  if (first === undefined) throw new Fault("site.dns", { place: hostname });
  const hidden = allowPrivate ? undefined : addresses.find(({ address }) => !isPublic(address));
  if (hidden === undefined) return first;
  throw new Fault("site.refused", {
    message: `${hostname} is at the private address ${hidden.address}; such callbacks are not allowed.`,
    place: hostname,
  });
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  try {
    return await resolve(host);
  } catch (error) {
    throw toFault(error, "site.dns", { place: host });
  }
}

const notPublic = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  notPublic.addSubnet(network, prefix, "ipv4");
}

const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");
const embeddedIpv4 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const) {
  embeddedIpv4.addSubnet(network, prefix, "ipv6");
}

/** False for loopback, private, link-local, multicast, documentation and tunnelling ranges. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, "ipv4");
  // Only global unicast, without the ranges that carry an IPv4 address inside (`::ffff:` is not in 2000::/3).
  return publicIpv6.check(address, "ipv6") && !embeddedIpv4.check(address, "ipv6");
}
