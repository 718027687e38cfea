import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createLogger, type LogSettings } from "@fiscald/daemon/logging/create-logger.js";
import { logFileNames } from "@fiscald/daemon/logging/tidy-log-folder.js";
import { useTempFolder } from "../../support/temp-folder.js";

const { jest } = import.meta;
const folder = useTempFolder();
afterEach(() => {
  jest.useRealTimers();
});

const settings: LogSettings = {
  folder: null,
  level: "info",
  namespaces: {},
  keepDays: 3,
  maxTotalMb: 500,
  language: "en",
};

function open(rest: Partial<LogSettings> = {}) {
  const stream = new PassThrough();
  const { logger, close } = createLogger({ settings: { ...settings, ...rest }, outputs: [stream], now: () => 0 });
  const read = async () => {
    await close();
    return String(stream.read() ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replace(/^\S+ \S+ /, ""));
  };
  return { logger, read };
}

test("a child logger has the fields of its parent and its own namespace", async () => {
  const { logger, read } = open();
  const child = logger.child({ kkm: "0001" }, "registers").child({ job: 57 });
  child.info("printed", { document: 318 });
  logger.warn("started");
  expect(await read()).toEqual(["INFO registers kkm=0001 job=57 printed document=318", "WARN daemon started"]);
});

test("a namespace may have its own log level, and no text is built for lines below that level", async () => {
  const { logger, read } = open({ level: "warn", namespaces: { sites: "wire" } });
  let made = 0;
  const heavy = () => `made ${++made}`;
  logger.debug(heavy);
  logger.info("no");
  logger.child({}, "sites").wire(heavy);
  expect(await read()).toEqual(["WIRE sites made 1"]);
});

test("log lines wait a moment and are written together, and an error is written at once with all lines before it", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "clearImmediate", "queueMicrotask"] });
  const stream = new PassThrough({ encoding: "utf8" });
  const written: string[] = [];
  stream.on("data", (chunk: string) => written.push(chunk));
  const { logger, close } = createLogger({ settings, outputs: [stream], now: () => 0 });
  logger.info("one");
  jest.advanceTimersByTime(19);
  logger.info("two");
  expect(written).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(written).toEqual([expect.stringMatching(/ one\r?\n.* two\r?\n$/)]);
  logger.info("three");
  logger.error("four");
  expect(written.at(-1)).toMatch(/ three\r?\n.* four\r?\n$/);
  await close();
  expect(written).toHaveLength(2);
});

test("a log event has the time at which it occurred, and its text is built when the line is written", async () => {
  const stream = new PassThrough();
  let time = new Date(2026, 10, 20, 14, 3, 22, 118).getTime();
  const { logger, close } = createLogger({ settings, outputs: [stream], now: () => time });
  const put: string[] = [];
  const order = {
    get id() {
      put.push("order");
      return 7;
    },
  };
  logger.info("printed", { order });
  time += 5000;
  expect(put).toEqual([]);
  await close();
  expect(put).not.toEqual([]);
  expect(String(stream.read())).toMatch(/2026-11-20 14:03:22\.118[+-]\d\d:\d\d INFO daemon printed order=\{"id":7\}/);
});

test("a log event whose fields cannot be written as text is logged with a fault, and no other line is lost", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "clearImmediate", "queueMicrotask"] });
  const { logger, read } = open();
  const endless: { inner: unknown } = { inner: null };
  endless.inner = endless;
  logger.info("before");
  logger.warn("an order for ivan@example.com", { job: 7, endless });
  logger.info("behind");
  jest.advanceTimersByTime(20);
  logger.error("at once", { endless });
  expect(await read()).toEqual([
    "INFO daemon before",
    expect.stringMatching(/^WARN daemon an order for i\*\*\*@example.com job=7 code=internal .*hint=/),
    "INFO daemon behind",
    expect.stringMatching(/^ERROR daemon at once code=internal /),
  ]);
});

test("the log file of the day has the lines that are also written to the terminal", async () => {
  const { logger, read } = open({ folder: folder() });
  logger.error("broken");
  await read();
  const files = logFileNames(folder());
  expect(files).toHaveLength(1);
  expect(readFileSync(join(folder(), files[0] ?? ""), "utf8")).toMatch(/ ERROR daemon broken\r?\n$/);
});
