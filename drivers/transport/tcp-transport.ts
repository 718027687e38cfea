import { Socket } from "node:net";
import type { ByteTransport, CloseReason } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";
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
    open: (signal) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          signal.removeEventListener("abort", onAbort);
          socket.removeListener("error", onError);
          socket.removeListener("connect", onConnect);
          settle();
        };
        const onAbort = () => {
          asked = true;
          socket.destroy();
          end(() => reject(new Fault("link.aborted", { message: `${label}: stopped`, cause: signal.reason })));
        };
        const onError = (error: Error) => end(() => reject(openFault(error, label)));
        const onConnect = () => end(resolve);
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener("abort", onAbort, { once: true });
        socket.once("error", onError);
        socket.once("connect", onConnect);
        socket.setNoDelay(true);
        socket.setKeepAlive(true, KEEP_ALIVE_MS);
        socket.connect(port, host);
      }),
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

function openFault(error: Error, label: string): Fault {
  const timedOut = ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(codeOfError(error));
  return new Fault(timedOut ? "link.timeout" : "link.not-found", {
    message: `${label}: ${error.message}`,
    cause: error,
  });
}
