import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Discovery } from "@fiscald/drivers/discover/discover.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Config } from "../../config/config-schema.js";
import { parseConfig } from "../../config/load-config.js";
import { readUtf8 } from "../../config/read-utf8.js";
import { type CliContext, configPathOf, type ExitCode, exitCodes } from "../cli-context.js";
import { type DiscoverOptions, findRegisters, printDiscovery } from "../commands/discover.js";
import { createQuestions, type Questions } from "../terminal/questions.js";
import { askRegisters, type RegisterAnswers } from "./init-registers.js";
import { askSite, type SiteAnswers } from "./init-site.js";
import { writeSecret } from "./secret-file.js";

export interface InitOptions extends DiscoverOptions {
  readonly out?: string | undefined;
}

/** Asks what a config needs, looks for registers, and writes it. Nothing is written before every question is answered. */
export async function init(context: CliContext, options: InitOptions): Promise<ExitCode> {
  const { input, out, stopSignal } = context;
  if (input === undefined) throw new Fault("usage.wrong", { message: "there is nobody who could answer questions" });
  const path = configPathOf(context, options.out ?? options.config);
  const questions = createQuestions({ input, out, stopSignal });
  try {
    out(`Makes the config ${path}. Enter takes the answer in [brackets].\n\n`);
    const kept = freeName(dirname(path), `${basename(path)}.old`);
    if (!(await mayWrite(questions, path, kept))) {
      out("Nothing was written.\n");
      return exitCodes.failed;
    }
    const site = await askSite(questions, (name) => freeName(dirname(path), name));
    const { found } = await searchRegisters(context, options);
    const free = (name: string) => freeName(dirname(path), name);
    const registers = await askRegisters(questions, found, { site: site.id, freeName: free });
    const config = writeAll({ path, kept: resolve(dirname(path), kept) }, site, registers);
    printNextSteps(context, path, site, registers);
    printShiftTimes(context, config);
    return exitCodes.done;
  } finally {
    questions.close();
  }
}

async function mayWrite(questions: Questions, path: string, kept: string): Promise<boolean> {
  return !existsSync(path) || questions.yesNo(`${path} exists. Write a new one (this one is kept as ${kept})`, false);
}

/** A machine that does not tell its ports may still have a register that a person knows of. */
async function searchRegisters(context: CliContext, options: InitOptions): Promise<Discovery> {
  context.out(
    "\nLooking for registers; nothing is printed or written on any of them. This may take half a minute.\n\n",
  );
  try {
    const discovery = await findRegisters(context, options);
    printDiscovery({ ...context, err: context.out }, discovery);
    context.out("\n");
    return discovery;
  } catch (error) {
    const fault = toFault(error, "internal");
    if (fault.area !== "link" || context.stopSignal.aborted) throw fault;
    context.out(`${fault.message}\n${fault.hint.en}\n\n`);
    return { found: [], others: [] };
  }
}

/** The text is checked as the daemon will check it, before anything is on the disk. */
function writeAll(
  { path, kept }: { readonly path: string; readonly kept: string },
  { entry, secret }: SiteAnswers,
  { entries, secrets: ofRegisters }: RegisterAnswers,
): Config {
  const text = `${JSON.stringify({ version: 1, sites: [entry], registers: entries }, null, 2)}\n`;
  const folder = dirname(path);
  const secrets = [...(secret === null ? [] : [secret]), ...ofRegisters];
  const values = new Map(secrets.map(({ file, value }) => [resolve(folder, file), value]));
  const config = parseConfig(text, path, {
    folder,
    env: {},
    readFile: (name) => values.get(name) ?? readUtf8(name),
  });
  mkdirSync(folder, { recursive: true });
  for (const known of secrets) writeSecret(folder, known);
  if (existsSync(path)) renameSync(path, kept);
  writeFileSync(path, text, { flag: "wx" });
  return config;
}

function printNextSteps(
  { out }: CliContext,
  path: string,
  { secret }: SiteAnswers,
  { entries, secrets }: RegisterAnswers,
): void {
  out(`\nWritten: ${path}, with ${entries.length} register(s).\n`);
  for (const { file } of secrets)
    out(`A password is in ${resolve(dirname(path), file)}, readable by this user only.\n`);
  if (secret !== null) {
    out(`The secret is in ${resolve(dirname(path), secret.file)}, readable by this user only.\n`);
    if (secret.isNew) out(`Give it to the site, which does not know it yet: ${secret.value}\n`);
  }
  out(`Next: fiscald check-config --config ${path}\n      fiscald run --config ${path}\n`);
}

/** What was not asked and is another thing in another place. */
function printShiftTimes({ out }: CliContext, { registers }: Config): void {
  const zones = [...new Set(registers.map(({ timeZone }) => timeZone))].join(", ");
  out(`Time zone of the registers: ${zones} (\`timeZone\`). Shifts are closed before they are 24 hours old;\n`);
  out("a time of day for it is `closeShiftAt`, such as 23:50.\n");
}

/** A file that is there belongs to something else. */
function freeName(folder: string, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(resolve(folder, name))) return name;
  }
}
