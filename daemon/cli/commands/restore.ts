import { resolve } from "node:path";
import { restoreDatabase } from "../../store/database/restore-database.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig } from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";

/** Replaces the database by a copy; the daemon must not run. */
export function restore(
  context: CliContext,
  file: string,
  options: { readonly config?: string | undefined },
): ExitCode {
  const config = loadCliConfig(context, options.config);
  keepFilesPrivate(config);
  const { database } = config;
  const copy = resolve(context.folder, file);
  const replaced = restoreDatabase({ path: database, copy, pid: process.pid, now: new Date() });
  context.out(`${database} is now the copy ${copy}\n`);
  if (replaced !== null) context.out(`the replaced file was renamed to ${replaced}\n`);
  context.out("Start the daemon: it compares the registers' documents with the jobs before it prints anything.\n");
  return exitCodes.done;
}
