import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Discovery } from "@fiscald/drivers/discover/discover.js";
import { driverRows } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { toFault } from "@fiscald/shared/fault.js";
import { isForbidden } from "@fiscald/shared/files/folder-rights.js";
import type { Config } from "../../config/config-schema.js";
import { consolePortIn } from "../../config/console-schema.js";
import { lacksDefaultTax } from "../../config/cross-checks.js";
import { unreadConfig } from "../../config/load-config.js";
import { type Language, type Messages, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { findRefusedEmulators } from "../../setup/emulated.js";
import { configOf } from "../../setup/setup-answers.js";
import { type SiteToTry, trySite } from "../../setup/try-site.js";
import { freeName, writeConfig } from "../../setup/write-config.js";
import { type CliContext, configPathOf, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import { printDiscovery, searchFor } from "../commands/discover.js";
import { printFindings } from "../doctor/doctor.js";
import { signLines } from "../internet-signs.js";
import { commandLine, formatSteps, packageSteps } from "../terminal/output.js";
import { Questions } from "../terminal/questions.js";
import { askRegisters } from "./init-registers.js";
import { askShop, askSite } from "./init-shop.js";

/** Nothing is written before the last answer. */
export async function init(session: Session): Promise<ExitCode> {
  const { context, options, language } = session;
  const { input, out, stopSignal } = context;
  if (input === undefined) throw wrongValue(commandReasons.noInput);
  const path = configPathOf(context, options.out ?? options.config);
  const questions = new Questions({ input, out, stopSignal, language });
  const words = session.words.init;
  try {
    out(`${words.begins({ path })}\n\n`);
    if (!(await mayWrite(questions, path))) {
      out(`${words.nothingWritten}\n`);
      return exitCodes.failed;
    }
    const { site, isSecretNew } = await askSite(questions, (tried) => showSite(context, language, tried));
    const { found } = await searchRegisters(session);
    const registers = await askRegisters(questions, found);
    const needsCashier = registers.some(({ driver }) => driverRows[driver].needsCashier);
    const shop = await askShop(questions, needsCashier);
    // The Debian package sets this variable.
    const made = configOf({ site, registers, ...shop }, path, context.env.FISCALD_DATA ?? null);
    const config = writeConfig(made.config);
    printNextSteps(context, words, made, isSecretNew);
    printDefaultTax(context, words, config);
    await printRefusedEmulators(context, config, language);
    for (const line of signLines(config, language)) out(`${line}\n`);
    return exitCodes.done;
  } finally {
    questions.close();
  }
}

async function mayWrite(questions: Questions, path: string): Promise<boolean> {
  try {
    statSync(path);
  } catch (error) {
    // A folder that may not be written to is reported before the questions, not after the last answer.
    if (isForbidden(error)) throw unreadConfig(path, error);
    return true;
  }
  const old = freeName(dirname(path), `${basename(path)}.old`);
  return questions.yesNo(questions.words.init.mayReplace({ path, old }), false);
}

/** If the machine's ports cannot be listed, the user may still describe a register. */
async function searchRegisters(session: Session): Promise<Discovery> {
  const { context, language, words } = session;
  context.out(`\n${words.discover.looking}\n\n`);
  try {
    const discovery = await searchFor(session);
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
  words: Messages["init"],
  { config: { path, registers, secrets }, secret }: ReturnType<typeof configOf>,
  isSecretNew: boolean,
): void {
  out(`\n${words.written({ path, count: registers.length })}\n`);
  const [ofSite, passwords] = secret === null ? [undefined, secrets] : [secrets[0], secrets.slice(1)];
  for (const { file } of passwords) out(`${words.passwordIn({ path: resolve(dirname(path), file) })}\n`);
  if (ofSite !== undefined) {
    out(`${words.secretIn({ path: resolve(dirname(path), ofSite.file) })}\n`);
    if (isSecretNew) out(`${words.giveSecret({ secret: ofSite.value })}\n`);
  }
  const byHand = () => ["check-config", "run"].map((command) => commandLine("fiscald", [command, "--config", path]));
  out(formatSteps(words.next, packageSteps(env) ?? byHand()));
  out(`${words.prove({ id: "till-1" })}\n`);
}

async function showSite({ out, stopSignal, env }: CliContext, language: Language, site: SiteToTry): Promise<void> {
  const ownPort = consolePortIn(env);
  const findings = await trySite(site, { signal: stopSignal, clock: systemClock, newId: randomUUID, ownPort });
  out("\n");
  printFindings(out, language, findings);
  if (findings.some(({ check, level }) => check === "site" && level === "bad"))
    out(`\n${messagesIn(language).init.startAgain}\n`);
  out("\n");
}

async function printRefusedEmulators({ out }: CliContext, config: Config, language: Language): Promise<void> {
  for (const { path, message, ru } of await findRefusedEmulators(config)) {
    out(`${path}: ${language === "ru" ? ru : message}\n`);
  }
}

/** `init` does not ask for the rate of positions without one, so it names the registers that lack this rate. */
function printDefaultTax({ out }: CliContext, words: Messages["init"], { registers }: Config): void {
  const ids = registers.filter(lacksDefaultTax).map(({ id }) => id);
  if (ids.length > 0) out(`${words.noDefaultTax({ ids: ids.join(", ") })}\n`);
}
