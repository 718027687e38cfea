/**
 * The real daemon with all its production waits, on a clock that shortens them, and with register timeouts for
 * emulators, so that a fault costs milliseconds. SIGUSR2 fills its disk and SIGWINCH frees it. SIGHUP sets its wall
 * clock ten hours forward, the next SIGHUP ten hours back.
 * Its code is loaded first; then it waits for a line: `{"configPath": ..., "off": NET | null, "hurry": n}`. Further
 * lines `{"hurry": n}` change how fast its waits pass. It exits with the end of its standard input.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { App } from "@fiscald/daemon/app.js";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { loadConfig } from "@fiscald/daemon/config/load-config.js";
import { createLogger } from "@fiscald/daemon/logging/create-logger.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import { z } from "zod";
import { answerLimits } from "./answer-limits.js";
import { HURRY, hurriedClock } from "./hurried-clock.js";
import { breakNet } from "./nets.js";

const lines = createInterface({ input: process.stdin });
lines.once("close", () => process.exit(0));
const [firstLine] = z.tuple([z.string()]).parse(await once(lines, "line"));
const { configPath, off, hurry } = z
  .object({ configPath: z.string(), off: z.string().nullable(), hurry: z.number() })
  .parse(JSON.parse(firstLine));

const timings = {
  ...defaultTimings,
  stateReadMs: 60_000,
  blockedReadMs: 600,
  reconnect: { firstMs: 300, maxMs: 1_200 },
  disconnectAfterMs: 30_000,
};

const config = loadConfig({ path: configPath, env: process.env });
const clock = hurriedClock(hurry);
const hasService = config.registers.some(({ driver }) => driver === "atol");
const driverTimeouts = Object.fromEntries(
  Object.entries(answerLimits(hasService)).map(([name, ms]) => [name, ms * HURRY]),
);

const broken = off === null ? {} : breakNet(off, clock);

let setDisk = (_: "full" | "free") => {};
const hooks: CampaignHooks = {
  ...broken,
  onDatabase(db) {
    setDisk = (disk) => {
      // A page or two are left: the first commits may still succeed.
      const used = Number(db.pragma("page_count", { simple: true }));
      db.pragma(`max_page_count = ${disk === "full" ? used + 1 : 1_000_000}`);
    };
  },
};
// Two signals are needed: a signal that is sent twice before it is handled arrives once.
process.on("SIGUSR2", () => setDisk("full"));
process.on("SIGWINCH", () => setDisk("free"));

const JUMP_MS = 10 * 3_600_000;
let isAhead = false;
process.on("SIGHUP", () => {
  clock.jump(isAhead ? -JUMP_MS : JUMP_MS);
  isAhead = !isAhead;
});

const { logger } = createLogger({
  settings: { ...config.log, folder: null, language: "en" },
  outputs: [process.stdout],
  now: () => Date.now(),
});
const app = new App({
  config,
  clock,
  random: Math.random,
  newId: randomUUID,
  pid: process.pid,
  log: logger,
  timings,
  driverTimeouts,
  hooks,
});

await app.start();
lines.on("line", (line) => {
  const { hurry } = z.object({ hurry: z.number() }).parse(JSON.parse(line));
  clock.hurry(hurry);
  process.stdout.write(`hurry ${hurry}\n`);
});
process.stdout.write("ready\n");
process.once("SIGTERM", () => {
  void app.stop().then(() => process.exit(0));
});
