import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { eventView, recordedRegisterView, warningView } from "../../console/views.js";
import { daemonDown, findWarnings, readTroubles } from "../../console/warnings/find-warnings.js";
import type { WarningKind } from "../../console/warnings/warning-texts.js";
import { recordedFacts, whyAll } from "../../console/why/present-facts.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { emulatedTitles } from "../../setup/emulated.js";
import { type CliContext, daemonOf, type ExitCode, exitCodes, printJson } from "../cli-context.js";
import { setRow } from "../doctor/check-register.js";
import type { CommonOptions } from "../options.js";
import { readState } from "../stored-state.js";
import { askDaemon, causeLines, shownCause } from "../terminal/causes.js";
import { formatAge, formatTable } from "../terminal/output.js";

const liveRegister = z.looseObject({
  id: z.string(),
  phase: z.string(),
  pausedSince: z.string().nullable().default(null),
  identity: z.looseObject({ kkm: z.string(), model: z.string() }).nullable(),
  shift: z.looseObject({ number: z.number(), state: z.string() }).nullable(),
  waiting: z.number(),
  lastFd: z.number().nullable(),
  fault: z.looseObject({ message: z.string(), text: z.object({ ru: z.string() }).optional() }).nullish(),
  settings: z.array(setRow).default([]),
});

type RegisterLine = z.output<typeof liveRegister>;

const liveWarning = z.object({
  key: z.string(),
  kind: z.string(),
  text: z.object({ en: z.string(), ru: z.string() }),
  fields: z.record(z.string(), z.unknown()),
});

const shownTrouble = shownCause.extend({
  jobs: z.array(z.object({ job: z.number(), order: z.string().nullable() })).readonly(),
});
type ShownTrouble = z.output<typeof shownTrouble>;

/** Warnings that are left out: the section "Why not printed" says the same with the orders and the next step. */
const saidByWhy: readonly string[] = [
  "daemon-down",
  "store-trouble",
  "job-unsure",
  "register-blocked",
  "register-offline",
  "register-paused",
  "job-failed",
  "job-refused",
  "site-unreachable",
  "job-waits",
] satisfies readonly WarningKind[];

/** Only the newest refused events are shown; the console has all of them. */
const REFUSED_SHOWN = 20;

/** State of a daemon that does not run, for `findWarnings`. */
const noLiveState = {
  snapshots: [],
  howSet: () => [],
  sites: [],
  storeFault: null,
  hasLock: true,
  consoleFault: null,
  alertFault: null,
  watched: new Map(),
  at: 0,
};

/** Prints registers, shifts, queue, why orders wait, and outbox, from the running daemon or else from the database. */
export async function showStatus(context: CliContext, options: CommonOptions): Promise<ExitCode> {
  const { config, language } = daemonOf(context, options);
  const live = await readLive(config);
  const now = Date.now();
  const emulated = emulatedTitles(config.registers);
  const status = { ...mergeStatus(live, readStored(config, now)), emulated };
  if (options.json === true) printJson(context, status);
  else printStatus(context, language, status, now);
  return exitCodes.done;
}

type Status = ReturnType<typeof mergeStatus> & { readonly emulated: readonly string[] };

function mergeStatus(live: LiveState | null, { registers, warnings, why, ...stored }: ReturnType<typeof readStored>) {
  const fromDatabase = [...(live === null ? [daemonDown()] : []), ...warnings].map((it) =>
    liveWarning.parse(warningView(it)),
  );
  return {
    running: live !== null,
    registers: live?.registers ?? registers.map((it) => liveRegister.parse(it)),
    jobs: stored.jobs,
    events: stored.events,
    refused: stored.refused,
    why: live === null ? why : live.why,
    warnings: live?.warnings ?? fromDatabase,
  };
}

function readStored(config: Config, now: number) {
  return readState(config, ({ jobs, outbox, registers, attempts, journal, checks }) => ({
    warnings: findWarnings({
      ...noLiveState,
      limits: config.warnings,
      stored: readTroubles({ jobs, journal, outbox, checks }, config, now),
      now,
    }),
    why: whyAll(jobs, recordedFacts(config, { jobs, registers, attempts, journal }), now),
    registers: registers.all().map((record) => recordedRegisterView(record, jobs)),
    jobs: Object.fromEntries(jobs.countByState()),
    events: config.sites.map(({ id }) => ({
      site: id,
      ...outbox.countUndelivered(id),
      oldestAt: outbox.oldestAt(id, "pending"),
    })),
    refused: outbox.list({ state: "refused" }, { limit: REFUSED_SHOWN, offset: 0 }).map(eventView),
  }));
}

function printStatus({ out }: CliContext, language: Language, status: Status, now: number): void {
  const { running, registers, jobs, events, refused, why, warnings, emulated } = status;
  const { status: words, states, page } = messagesIn(language);
  if (emulated.length > 0) out(`${page.emulated({ names: emulated.join(", ") })}\n`);
  out(`${running ? words.runs : words.down}\n\n`);
  out(
    formatTable(
      words.registers,
      registers.map((register) => registerRow(register, language)),
    ),
  );
  const rows = registers.flatMap((register) => setRows(register, language));
  if (rows.length > 0) out(`\n${formatTable(words.settings, rows)}`);
  const nothing = why === null ? words.notAsked : words.noTrouble;
  const troubles = (why ?? []).flatMap((trouble) => troubleLines(trouble, language));
  out(`\n${words.why}\n${(troubles.length === 0 ? [`  ${nothing}`] : troubles).join("\n")}\n`);
  const jobRows = Object.entries(jobs).map(([state, count]) => [nameIn(states, state), String(count)]);
  out(`\n${formatTable([words.jobs, ""], jobRows)}`);
  const eventRows = events.map((site) => eventsRow(site, now));
  out(`\n${formatTable(words.events, eventRows)}`);
  if (refused.length > 0) out(`\n${formatTable(words.refused, refused.map(refusedRow))}`);
  const others = warnings.filter(({ kind }) => !saidByWhy.includes(kind));
  const lines = others.map((warning) => warningLines(warning, language));
  if (warnings.length === 0) out(`\n${words.noWarnings}\n`);
  else if (others.length > 0) out(`\n${words.warnings}\n${lines.join("")}`);
}

function troubleLines(trouble: ShownTrouble, language: Language): readonly string[] {
  const named = trouble.jobs.map(({ job, order }) => order ?? `#${job}`).join(", ");
  const { orders } = messagesIn(language).status;
  return [...causeLines(trouble, language), ...(named === "" ? [] : [`    ${orders}: ${named}`])];
}

function nameIn(names: Readonly<Record<string, string>>, code: string): string {
  return (Object.hasOwn(names, code) ? names[code] : undefined) ?? code;
}

interface LiveState {
  /** Null if the console is closed, so that nothing can be read from the daemon. */
  readonly registers: readonly RegisterLine[] | null;
  readonly warnings: readonly z.output<typeof liveWarning>[] | null;
  readonly why: readonly ShownTrouble[] | null;
}

function readLive(config: Config): Promise<LiveState | null> {
  return askDaemon<LiveState>(
    config,
    async (client) => ({
      ...(await client.get("/api/registers", z.object({ registers: z.array(liveRegister) }))),
      ...(await client.get("/api/warnings", z.object({ warnings: z.array(liveWarning) }))),
      ...(await client.get("/api/why", z.object({ why: z.array(shownTrouble) }))),
    }),
    { registers: null, warnings: null, why: null },
  );
}

function warningLines({ text, fields }: z.output<typeof liveWarning>, language: Language): string {
  const facts = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const shown = facts.map(([name, value]) => `${name}=${String(value)}`).join("  ");
  return `- ${text[language]}\n${shown === "" ? "" : `  ${shown}\n`}`;
}

function registerRow(
  { id, phase, pausedSince, identity, shift, lastFd, waiting, fault }: RegisterLine,
  language: Language,
): readonly string[] {
  return [
    id,
    [phase, ...(pausedSince === null ? [] : ["paused"])]
      .map((state) => nameIn(messagesIn(language).phases, state))
      .join(", "),
    identity?.kkm ?? "",
    identity?.model ?? "",
    shift === null ? "" : `${shift.number} ${nameIn(messagesIn(language).page.shiftStates, shift.state)}`,
    lastFd === null ? "" : String(lastFd),
    String(waiting),
    (language === "ru" ? fault?.text?.ru : undefined) ?? fault?.message ?? "",
  ];
}

/** How the register is set, except what is right. What a person should do something about has a warning below. */
function setRows({ id, settings }: RegisterLine, language: Language): readonly (readonly string[])[] {
  const told = settings.filter(({ level }) => level !== "ok");
  return told.map(({ place, value, right }) => [id, place[language], value[language], right?.[language] ?? ""]);
}

function eventsRow({ site, pending, refused, oldestAt }: Status["events"][number], now: number): readonly string[] {
  return [site, String(pending), String(refused), oldestAt === null ? "" : formatAge(now - oldestAt)];
}

function refusedRow({ id, site, kind, job, tries, lastError }: Status["refused"][number]): readonly string[] {
  return [String(id), site, kind, job === null ? "" : String(job), String(tries), lastError ?? ""];
}
