import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { daemonDown, findWarnings, readTroubles } from "../../console/find-warnings.js";
import { eventView, recordedRegisterView, warningView } from "../../console/views.js";
import { type CliContext, type ExitCode, exitCodes, loadConfigOfDaemon, printJson } from "../cli-context.js";
import { createDaemonClient, isConsoleClosed, isUnreachable } from "../daemon-client.js";
import { readState } from "../stored-state.js";
import { formatAge, formatTable } from "../terminal/output.js";

export interface StatusOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

const liveRegister = z.looseObject({
  id: z.string(),
  phase: z.string(),
  identity: z.looseObject({ kkm: z.string(), model: z.string() }).nullable(),
  shift: z.looseObject({ number: z.number(), state: z.string() }).nullable(),
  waiting: z.number(),
  lastFd: z.number().nullable(),
  fault: z.looseObject({ message: z.string() }).nullish(),
});

const liveWarning = z.object({
  key: z.string(),
  kind: z.string(),
  text: z.object({ en: z.string(), ru: z.string() }),
  fields: z.record(z.string(), z.unknown()),
});

/** Only the newest refused events are shown; the console has all of them. */
const REFUSED_SHOWN = 20;

/** State of a daemon that does not run, for `findWarnings`. */
const noLiveState = {
  snapshots: [],
  sites: [],
  storeFault: null,
  hasLock: true,
  consoleFault: null,
  watched: new Map(),
  at: 0,
};

interface RegisterLine {
  readonly id: string;
  readonly phase: string;
  readonly identity: { readonly kkm: string; readonly model: string } | null;
  readonly shift: { readonly number: number; readonly state: string } | null;
  readonly waiting: number;
  readonly lastFd: number | null;
  readonly fault?: { readonly message: string } | null | undefined;
}

/** Prints registers, shifts, queue and outbox, from the running daemon or, without one, from the database. */
export async function showStatus(context: CliContext, options: StatusOptions): Promise<ExitCode> {
  const config = loadConfigOfDaemon(context, options.config);
  const live = await readLive(config);
  const now = Date.now();
  const status = mergeStatus(live, readStored(config, now));
  if (options.json === true) printJson(context, status);
  else printStatus(context, config, status, now);
  return exitCodes.done;
}

type Status = ReturnType<typeof mergeStatus>;

function mergeStatus(live: LiveState | null, { registers, warnings, ...stored }: ReturnType<typeof readStored>) {
  const fromDatabase = [...(live === null ? [daemonDown()] : []), ...warnings].map((it) =>
    liveWarning.parse(warningView(it)),
  );
  const shownRegisters: readonly RegisterLine[] = live?.registers ?? registers;
  return {
    running: live !== null,
    registers: shownRegisters,
    jobs: stored.jobs,
    events: stored.events,
    refused: stored.refused,
    warnings: live?.warnings ?? fromDatabase,
  };
}

function readStored(config: Config, now: number) {
  return readState(config, ({ jobs, outbox, registers, journal }) => ({
    warnings: findWarnings({
      ...noLiveState,
      limits: config.warnings,
      stored: readTroubles({ jobs, journal, outbox }, config, now),
      now,
    }),
    registers: registers.all().map((record) => recordedRegisterView(record, jobs)),
    jobs: Object.fromEntries(jobs.countByState()),
    events: config.sites.map(({ id }) => ({
      site: id,
      ...outbox.countUndelivered(id),
      oldestAt: outbox.oldestPendingAt(id),
    })),
    refused: outbox.list({ state: "refused" }, { limit: REFUSED_SHOWN, offset: 0 }).map(eventView),
  }));
}

function printStatus({ out }: CliContext, config: Config, status: Status, now: number): void {
  const { running, registers, jobs, events, refused, warnings } = status;
  out(running ? "The daemon runs.\n\n" : "The daemon does not run; this is the state in its database.\n\n");
  const registerHeader = ["REGISTER", "STATE", "KKM", "MODEL", "SHIFT", "LAST FD", "WAITING", ""];
  out(formatTable(registerHeader, registers.map(registerRow)));
  const jobRows = Object.entries(jobs).map(([state, count]) => [state, String(count)]);
  out(`\n${formatTable(["JOBS", ""], jobRows)}`);
  const eventRows = events.map((site) => eventsRow(site, now));
  out(`\n${formatTable(["EVENTS FOR", "WAITING", "REFUSED", "OLDEST WAITS"], eventRows)}`);
  if (refused.length > 0) {
    const refusedHeader = ["REFUSED EVENT", "SITE", "KIND", "JOB", "TRIES", "THE SITE SAID"];
    out(`\n${formatTable(refusedHeader, refused.map(refusedRow))}`);
  }
  const lines = warnings.map((warning) => warningLines(warning, config.log.language));
  out(warnings.length === 0 ? "\nNo warnings.\n" : `\nWARNINGS\n${lines.join("")}`);
}

interface LiveState {
  /** Null if the console is closed. */
  readonly registers: readonly RegisterLine[] | null;
  readonly warnings: readonly z.output<typeof liveWarning>[] | null;
}

async function readLive(config: Config): Promise<LiveState | null> {
  try {
    const client = createDaemonClient(config);
    const { registers } = await client.get("/api/registers", z.object({ registers: z.array(liveRegister) }));
    const { warnings } = await client.get("/api/warnings", z.object({ warnings: z.array(liveWarning) }));
    return { registers, warnings };
  } catch (error) {
    if (isConsoleClosed(error)) return { registers: null, warnings: null };
    if (isUnreachable(error)) return null;
    throw error;
  }
}

function warningLines({ text, fields }: z.output<typeof liveWarning>, language: Config["log"]["language"]): string {
  const facts = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const shown = facts.map(([name, value]) => `${name}=${String(value)}`).join("  ");
  return `- ${text[language]}\n${shown === "" ? "" : `  ${shown}\n`}`;
}

function registerRow({ id, phase, identity, shift, lastFd, waiting, fault }: RegisterLine): readonly string[] {
  return [
    id,
    phase,
    identity?.kkm ?? "",
    identity?.model ?? "",
    shift === null ? "" : `${shift.number} ${shift.state}`,
    lastFd === null ? "" : String(lastFd),
    String(waiting),
    fault?.message ?? "",
  ];
}

function eventsRow({ site, pending, refused, oldestAt }: Status["events"][number], now: number): readonly string[] {
  return [site, String(pending), String(refused), oldestAt === null ? "" : formatAge(now - oldestAt)];
}

function refusedRow({ id, site, kind, job, tries, lastError }: Status["refused"][number]): readonly string[] {
  return [String(id), site, kind, job === null ? "" : String(job), String(tries), lastError ?? ""];
}
