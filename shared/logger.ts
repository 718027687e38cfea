import { inspect } from "node:util";
import { isFault } from "./fault.js";

export type LogLevel = "error" | "warn" | "info" | "debug" | "wire";

/** Common fields: site, kkm, register, job, order, event, code, fd. Undefined values are left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A log. One event is one line. Messages are short facts in the past tense; the variable parts are fields. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** A message that is a function is made only when its level is on, so a heavy line costs nothing when it is off. */
  debug(message: string | (() => string), fields?: LogFields): void;
  wire(message: string | (() => string), fields?: LogFields): void;
  /** A logger that adds the fields to all its lines, and may have another namespace. */
  child(fields: LogFields, namespace?: string): Logger;
}

const nothing = () => {};

export const silentLogger: Logger = {
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  wire: nothing,
  child: () => silentLogger,
};

/** A fault becomes one line of code and message; `internal` means a bug and keeps its stack. */
export function withShortFaults(fields: LogFields): LogFields {
  const shortened = Object.entries(fields).map(([name, value]): [string, unknown] =>
    isFault(value) && value.code !== "internal" ? [name, `${value.code}: ${value.message}`] : [name, value],
  );
  return Object.fromEntries(shortened);
}

function line(message: string, fields?: LogFields): readonly string[] {
  if (fields === undefined) return [`fiscald: ${message}`];
  return [`fiscald: ${message} ${inspect(withShortFaults(fields), { breakLength: Number.POSITIVE_INFINITY })}`];
}

/** For hosts without a logger of their own: the kit's warnings and errors go to the console. */
export const consoleLogger: Logger = {
  ...silentLogger,
  error: (message, fields) => console.error(...line(message, fields)),
  warn: (message, fields) => console.warn(...line(message, fields)),
  child: () => consoleLogger,
};
