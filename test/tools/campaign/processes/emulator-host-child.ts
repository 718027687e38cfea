/**
 * Any number of emulated registers in one process. Each line of standard input opens a register on free ports, closes
 * one, or requests a message when the wire of a register stands still.
 */
import { createInterface } from "node:readline";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { z } from "zod";

const requestSchema = z.union([
  z.object({ close: z.number() }),
  z.object({ untilPaused: z.number(), call: z.number() }),
  z.object({
    id: z.number(),
    maker: z.string(),
    listen: z.string(),
    protocol: z.string().optional(),
    kkm: z.string(),
    fn: z.string(),
    inn: z.string(),
    unconfirmed: z.record(z.string(), z.string()),
  }),
]);

interface Opened {
  readonly emulator: Emulator;
  watch?: NodeJS.Timeout;
}

const opened = new Map<number, Opened>();

/** Sends a message once a fault of the effect `pause` has acted; a later call replaces an earlier one. */
function tellWhenPaused(register: Opened, call: number): void {
  clearInterval(register.watch);
  register.watch = setInterval(() => {
    if (!register.emulator.faults.list().some(({ effect, struck }) => effect === "pause" && struck > 0)) return;
    clearInterval(register.watch);
    process.stdout.write(`paused call=${call}\n`);
  }, 2);
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = requestSchema.parse(JSON.parse(line));
  if ("untilPaused" in request) {
    const register = opened.get(request.untilPaused);
    if (register !== undefined) tellWhenPaused(register, request.call);
    continue;
  }
  if ("close" in request) {
    const register = opened.get(request.close);
    clearInterval(register?.watch);
    await register?.emulator.close();
    opened.delete(request.close);
    process.stdout.write(`closed id=${request.close}\n`);
    continue;
  }
  const { id, ...options } = request;
  const emulator = await openEmulator({ ...options, control: "127.0.0.1:0" });
  opened.set(id, { emulator });
  process.stdout.write(`opened id=${id} listen=${emulator.listening} control=http://${emulator.control}\n`);
}
process.exit(0);
