/** `--undo` cancels the export. The next start is then one after a data loss, because another copy may have printed. */

import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@fiscald/shared/clock.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { timeForPeople } from "../../logging/line-format.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { markForgetful } from "../../store/database/meta-store.js";
import { packTill } from "../../store/database/move-till.js";
import { type OwnedDatabase, openDatabase } from "../../store/database/open-database.js";
import { identityFileOf } from "../../store/database/sidecar-files.js";
import type { JobState } from "../../store/job.js";
import { configPathOf, type ExitCode, exitCodes, loadCliConfig, type Session } from "../cli-context.js";
import { createDaemonClient, isDaemonUp } from "../daemon-client.js";
import { keepFilesPrivate } from "../private-files.js";
import { readStateIfAny } from "../stored-state.js";
import { consents } from "../terminal/consent.js";
import { collectFiles, secretVariables } from "./till-files.js";

/** The daemon's stop waits for the receipt that is being printed and for polls. */
const stopMs = 180_000;
const lookEveryMs = 200;

export async function exportTill(session: Session): Promise<ExitCode> {
  const { context, options, words } = session;
  const config = loadCliConfig(session);
  const [file] = session.args;
  if ((file === undefined) !== options.undo) throw wrongValue(commandReasons.fileOrUndo);
  keepFilesPrivate(config);
  if (file === undefined) {
    if (identityFileOf(config.database).read().moved === null) throw wrongValue(commandReasons.notExported);
    if (!(await consents(session, (asks) => asks.undoExport))) return exitCodes.failed;
    undoExport(config);
    context.out(`${words.commands.exportUndone}\n`);
    return exitCodes.done;
  }
  const target = resolve(context.folder, file);
  const path = configPathOf(context, options.config);
  const text = readFileSync(path, "utf8");
  const count = readStateIfAny(config, ({ jobs }) => countOpen(jobs.countByState())) ?? 0;
  if (count > 0 && (await isDaemonUp(config)) && !(await consents(session, (asks) => asks.exportWaiting({ count }))))
    return exitCodes.failed;
  await packHere(config, target, () => collectFiles(text, { folder: dirname(path), images: config.images.folder }));
  const { exported, variablesStay, startThere } = words.commands;
  const variables = secretVariables(text);
  context.out(`${exported({ path: target })}\n`);
  if (variables.length > 0) context.out(`${variablesStay({ names: variables.join(", ") })}\n`);
  context.out(`${startThere}\n`);
  return exitCodes.done;
}

function countOpen(states: ReadonlyMap<JobState, number>): number {
  return (["queued", "held", "printing", "unsure"] as const).reduce((sum, state) => sum + (states.get(state) ?? 0), 0);
}

/** Writes the note "moved" before the stop, so that no service starts the daemon again in between. */
async function packHere(config: Config, target: string, files: () => ReturnType<typeof collectFiles>): Promise<void> {
  if (existsSync(target)) throw wrongValue(commandReasons.fileExists({ path: target }), target);
  if (!existsSync(config.database)) {
    throw new Fault("store.not-ready", {
      message: commandReasons.noDatabase({ path: config.database }),
      place: config.database,
    });
  }
  const identity = identityFileOf(config.database);
  const { moved } = identity.read();
  if (moved !== null)
    throw new Fault("store.moved", {
      message: storeReasons.movedTo({ path: moved.to, at: timeForPeople(Date.parse(moved.at)) }),
    });
  const mark = { moved: { at: new Date().toISOString(), to: target } };
  identity.update(mark);
  try {
    const isUp = await isDaemonUp(config);
    if (isUp) await createDaemonClient(config).post("/api/stop", { reason: target }, z.unknown());
    const database = await openWhenFree(config, isUp ? stopMs : 0);
    try {
      packTill(database.db, target, files());
      // A daemon that was just starting may have overwritten the note.
      identity.update(mark);
    } finally {
      database.close();
    }
  } catch (error) {
    // Nothing was exported, so this till may go on once no other computer can start from the file.
    for (const end of ["", "-journal"]) rmSync(`${target}${end}`, { force: true });
    identity.update({ moved: null });
    throw error;
  }
}

/** The lock tells that the daemon has ended, because the daemon closes its console before its database. */
async function openWhenFree(config: Config, patienceMs: number): Promise<OwnedDatabase> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return openHere(config);
    } catch (error) {
      const isHeld = isFault(error) && (error.code === "store.locked" || error.code === "store.busy");
      if (!isHeld || Date.now() >= until) throw error;
      await pause(lookEveryMs);
    }
  }
}

function openHere({ database: path }: Config): OwnedDatabase {
  return openDatabase({ path, clock: systemClock, log: silentLogger, pid: process.pid });
}

function undoExport(config: Config): void {
  const identity = identityFileOf(config.database);
  const { db, close } = openHere(config);
  try {
    markForgetful(db, new Date().toISOString());
    identity.update({ moved: null });
  } finally {
    close();
  }
}
