import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createLogger } from "@fiscald/daemon/logging/create-logger.js";
import { ofLastDays } from "@fiscald/daemon/logging/tidy-log-folder.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

const { jest } = import.meta;
const folder = useTempFolder();
const pass = [
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
] as const;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: [...pass, "clearImmediate", "clearInterval", "clearTimeout"] });
  setDay(1);
});
afterEach(() => {
  jest.useRealTimers();
});

function setDay(day: number): void {
  jest.setSystemTime(new Date(2026, 10, day, 12));
}

const open = () =>
  createLogger({
    settings: { folder: folder(), level: "info", namespaces: {}, keepDays: 3, maxTotalMb: 500, language: "en" },
    outputs: [],
    now: Date.now,
  });
const logFiles = () =>
  readdirSync(folder())
    .filter((name) => name.startsWith("fiscald-"))
    .sort();
const nameOf = (day: number) => `fiscald-2026-11-0${day}.log`;
const textOf = (name: string) => gunzipSync(readFileSync(join(folder(), name))).toString();

test("each day has its own log file, and older files are compressed and removed after keepDays", async () => {
  const { logger, close } = open();
  for (let day = 1; day <= 7; day += 1) {
    setDay(day);
    logger.info(`line of day ${day}`);
    await waitFor(`only the file of day ${day} is uncompressed`, () => {
      const plain = logFiles().filter((name) => name.endsWith(".log"));
      return plain.length === 1 && plain[0] === nameOf(day);
    });
  }
  await close();
  expect(logFiles()).toEqual([`${nameOf(5)}.gz`, `${nameOf(6)}.gz`, nameOf(7)]);
  expect(textOf(`${nameOf(5)}.gz`)).toContain("line of day 5");
});

test("a till that is switched off every evening has its older log files compressed and removed too", async () => {
  for (let day = 1; day <= 5; day += 1) {
    setDay(day);
    const { logger, close } = open();
    logger.info(`line of day ${day}`);
    await close();
  }
  expect(logFiles()).toEqual([...[2, 3, 4].map((day) => `${nameOf(day)}.gz`), nameOf(5)]);
  expect(textOf(`${nameOf(4)}.gz`)).toContain("line of day 4");
});

test("the log files of the last days include all parts of a day that has several", () => {
  const parts = [1, 2, 10].map((part) => `/logs/${nameOf(3)}.${part}.gz`);
  const files = [`/logs/${nameOf(1)}.gz`, `/logs/${nameOf(2)}.gz`, ...parts, `/logs/${nameOf(4)}`];
  expect(ofLastDays(files, 2)).toEqual(files.slice(2));
});

test("other programs' files in the log's folder are left alone", async () => {
  setDay(9);
  for (const name of ["notes.log", "fiscald-old.log"]) writeFileSync(join(folder(), name), "mine");
  writeFileSync(join(folder(), `${nameOf(7)}.gz`), gzipSync("packed"));
  const { close } = open();
  await close();
  expect(readdirSync(folder())).toEqual(expect.arrayContaining(["notes.log", "fiscald-old.log", `${nameOf(7)}.gz`]));
});
