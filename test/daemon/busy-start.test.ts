/** The whole daemon, started while another program holds its database for a moment. */
import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { createApp } from "@fiscald/daemon/app.js";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createLogTail } from "@fiscald/daemon/logging/log-tail.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { freePort } from "../support/free-port.js";
import { useTempFolder } from "../support/temp-folder.js";

const folder = useTempFolder();
const HELD_MS = 1_000;

async function createDaemon(tokenFile: string, hooks: CampaignHooks = {}) {
  const site = `http://127.0.0.1:${await freePort()}/fiscal`;
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: { orders: site, result: site, sync: site } }],
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator" }, sites: ["shop"] }],
    console: { port: 0, tokenFile },
  };
  const config = parseConfig(JSON.stringify(raw), "c", { folder: folder(), env: {}, readFile: () => "" });
  let id = 0;
  const app = createApp({
    ...{ config, clock: systemClock, random: () => 0.5, newId: () => `${performance.now()}-${++id}`, hooks },
    ...{ pid: process.pid, log: silentLogger, logTail: createLogTail() },
  });
  return { app, database: config.database };
}

/** Comes back as soon as the file is held, while nothing else of this process goes on. */
function holdFile(path: string): Worker {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const library = createRequire(import.meta.url).resolve("@fiscald/daemon/store/database/sqlite-file.js");
  const code = `
    const { library, path, held, ms } = require("node:worker_threads").workerData;
    import(library).then(({ openSqliteFile }) => {
      const db = openSqliteFile(path);
      db.exec("BEGIN IMMEDIATE");
      Atomics.store(held, 0, 1);
      Atomics.notify(held, 0);
      setTimeout(() => db.close(), ms);
    });`;
  const worker = new Worker(code, { eval: true, workerData: { library, path, held, ms: HELD_MS } });
  Atomics.wait(held, 0, 0, 20_000);
  return worker;
}

test("a copy tool that holds the database while the daemon starts does not end the daemon", async () => {
  const before = await createDaemon("first-token");
  await before.app.start();
  await before.app.stop();
  const workers: Worker[] = [];
  const daemon = await createDaemon("second-token", {
    // This happens after the config's names were settled and before the registers are started.
    wrapTransport(open) {
      workers.push(holdFile(before.database));
      return open;
    },
  });
  try {
    await expect(daemon.app.start()).resolves.toMatch(/^http/);
  } finally {
    await daemon.app.stop();
    for (const worker of workers) if (worker.threadId !== -1) await once(worker, "exit");
  }
  expect(workers).toHaveLength(1);
});
