/** A serial port that is searched for at each opening: a device that was plugged in again may have another path. */
import { realpath } from "node:fs/promises";
import type { ByteTransport } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";
import { findPort, keyOfPort, type UsbKey } from "./find-port.js";
import { abortable, createCloseOnce } from "./pipe-parts.js";
import type { ListSerialPorts } from "./serial-ports.js";

/** The USB identity of one register's port, which is also stored over restarts. */
export interface PortMemory {
  recall(): UsbKey | null;
  /** Stores the device that was opened. Null: it cannot be found again. The device may still be another register. */
  seen(key: UsbKey | null): void;
}

export interface ReplugOptions {
  /** The path in the config; it may be a link such as those of `/dev/serial/by-id`. */
  readonly path: string;
  /** The serial number in the config, which precedes the stored identity. */
  readonly usbSerialNumber: string | null;
  readonly memory: PortMemory;
  readonly listPorts: ListSerialPorts;
  openAt(path: string): ByteTransport;
}

export function createReplugTransport(options: ReplugOptions): ByteTransport {
  const byteListeners: ((bytes: Uint8Array) => void)[] = [];
  const closing = createCloseOnce();
  let port: ByteTransport | null = null;

  function openedPort(): ByteTransport {
    if (port === null) throw new Fault("link.lost", { message: `serial ${options.path} is not open` });
    return port;
  }

  return {
    get label() {
      return port?.label ?? `serial ${options.path}`;
    },
    async open(signal) {
      // A system that does not list its ports still has the configured one.
      const ports = await abortable(
        options.listPorts().catch(() => []),
        signal,
      );
      const path = findPort({ path: options.path, wanted: wantedKey(options), ports });
      const found = options.openAt(path);
      port = found;
      found.onBytes((bytes) => {
        for (const listener of byteListeners) listener(bytes);
      });
      found.onClosed((reason) => closing.report(reason));
      await found.open(signal);
      const isListed = ports.some((known) => known.path === path);
      // Systems list a port by its own path, not by a link to it.
      const ownPath = isListed ? path : await realpath(path).catch(() => path);
      options.memory.seen(keyOfPort(ownPath, ports));
    },
    write: async (bytes) => openedPort().write(bytes),
    async close(closeOptions) {
      if (port === null) closing.report({ kind: "asked" });
      else await port.close(closeOptions);
    },
    onBytes: (listener) => byteListeners.push(listener),
    onClosed: (listener) => closing.onClosed(listener),
  };
}

function wantedKey({ usbSerialNumber, memory }: ReplugOptions): UsbKey | null {
  return usbSerialNumber === null
    ? memory.recall()
    : { vendorId: null, productId: null, serialNumber: usbSerialNumber };
}
