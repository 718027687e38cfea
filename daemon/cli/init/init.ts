import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Discovery } from "@fiscald/drivers/discover/discover.js";
import { driverNames, driverNeedsCashier } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { isForbidden } from "@fiscald/shared/files/folder-rights.js";
import type { Config } from "../../config/config-schema.js";
import { lacksDefaultTax } from "../../config/cross-checks.js";
import { unreadConfig } from "../../config/load-config.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { findRefusedEmulators } from "../../setup/emulated.js";
import { shopEntry } from "../../setup/setup-answers.js";
import { type SiteToTry, trySite } from "../../setup/try-site.js";
import { freeName, writeConfig } from "../../setup/write-config.js";
import { type CliContext, configPathOf, type ExitCode, exitCodes, languageWithoutConfig } from "../cli-context.js";
import { printDiscovery, searchFor } from "../commands/discover.js";
import { consolePortIn } from "../commands/run-setup.js";
import { printFindings } from "../doctor/doctor.js";
import { signLines } from "../internet-signs.js";
import type { InitOptions } from "../options.js";
import { commandLine, formatSteps, packageSteps } from "../terminal/output.js";
import { createQuestions, type Questions } from "../terminal/questions.js";
import { askRegisters, type RegisterAnswers } from "./init-registers.js";
import { askShop } from "./init-shop.js";
import { askSite, type SiteAnswers } from "./init-site.js";

/** Searches for registers, asks the questions of a config and writes it. Nothing is written before the last answer. */
export async function init(context: CliContext, options: InitOptions): Promise<ExitCode> {
  const { input, out, stopSignal } = context;
  if (input === undefined) throw new Fault("usage.wrong", { message: commandReasons.noInput });
  const path = configPathOf(context, options.out ?? options.config);
  const language = languageWithoutConfig(context, options);
  const questions = createQuestions({ input, out, stopSignal, language });
  const { words } = questions;
  try {
    out(`${words.begins({ path })}\n\n`);
    const free = (name: string) => freeName(dirname(path), name);
    const oldName = free(`${basename(path)}.old`);
    if (!(await mayWrite(questions, path, oldName))) {
      out(`${words.nothingWritten}\n`);
      return exitCodes.failed;
    }
    const site = await askSite(questions, {
      freeName: free,
      tryIt: (tried) => showSite(context, language, tried),
    });
    const { found } = await searchRegisters(context, options, language);
    const registers = await askRegisters(questions, found, { site: site.id, language, freeName: free });
    const drivers = driverNames.filter((name) => registers.entries.some(({ driver }) => driver === name));
    const shop = await askShop(questions, { language, needsCashier: drivers.some(driverNeedsCashier) });
    const config = writeConfig({
      path,
      // The Debian package sets this variable.
      dataFolder: context.env.FISCALD_DATA ?? null,
      oldConfig: resolve(dirname(path), oldName),
      site: site.entry,
      registers: registers.entries.map((entry) => ({ ...entry, ...shopEntry(shop) })),
      secrets: [...(site.secret === null ? [] : [site.secret]), ...registers.secrets],
    });
    printNextSteps(context, words, path, site, registers);
    printDefaultTax(context, words, config);
    await printRefusedEmulators(context, config, language);
    for (const line of signLines(config, language)) out(`${line}\n`);
    return exitCodes.done;
  } finally {
    questions.close();
  }
}

async function mayWrite(questions: Questions, path: string, oldName: string): Promise<boolean> {
  try {
    statSync(path);
  } catch (error) {
    // A folder that may not be written to is reported before the questions, not after the last answer.
    if (isForbidden(error)) throw unreadConfig(path, error);
    return true;
  }
  return questions.yesNo(questions.words.mayReplace({ path, old: oldName }), false);
}

/** If the ports of the machine cannot be listed, the user may still describe a register. */
async function searchRegisters(context: CliContext, options: InitOptions, language: Language): Promise<Discovery> {
  context.out(`\n${messagesIn(language).discover.looking}\n\n`);
  try {
    const discovery = await searchFor(context, options);
    printDiscovery({ ...context, err: context.out }, discovery, language);
    context.out("\n");
    return discovery;
  } catch (error) {
    const fault = toFault(error, "internal");
    if (fault.area !== "link" || context.stopSignal.aborted) throw fault;
    context.out(`${language === "en" ? fault.message : fault.text[language]}\n${fault.hint[language]}\n\n`);
    return { found: [], others: [] };
  }
}

function printNextSteps(
  { env, out }: CliContext,
  words: Questions["words"],
  path: string,
  { secret }: SiteAnswers,
  { entries, secrets }: RegisterAnswers,
): void {
  out(`\n${words.written({ path, count: entries.length })}\n`);
  for (const { file } of secrets) out(`${words.passwordIn({ path: resolve(dirname(path), file) })}\n`);
  if (secret !== null) {
    out(`${words.secretIn({ path: resolve(dirname(path), secret.file) })}\n`);
    if (secret.isNew) out(`${words.giveSecret({ secret: secret.value })}\n`);
  }
  const byHand = () => ["check-config", "run"].map((command) => commandLine("fiscald", [command, "--config", path]));
  out(formatSteps(words.next, packageSteps(env) ?? byHand()));
  out(`${words.prove({ id: entries[0]?.id ?? "" })}\n`);
}

/** Tests the site's address, and prints how it answers. */
async function showSite({ out, stopSignal, env }: CliContext, language: Language, site: SiteToTry): Promise<void> {
  const ownPort = consolePortIn(env);
  const findings = await trySite(site, { signal: stopSignal, clock: systemClock, newId: randomUUID, ownPort });
  out("\n");
  printFindings(out, language, findings);
  out("\n");
}

async function printRefusedEmulators({ out }: CliContext, config: Config, language: Language): Promise<void> {
  for (const { path, message, ru } of await findRefusedEmulators(config)) {
    out(`${path}: ${language === "ru" ? ru : message}\n`);
  }
}

/** Prints which registers lack a rate for positions without one, because init does not ask for it. */
function printDefaultTax({ out }: CliContext, words: Questions["words"], { registers }: Config): void {
  const ids = registers.filter(lacksDefaultTax).map(({ id }) => id);
  if (ids.length > 0) out(`${words.noDefaultTax({ ids: ids.join(", ") })}\n`);
}
