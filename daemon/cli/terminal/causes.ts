import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { sentenceOf } from "../../console/troubles/found.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { createDaemonClient, type DaemonClient, isUnreachable } from "../daemon-client.js";

export const bothLanguages = z.object({ en: z.string(), ru: z.string() });

export const shownTrouble = z.object({
  key: z.string(),
  kind: z.string(),
  needs: z.enum(["person", "look", "nobody"]),
  about: z.object({ name: bothLanguages, registers: z.array(z.string()).readonly(), site: z.string().nullable() }),
  since: z.string(),
  until: z.string().nullable(),
  text: bothLanguages,
  next: bothLanguages,
  count: z.number(),
  examples: z.array(z.object({ name: z.string(), job: z.number().nullable() })).readonly(),
  code: z.string().nullable(),
  detail: z.string().nullable(),
});
export type ShownTrouble = z.output<typeof shownTrouble>;

const marks: Readonly<Record<ShownTrouble["needs"], string>> = { person: "■", look: "▲", nobody: "·" };

export function causeLines(trouble: ShownTrouble, language: Language): readonly string[] {
  const { troubles } = messagesIn(language);
  return [
    `  ${troubles.cause}: ${sentenceOf(trouble, language)}`,
    ...detailLines(trouble, language),
    ...nextLines(trouble, language),
  ];
}

/** The first character says whether a person must act or should look. */
export function troubleLines(trouble: ShownTrouble, language: Language): readonly string[] {
  return [
    `${marks[trouble.needs]} ${sentenceOf(trouble, language)}`,
    ...detailLines(trouble, language),
    ...nextLines(trouble, language),
  ];
}

/** Milliseconds. A younger trouble, or a trouble without a recorded beginning, is shown without its age. */
const NEWS_MS = 60_000;

/** The details are English, so a Russian reader gets the code, by which support finds the details. */
function detailLines({ since, code, detail: inEnglish }: ShownTrouble, language: Language): readonly string[] {
  const detail = language === "en" ? inEnglish : code;
  const { troubles } = messagesIn(language);
  const at = Date.parse(since);
  const parts = [...(Date.now() - at < NEWS_MS ? [] : [troubles.since({ at })]), ...(detail === null ? [] : [detail])];
  return parts.length === 0 ? [] : [`    ${parts.join("; ")}`];
}

function nextLines({ next }: ShownTrouble, language: Language): readonly string[] {
  const { troubles } = messagesIn(language);
  return next[language] === "" ? [] : [`  ${troubles.next}: ${next[language]}`];
}

export interface LiveState<Register> {
  readonly registers: readonly Register[];
  readonly troubles: readonly ShownTrouble[];
}

/** Asks the running daemon for its registers and its troubles. */
export function askState<Register>(config: Config, register: z.ZodType<Register>): Promise<Asked<LiveState<Register>>> {
  return askDaemon(config, async (client) => ({
    ...(await client.get("/api/registers", z.object({ registers: z.array(register) }))),
    ...(await client.get("/api/troubles", z.object({ troubles: z.array(shownTrouble) }))),
  }));
}

/**
 * `live` is null when no daemon runs, or when the program that listens does not take the token. In the second case
 * `closed` is the fault, and `running` is null, because the program may be the daemon.
 */
export type Asked<T> = Readonly<{ live: T | null; running: boolean | null; closed: Fault | null }>;

export async function askDaemon<T>(config: Config, ask: (client: DaemonClient) => Promise<T>): Promise<Asked<T>> {
  try {
    return { live: await ask(createDaemonClient(config)), running: true, closed: null };
  } catch (error) {
    if (isUnreachable(error)) return { live: null, running: false, closed: null };
    if (isFault(error) && error.code === "daemon.console-closed") return { live: null, running: null, closed: error };
    throw error;
  }
}
