import { join } from "node:path";
import { type Child, startChild } from "../../../support/child-process.js";
import { root } from "../../../support/read-imports.js";
import { HURRY } from "./hurried-clock.js";

export interface DaemonStart {
  readonly configPath: string;
  /** The safety net that is switched off; see `nets.ts`. */
  readonly off?: string | undefined;
  /** How many times faster the daemon's waits pass. */
  readonly hurry?: number | undefined;
}

/** Daemons in processes of their own. The next daemon's code is loaded ahead, so a restart costs less. */
export interface DaemonPool {
  start(options: DaemonStart): Promise<Child>;
  close(): Promise<void>;
}

/** Real ms to wait for an outcome. */
export const PATIENCE_MS = 60_000;

const daemonChild = join(root, "test/dist/tools/campaign/processes/daemon-child.js");

export function openDaemonPool(): DaemonPool {
  let spare: Child | null = null;
  let closed = false;
  const load = () => startChild([daemonChild]);
  return {
    async start({ configPath, off = null, hurry = HURRY }) {
      const child = spare ?? load();
      spare = null;
      child.send(JSON.stringify({ configPath, off, hurry }));
      await child.line(/^ready/, PATIENCE_MS);
      if (!closed) spare ??= load();
      return child;
    },
    async close() {
      closed = true;
      spare?.signal("SIGKILL");
      await spare?.ended;
    },
  };
}
