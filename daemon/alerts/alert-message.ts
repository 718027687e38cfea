import { hostname } from "node:os";
import type { TroubleView } from "../console/now-view.js";
import { type KnownSecret, maskSecrets, maskText } from "../logging/mask.js";
import { type Language, messagesIn } from "../messages/messages.js";

export interface AlertMessage {
  readonly title: string;
  readonly text: string;
}

/** A trouble as it was reported; its end is reported in the same words. */
export interface ReportedTrouble {
  readonly key: string;
  readonly line: string;
}

/** A messenger takes about 4000 letters. */
const MOST_LINES = 20;
const MOST_LETTERS = 3500;

export interface AlertWords {
  readonly language: Language;
  readonly secrets: readonly KnownSecret[];
}

export function reportedTrouble(
  { key, about, text }: Pick<TroubleView, "key" | "about" | "text">,
  { language, secrets }: AlertWords,
): ReportedTrouble {
  const line = `${about === "" ? "" : `${about}: `}${text[language]}`;
  return { key, line: maskSecrets(maskText(line), secrets) };
}

export function alertMessage(
  begun: readonly ReportedTrouble[],
  over: readonly ReportedTrouble[],
  { language }: Pick<AlertWords, "language">,
): AlertMessage {
  const { alerts } = messagesIn(language);
  const host = hostname();
  const lines = [...begun.map(({ line }) => `■ ${line}`), ...over.map(({ line }) => `✓ ${alerts.isOver} ${line}`)];
  const more = lines.length > MOST_LINES ? [alerts.more({ count: lines.length - MOST_LINES })] : [];
  return {
    title: begun.length > 0 ? alerts.begun({ host }) : alerts.over({ host }),
    text: [...lines.slice(0, MOST_LINES), ...more].join("\n\n").slice(0, MOST_LETTERS),
  };
}
