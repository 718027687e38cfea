import { resolve } from "node:path";
import { restoreDatabase } from "../../store/database/restore-database.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig, spokenTo } from "../cli-context.js";
import type { CommonOptions } from "../options.js";
import { keepFilesPrivate } from "../private-files.js";

/** Replaces the database by a copy; the daemon must not run. */
export function restore(context: CliContext, file: string, options: CommonOptions): ExitCode {
  const config = loadCliConfig(context, options.config);
  keepFilesPrivate(config);
  const { database } = config;
  const copy = resolve(context.folder, file);
  const replaced = restoreDatabase({ path: database, copy, pid: process.pid, now: new Date() });
  const { restored, renamed, startAfterRestore } = spokenTo(context, options, config).words.commands;
  context.out(`${restored({ path: database, copy })}\n`);
  if (replaced !== null) context.out(`${renamed({ path: replaced })}\n`);
  context.out(`${startAfterRestore}\n`);
  return exitCodes.done;
}
