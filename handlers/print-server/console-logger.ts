import { type Logger, silentLogger } from "@fiscald/shared/logger.js";

/** The kit's warnings and errors on the host's console, for hosts without a logger of their own. */
export const consoleLogger: Logger = {
  ...silentLogger,
  error: (message, fields) => console.error(`fiscald: ${message}`, fields ?? {}),
  warn: (message, fields) => console.warn(`fiscald: ${message}`, fields ?? {}),
  child: () => consoleLogger,
};
