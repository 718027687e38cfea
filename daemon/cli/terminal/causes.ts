/** Prints the causes of `console/why/why-not-printed.ts` on a terminal. */
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { type Language, type Messages, messagesIn } from "../../messages/messages.js";
import { createDaemonClient, type DaemonClient, isConsoleClosed, isUnreachable } from "../daemon-client.js";

const bothLanguages = z.object({ en: z.string(), ru: z.string() });

/** A cause as the running daemon answers it. */
export const shownCause = z.object({
  kind: z.string(),
  detail: z.string().nullable(),
  text: bothLanguages,
  next: bothLanguages,
});
export type ShownCause = z.output<typeof shownCause>;

/** Cause, details and next step as indented lines. */
export function causeLines({ detail, text, next }: ShownCause, language: Language): readonly string[] {
  const { why }: Pick<Messages, "why"> = messagesIn(language);
  return [
    `  ${why.title}: ${text[language]}`,
    ...(detail === null ? [] : [`    ${detail}`]),
    `  ${why.nextTitle}: ${next[language]}`,
  ];
}

/** Asks the running daemon. Null = no daemon runs; `closed`: one runs, but its console accepts no token. */
export async function askDaemon<T>(config: Config, ask: (client: DaemonClient) => Promise<T>, closed: T) {
  try {
    return await ask(createDaemonClient(config));
  } catch (error) {
    if (isConsoleClosed(error)) return closed;
    if (isUnreachable(error)) return null;
    throw error;
  }
}
