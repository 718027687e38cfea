import type { Logger } from "@fiscald/shared/logger.js";

/** Hands warnings and errors to `seen` as "message {fields}"; with `all` also every other line except frames. */
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
