import { systemClock } from "@fiscald/shared/clock.js";
import type { Config } from "../../config/config-schema.js";
import { titleOf, titlesIn } from "../../console/troubles/found.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { findingsOfSite } from "../../setup/check-site.js";
import { findRefusedEmulators } from "../../setup/emulated.js";
import type { SetupFinding } from "../../setup/finding.js";
import {
  type CliContext,
  configPathOf,
  daemonConfig,
  type ExitCode,
  exitCodes,
  printJson,
  type Session,
} from "../cli-context.js";
import { type Asked, askState, type LiveState, type ShownTrouble } from "../terminal/causes.js";
import { askRegister } from "./ask-register.js";
import { checkFiles, checkMoved, checkProxy, tryConsole } from "./check-machine.js";
import { answerFindings, type SetRegister, setFindings, setRegister } from "./check-register.js";

const TIMEOUT_MS = 15_000;

type LiveFacts = LiveState<SetRegister>;

export async function examine(session: Session): Promise<ExitCode> {
  const { context, options, language, words } = session;
  const config = daemonConfig(session);
  if (!options.json) context.err(`${words.doctor.begins}\n`);
  const asked = await askState(config, setRegister);
  const findings = await findAll(session, config, asked);
  const isWell = findings.every(({ level }) => level !== "bad");
  if (options.json) printJson(context, { ok: isWell, running: asked.running, findings });
  else printReport(context, language, asked.running, findings);
  return isWell ? exitCodes.done : exitCodes.failed;
}

async function findAll(
  { context, options, language }: Session,
  config: Config,
  { live, closed }: Asked<LiveFacts>,
): Promise<readonly SetupFinding[]> {
  const titles = options.json ? new Map<string, string>() : titlesIn(config.registers);
  const nameOf = (id: string) => titleOf(id, titles);
  // A console that cannot be asked may be the running daemon's, which holds the registers.
  const asked = closed === null ? config : { ...config, registers: [] };
  const [console, refused, others] = await Promise.all([
    tryConsole(config, live !== null, closed),
    findRefusedEmulators(config),
    live === null ? askAll(asked, nameOf, context.stopSignal) : liveFindings(config, nameOf, live),
  ]);
  const troubles = (live?.troubles ?? []).filter(({ needs }) => needs !== "nobody");
  return [
    ...checkFiles(configPathOf(context, options.config), config),
    ...checkMoved(config),
    ...[console, checkProxy(context.env)],
    ...others,
    ...refused.map(({ path, message, ru }): SetupFinding => {
      return { check: "settings", about: path, level: "bad", text: { en: message, ru }, next: null, detail: null };
    }),
    ...troubles.map((trouble) => findingOf(trouble, options.json ? null : language)),
  ];
}

type NameOf = (register: string) => string;

async function askAll(config: Config, nameOf: NameOf, stopSignal: AbortSignal): Promise<readonly SetupFinding[]> {
  const calls = { timeoutMs: TIMEOUT_MS, signal: stopSignal, clock: systemClock };
  const [sites, registers] = await Promise.all([
    Promise.all(config.sites.map((site) => findingsOfSite(site, calls))),
    Promise.all(
      config.registers.map(async (register) => {
        const facts = await askRegister(register, config, { timeoutMs: TIMEOUT_MS, stopSignal });
        const name = nameOf(register.id);
        return [...answerFindings(facts, register, name), ...setFindings(facts, register, name)];
      }),
    ),
  ]);
  return [...sites.flat(), ...registers.flat()];
}

/** Leaves out what the running daemon's troubles say. */
function liveFindings({ registers }: Config, nameOf: NameOf, live: LiveFacts): readonly SetupFinding[] {
  return registers.flatMap((register) => {
    const facts = live.registers.find(({ id }) => id === register.id);
    const said = live.troubles.filter(({ about }) => about.registers.includes(register.id)).map(({ text }) => text.ru);
    const found = facts === undefined ? [] : setFindings(facts, register, nameOf(register.id));
    return found.filter(({ text }) => !said.some((trouble) => trouble.startsWith(text.ru)));
  });
}

/** Programs (`language` null) get the ids of the registers or of the site instead of names. */
function findingOf(
  { needs, about: { name, registers, site }, text, next, detail, code }: ShownTrouble,
  language: Language | null,
): SetupFinding {
  return {
    ...{ check: "trouble", level: needs === "person" ? "bad" : "warning", text },
    about: language === null ? registers.join(", ") || (site ?? "") : name[language],
    next: next.ru === "" ? null : next,
    detail: detail === null ? null : { en: detail, ru: code ?? "" },
  };
}

function printReport(
  { out }: CliContext,
  language: Language,
  running: boolean | null,
  findings: readonly SetupFinding[],
): void {
  const { doctor } = messagesIn(language);
  out(`${running === null ? doctor.closed : running ? doctor.running : doctor.notRunning}\n\n`);
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
