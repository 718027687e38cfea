import type { ByteTransport } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";
import { SerialPort, type SerialPortMock } from "serialport";
import { createCloseOnce } from "./pipe-parts.js";
import { type FindPortHolders, findPortHolders } from "./port-holder.js";

export interface SerialOptions {
  readonly path: string;
  readonly baudRate: number;
}

/** The used functions of a port: tests replace it by `SerialPortMock`. */
export type CreateSerialPort = (
  options: SerialOptions & { autoOpen: false; lock: true },
) => SerialPort | SerialPortMock;

const createRealPort: CreateSerialPort = (options) => new SerialPort(options);

export function createSerialTransport(
  options: SerialOptions,
  createPort: CreateSerialPort = createRealPort,
  findHolders: FindPortHolders = findPortHolders,
): ByteTransport {
  const label = `serial ${options.path} ${options.baudRate}`;
  const port = createPort({ ...options, autoOpen: false, lock: true });
  const closing = createCloseOnce();
  let asked = false;
  let cause: unknown = new Error("the port disappeared");

  // Bytes that nobody reads are dropped, and do not wait for a reader.
  port.resume();
  port.on("error", (error: unknown) => {
    cause = error;
  });
  port.on("close", (error: unknown) => {
    closing.report(asked ? { kind: "asked" } : { kind: "lost", cause: error ?? cause });
  });

  return {
    label,
    open: (signal) =>
      new Promise((resolve, reject) => {
        const stopped = () => new Fault("link.aborted", { message: `${label}: stopped`, cause: signal.reason });
        if (signal.aborted) {
          reject(stopped());
          return;
        }
        let refusal: Fault | null = null;
        // A driver of the system may hang inside the call: the opening does not wait for it, but a port that opens late
        // is closed again.
        const onAbort = () => {
          asked = true;
          reject(refusal ?? stopped());
        };
        signal.addEventListener("abort", onAbort, { once: true });
        port.open((error) => {
          const isOver = () => signal.removeEventListener("abort", onAbort);
          if (error !== null && error !== undefined) {
            // The search for the process that has the port open may hang as well. The time limit of the opening stops
            // the search too: the refusal then names no process.
            refusal = openFault(error, label);
            withHolder(refusal, () => findHolders(options.path))
              .then(reject, reject)
              .finally(isOver);
            return;
          }
          isOver();
          if (asked) port.close();
          else resolve();
        });
      }),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        // The library would keep the bytes for the next opening.
        if (!port.isOpen) {
          reject(new Fault("link.lost", { message: `${label} is closed` }));
          return;
        }
        port.write(Buffer.from(bytes), (error) => {
          if (error === null || error === undefined) resolve();
          else reject(new Fault("link.lost", { message: `${label}: ${error.message}`, cause: error }));
        });
      }),
    async close({ doubt = false } = {}) {
      asked = true;
      if (!port.isOpen) return;
      if (doubt) await settled((done) => port.flush(done));
      await settled((done) => port.close(done));
      await closing.closed(!port.isOpen);
    },
    onBytes: (listener) => port.on("data", listener),
    onClosed: (listener) => closing.onClosed(listener),
  };
}

/** Runs an action on a port that is no longer needed: errors of the operating system do not matter any more. */
function settled(run: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => run(() => resolve()));
}

/** Names the process that uses a busy port, where the system shows it. */
async function withHolder(fault: Fault, findHolders: () => ReturnType<FindPortHolders>): Promise<Fault> {
  const holders = fault.code === "link.busy" ? await findHolders() : [];
  if (holders.length === 0) return fault;
  const who = holders.map(({ pid, program }) => `process ${pid} (${program})`).join(", ");
  const message = `${fault.message}; it is held by ${who}`;
  return new Fault(fault.code, { message, details: { holders: holders.map(({ pid }) => pid) }, cause: fault.cause });
}

function openFault(error: Error, label: string): Fault {
  // Windows says "access denied" for a port that another program has open, other systems say "permission denied" for a
  // port that this user may not open.
  const forbidden = /permission denied/i.test(error.message);
  const busy = /lock|busy|denied|temporarily unavailable|in use/i.test(error.message);
  return new Fault(forbidden ? "link.forbidden" : busy ? "link.busy" : "link.not-found", {
    message: `${label}: ${error.message}`,
    cause: error,
  });
}
