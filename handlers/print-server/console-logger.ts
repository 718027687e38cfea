import { type Logger, silentLogger } from "@fiscald/shared/logger.js";

/** Warnings and errors of the kit on the host's console, where a host gives no logger of its own. */
export const consoleLogger: Logger = {
  ...silentLogger,
  error: (message, fields) => console.error(`fiscald: ${message}`, fields ?? {}),
  warn: (message, fields) => console.warn(`fiscald: ${message}`, fields ?? {}),
  child: () => consoleLogger,
};
