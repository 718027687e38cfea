import { EOL } from "node:os";
import type { Writable } from "node:stream";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { describeRights, isForbidden } from "@fiscald/shared/files/folder-rights.js";
import type { LogFields, Logger, LogLevel } from "@fiscald/shared/logger.js";
import winston from "winston";
import type { Language } from "../messages/messages.js";
import { formatLine, type LogEvent, levels } from "./line-format.js";
import { createLogFile, endSink, openSink } from "./log-file.js";
import { type KnownSecret, maskSecrets } from "./mask.js";
import { tidyLogFolder } from "./tidy-log-folder.js";

export interface LogSettings {
  /** Null: the log writes no files. */
  readonly folder: string | null;
  readonly level: LogLevel;
  readonly namespaces: Readonly<Record<string, LogLevel>>;
  readonly keepDays: number;
  readonly maxTotalMb: number;
  readonly language: Language;
}

export interface LoggerOptions {
  readonly settings: LogSettings;
  readonly outputs: readonly Writable[];
  /** Wall clock in ms. */
  readonly now: () => number;
  /** Secrets of the config, which are never written, wherever they appear. */
  readonly secrets?: readonly KnownSecret[];
}

export type OpenedLogger = ReturnType<typeof createLogger>;

/** How long an event may wait for others. A person notices no such delay, and most of a receipt takes less. */
const TOGETHER_MS = 20;

/**
 * Writes lines to the outputs and to one file a day. Older files are compressed, and removed after `keepDays`. Lines of
 * 20 ms are written together, so that no receipt waits for the log. An error is written at once.
 */
export function createLogger({ settings, outputs, now, secrets = [] }: LoggerOptions) {
  const { folder, keepDays, maxTotalMb } = settings;
  const sink = openSink(outputs.map((stream) => new winston.transports.Stream({ stream })));
  const tidied = folder === null ? Promise.resolve() : tidyLogFolder({ folder, keepDays, maxTotalMb }, now());
  const file = folder === null ? null : createLogFile({ folder, keepDays, maxTotalMb, now, onFailed: tellLost });

  let waiting: LogEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    const lines = events.map(lineAtAnyCost).join(EOL);
    if (outputs.length > 0) sink.log("info", lines);
    file?.write("info", lines);
  }

  function lineOf(event: LogEvent): string {
    return maskSecrets(formatLine(event, settings.language), secrets);
  }

  /** An error here would be thrown in a timer, stop the daemon and lose the other lines of the batch. */
  function lineAtAnyCost(event: LogEvent): string {
    try {
      return lineOf(event);
    } catch (error) {
      const fields = { ...simpleFields(event.fields), fault: toFault(error, "internal") };
      return lineOf({ ...event, context: simpleFields(event.context), fields });
    }
  }

  function add(event: LogEvent): void {
    waiting.push(event);
    if (event.level === "error") flush();
    else if (waiting.length === 1) timer = setTimeout(flush, TOGETHER_MS);
  }

  function childOf(context: LogFields, namespace: string): Logger {
    const limit = levels[settings.namespaces[namespace] ?? settings.level];
    const write = (level: LogLevel, message: string | (() => string), fields: LogFields = {}) => {
      if (levels[level] > limit) return;
      const text = typeof message === "string" ? message : message();
      add({ at: now(), level, namespace, context, message: text, fields });
    };
    return {
      error: (message, fields) => write("error", message, fields),
      warn: (message, fields) => write("warn", message, fields),
      info: (message, fields) => write("info", message, fields),
      debug: (message, fields) => write("debug", message, fields),
      wire: (message, fields) => write("wire", message, fields),
      child: (fields, other = namespace) => childOf({ ...context, ...fields }, other),
    };
  }

  const logger = childOf({}, "daemon");

  function tellLost(error: unknown): void {
    const place = folder ?? "";
    const fault = toFault(error, "log.failed", { place });
    const { message } = fault;
    logger.error("lines of the log are lost", {
      fault: isForbidden(error)
        ? new Fault("log.failed", { message: `${message} (${describeRights(place)})`, place, cause: error })
        : fault,
    });
  }

  return {
    logger,
    async close(): Promise<void> {
      await tidied;
      flush();
      await file?.close();
      await endSink(sink);
    },
  };
}

function simpleFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === "string" || typeof value === "number"),
  );
}
