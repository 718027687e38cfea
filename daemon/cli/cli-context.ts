import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { detailInRussian, type Fault, toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { applyEnvOverrides } from "../config/env-overrides.js";
import { loadConfig, readUtf8 } from "../config/load-config.js";
import { type Language, languages, messagesIn } from "../messages/messages.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import type { CommonOptions } from "./options.js";
import type { QuestionsInput } from "./terminal/questions.js";

/** What a command needs from its process. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True when `out` writes to a terminal that shows colours. */
  readonly showsColours?: boolean;
  /** The source of answers; if absent, a command cannot ask questions. */
  readonly input?: QuestionsInput;
  /** Lists the serial ports; by default those of this machine. */
  readonly listPorts?: ListSerialPorts;
  /** Aborts when the process is asked to end. */
  readonly stopSignal: AbortSignal;
  /** Aborts when the reader of the output has closed it. The daemon ignores this and goes on printing receipts. */
  readonly readerGone?: AbortSignal;
}

/** Exit codes. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function configPathOf({ env, folder }: CliContext, option: string | undefined): string {
  return resolve(folder, option ?? env.FISCALD_CONFIG ?? "config.json");
}

/**
 * True when there surely is no such file. A file that this user may not see is another trouble: reading it tells which.
 */
export function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // Not checked by `throwIfNoEntry`: since Node 22 that also hides a path that goes through a file.
    return z.object({ code: z.literal("ENOENT") }).safeParse(error).success;
  }
}

export function loadCliConfig(context: CliContext, option: string | undefined): Config {
  return loadConfig({ path: configPathOf(context, option), env: context.env });
}

/** For commands that ask a running daemon or read its database. Throws `usage.wrong` for an unknown language. */
export function daemonOf(context: CliContext, options: CommonOptions) {
  const config = loadConfig({ path: pathOfDaemonConfig(context, options.config), env: context.env });
  return { config, ...spokenTo(context, options, config) };
}

/** The path of the config; where none was made so far, `npm start` runs the example. */
export function pathOfDaemonConfig(context: CliContext, option: string | undefined): string {
  const path = configPathOf(context, option);
  const example = resolve(context.folder, "config.example.json");
  const isNamed = (option ?? context.env.FISCALD_CONFIG) !== undefined;
  return !isNamed && !existsSync(path) && existsSync(example) ? example : path;
}

/** The language of what a command prints: `--lang`, else FISCALD_LANG, else the config. Throws `usage.wrong`. */
export function spokenTo(context: CliContext, { lang }: CommonOptions, { log }: Pick<Config, "log">) {
  const language = chosenLanguage(context, lang) ?? log.language;
  return { language, words: messagesIn(language) };
}

/** The language for commands that need no config: a valid config still gives it. */
export function languageWithoutConfig(context: CliContext, options: CommonOptions): Language {
  return chosenLanguage(context, options.lang) ?? languageInConfig(context, options.config) ?? "en";
}

/** The language of a help text, which is asked for before any option is read. */
export function languageOfHelp(context: CliContext, args: readonly string[]): Language {
  if (args.length > 0 && !args.some((word) => ["help", "-h", "--help"].includes(word))) return "en";
  return languageOfWords(context, args);
}

/** The language of messages about a command line that could not be read. */
export function languageOfWords(context: CliContext, args: readonly string[]): Language {
  const at = args.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const lang = args[at]?.split("=")[1] ?? args[at + 1];
  try {
    return languageWithoutConfig(context, at === -1 ? {} : { lang });
  } catch {
    return "en";
  }
}

/** Null: the user has not chosen a language. Throws `usage.wrong`. */
function chosenLanguage({ env }: CliContext, option: string | undefined): Language | null {
  const wanted = option ?? (env.FISCALD_LANG || undefined);
  if (wanted === undefined) return null;
  const known = languages.find((language) => language === wanted);
  if (known !== undefined) return known;
  const place = option === undefined ? "FISCALD_LANG" : "--lang";
  throw wrongValue(commandReasons.mustBeOneOf(place, languages.join(", ")), place);
}

const configWithLanguage = z.looseObject({ log: z.looseObject({ language: z.enum(languages) }) });

/**
 * The language in the config, even in one with mistakes: a person who reads about those mistakes has chosen it there.
 */
function languageInConfig(context: CliContext, option: string | undefined): Language | null {
  try {
    const raw: unknown = JSON.parse(readUtf8(pathOfDaemonConfig(context, option)));
    applyEnvOverrides(raw, context.env, () => []);
    return configWithLanguage.parse(raw).log.language;
  } catch {
    return null;
  }
}

export function exitCodeOf({ area, code }: Fault): ExitCode {
  // A service does not start again and again what a person has put away.
  const isForPerson = area === "config" || code === "usage.wrong" || code === "store.moved";
  return isForPerson ? exitCodes.wrongUsage : exitCodes.failed;
}

/** Prints the fault of a failed command and what to do: in Russian for users of Russian, else with both hints. */
export function printFailure(
  context: CliContext,
  error: unknown,
  options: CommonOptions = {},
  command?: string,
): ExitCode {
  const fault = toFault(error, "internal");
  const { code, message, text } = fault;
  const hint = code === "usage.wrong" && command !== undefined ? commandReasons.helpOf(command) : fault.hint;
  context.err(
    speaksRussian(context, options)
      ? `${[`${code}: ${text.ru}`, detailInRussian(fault), hint.ru].filter(Boolean).join("\n")}\n`
      : `${code}: ${message}\n${hint.en}\n${hint.ru}\n`,
  );
  if (fault.code === "internal" && error instanceof Error) context.err(`${error.stack ?? ""}\n`);
  return exitCodeOf(fault);
}

/** The failure to print may itself be a wrong choice of the language. */
function speaksRussian(context: CliContext, options: CommonOptions): boolean {
  try {
    return languageWithoutConfig(context, options) === "ru";
  } catch {
    return false;
  }
}

export function printJson({ out }: CliContext, value: unknown): void {
  out(`${JSON.stringify(value, null, 2)}\n`);
}
