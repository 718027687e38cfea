import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { findTroubles } from "../../console/troubles/find-troubles.js";
import { joinAlike, type Titles, titleOf, titlesIn, toTrouble } from "../../console/troubles/found.js";
import { readStored, recordedFacts } from "../../console/troubles/gather-facts.js";
import { eventView, recordedRegisterView } from "../../console/views.js";
import { timeForPeople } from "../../logging/line-format.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { emulatedTitles } from "../../setup/emulated.js";
import { identityFileOf } from "../../store/database/sidecar-files.js";
import { daemonConfig, type ExitCode, exitCodes, printJson, type Session } from "../cli-context.js";
import { registerHead } from "../doctor/check-register.js";
import { withStoredState } from "../stored-state.js";
import { type Asked, askState, type LiveState, troubleLines } from "../terminal/causes.js";
import { formatState, formatTable } from "../terminal/output.js";

const liveRegister = z.looseObject({
  ...registerHead,
  phase: z.string(),
  identity: z.looseObject({ kkm: z.string(), model: z.string() }).nullable(),
  pausedSince: z.string().nullable().default(null),
  shift: z.looseObject({ number: z.number(), state: z.string() }).nullable(),
  waiting: z.number(),
  lastFd: z.number().nullable(),
  fault: z.looseObject({ message: z.string(), text: z.object({ ru: z.string() }).optional() }).nullish(),
});

type RegisterLine = z.output<typeof liveRegister>;

/** Only the newest refused events are shown. The console has all of them. */
const REFUSED_SHOWN = 20;

export async function showStatus(session: Session): Promise<ExitCode> {
  const { context, options } = session;
  const config = daemonConfig(session);
  const live = await askState(config, liveRegister);
  const now = Date.now();
  const emulated = emulatedTitles(config.registers);
  const status = { ...mergeStatus(live, readStoredState(config, now)), emulated };
  if (options.json) printJson(context, status);
  else printStatus(session, status, identityFileOf(config.database).read().moved !== null, titlesIn(config.registers));
  return exitCodes.done;
}

type Status = ReturnType<typeof mergeStatus> & { readonly emulated: readonly string[] };

function mergeStatus(
  asked: Asked<LiveState<RegisterLine>>,
  { registers, troubles, ...stored }: ReturnType<typeof readStoredState>,
) {
  const { live, running, closed } = asked;
  // The database knows only that no daemon runs. A program that listens and cannot be asked may be a daemon.
  const unasked = closed && { kind: "console-closed", text: closed.text, next: closed.hint, detail: closed.message };
  return {
    running,
    registers: live?.registers ?? registers.map((it) => liveRegister.parse(it)),
    troubles: live?.troubles ?? troubles.map((it) => (it.kind === "daemon-down" ? { ...it, ...unasked } : it)),
    ...stored,
  };
}

function readStoredState(config: Config, now: number) {
  return withStoredState(config, ({ jobs, outbox, registers, attempts, journal, checks, dayFacts }) => {
    const present = recordedFacts(config, { jobs, registers, attempts, journal }, now);
    const stored = readStored({ jobs, journal, outbox, checks, dayFacts }, config, now);
    const found = findTroubles({ present, stored, program: null, jobs });
    return {
      troubles: joinAlike(found).map((trouble) => toTrouble(trouble, present.titles, now)),
      registers: registers.all().map((record) => recordedRegisterView(record, jobs)),
      jobs: Object.fromEntries(jobs.countByState()),
      events: config.sites.map(({ id }) => ({
        site: id,
        ...outbox.countUndelivered(id),
        oldestAt: outbox.oldestAt(id, "pending"),
      })),
      refused: outbox.list({ state: "refused" }, { limit: REFUSED_SHOWN, offset: 0 }).map(eventView),
    };
  });
}

function printStatus({ context, language }: Session, status: Status, isMoved: boolean, titles: Titles): void {
  const { out } = context;
  const { running, registers, jobs, events, refused, troubles, emulated } = status;
  const { status: words, page } = messagesIn(language);
  if (emulated.length > 0) out(`${page.emulated({ names: emulated.join(", ") })}\n`);
  out(`${running === null ? words.closed : running ? words.runs : isMoved ? words.moved : words.down}\n\n`);
  out(
    formatTable(
      words.registers,
      registers.map((register) => registerRow(register, titles, language)),
    ),
  );
  const setAs = (...levels: string[]) => registers.flatMap((register) => setRows(register, levels, titles, language));
  const rows = setAs("look", "wrong");
  if (rows.length > 0) out(`\n${formatTable(words.settings, rows)}`);
  const notes = new Map<string, string[]>();
  for (const [title = "", place, value] of setAs("note")) {
    const setting = `${place}: ${value}`;
    notes.set(setting, [...(notes.get(setting) ?? []), title]);
  }
  const noted = [...notes].map(([setting, at]) => `  ${setting} (${at.join(", ")})\n`);
  if (noted.length > 0) out(`\n${words.noted}\n${noted.join("")}`);
  const lines = troubles.flatMap((trouble) => troubleLines(trouble, language));
  out(`\n${words.troubles}\n${(lines.length === 0 ? [`  ${words.noTrouble}`] : lines).join("\n")}\n`);
  const jobRows = Object.entries(jobs).map(([state, count]) => [formatState(state, language), String(count)]);
  out(`\n${formatTable([words.jobs, ""], jobRows)}`);
  const eventRows = events.map((site) => eventsRow(site, language));
  out(`\n${formatTable(words.events, eventRows)}`);
  if (refused.length > 0) out(`\n${formatTable(words.refused, refused.map(refusedRow))}`);
}

function nameIn(names: Readonly<Record<string, string>>, code: string): string {
  return (Object.hasOwn(names, code) ? names[code] : undefined) ?? code;
}

function registerRow(
  { id, phase, pausedSince, identity, shift, lastFd, waiting, fault }: RegisterLine,
  titles: Titles,
  language: Language,
): readonly string[] {
  return [
    titleOf(id, titles),
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

/** `doctor` shows the settings of all levels. The troubles name the settings that need a person. */
function setRows({ id, settings }: RegisterLine, levels: readonly string[], titles: Titles, language: Language) {
  const told = settings.filter(({ level }) => levels.includes(level));
  return told.map(({ place, value, right }) => [
    titleOf(id, titles),
    place[language],
    value[language],
    right?.[language] ?? "",
  ]);
}

function eventsRow(
  { site, pending, refused, oldestAt }: Status["events"][number],
  language: Language,
): readonly string[] {
  return [site, String(pending), String(refused), oldestAt === null ? "" : timeForPeople(oldestAt)[language]];
}

function refusedRow({ id, site, kind, job, tries, lastError }: Status["refused"][number]): readonly string[] {
  return [String(id), site, kind, job === null ? "" : String(job), String(tries), lastError ?? ""];
}
