import { Writable } from "node:stream";

export type LogTail = ReturnType<typeof createLogTail>;

const keptLines = 500;

export function createLogTail() {
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
    recent: (): readonly string[] => [...lines],
    subscribe(listener: (line: string) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
