import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { detailInRussian, type Fault, toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { loadConfig, readUtf8 } from "../config/load-config.js";
import { type Language, languages, type Messages } from "../messages/messages.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import type { CliOptions } from "./options.js";
import type { QuestionsInput } from "./terminal/questions.js";

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input?: QuestionsInput;
  readonly listPorts?: ListSerialPorts;
  readonly stopSignal: AbortSignal;
  /** Aborts when the reader of the output has closed it. The daemon ignores this and goes on printing. */
  readonly readerGone?: AbortSignal;
}

export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Session {
  readonly context: CliContext;
  readonly options: CliOptions;
  /** All options as commander has read them, because `check-site` has more options than the other commands. */
  readonly given: unknown;
  readonly args: readonly string[];
  readonly language: Language;
  readonly words: Messages;
}

export function configPathOf({ env, folder }: CliContext, option: string | undefined): string {
  return resolve(folder, option ?? env.FISCALD_CONFIG ?? "config.json");
}

/** False for a file that this user may not see, because reading the file then shows the fault. */
export function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // The option `throwIfNoEntry` is not used: since Node 22 it also hides a path that goes through a file.
    return z.object({ code: z.literal("ENOENT") }).safeParse(error).success;
  }
}

export function loadCliConfig({ context, options }: Session): Config {
  return loadConfig({ path: configPathOf(context, options.config), env: context.env });
}

export function daemonConfig({ context, options }: Session): Config {
  return loadConfig({ path: pathOfDaemonConfig(context, options.config), env: context.env });
}

/** When no config was made yet, `npm start` runs the example config. */
export function pathOfDaemonConfig(context: CliContext, option: string | undefined): string {
  const path = configPathOf(context, option);
  const example = resolve(context.folder, "config.example.json");
  const isNamed = (option ?? context.env.FISCALD_CONFIG) !== undefined;
  return !isNamed && !existsSync(path) && existsSync(example) ? example : path;
}

export function languageOf(context: CliContext, words: readonly string[]): Language {
  const option = lastValueOf("--lang", words);
  const wanted = option ?? (context.env.FISCALD_LANG || undefined);
  if (wanted === undefined) return languageInConfig(context, lastValueOf("--config", words)) ?? "en";
  const known = languages.find((language) => language === wanted);
  if (known !== undefined) return known;
  const place = option === undefined ? "FISCALD_LANG" : "--lang";
  throw wrongValue(commandReasons.mustBeOneOf({ place, names: languages.join(", ") }), place);
}

/** Reads the option before commander reads the line, because commander's help and messages need the language. */
function lastValueOf(option: string, words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === option || word.startsWith(`${option}=`));
  const value = at === -1 ? undefined : words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1);
  return value?.startsWith("-") === true ? undefined : value;
}

const configWithLanguage = z.looseObject({ log: z.looseObject({ language: z.enum(languages) }) });

/** A config with mistakes counts too, because its reader has chosen the language. */
function languageInConfig(context: CliContext, option: string | undefined): Language | null {
  try {
    return configWithLanguage.parse(JSON.parse(readUtf8(pathOfDaemonConfig(context, option)))).log.language;
  } catch {
    return null;
  }
}

export function exitCodeOf({ area, code }: Fault): ExitCode {
  // A fault that only a person can mend counts as "wrong usage", after which a service is not started again.
  const isForPerson = area === "config" || code === "usage.wrong" || code === "store.moved";
  return isForPerson ? exitCodes.wrongUsage : exitCodes.failed;
}

/** A Russian reader gets the hint in Russian only; any other reader gets it in both languages. */
export function printFailure({ err }: CliContext, error: unknown, language: Language, command?: string): ExitCode {
  const fault = toFault(error, "internal");
  const { code, message, text } = fault;
  const hint = code === "usage.wrong" && command !== undefined ? commandReasons.helpOf({ command }) : fault.hint;
  err(
    language === "ru"
      ? `${[`${code}: ${text.ru}`, detailInRussian(fault), hint.ru].filter(Boolean).join("\n")}\n`
      : `${code}: ${message}\n${hint.en}\n${hint.ru}\n`,
  );
  if (code === "internal" && error instanceof Error) err(`${error.stack ?? ""}\n`);
  return exitCodeOf(fault);
}

export function printJson({ out }: CliContext, value: unknown): void {
  out(`${JSON.stringify(value, null, 2)}\n`);
}
