import type { Logger } from "@fiscald/shared/logger.js";

/** Hands warnings and errors, with `all` everything but frames, to `seen` as "message {fields}"; the rest is dropped. */
export function createTestLogger(seen: (line: string) => void, all: "all" | "" = ""): Logger {
  const tell = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
    seen(`${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.message : value))}`);
  const logger: Logger = {
    error: tell,
    warn: tell,
    info: all === "all" ? tell : () => {},
    debug: (message, fields) => {
      if (all === "all") tell(typeof message === "string" ? message : message(), fields);
    },
    wire: () => {},
    child: () => logger,
  };
  return logger;
}
