import type { LogLevel } from "@fiscald/shared/logger.js";
import winston from "winston";

export const levels: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3, wire: 4 };

/** Writes finished lines: level and format were decided before. */
export function openSink(transports: winston.transport[]): winston.Logger {
  return winston.createLogger({
    levels: { ...levels },
    level: "wire",
    format: winston.format.printf(({ message }) => String(message)),
    transports,
  });
}

/** All lines were handed to the transports when it resolves. */
export function endSink(sink: winston.Logger): Promise<void> {
  return new Promise((resolve) => {
    sink.once("finish", () => resolve());
    sink.end();
  });
}
