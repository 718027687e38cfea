import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "./wait-for.js";

/** A cable from a serial port to a register behind TCP, which keeps running when the cable is pulled. */
export interface Cable {
  readonly path: string;
  plugIn(): Promise<void>;
  /** The port disappears, as that of a USB register does. */
  pull(): Promise<void>;
}

export function serialCable(folder: string, tcpPort: number): Cable {
  const path = join(folder, "tty-usb");
  let socat: ChildProcess | null = null;
  process.once("exit", () => socat?.kill());
  return {
    path,
    async plugIn() {
      const child = spawn("socat", [`pty,raw,echo=0,link=${path}`, `tcp:127.0.0.1:${tcpPort},nodelay`], {
        stdio: "ignore",
      });
      socat = child;
      await waitFor("socat has made the port", () => existsSync(path));
    },
    pull() {
      const child = socat;
      socat = null;
      return new Promise((resolve) => {
        if (child === null) return resolve();
        child.once("close", () => resolve());
        child.kill();
      });
    },
  };
}
