import { systemClock } from "@fiscald/shared/clock.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { storesOf } from "../../open-stores.js";
import { markForgetful } from "../../store/database/meta-store.js";
import { openDatabase } from "../../store/database/open-database.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import { createDaemonClient } from "../daemon-client.js";
import { keepFilesPrivate } from "../private-files.js";
import { formatState } from "../terminal/output.js";

export interface CliAction {
  readonly path: string;
  readonly body?: object;
  readonly about: string;
}

const answerSchema = z.object({ job: z.object({ id: z.int(), state: z.string() }).optional() });

export async function runAction(session: Session, { path, body, about }: CliAction): Promise<ExitCode> {
  const { context, options, words, language } = session;
  const reason = options.reason ?? words.commands.byCommandLine;
  const { job } = await createDaemonClient(daemonConfig(session)).post(path, { ...body, reason }, answerSchema);
  const { accepted, acceptedJob, acceptedState } = words.commands;
  const state = formatState(job?.state ?? "", language);
  const isSame = job !== undefined && about === words.commands.job({ job: job.id });
  const line = isSame ? acceptedState({ about, state }) : job && acceptedJob({ about, job: job.id, state });
  context.out(`${line ?? accepted({ about })}\n`);
  return exitCodes.done;
}

/** Another database has printed on this register, so the next start waits and compares as after a data loss. */
export function declareLost(config: Config, register: RegisterId, reason: string): void {
  keepFilesPrivate(config);
  const { db, close } = openDatabase({
    path: config.database,
    clock: systemClock,
    log: silentLogger,
    pid: process.pid,
  });
  try {
    const { jobs, documents, journal } = storesOf(db);
    jobs.transaction(() => {
      const at = systemClock.now();
      markForgetful(db, new Date(at).toISOString());
      documents.lose(register);
      journal.add({ at, actor: "operator", what: "database declared lost", register, details: { reason } });
    });
  } finally {
    close();
  }
}
