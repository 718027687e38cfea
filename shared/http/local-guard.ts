import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";

export interface GuardedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly localAddress?: string | undefined };
}

export interface LocalRefusal {
  readonly status: 403 | 415;
  readonly message: string;
}

/**
 * Why a server that only this machine should reach refuses a request; null = the request is allowed. Allowed host names
 * are those of this machine, those in `hosts`, and the address of the connection. DNS rebinding sends a foreign host
 * name, a page of another site sends its origin, and neither can send JSON without a preflight request.
 */
export function findLocalRefusal({ headers, socket }: GuardedRequest, hosts: readonly string[]): LocalRefusal | null {
  const asked = headers.host ?? "";
  const name = asked.replace(/:\d+$/, "").toLowerCase();
  const names = ["localhost", "127.0.0.1", "[::1]", ...[...hosts, socket.localAddress ?? ""].map(inHeader)];
  if (name === "" || !names.includes(name)) return { status: 403, message: `the host ${asked} is not allowed here` };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${asked}` && origin !== `https://${asked}`) {
    return { status: 403, message: `the origin ${origin} is not allowed here` };
  }
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  const isJson = /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
  return hasBody && !isJson ? { status: 415, message: "send JSON with `Content-Type: application/json`" } : null;
}

function inHeader(host: string): string {
  const plain = host.replace(/^::ffff:/, "").toLowerCase();
  return plain.includes(":") ? `[${plain}]` : plain;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether only programs of this machine can reach a server that listens at the host. */
export function isThisMachine(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === "localhost" : loopback.check(host, version === 4 ? "ipv4" : "ipv6");
}
