import { type Logger, silentLogger } from "@fiscald/shared/logger.js";

const line = (message: string, fields?: object) => [`fiscald: ${message}`, ...(fields === undefined ? [] : [fields])];

/** The kit's warnings and errors on the host's console, for hosts without a logger of their own. */
export const consoleLogger: Logger = {
  ...silentLogger,
  error: (message, fields) => console.error(...line(message, fields)),
  warn: (message, fields) => console.warn(...line(message, fields)),
  child: () => consoleLogger,
};
