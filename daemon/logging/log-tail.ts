import { Writable } from "node:stream";

/** The last lines of the log, and each new line, for the console. */
export interface LogTail {
  /** The stream that the logger writes to. */
  readonly stream: Writable;
  recent(): readonly string[];
  /** Returns the function that ends the subscription. */
  subscribe(listener: (line: string) => void): () => void;
}

const keptLines = 500;

export function createLogTail(): LogTail {
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      for (const line of String(chunk).split(/\r?\n/)) {
        if (line === "") continue;
        lines.push(line);
        for (const listener of listeners) listener(line);
      }
      lines.splice(0, Math.max(0, lines.length - keptLines));
      done();
    },
  });
  return {
    stream,
    recent: () => [...lines],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
