import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import type { Emulator } from "@fiscald/emulators/open-emulator.js";
import { hex, toHex } from "../vectors/hex.js";

/** A host at the other end of an emulator's wire: raw bytes, no protocol. */
export interface Host {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Waits for this many bytes that were not taken yet; returns fewer when the connection ends. */
  take(count: number): Promise<string>;
  readonly left: string;
  readonly isOpen: boolean;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export type WireKind = "loopback" | "tcp";

export async function connectHost(emulator: Emulator, kind: WireKind): Promise<Host> {
  return kind === "tcp" ? overTcp(emulator) : overLoopback(emulator);
}

function createInbox() {
  let bytes: number[] = [];
  let open = true;
  const wake: (() => void)[] = [];
  let reportClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    reportClosed = resolve;
  });
  const woken = () => {
    for (const listener of wake.splice(0)) listener();
  };
  return {
    closed,
    receive: (part: Uint8Array) => {
      bytes.push(...part);
      woken();
    },
    end: () => {
      open = false;
      reportClosed();
      woken();
    },
    get isOpen() {
      return open;
    },
    get left() {
      return toHex(Uint8Array.from(bytes));
    },
    async take(count: number): Promise<string> {
      while (bytes.length < count && open) await new Promise<void>((resolve) => wake.push(resolve));
      const taken = bytes.slice(0, count);
      bytes = bytes.slice(count);
      return toHex(Uint8Array.from(taken));
    },
  };
}

async function overLoopback(emulator: Emulator): Promise<Host> {
  const transport = emulator.transportFactory();
  const inbox = createInbox();
  transport.onBytes(inbox.receive);
  transport.onClosed(inbox.end);
  await transport.open(AbortSignal.timeout(5000));
  return host(inbox, { write: (bytes) => transport.write(bytes).catch(() => {}), close: () => transport.close() });
}

async function overTcp(emulator: Emulator): Promise<Host> {
  const [, address = "", port = ""] = emulator.listening?.split(":") ?? [];
  const socket = connectSocket({ host: address, port: Number(port), noDelay: true });
  const inbox = createInbox();
  socket.on("data", inbox.receive);
  socket.on("error", () => {});
  socket.once("close", inbox.end);
  await once(socket, "connect");
  return host(inbox, {
    write: async (bytes) => {
      if (socket.writable) socket.write(bytes);
    },
    close: async () => {
      socket.destroy();
      await inbox.closed;
    },
  });
}

function host(
  inbox: ReturnType<typeof createInbox>,
  pipe: { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> },
): Host {
  return {
    write: (bytes) => pipe.write(typeof bytes === "string" ? hex(bytes) : bytes),
    take: inbox.take,
    get left() {
      return inbox.left;
    },
    get isOpen() {
      return inbox.isOpen;
    },
    closed: inbox.closed,
    close: pipe.close,
  };
}

/** A frame of the Shtrih-M link protocol 1 around a command in hex. */
export function frame(command: string): Uint8Array {
  const data = hex(command);
  const body = [data.length, ...data];
  return Uint8Array.of(
    2,
    ...body,
    body.reduce((sum, byte) => sum ^ byte, 0),
  );
}
