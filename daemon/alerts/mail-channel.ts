import { isIP } from "node:net";
import { toFault } from "@fiscald/shared/fault.js";
import type { MailConfig } from "../config/alerts-schema.js";
import type { AlertChannel } from "./alert-watch.js";

const STEP_MS = 15_000;

/** A password goes over TLS only, but to this machine itself. */
export function createMailChannel({ host, port, secure, user, password, from, to }: MailConfig): AlertChannel {
  return {
    name: "mail",
    async send({ title, text }, signal) {
      // Loaded with the first message: most starts send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        ...{ host, port, secure },
        requireTLS: password !== null && !secure && !isLoopback(host),
        ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
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

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
