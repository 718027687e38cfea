import { join } from "node:path";
import { startChild } from "../../../support/child-process.js";
import { controlEmulator, type EmulatorProcess } from "../../../support/emulator-process.js";
import { root } from "../../../support/read-imports.js";

export interface HostedEmulator {
  readonly maker: string;
  /** As `tcp:127.0.0.1:0`. */
  readonly listen: string;
  readonly protocol?: string | undefined;
  readonly kkm: string;
  readonly fn: string;
  readonly inn: string;
  readonly unconfirmed: Readonly<Record<string, string>>;
}

export interface HostedRegister extends EmulatorProcess {
  /** Resolves when a fault of the effect `pause` has stopped the wire. Rejects after `timeoutMs`. */
  paused(timeoutMs: number): Promise<void>;
}

/** One process for many emulated registers, so that a case starts no process. */
export interface EmulatorHost {
  open(options: HostedEmulator): Promise<HostedRegister>;
  close(): Promise<void>;
}

const hostChild = join(root, "test/dist/tools/campaign/processes/emulator-host-child.js");

export function startEmulatorHost(): EmulatorHost {
  const child = startChild([hostChild]);
  let lastId = 0;
  let lastCall = 0;
  return {
    async open(options) {
      lastId += 1;
      const id = lastId;
      child.send(JSON.stringify({ id, ...options }));
      const [, listening = "", control = ""] = await child.line(
        new RegExp(`^opened id=${id} listen=(\\S+) control=(\\S+)`),
        30_000,
      );
      const register = controlEmulator(listening, control, async () => {
        child.send(JSON.stringify({ close: id }));
        await child.line(new RegExp(`^closed id=${id}$`), 30_000);
      });
      return {
        ...register,
        async paused(timeoutMs) {
          lastCall += 1;
          const call = lastCall;
          child.send(JSON.stringify({ untilPaused: id, call }));
          await child.line(new RegExp(`^paused call=${call}$`), timeoutMs);
        },
      };
    },
    async close() {
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}
