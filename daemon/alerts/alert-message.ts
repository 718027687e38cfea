import { hostname } from "node:os";
import type { Tone, TroubleView } from "../console/now-view.js";
import { type KnownSecret, maskSecrets, maskText } from "../logging/mask.js";
import { type Language, type Messages, messagesIn } from "../messages/messages.js";

export interface AlertMessage {
  readonly title: string;
  readonly text: string;
}

/** A trouble as it was reported; its end is reported in the same words. */
export interface ReportedTrouble extends Pick<TroubleView, "key" | "lastAt"> {
  readonly line: string;
}

export interface BegunTrouble extends ReportedTrouble {
  readonly tone: Tone;
}

/** A messenger takes about 4000 letters. */
const MOST_LINES = 20;
const MOST_LETTERS = 3500;

export interface AlertWords {
  readonly language: Language;
  readonly secrets: readonly KnownSecret[];
}

export function reportedTrouble(
  { key, about, text, tone, lastAt }: TroubleView,
  { language, secrets }: AlertWords,
): BegunTrouble {
  const line = `${about === "" ? "" : `${about}: `}${text[language]}`;
  return { key, tone, lastAt, line: maskSecrets(maskText(line), secrets) };
}

/** A trouble in which the register still prints (with a warning) needs no person at once: the title says so. */
export function alertMessage(
  begun: readonly BegunTrouble[],
  over: readonly ReportedTrouble[],
  { language }: Pick<AlertWords, "language">,
): AlertMessage {
  const { alerts } = messagesIn(language);
  const host = hostname();
  const lines = [...begun.map(({ line }) => `■ ${line}`), ...over.map(({ line }) => `✓ ${alerts.isOver} ${line}`)];
  const more = lines.length > MOST_LINES ? [alerts.more({ count: lines.length - MOST_LINES })] : [];
  return {
    title: titleOf(begun, alerts)({ host }),
    text: [...lines.slice(0, MOST_LINES), ...more].join("\n\n").slice(0, MOST_LETTERS),
  };
}

function titleOf(begun: readonly BegunTrouble[], { begun: needed, warned, over }: Messages["alerts"]) {
  if (begun.length === 0) return over;
  return begun.some(({ tone }) => tone === "red") ? needed : warned;
}
