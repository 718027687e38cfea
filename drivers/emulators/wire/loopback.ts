/** A pipe in memory between host and device. Bytes keep their order and arrive later, never inside `write`. */
import type { ByteTransport, CloseReason, TransportFactory } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";

export interface DeviceEnd {
  onBytes(listener: (bytes: Uint8Array) => void): void;
  onClosed(listener: () => void): void;
  send(bytes: Uint8Array): void;
  /** The host sees the connection as lost. Bytes on the way are lost in both directions. */
  close(): void;
}

export interface LoopbackOptions {
  /** Longest piece in bytes in which bytes arrive on either side. Default: as written. */
  readonly pieceBytes?: number;
  readonly accept?: (device: DeviceEnd) => boolean;
}

export function createLoopbackFactory(
  accept: (device: DeviceEnd) => boolean,
  options: LoopbackOptions = {},
): TransportFactory {
  return () => createLoopback({ ...options, accept }).transport;
}

export function createLoopback({ pieceBytes, accept }: LoopbackOptions = {}): {
  transport: ByteTransport;
  device: DeviceEnd;
} {
  const toHost: ((bytes: Uint8Array) => void)[] = [];
  const toDevice: ((bytes: Uint8Array) => void)[] = [];
  const hostClosed: ((reason: CloseReason) => void)[] = [];
  const deviceClosed: (() => void)[] = [];
  let state: "new" | "open" | "closed" = "new";

  function deliver(bytes: Uint8Array, listeners: readonly ((bytes: Uint8Array) => void)[]): void {
    const size = pieceBytes ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      const piece = bytes.slice(start, start + size);
      queueMicrotask(() => {
        if (state === "open") for (const listener of listeners) listener(piece);
      });
    }
  }

  function end(reason: CloseReason): void {
    if (state === "closed") return;
    state = "closed";
    queueMicrotask(() => {
      for (const listener of hostClosed) listener(reason);
      for (const listener of deviceClosed) listener();
    });
  }

  const device: DeviceEnd = {
    onBytes: (listener) => toDevice.push(listener),
    onClosed: (listener) => deviceClosed.push(listener),
    send: (bytes) => {
      if (state === "open") deliver(bytes, toHost);
    },
    close: () => end({ kind: "lost", cause: new Error("cut by the device") }),
  };

  const transport: ByteTransport = {
    label: "loopback",
    async open(signal) {
      if (signal.aborted) throw new Fault("link.aborted", { cause: signal.reason });
      if (accept !== undefined && !accept(device)) throw new Fault("link.not-found", { message: "unplugged" });
      state = "open";
    },
    async write(bytes) {
      if (state !== "open") throw new Fault("link.lost", { message: "the loopback is closed" });
      deliver(bytes, toDevice);
    },
    async close() {
      end({ kind: "asked" });
    },
    onBytes: (listener) => toHost.push(listener),
    onClosed: (listener) => hostClosed.push(listener),
  };
  return { transport, device };
}
