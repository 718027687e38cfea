import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Child {
  readonly pid: number;
  /** The output so far, both streams, oldest first. */
  output(): string;
  /** The first line that matches, past or future. Rejects when the child ends first, or after `timeoutMs`. */
  line(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray>;
  /** Writes one line to the child's standard input. */
  send(line: string): void;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

const running = new Set<ChildProcess>();
// A test run that is killed leaves no daemons and emulators behind.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** `program` is this Node unless given. */
export interface ChildOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly program?: string;
  readonly cwd?: string;
}

export function startChild(args: readonly string[], options: ChildOptions = {}): Child {
  const child = spawn(options.program ?? process.execPath, args, {
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, NODE_OPTIONS: "", ...options.env },
  });
  running.add(child);
  // Writing to a child that has died is no error here: `ended` tells of its end.
  child.stdin.on("error", () => {});
  const lines: string[] = [];
  const listeners = new Set<(line: string | null) => void>();
  const tell = (line: string | null) => {
    for (const listener of [...listeners]) listener(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      tell(line);
    });
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      tell(null);
      resolve(code ?? signal ?? "unknown");
    });
  });
  return {
    pid: child.pid ?? -1,
    output: () => lines.join("\n"),
    line: (pattern, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer);
          listeners.delete(look);
        };
        const look = (line: string | null) => {
          const match = line?.match(pattern);
          if (line === null) {
            done();
            reject(new Error(`the child ended without ${pattern}:\n${lines.join("\n")}`));
          } else if (match) {
            done();
            resolve(match);
          }
        };
        const timer = setTimeout(() => {
          done();
          reject(new Error(`no line ${pattern} in ${timeoutMs} ms:\n${lines.join("\n")}`));
        }, timeoutMs);
        listeners.add(look);
        for (const line of lines) look(line);
        if (child.exitCode !== null) look(null);
      }),
    send: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
    ended,
  };
}
