import { isFault } from "@fiscald/shared/fault.js";
import { configFault } from "../../config/config-problem.js";
import { configJsonSchema } from "../../config/config-table.js";
import { configAdvice, findUnusableRegisters } from "../../config/cross-checks.js";
import { messagesIn, reasonIn } from "../../messages/messages.js";
import {
  type CliContext,
  type CommonOptions,
  configPathOf,
  type ExitCode,
  exitCodes,
  languageOf,
  loadCliConfig,
  printJson,
} from "../cli-context.js";
import { signLines, signProofs } from "../internet-signs.js";

export interface CheckConfigOptions extends CommonOptions {
  /** Print the JSON Schema for editors instead. */
  readonly schema?: boolean | undefined;
}

/** Prints all problems of the config with their places. For a valid config it prints advice on missing settings. */
export function checkConfig(context: CliContext, options: CheckConfigOptions): ExitCode {
  if (options.schema === true) {
    printJson(context, configJsonSchema());
    return exitCodes.done;
  }
  const path = configPathOf(context, options.config);
  try {
    const config = loadCliConfig(context, options.config);
    const unusable = findUnusableRegisters(config);
    if (unusable.length > 0) throw configFault(path, unusable);
    const advice = configAdvice(config);
    if (options.json === true)
      printJson(context, { ok: true, config: path, problems: [], advice, internetSigns: signProofs(config) });
    else {
      const { sites, registers } = config;
      const language = languageOf(context, options.lang, config);
      const words = messagesIn(language).commands;
      context.out(`${words.configRight({ path, sites: sites.length, registers: registers.length })}\n`);
      for (const { path: place, message } of advice) {
        context.out(`  ${words.lookAt} ${place}: ${reasonIn(language, message)}\n`);
      }
      for (const line of signLines(config, language)) context.out(`  ${line}\n`);
    }
    return exitCodes.done;
  } catch (error) {
    if (options.json !== true || !isFault(error)) throw error;
    const problems = error.details.problems ?? [{ path: "", message: error.message }];
    printJson(context, { ok: false, config: path, problems });
    return exitCodes.wrongUsage;
  }
}
