import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { HttpAlertConfig } from "../config/alerts-schema.js";
import type { AlertMessage } from "./alert-message.js";
import type { AlertChannel } from "./alert-watch.js";

const TIMEOUT_MS = 15_000;
const place = "alerts.http";

/** No message names the address: that of a Telegram bot holds its token. */
export function createHttpChannel({ secretUrl, headers, body }: HttpAlertConfig): AlertChannel {
  return {
    name: "http",
    async send(message, signal) {
      try {
        const response = await fetch(secretUrl, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(filled(body, message)),
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
        await response.body?.cancel();
        if (!response.ok) {
          throw new Fault("daemon.alert-failed", { message: `the address answered HTTP ${response.status}`, place });
        }
      } catch (error) {
        if (isFault(error)) throw error;
        throw new Fault("daemon.alert-failed", { message: `the address cannot be reached: ${causeOf(error)}`, place });
      }
    },
  };
}

/** The template with the message in each of its strings. */
function filled(template: unknown, message: AlertMessage): unknown {
  if (typeof template === "string") {
    return template.replaceAll(/\{(title|text)\}/g, (_whole, name) =>
      name === "title" ? message.title : message.text,
    );
  }
  if (Array.isArray(template)) return template.map((entry) => filled(entry, message));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, message)]));
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
