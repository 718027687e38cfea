/** A log that cannot be written must not stop the daemon, which has receipts to print. */
import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createLogger } from "@fiscald/daemon/logging/create-logger.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();
const oneMinuteMs = 60_000;

function open(logFolder: string) {
  let now = 0;
  let seen = "";
  const terminal = new Writable({
    write(chunk: unknown, _encoding, done) {
      seen += String(chunk);
      done();
    },
  });
  const settings = {
    folder: logFolder,
    level: "info",
    namespaces: {},
    keepDays: 3,
    maxTotalMb: 500,
    language: "en",
  } as const;
  return {
    ...createLogger({ settings, outputs: [terminal], now: () => now }),
    advance: (ms: number) => {
      now += ms;
    },
    seen: () => seen,
    told: () => seen.match(/code=log\.failed/g)?.length ?? 0,
  };
}

/** The log files of the two days on which a test may run. */
function fileNames(): readonly string[] {
  return [0, 1].map((days) => {
    const date = new Date(Date.now() + days * 86_400_000);
    const two = (value: number) => String(value).padStart(2, "0");
    return join(folder(), `fiscald-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.log`);
  });
}

test("a full disk is reported once a minute, and the terminal still gets every log line", async () => {
  for (const name of fileNames()) symlinkSync("/dev/full", name);
  const { logger, close, advance, seen, told } = open(folder());
  logger.info("one");
  await waitFor("it is told", () => told() === 1);
  expect(seen()).toMatch(
    /ERROR daemon lines of the log are lost code=log\.failed "ENOSPC.*" place=.* hint="Free the disk/,
  );
  logger.info("two");
  await waitFor("it is written", () => seen().includes("two"));
  advance(oneMinuteMs);
  logger.info("three");
  await waitFor("it is told again", () => told() === 2);
  for (const name of fileNames()) unlinkSync(name);
  logger.info("four");
  await waitFor("it is written", () => seen().includes("four"));
  advance(oneMinuteMs);
  logger.info("five");
  await close();
  expect(seen().match(/daemon (one|two|three|four|five)/g)).toHaveLength(5);
  const [written = ""] = fileNames().flatMap((name) => readIfThere(name));
  expect(written).toMatch(/^[^\n]+ INFO daemon five\n$/);
  expect(told()).toBe(2);
});

test("a log folder that cannot be made is reported, even when the daemon stops at once", async () => {
  writeFileSync(join(folder(), "file"), "");
  const { logger, close, seen, told } = open(join(folder(), "file", "logs"));
  logger.info("one");
  await close();
  expect([told(), seen()]).toEqual([1, expect.stringContaining("ENOTDIR")]);
});

test("a log file that fails while the daemon stops does not delay the stop", async () => {
  mkdirSync(folder(), { recursive: true });
  for (const name of fileNames()) symlinkSync("/dev/full", name);
  const { logger, close, told } = open(folder());
  logger.info("one");
  await close();
  expect(told()).toBeLessThanOrEqual(1);
});

function readIfThere(name: string): readonly string[] {
  try {
    return [readFileSync(name, "utf8")];
  } catch {
    return [];
  }
}
