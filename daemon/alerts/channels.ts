import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { isThisMachine } from "@fiscald/shared/http/local-guard.js";
import type { MailConfig } from "../config/alerts-schema.js";
import type { AlertChannel } from "./alert-watch.js";

const TIMEOUT_MS = 15_000;
const place = "alerts.url";

/** No message names the channel's address, because the address of a Telegram bot holds the bot's token. */
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

/** A password is sent only over TLS, or to a mail server on this machine. */
export function createMailChannel({ smtp, from, to }: MailConfig): AlertChannel {
  const { username, hostname } = new URL(smtp);
  return {
    name: "mail",
    async send({ title, text }, signal) {
      // The library is loaded with the first message, because most runs send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: smtp,
        requireTLS: username !== "" && !isThisMachine(hostname.replace(/^\[|\]$/g, "")),
        ...{
          connectionTimeout: TIMEOUT_MS,
          greetingTimeout: TIMEOUT_MS,
          socketTimeout: TIMEOUT_MS,
          dnsTimeout: TIMEOUT_MS,
        },
        ...{ disableFileAccess: true, disableUrlAccess: true },
      });
      const onAbort = () => transport.close();
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        await transport.sendMail({ from, to: [...to], subject: title, text });
      } catch (error) {
        throw toFault(error, "daemon.alert-failed", { place: "alerts.mail" });
      } finally {
        signal.removeEventListener("abort", onAbort);
        transport.close();
      }
    },
  };
}
