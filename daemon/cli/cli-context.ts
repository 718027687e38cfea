import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Config } from "../config/config-schema.js";
import { loadConfig } from "../config/load-config.js";
import { type Language, languages } from "../messages/messages.js";
import type { QuestionsInput } from "./terminal/questions.js";

/** What a command needs from its process. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The source of answers; without it a command cannot ask questions. */
  readonly input?: QuestionsInput;
  /** Default: the serial ports of this machine. */
  readonly listPorts?: ListSerialPorts;
  /** Aborts when the process is asked to end. */
  readonly stopSignal: AbortSignal;
  /** Aborts when the reader of the output has closed it. The daemon ignores it and prints receipts. */
  readonly readerGone?: AbortSignal;
}

/** Exit codes of interfaces.md section 2. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function configPathOf({ env, folder }: CliContext, option: string | undefined): string {
  return resolve(folder, option ?? env.FISCALD_CONFIG ?? "config.json");
}

export function loadCliConfig(context: CliContext, option: string | undefined): Config {
  return loadConfig({ path: configPathOf(context, option), env: context.env });
}

/**
 * For commands that ask a running daemon or read its database: where no config was made yet, `npm start` runs the
 * example.
 */
export function loadConfigOfDaemon(context: CliContext, option: string | undefined): Config {
  const example = resolve(context.folder, "config.example.json");
  const given = option ?? context.env.FISCALD_CONFIG;
  const isDemo = given === undefined && !existsSync(configPathOf(context, given)) && existsSync(example);
  return loadCliConfig(context, isDemo ? example : option);
}

export interface LanguageSetting {
  readonly log: Pick<Config["log"], "language">;
}

/** The language of what a command prints: `--lang`, else FISCALD_LANG, else the config. Throws `usage.wrong`. */
export function languageOf({ env }: CliContext, option: string | undefined, { log }: LanguageSetting): Language {
  const wanted = option ?? (env.FISCALD_LANG || undefined);
  const known = languages.find((language) => language === (wanted ?? log.language));
  if (known !== undefined) return known;
  const place = option === undefined ? "FISCALD_LANG" : "--lang";
  throw new Fault("usage.wrong", { message: `${place} must be one of ${languages.join(", ")}`, place });
}

export function exitCodeOf({ area, code }: Fault): ExitCode {
  return area === "config" || code === "usage.wrong" ? exitCodes.wrongUsage : exitCodes.failed;
}

/** Prints the fault of a failed command and its hints. */
export function printFailure(context: CliContext, error: unknown): ExitCode {
  const fault = toFault(error, "internal");
  context.err(`${fault.code}: ${fault.message}\n${fault.hint.en}\n${fault.hint.ru}\n`);
  if (fault.code === "internal" && error instanceof Error) context.err(`${error.stack ?? ""}\n`);
  return exitCodeOf(fault);
}

export function printJson({ out }: CliContext, value: unknown): void {
  out(`${JSON.stringify(value, null, 2)}\n`);
}
