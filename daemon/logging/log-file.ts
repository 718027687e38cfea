import type { LogLevel } from "@fiscald/shared/logger.js";
import winston from "winston";
import DailyRotateFile from "winston-daily-rotate-file";
import { levels } from "./line-format.js";
import { type LogLimits, removeOldest } from "./tidy-log-folder.js";

export interface LogFileOptions extends LogLimits {
  /** Wall clock in ms. */
  readonly now: () => number;
  /** Called when the disk is full or the folder is gone. Log lines of the callback do not return to this file. */
  readonly onFailed: (error: unknown) => void;
}

interface OpenFile {
  readonly sink: winston.Logger;
  readonly transport: DailyRotateFile;
}

const retryMs = 60_000;

/** A day with more than this share of the limit goes into several files, because only whole files can be removed. */
const partsOfLimit = 5;

/** Writes one file a day. A file that cannot be written stops no till: it is tried again after a minute. */
export function createLogFile({ folder, keepDays, maxTotalMb, now, onFailed }: LogFileOptions) {
  let file: OpenFile | null = null;
  let failedAt: number | null = null;
  let onGivenUp = () => {};

  function open(): OpenFile {
    const transport = new DailyRotateFile({
      dirname: folder,
      filename: "fiscald-%DATE%.log",
      datePattern: "YYYY-MM-DD",
      zippedArchive: true,
      maxFiles: `${keepDays}d`,
      maxSize: `${Math.max(1, Math.floor(maxTotalMb / partsOfLimit))}m`,
    });
    transport.on("rotate", () => removeOldestCalmly());
    const opened = { transport, sink: openSink([transport]) };
    // The sink or its stream may report first. Errors of a file that is no longer used are ignored.
    const fail = (error: unknown) => {
      if (file === opened) giveUp(error);
    };
    opened.sink.on("error", fail);
    transport.logStream.on("error", fail);
    return opened;
  }

  /** A file that cannot be removed now is removed at the next rotation. */
  function removeOldestCalmly(): void {
    try {
      removeOldest(folder, maxTotalMb);
    } catch {
      // Failing to remove an old log file must not stop a till.
    }
  }

  function giveUp(error: unknown): void {
    file?.sink.remove(file.transport);
    file = null;
    failedAt = now();
    onGivenUp();
    onFailed(error);
  }

  return {
    write(level: LogLevel, line: string): void {
      // The distance is absolute, because a wall clock may jump either way.
      if (file === null && failedAt !== null && Math.abs(now() - failedAt) < retryMs) return;
      try {
        file ??= open();
        file.sink.log(level, line);
      } catch (error) {
        giveUp(error);
      }
    },
    async close(): Promise<void> {
      if (file === null) return;
      const givenUp = new Promise<void>((resolve) => {
        onGivenUp = resolve;
      });
      await Promise.race([givenUp, flush(file)]);
      file = null;
    },
  };
}

async function flush({ sink, transport }: OpenFile): Promise<void> {
  await endSink(sink);
  // The sink's first "finish" only says that all lines were handed to the file's stream.
  await new Promise<void>((resolve) => {
    transport.once("finish", () => resolve());
    transport.close?.();
  });
}

/** A sink for finished lines, whose level and format were decided before. */
export function openSink(transports: winston.transport[]): winston.Logger {
  return winston.createLogger({
    levels: { ...levels },
    level: "wire",
    format: winston.format.printf(({ message }) => String(message)),
    transports,
  });
}

export function endSink(sink: winston.Logger): Promise<void> {
  return new Promise((resolve) => {
    sink.once("finish", () => resolve());
    sink.end();
  });
}
