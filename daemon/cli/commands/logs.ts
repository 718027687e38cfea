import { once } from "node:events";
import { closeSync, createReadStream, existsSync, openSync, readdirSync, readSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { lineFilter, readLine } from "../../logging/read-line.js";
import { logFileNames, ofLastDays } from "../../logging/tidy-log-folder.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { requireKnown } from "../arguments.js";
import { type CliContext, daemonConfig, type ExitCode, exitCodes, type Session } from "../cli-context.js";

export async function showLogs(session: Session): Promise<ExitCode> {
  const { context, options, words } = session;
  const config = daemonConfig(session);
  const { folder } = config.log;
  const { days = 1 } = options;
  const isMatch = lineFilter(options);
  let isEmpty = true;
  const show = (line: string) => {
    if (!isMatch(line)) return;
    isEmpty = false;
    if (options.json) context.out(`${JSON.stringify(readLine(line))}\n`);
    else context.out(`${line}\n`);
  };
  const files = logFiles(folder);
  const file = files.at(-1) ?? "";
  const end = file === "" ? 0 : statSync(file).size;
  for (const name of ofLastDays(files, days)) await readLines(name, show, name === file ? end : undefined);
  if (isEmpty && options.register !== undefined) requireKnown(config, "register", options.register);
  if (isEmpty && !options.follow) {
    context.err(`${words.commands.noLines({ days, path: folder })}\n`);
  }
  if (options.follow) await follow({ folder, file, offset: end }, show, endOf(context));
  return exitCodes.done;
}

export function logFiles(folder: string): readonly string[] {
  try {
    readdirSync(folder);
  } catch {
    throw wrongValue(commandReasons.noLogs({ folder }), folder);
  }
  return logFileNames(folder).map((name) => join(folder, name));
}

async function readLines(file: string, show: (line: string) => void, end = Number.POSITIVE_INFINITY): Promise<void> {
  if (end === 0) return;
  const stream = createReadStream(file, { end: end - 1 });
  const input = file.endsWith(".gz") ? stream.pipe(createGunzip()) : stream;
  for await (const line of createInterface({ input })) show(line);
}

function endOf({ stopSignal, readerGone }: CliContext): AbortSignal {
  return readerGone === undefined ? stopSignal : AbortSignal.any([stopSignal, readerGone]);
}

interface LogPosition {
  readonly folder: string;
  /** The newest file. Its content up to `offset` has been shown. */
  readonly file: string;
  readonly offset: number;
}

/** When a new day's file appears, the rest of the old file is shown first. */
async function follow(from: LogPosition, show: (line: string) => void, signal: AbortSignal): Promise<void> {
  let { file, offset } = from;
  let rest = "";
  const showRest = () => {
    const text = file === "" ? Buffer.alloc(0) : readFrom(file, offset);
    offset += text.length;
    const lines = (rest + text.toString("utf8")).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) show(line);
  };
  const readNewLines = () => {
    const newest = logFiles(from.folder).at(-1) ?? "";
    if (newest !== file) {
      if (existsSync(file)) showRest();
      file = newest;
      offset = 0;
    }
    showRest();
  };
  const watcher = watch(from.folder, readNewLines);
  readNewLines();
  if (!signal.aborted) await once(signal, "abort");
  watcher.close();
}

function readFrom(file: string, offset: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(Math.max(0, statSync(file).size - offset));
    return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, offset));
  } finally {
    closeSync(handle);
  }
}
