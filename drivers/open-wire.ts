/** Connections that lead out of this process, as byte pipes. Native code is loaded only where it is used. */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Connection } from "./connection.js";
import type { PortMemory } from "./transport/replug-transport.js";
import type { ListSerialPorts } from "./transport/serial-ports.js";
import type { TcpOptions } from "./transport/tcp-transport.js";

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
      return openTcp(connection);
    case "http":
      return openTcp(endOfUrl(connection.url));
  }
}

async function openTcp(end: TcpOptions): Promise<TransportFactory> {
  const { createTcpTransport } = await import("./transport/tcp-transport.js");
  return () => createTcpTransport(end);
}

async function openSerial(
  { path, baudRate, usbSerialNumber }: Extract<Connection, { kind: "serial" }>,
  search: PortSearch | undefined,
): Promise<TransportFactory> {
  const { createSerialTransport } = await import("./transport/serial-transport.js");
  if (search === undefined && usbSerialNumber === undefined) return () => createSerialTransport({ path, baudRate });
  const { createReplugTransport } = await import("./transport/replug-transport.js");
  const { listSerialPorts } = await import("./transport/serial-ports.js");
  const options = {
    path,
    usbSerialNumber: usbSerialNumber ?? null,
    memory: search?.memory ?? noMemory,
    listPorts: search?.listPorts ?? listSerialPorts,
    openAt: (found: string) => createSerialTransport({ path: found, baudRate }),
  };
  return () => createReplugTransport(options);
}

/** The maker's driver speaks HTTP itself; the pipe below it is plain TCP. */
function endOfUrl(url: string): TcpOptions {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || "80") };
}
