import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Discovery } from "@fiscald/drivers/discover/discover.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Config } from "../../config/config-schema.js";
import { type CliContext, configPathOf, type ExitCode, exitCodes } from "../cli-context.js";
import { type DiscoverOptions, findRegisters, printDiscovery } from "../commands/discover.js";
import { createQuestions, type Questions } from "../terminal/questions.js";
import { askRegisters, type RegisterAnswers } from "./init-registers.js";
import { askSite, type SiteAnswers } from "./init-site.js";
import { freeName, writeConfig } from "./write-config.js";

export interface InitOptions extends DiscoverOptions {
  readonly out?: string | undefined;
}

/** Searches for registers, asks the questions of a config and writes it. Nothing is written before the last answer. */
export async function init(context: CliContext, options: InitOptions): Promise<ExitCode> {
  const { input, out, stopSignal } = context;
  if (input === undefined)
    throw new Fault("usage.wrong", { message: "there is no input to answer the questions from" });
  const path = configPathOf(context, options.out ?? options.config);
  const questions = createQuestions({ input, out, stopSignal });
  try {
    out(`Makes the config ${path}. Enter takes the answer in [brackets].\n\n`);
    const free = (name: string) => freeName(dirname(path), name);
    const oldName = free(`${basename(path)}.old`);
    if (!(await mayWrite(questions, path, oldName))) {
      out("Nothing was written.\n");
      return exitCodes.failed;
    }
    const site = await askSite(questions, free);
    const { found } = await searchRegisters(context, options);
    const registers = await askRegisters(questions, found, { site: site.id, freeName: free });
    const config = writeConfig({
      path,
      // Set by the Debian package.
      dataFolder: context.env.FISCALD_DATA ?? null,
      oldConfig: resolve(dirname(path), oldName),
      site: site.entry,
      registers: registers.entries,
      secrets: [...(site.secret === null ? [] : [site.secret]), ...registers.secrets],
    });
    printNextSteps(context, path, site, registers);
    printShiftSettings(context, config);
    return exitCodes.done;
  } finally {
    questions.close();
  }
}

async function mayWrite(questions: Questions, path: string, oldName: string): Promise<boolean> {
  if (!existsSync(path)) return true;
  return questions.yesNo(`${path} exists. Write a new one (the present one is renamed to ${oldName})`, false);
}

/** If the ports of the machine cannot be listed, the user may still describe a register. */
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

/** Prints the defaults of settings that init does not ask for. */
function printShiftSettings({ out }: CliContext, { registers }: Config): void {
  const zones = [...new Set(registers.map(({ timeZone }) => timeZone))].join(", ");
  out(`Time zone of the registers: ${zones} (\`timeZone\`). Shifts are closed before they are 24 hours old;\n`);
  out("a time of day for it is `closeShiftAt`, such as 23:50.\n");
}
