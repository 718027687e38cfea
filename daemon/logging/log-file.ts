import { EOL } from "node:os";
import DailyRotateFile from "winston-daily-rotate-file";
import { type LogLimits, removeOldest } from "./tidy-log-folder.js";

export interface LogFileOptions extends LogLimits {
  /** Wall clock, ms. */
  readonly now: () => number;
  /** The disk is full or the folder is gone. The callback may write log lines: they do not come back to this file. */
  readonly onFailed: (error: unknown) => void;
}

const retryMs = 60_000;

/** A day with more than this share of the limit goes into several files: only whole files can be removed. */
const partsOfLimit = 5;

/**
 * One file a day. A file that cannot be written stops no till: its lines are lost, and it is tried again after a
 * minute.
 */
export function createLogFile({ folder, keepDays, maxTotalMb, now, onFailed }: LogFileOptions) {
  let file: DailyRotateFile | null = null;
  let failedAt: number | null = null;
  let onGivenUp = () => {};

  function open(): DailyRotateFile {
    const opened = new DailyRotateFile({
      dirname: folder,
      filename: "fiscald-%DATE%.log",
      datePattern: "YYYY-MM-DD",
      zippedArchive: true,
      maxFiles: `${keepDays}d`,
      maxSize: `${Math.max(1, Math.floor(maxTotalMb / partsOfLimit))}m`,
    });
    opened.on("rotate", () => removeOldestCalmly());
    // Errors of a file that was given up are ignored.
    const fail = (error: unknown) => {
      if (file === opened) giveUp(error);
    };
    opened.on("error", fail);
    opened.logStream.on("error", fail);
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
    const former = file;
    file = null;
    former?.close?.();
    failedAt = now();
    onGivenUp();
    onFailed(error);
  }

  return {
    write(lines: string): void {
      // `Math.abs`, because a wall clock may jump either way.
      if (file === null && failedAt !== null && Math.abs(now() - failedAt) < retryMs) return;
      try {
        file ??= open();
        // Winston's own pipeline would take longer than the writing.
        file.logStream.write(`${lines}${EOL}`);
      } catch (error) {
        giveUp(error);
      }
    },
    /** Resolves when everything that can be written is written. */
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

function flush(file: DailyRotateFile): Promise<void> {
  return new Promise((resolve) => {
    file.once("finish", () => resolve());
    file.close?.();
  });
}
