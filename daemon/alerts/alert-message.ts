import { hostname } from "node:os";
import {
  joinAlike,
  type SeenTrouble,
  sentenceOf,
  type Titles,
  toTrouble,
  weightOf,
  withoutCommands,
} from "../console/troubles/found.js";
import { type KnownSecret, maskSecrets, maskText } from "../logging/mask.js";
import { type Language, type Messages, messagesIn } from "../messages/messages.js";

export interface AlertMessage {
  readonly title: string;
  readonly text: string;
}

/** A trouble as it was reported. The message about its end repeats the line. */
export interface ReportedTrouble {
  readonly key: string;
  readonly count: number;
  readonly line: string;
  /** True when only a person can end this trouble. That person needs no message about its end. */
  readonly endsByHand: boolean;
}

/** A messenger accepts about 4000 letters. */
const MOST_LINES = 20;
const MOST_LETTERS = 3500;

export interface AlertWords {
  readonly language: Language;
  readonly secrets: readonly KnownSecret[];
}

export interface AlertFacts extends AlertWords {
  readonly titles: Titles;
  /** Wall clock in ms. */
  readonly now: number;
}

export function reportedTrouble(trouble: SeenTrouble, facts: AlertFacts): ReportedTrouble {
  const { key, kind } = trouble;
  const endsByHand = trouble.isDecision && kind !== "register-blocked";
  return { key, count: weightOf(trouble), line: lineOf(trouble, facts, "text"), endsByHand };
}

function lineOf(trouble: Parameters<typeof toTrouble>[0], facts: AlertFacts, until: "text" | "next"): string {
  const { language, secrets, titles, now } = facts;
  const shown = toTrouble(trouble, titles, now);
  // The reader opens the page, because commands are for the machine's administrator.
  const next = until === "text" ? "" : ` ${withoutCommands(shown.next)[language]}`;
  const line = `${sentenceOf(shown, language)}${next}`;
  return maskSecrets(maskText(line.trim()), secrets);
}

/** The title says whether a person is needed at once or everything is still printed. */
export function alertMessage(
  begun: readonly SeenTrouble[],
  over: readonly ReportedTrouble[],
  facts: AlertFacts,
): AlertMessage {
  const { alerts } = messagesIn(facts.language);
  const lines = [
    ...joinAlike(begun).map((trouble) => `■ ${lineOf(trouble, facts, "next")}`),
    ...over.map(({ line }) => `✓ ${alerts.isOver} ${line}`),
  ];
  const more = lines.length > MOST_LINES ? [alerts.more({ count: lines.length - MOST_LINES })] : [];
  return {
    title: titleOf(begun, alerts)({ host: hostname() }),
    text: [...lines.slice(0, MOST_LINES), ...more].join("\n\n").slice(0, MOST_LETTERS),
  };
}

function titleOf(begun: readonly SeenTrouble[], { begun: needed, warned, over }: Messages["alerts"]) {
  if (begun.length === 0) return over;
  return begun.some(({ needs }) => needs === "person") ? needed : warned;
}
