import { once } from "node:events";
import { driverNames, loadEmulators } from "@fiscald/drivers/registry.js";
import { type Command, choiceOf, wrongValue } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";

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

export function registerEmulatorCommand(
  program: Command,
  options: Messages["help"]["emulator"],
  onExit: (code: number) => void,
): Command {
  return program
    .command("emulator")
    .addOption(choiceOf("--maker <name>", options.maker, driverNames).makeOptionMandatory())
    .requiredOption("--listen <address>", options.listen)
    .option("--control <host:port>", options.control)
    .option("--state <file>", options.state)
    .option("--kkm <number>", options.kkm)
    .option("--inn <number>", options.inn)
    .option("--fn <number>", options.fn)
    .addOption(choiceOf("--ffd <version>", options.ffd, ["1.05", "1.1", "1.2"]))
    .addOption(choiceOf("--timing <kind>", options.timing, ["instant", "realistic"]).default("instant"))
    .option("--baud <rate>", options.baud, parseBaud, 115_200)
    .option("--protocol <name>", options.protocol)
    .option("--model <name>", options.model)
    .option("--time-zone <name>", options.timeZone, "Europe/Moscow")
    .option("--unconfirmed <name=value>", options.unconfirmed, collectSetting, {})
    .action(async (given: unknown) => onExit(await runEmulator(optionsSchema.parse(given))));
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
  if (!Number.isInteger(rate) || rate < 1200 || rate > 4_000_000) throw wrongValue(commandReasons.rate);
  return rate;
}

function collectSetting(text: string, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [name = "", value] = text.split("=");
  if (name === "" || value === undefined) throw wrongValue(commandReasons.nameAndValue);
  return { ...settings, [name]: value };
}
