import type { EventEmitter } from "node:events";

/** The other end of a pipe was closed, or the terminal it was is no more. */
const goneCodes: readonly unknown[] = ["EPIPE", "EIO", "ERR_STREAM_DESTROYED"];

/**
 * Aborts when the reader of an output is gone: `fiscald logs -f | head`, an ended terminal, `run | tee` without its tee. That
 * ends no receipt in hand and is no fault of the command, which has nobody left to tell; any other trouble is thrown.
 */
export function watchReader(outputs: readonly EventEmitter[]): AbortSignal {
  const gone = new AbortController();
  for (const output of outputs) {
    output.on("error", (error: unknown) => {
      if (!(error instanceof Error && "code" in error && goneCodes.includes(error.code))) throw error;
      gone.abort();
    });
  }
  return gone.signal;
}
