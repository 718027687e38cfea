import { spawn } from "node:child_process";
import { once } from "node:events";
import { waitFor } from "./wait-for.js";

/** Runs a Node program on a terminal of its own, by socat, and plays the person in front of it. */
export interface Terminal {
  shown(): string;
  /** Resolves when the output since the last key ends with the pattern. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<void>;
  type(keys: string): void;
  readonly ended: Promise<number>;
}

export function startTerminal(args: readonly string[]): Terminal {
  const command = [process.execPath, ...args].join(" ");
  const child = spawn("socat", ["-", `SYSTEM:"${command}; echo exit=$?",pty,setsid,ctty,stderr`], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  process.once("exit", () => child.kill("SIGKILL"));
  let shown = "";
  let fresh = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    fresh += text;
  });
  return {
    shown: () => shown,
    async shows(pattern, timeoutMs = 60_000) {
      await waitFor(`the screen shows ${pattern}`, () => pattern.test(fresh), { timeoutMs });
    },
    type(keys) {
      fresh = "";
      child.stdin.write(keys);
    },
    ended: once(child, "close").then(() => Number(/exit=(\d+)\s*$/.exec(shown)?.[1] ?? Number.NaN)),
  };
}
