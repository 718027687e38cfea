import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { AlertChannel } from "./alert-watch.js";

const TIMEOUT_MS = 15_000;
const place = "alerts.url";

/** No message names the channel's address: the address of a Telegram bot holds its token. */
export function createHttpChannel(url: string): AlertChannel {
  return {
    name: "url",
    async send({ title, text }, signal) {
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ text: `${title}\n\n${text}` }),
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

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
