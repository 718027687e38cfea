/** Emulated registers, as many as asked for, in one process: each line of standard input opens one on free ports. */
import { createInterface } from "node:readline";
import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { z } from "zod";

const requestSchema = z.union([
  z.object({ close: z.number() }),
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

const opened = new Map<number, Emulator>();

for await (const line of createInterface({ input: process.stdin })) {
  const request = requestSchema.parse(JSON.parse(line));
  if ("close" in request) {
    await opened.get(request.close)?.close();
    opened.delete(request.close);
    process.stdout.write(`closed id=${request.close}\n`);
    continue;
  }
  const { id, ...options } = request;
  const emulator = await openEmulator({ ...options, control: "127.0.0.1:0" });
  opened.set(id, emulator);
  process.stdout.write(`opened id=${id} listen=${emulator.listening} control=http://${emulator.control}\n`);
}
process.exit(0);
