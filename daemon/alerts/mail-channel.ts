import { toFault } from "@fiscald/shared/fault.js";
import { isThisMachine } from "@fiscald/shared/http/local-guard.js";
import type { MailConfig } from "../config/alerts-schema.js";
import type { AlertChannel } from "./alert-watch.js";

const STEP_MS = 15_000;

/** A password is sent over TLS only, except to a mail server on this machine. */
export function createMailChannel({ smtp, from, to }: MailConfig): AlertChannel {
  const { username, hostname } = new URL(smtp);
  return {
    name: "mail",
    async send({ title, text }, signal) {
      // The library is loaded with the first message: most runs send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: smtp,
        requireTLS: username !== "" && !isThisMachine(hostname.replace(/^\[|\]$/g, "")),
        ...{ connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS },
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
