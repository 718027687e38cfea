/** Callback addresses come from callers, and must not reach into the network that this program runs in (SSRF). */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import ipaddr from "ipaddr.js";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Fault "site.refused" if any address of the name is not public: a name with both kinds of address is an attack. */
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

/** False for loopback, private, link-local, multicast, documentation, tunnelling ranges, and IPv4 inside IPv6. */
export function isPublic(address: string): boolean {
  return ipaddr.parse(address).range() === "unicast";
}
