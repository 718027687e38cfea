import { resolve } from "node:path";
import { restoreDatabase } from "../../store/database/restore-database.js";
import { type ExitCode, exitCodes, loadCliConfig, type Session } from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";

export function restore(session: Session): ExitCode {
  const { context, words } = session;
  const config = loadCliConfig(session);
  keepFilesPrivate(config);
  const { database } = config;
  const copy = resolve(context.folder, session.args[0] ?? "");
  const replaced = restoreDatabase({ path: database, copy, pid: process.pid, now: new Date() });
  const { restored, renamed, startAfterRestore } = words.commands;
  context.out(`${restored({ path: database, copy })}\n`);
  if (replaced !== null) context.out(`${renamed({ path: replaced })}\n`);
  context.out(`${startAfterRestore}\n`);
  return exitCodes.done;
}
