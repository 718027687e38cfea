import { wrongValue } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { configFault } from "../../config/config-problem.js";
import { type Config, configJsonSchema } from "../../config/config-schema.js";
import { configAdvice, findUnusableRegisters } from "../../config/cross-checks.js";
import { dateAt, ratesOnDay } from "../../config/rates-on-day.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { findRefusedEmulators } from "../../setup/emulated.js";
import { configPathOf, type ExitCode, exitCodes, loadCliConfig, printJson, type Session } from "../cli-context.js";
import { signLines, signProofs } from "../internet-signs.js";
import { readStateIfAny } from "../stored-state.js";

export async function checkConfig(session: Session): Promise<ExitCode> {
  const { context, options, language, words: all } = session;
  if (options.schema) {
    printJson(context, configJsonSchema());
    return exitCodes.done;
  }
  const path = configPathOf(context, options.config);
  const day = options.on === undefined ? null : dayOf(options.on);
  try {
    const config = loadCliConfig(session);
    const unusable = [...findUnusableRegisters(config), ...(await findRefusedEmulators(config))];
    if (unusable.length > 0) throw configFault(path, unusable);
    const advice = configAdvice(config);
    const rates =
      day === null ? [] : ratesOnDay(config, { day, today: dateAt(config, Date.now()), taxesOf: readTaxes(config) });
    if (options.json)
      printJson(context, { ok: true, config: path, problems: [], advice, rates, internetSigns: signProofs(config) });
    else {
      const { sites, registers } = config;
      const words = all.commands;
      context.out(`${words.configRight({ path, sites: sites.length, registers: registers.length })}\n`);
      for (const { path: place, message, ru } of advice) {
        context.out(`  ${words.lookAt} ${place}: ${language === "ru" ? ru : message}\n`);
      }
      if (day !== null) context.out(`${words.ratesOn({ day })}\n`);
      for (const { kind, isChange, ...facts } of rates) {
        context.out(`  ${isChange ? `${words.changes}: ` : ""}${words.rateOnDay[kind](facts)}\n`);
      }
      for (const line of signLines(config, language)) context.out(`  ${line}\n`);
    }
    return exitCodes.done;
  } catch (error) {
    if (!options.json || !isFault(error)) throw error;
    const problems = error.details.problems ?? [{ path: "", message: error.message }];
    printJson(context, { ok: false, config: path, problems });
    return exitCodes.wrongUsage;
  }
}

function dayOf(text: string): string {
  const day = z.iso.date().safeParse(text);
  if (day.success) return day.data;
  throw wrongValue(commandReasons.onDate, "--on");
}

function readTaxes(config: Config): (registerId: string) => readonly TaxRow[] {
  const records = readStateIfAny(config, ({ registers }) => registers.all()) ?? [];
  return (registerId) => records.find(({ id }) => id === registerId)?.tables.taxes ?? [];
}
