import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { parseHostAndPort } from "@fiscald/shared/http/host-and-port.js";
import type { DeviceEmulator } from "../device/device-emulator.js";
import type { DeviceEnd } from "./loopback.js";

export interface OpenPort {
  readonly address: string;
  close(): Promise<void>;
}

const OPEN_TIMEOUT_MS = 10_000;

/** Faults: `link.busy` for a port in use, `link.not-found` for a missing serial line. */
export async function serveDevice(
  device: DeviceEmulator,
  listen: ListenAddress,
  options: { readonly baudRate?: number | undefined } = {},
): Promise<OpenPort> {
  if (listen.kind === "serial") return serveSerial(device, listen.path, options.baudRate ?? 115_200);
  return serveTcp(device, listen);
}

async function serveTcp(
  device: DeviceEmulator,
  { kind, host, port }: Exclude<ListenAddress, { kind: "serial" }>,
): Promise<OpenPort> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // After an error the socket emits `close`, where the error is handled.
    socket.on("error", () => {});
    // The device is unplugged or switched off. The nearest that an open port has to "no device" is a reset.
    if (!device.attach(endOf(socket))) socket.resetAndDestroy();
  });
  const { address, close } = await openPort(server, { host, port }, () => {
    for (const socket of sockets) socket.destroy();
  });
  return { address: `${kind}:${address}`, close };
}

/** `hangUp` ends the connections that are left at the close. Fault `link.busy` for a port in use. */
export async function openPort(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  hangUp: () => void,
): Promise<OpenPort> {
  const shown = host.includes(":") ? `[${host}]` : host;
  const place = `${shown}:${port}`;
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw toFault(error, "link.busy", { place });
  }
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Fault("link.not-found", { place });
  return {
    address: `${shown}:${bound.port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      hangUp();
      await closed;
    },
  };
}

function endOf(socket: Socket): DeviceEnd {
  return {
    onBytes: (listener) => socket.on("data", listener),
    onClosed: (listener) => socket.once("close", listener),
    send: (bytes) => {
      if (socket.writable) socket.write(bytes);
    },
    // Bytes that were written before still arrive; then the host sees the end.
    close: () => socket.destroySoon(),
  };
}

/** The serial line stays open: while the emulated cable is pulled, the device reads and answers nothing. */
async function serveSerial(device: DeviceEmulator, path: string, baudRate: number): Promise<OpenPort> {
  const { SerialPort } = await import("serialport");
  const line = new SerialPort({ path, baudRate, autoOpen: false });
  line.open();
  try {
    await once(line, "open", { signal: AbortSignal.timeout(OPEN_TIMEOUT_MS) });
  } catch (error) {
    throw toFault(error, "link.not-found", { place: `serial:${path}` });
  }
  // After an error the line emits `close`, where the error is handled.
  line.on("error", () => {});
  device.attach(
    {
      onBytes: (listener) => line.on("data", listener),
      onClosed: (listener) => line.once("close", listener),
      send: (bytes) => {
        if (line.isOpen) line.write(Buffer.from(bytes));
      },
      close: () => {},
    },
    { lasting: true },
  );
  return {
    address: `serial:${path}`,
    close: () => new Promise((resolve) => (line.isOpen ? line.close(() => resolve()) : resolve())),
  };
}

export type ListenAddress =
  /** `http` is also a TCP port; the name says which protocol it serves. */
  | { readonly kind: "tcp" | "http"; readonly host: string; readonly port: number }
  | { readonly kind: "serial"; readonly path: string };

export function parseListenAddress(text: string): ListenAddress {
  const [kind = "", ...rest] = text.split(":");
  const tail = rest.join(":");
  if (kind === "tcp" || kind === "http") return { kind, ...parseHostAndPort(tail) };
  if (kind === "serial" && tail !== "") return { kind, path: tail };
  throw new Fault("usage.wrong", {
    message: `"${text}" is no address to listen on: tcp:HOST:PORT, http:HOST:PORT or serial:PATH`,
  });
}
