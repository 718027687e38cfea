import type { Logger } from "@fiscald/shared/logger.js";

/** Hands warnings and errors to `seen` as "message {fields}"; the rest is dropped. */
export function createTestLogger(seen: (line: string) => void): Logger {
  const tell = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
    seen(`${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.message : value))}`);
  const logger: Logger = {
    error: tell,
    warn: tell,
    info: () => {},
    debug: () => {},
    wire: () => {},
    child: () => logger,
  };
  return logger;
}
