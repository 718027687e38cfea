import { once } from "node:events";
import { driverNames, loadEmulators } from "@fiscald/drivers/registry.js";
import { type Command, InvalidArgumentError, Option } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";

const optionsSchema = z.object({
  maker: z.string(),
  listen: z.string(),
  control: z.string().optional(),
  state: z.string().optional(),
  kkm: z.string().optional(),
  inn: z.string().optional(),
  fn: z.string().optional(),
  ffd: z.enum(["1.05", "1.1", "1.2"]).optional(),
  timing: z.enum(["instant", "realistic"]),
  baud: z.number(),
  protocol: z.string().optional(),
  model: z.string().optional(),
  timeZone: z.string(),
  unconfirmed: z.record(z.string(), z.string()),
});

/** Adds the command `emulator`. `onExit` receives the exit code when the emulator has ended. */
export function registerEmulatorCommand(program: Command, onExit: (code: number) => void): Command {
  return program
    .command("emulator")
    .addOption(new Option("--maker <name>", "whose protocol it speaks").choices(driverNames).makeOptionMandatory())
    .requiredOption("--listen <address>", "tcp:HOST:PORT, serial:PATH, or http:HOST:PORT for a maker's print service")
    .option("--control <host:port>", "control port: faults, documents, tape, clock")
    .option("--state <file>", "file of its fiscal memory; without it the memory is lost at the end")
    .option("--kkm <number>", "registration number")
    .option("--inn <number>", "taxpayer number")
    .option("--fn <number>", "serial number of the fiscal drive, for a new state")
    .addOption(new Option("--ffd <version>", "format of fiscal documents").choices(["1.05", "1.1", "1.2"]))
    .addOption(
      new Option("--timing <kind>", "speed of the emulated device")
        .choices(["instant", "realistic"])
        .default("instant"),
    )
    .option("--baud <rate>", "baud rate, for serial and for realistic timing", parseBaud, 115_200)
    .option("--protocol <name>", "link protocol, where the maker has several: v1, v2")
    .option("--model <name>", "model, where the maker has several")
    .option("--time-zone <name>", "zone of its clock", "Europe/Moscow")
    .option("--unconfirmed <name=value>", "switch of an unconfirmed fact; may be repeated", collectSetting, {})
    .action(async (options: unknown) => onExit(await runEmulator(optionsSchema.parse(options))));
}

async function runEmulator(options: z.infer<typeof optionsSchema>): Promise<number> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    const { openEmulator } = await loadEmulators();
    const emulator = await openEmulator({ ...options, statePath: options.state, baudRate: options.baud });
    const control = emulator.control === null ? "" : ` control=http://${emulator.control}`;
    process.stdout.write(`ready listen=${emulator.listening}${control}\n`);
    if (!stopped.signal.aborted) await once(stopped.signal, "abort");
    await emulator.close();
    return 0;
  } catch (error) {
    if (!isFault(error)) throw error;
    process.stderr.write(`${error.code}: ${error.message}${error.place === null ? "" : ` (${error.place})`}\n`);
    return error.code === "usage.wrong" ? 2 : 1;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}

function parseBaud(text: string): number {
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1200 || rate > 4_000_000) throw new InvalidArgumentError("a rate like 115200");
  return rate;
}

function collectSetting(text: string, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [name = "", value] = text.split("=");
  if (name === "" || value === undefined) throw new InvalidArgumentError("NAME=VALUE");
  return { ...settings, [name]: value };
}
