import { once } from "node:events";
import { Socket } from "node:net";
import type { ByteTransport, CloseReason } from "@fiscald/shared/byte-transport.js";
import { Fault, messageOf } from "@fiscald/shared/fault.js";
import { codeOfError } from "@fiscald/shared/files/folder-rights.js";
import { createCloseOnce } from "./pipe-parts.js";

const KEEP_ALIVE_MS = 10_000;

export interface TcpOptions {
  readonly host: string;
  readonly port: number;
}

export function createTcpTransport({ host, port }: TcpOptions): ByteTransport {
  const label = `tcp ${host}:${port}`;
  const socket = new Socket();
  const closing = createCloseOnce();
  let cause: unknown = new Error("closed by the device");
  let asked = false;

  // Bytes that nobody reads are dropped: otherwise the end behind them would never be seen.
  socket.resume();
  socket.on("error", (error) => {
    cause = error;
  });
  socket.on("end", () => socket.destroy());
  socket.on("close", () => closing.report(asked ? { kind: "asked" } : { kind: "lost", cause }));

  return {
    label,
    async open(signal) {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      try {
        signal.throwIfAborted();
        socket.connect(port, host);
        await once(socket, "connect", { signal });
      } catch (error) {
        if (!signal.aborted) throw openFault(error, label);
        asked = true;
        socket.destroy();
        throw new Fault("link.aborted", { message: `${label}: stopped`, cause: signal.reason });
      }
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(new Fault("link.lost", { message: `${label}: ${error.message}`, cause: error }));
        });
      }),
    async close({ doubt = false } = {}) {
      asked = true;
      if (doubt) socket.resetAndDestroy();
      else socket.destroySoon();
      await closing.closed(socket.destroyed && socket.closed);
    },
    onBytes: (listener) => socket.on("data", listener),
    onClosed: (listener: (reason: CloseReason) => void) => closing.onClosed(listener),
  };
}

function openFault(error: unknown, label: string): Fault {
  const timedOut = ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(codeOfError(error));
  return new Fault(timedOut ? "link.timeout" : "link.not-found", {
    message: `${label}: ${messageOf(error)}`,
    cause: error,
  });
}
