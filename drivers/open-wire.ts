/** Connections that lead out of this process, as byte pipes. Native code is loaded only where it is used. */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Connection } from "./connection.js";
import type { PortMemory } from "./transport/replug-transport.js";
import type { ListSerialPorts } from "./transport/serial-ports.js";

export type WireConnection = Exclude<Connection, { kind: "emulator" }>;

/** How to find a serial port whose device may return under another path. */
export interface PortSearch {
  readonly memory: PortMemory;
  readonly listPorts?: ListSerialPorts | undefined;
}

const noMemory: PortMemory = { recall: () => null, seen: () => {} };

/** Opens nothing yet. Without `search` a port is found only by the USB number in the config. */
export async function openWire(connection: WireConnection, search?: PortSearch): Promise<TransportFactory> {
  switch (connection.kind) {
    case "serial":
      return openSerial(connection, search);
    case "tcp":
      return (await import("./transport/tcp-transport.js")).tcpTransport(connection);
    case "http":
      return (await import("./transport/tcp-transport.js")).tcpTransport(endOfUrl(connection.url));
  }
}

async function openSerial(
  { path, baudRate, usbSerialNumber }: Extract<Connection, { kind: "serial" }>,
  search: PortSearch | undefined,
): Promise<TransportFactory> {
  const { serialTransport } = await import("./transport/serial-transport.js");
  if (search === undefined && usbSerialNumber === undefined) return serialTransport({ path, baudRate });
  const { replugTransport } = await import("./transport/replug-transport.js");
  const { listSerialPorts } = await import("./transport/serial-ports.js");
  return replugTransport({
    path,
    usbSerialNumber: usbSerialNumber ?? null,
    memory: search?.memory ?? noMemory,
    listPorts: search?.listPorts ?? listSerialPorts,
    openAt: (found) => serialTransport({ path: found, baudRate })(),
  });
}

/** The maker's driver speaks HTTP itself; the pipe below it is plain TCP. */
function endOfUrl(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || "80") };
}
