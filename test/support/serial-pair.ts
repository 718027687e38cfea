import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "./wait-for.js";

/** Two ends of a serial line, made by socat. */
export interface SerialPair {
  readonly device: string;
  readonly host: string;
  close(): Promise<void>;
}

export const hasSocat = spawnSync("socat", ["-V"]).status === 0;
/** Stands behind the title of a test that is skipped. */
export const needsSocat = hasSocat ? "" : " (skipped: needs socat)";

export async function openSerialPair(folder: string): Promise<SerialPair> {
  const device = join(folder, "tty-device");
  const host = join(folder, "tty-host");
  const socat: ChildProcess = spawn("socat", [`pty,raw,echo=0,link=${device}`, `pty,raw,echo=0,link=${host}`], {
    stdio: "ignore",
  });
  process.once("exit", () => socat.kill());
  await waitFor("socat has made the pair", () => existsSync(device) && existsSync(host));
  return {
    device,
    host,
    close: () =>
      new Promise((resolve) => {
        socat.once("close", () => resolve());
        socat.kill();
      }),
  };
}
