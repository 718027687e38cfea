/** The log of a site: `console`, or any object with the same four methods. */
import { type LogFields, type Logger, withShortFaults } from "@fiscald/shared/logger.js";

export type SiteLogger = Pick<Logger, "error" | "warn" | "info" | "debug">;

/** A logger of the kit stays as it is. A fault with a code is logged as one line. */
export function toLogger(given: SiteLogger): Logger {
  if (isLogger(given)) return given;
  const line = (message: string, fields?: LogFields): [message: string, fields?: LogFields] =>
    fields === undefined ? [`fiscald: ${message}`] : [`fiscald: ${message}`, withShortFaults(fields)];
  const logger: Logger = {
    error: (message, fields) => given.error(...line(message, fields)),
    warn: (message, fields) => given.warn(...line(message, fields)),
    info: (message, fields) => given.info(...line(message, fields)),
    debug: (message, fields) => given.debug(...line(typeof message === "string" ? message : message(), fields)),
    wire: () => {},
    child: () => logger,
  };
  return logger;
}

function isLogger(given: SiteLogger): given is Logger {
  return "child" in given;
}
