/**
 * `fiscald doctor` checks whether everything that printing needs is there, and says what to do about what is missing.
 */
import { systemClock } from "@fiscald/shared/clock.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { type Titles, titleOf, titlesIn } from "../../console/troubles/found.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { findingsOfSite } from "../../setup/check-site.js";
import { findRefusedEmulators } from "../../setup/emulated.js";
import { type SetupFinding, wellFinding } from "../../setup/finding.js";
import {
  type CliContext,
  configPathOf,
  daemonConfig,
  type ExitCode,
  exitCodes,
  printJson,
  type Session,
} from "../cli-context.js";
import { askDaemon, type ShownTrouble, shownTrouble } from "../terminal/causes.js";
import { askRegister } from "./ask-register.js";
import { checkFiles, checkMoved, checkProxy, tryConsole } from "./check-machine.js";
import { type RegisterStatus, registerFindings, registerStatus } from "./check-register.js";

/** Limit for each call of a site and each question to a register. */
const TIMEOUT_MS = 15_000;

const siteHealth = z.object({
  id: z.string(),
  reachable: z.boolean().nullable(),
});
type SiteHealth = z.output<typeof siteHealth>;

/** A finding with the ids of whom it is about; none for this machine and the program itself. */
interface Checked {
  readonly finding: SetupFinding;
  readonly registers: readonly string[];
  readonly site: string | null;
}

interface LiveFacts {
  readonly registers: readonly RegisterStatus[];
  readonly sites: readonly SiteHealth[];
  readonly troubles: readonly ShownTrouble[];
}

/** Returns exit code 1 when something does not work or waits for a person. Throws for a config with problems. */
export async function examine(session: Session): Promise<ExitCode> {
  const { context, options, language, words } = session;
  const config = daemonConfig(session);
  if (!options.json) context.err(`${words.doctor.begins}\n`);
  const live = await readLive(config);
  const checked = await findAll(session, config, live);
  const findings = checked.map(({ finding }) => finding);
  const isWell = findings.every(({ level }) => level !== "bad");
  if (options.json) printJson(context, { ok: isWell, running: live !== null, findings });
  else {
    const titles = titlesIn(config.registers);
    const titled = checked.map((one) => withTitles(one, titles));
    printReport(context, language, live !== null, titled);
  }
  return isWell ? exitCodes.done : exitCodes.failed;
}

/** Null when no daemon runs. */
function readLive(config: Config): Promise<LiveFacts | null> {
  return askDaemon(config, async (client) => ({
    ...(await client.get("/api/registers", z.object({ registers: z.array(registerStatus) }))),
    ...(await client.get("/api/sites", z.object({ sites: z.array(siteHealth) }))),
    ...(await client.get("/api/troubles", z.object({ troubles: z.array(shownTrouble) }))),
  }));
}

async function findAll(
  { context, options }: Session,
  config: Config,
  live: LiveFacts | null,
): Promise<readonly Checked[]> {
  const { env, stopSignal } = context;
  const calls = { timeoutMs: TIMEOUT_MS, signal: stopSignal, clock: systemClock };
  const [console, sites, registers, refused] = await Promise.all([
    tryConsole(config, live !== null),
    Promise.all(config.sites.map((site) => findingsOfSite(site, calls))),
    findRegisters(config, live, stopSignal),
    findRefusedEmulators(config),
  ]);
  const { sites: polled, troubles } = live === null ? { sites: [], troubles: [] } : live;
  const failing = troubles.flatMap(({ key, about }) => (key === `site ${about.site}` ? (about.site ?? []) : []));
  const present = troubles.filter(({ needs, about }) => needs === "person" || failing.includes(about.site ?? ""));
  // A site whose polls fail is not well because its server answers another call.
  const isOfFailing = (site: number) => failing.includes(config.sites[site]?.id ?? "");
  const found: readonly Checked[] = [
    ...[...checkFiles(configPathOf(context, options.config), config), ...checkMoved(config)].map(ofProgram),
    ...[console, checkProxy(env)].map(ofProgram),
    ...sites.flatMap((all, index) =>
      all
        .filter(({ check, level }) => !(check === "site" && level === "ok" && isOfFailing(index)))
        .map((finding) => ({ finding, registers: [], site: config.sites[index]?.id ?? null })),
    ),
    ...polled
      .filter(({ id }) => !failing.includes(id))
      .map((health) => ({ finding: pollFinding(health), registers: [], site: health.id })),
    ...registers,
    ...refused.map(({ path, message, ru }) =>
      ofProgram({
        ...{ check: "settings", about: path, level: "bad", text: { en: message, ru }, next: null, detail: null },
      }),
    ),
  ];
  return joinTroubles(found, present);
}

/**
 * A finding that says the same of the same site or register as a trouble is as bad as the trouble, which is then not
 * said again: a site may answer this call better than its polls. A trouble of several registers is said unless each of
 * them has such a finding.
 */
function joinTroubles(found: readonly Checked[], troubles: readonly ShownTrouble[]): readonly Checked[] {
  const raised = found.map((one): Checked => {
    const isBad = one.finding.level === "warning" && troubles.some((trouble) => saysSame(one, trouble));
    return isBad ? { ...one, finding: { ...one.finding, level: "bad" } } : one;
  });
  const isSaid = (trouble: ShownTrouble) => {
    const same = raised.filter((one) => one.finding.level === "bad" && saysSame(one, trouble));
    const { registers } = trouble.about;
    return same.length > 0 && registers.every((id) => same.some((one) => one.registers.includes(id)));
  };
  return [...raised, ...troubles.filter((trouble) => !isSaid(trouble)).map(findingOf)];
}

function saysSame({ finding, registers, site }: Checked, { text, about }: ShownTrouble): boolean {
  const isAboutSame =
    about.registers.length > 0
      ? registers.some((id) => about.registers.includes(id))
      : registers.length === 0 && site === about.site;
  return isAboutSame && text.ru.startsWith(finding.text.ru);
}

function ofProgram(finding: SetupFinding): Checked {
  return { finding, registers: [], site: null };
}

/** What is about registers begins with their ids, and people know a register by its title. */
function withTitles({ finding, registers }: Checked, titles: Titles): SetupFinding {
  const named = registers.map((id) => titleOf(id, titles)).join(", ");
  return { ...finding, about: `${named}${finding.about.slice(registers.join(", ").length)}` };
}

/** A finding in the words of page and `status` about what waits: orders, decisions, a pause, a site's answers. */
function findingOf({ about: { registers, site }, text, next, detail, code }: ShownTrouble): Checked {
  const about = registers.join(", ") || (site ?? "");
  const said = detail === null ? null : { en: detail, ru: code ?? "" };
  const common = { text, next: next.ru === "" ? null : next, detail: said };
  return { finding: { check: "trouble", about, level: "bad", ...common }, registers, site };
}

async function findRegisters(
  config: Config,
  live: LiveFacts | null,
  stopSignal: AbortSignal,
): Promise<readonly Checked[]> {
  const found = await Promise.all(
    config.registers.map(async (register): Promise<readonly Checked[]> => {
      const ofRegister = (finding: SetupFinding) => ({ finding, registers: [register.id], site: null });
      const facts =
        live === null
          ? await askRegister(register, config, { timeoutMs: TIMEOUT_MS, stopSignal })
          : live.registers.find(({ id }) => id === register.id);
      return facts === undefined ? [] : registerFindings(facts, register).map(ofRegister);
    }),
  );
  return found.flat();
}

function pollFinding({ id, reachable }: SiteHealth): SetupFinding {
  const place = { check: "poll", about: id } as const;
  return wellFinding(place, ({ site }) => (reachable === null ? site.notPolled : site.polled));
}

function printReport(
  { out }: CliContext,
  language: Language,
  isRunning: boolean,
  findings: readonly SetupFinding[],
): void {
  const { doctor } = messagesIn(language);
  out(`${isRunning ? doctor.running : doctor.notRunning}\n\n`);
  printFindings(out, language, findings);
  const count = (wanted: SetupFinding["level"]) => findings.filter(({ level }) => level === wanted).length;
  const [bad, warnings] = [count("bad"), count("warning")];
  out(`\n${bad + warnings === 0 ? doctor.allWell : doctor.found({ bad, warnings })}\n`);
}

export function printFindings(out: CliContext["out"], language: Language, findings: readonly SetupFinding[]): void {
  const { doctor } = messagesIn(language);
  for (const { check, about, level, text, next, detail } of findings) {
    const what = about === "" ? doctor.checks[check] : `${doctor.checks[check]} ${about}`;
    out(`[${doctor.levels[level]}] ${what}: ${text[language]}\n`);
    if (detail !== null && detail[language] !== "") out(`    ${detail[language]}\n`);
    if (next !== null) out(`    ${doctor.nextTitle}: ${next[language]}\n`);
  }
}
