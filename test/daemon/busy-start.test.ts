import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { freePort } from "../support/free-port.js";
import { appOn, configIn, rawSite } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";

const folder = useTempFolder();
const HELD_MS = 1_000;

async function createDaemon(tokenFile: string, hooks: CampaignHooks = {}) {
  const site = `http://127.0.0.1:${await freePort()}/fiscal`;
  const config = configIn(folder(), { sites: [rawSite(site)], console: { port: 0, tokenFile } });
  const app = appOn(config, { hooks });
  return { app, database: config.database };
}

/** Returns when the file is held. Nothing else of this process runs meanwhile. */
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

test("the daemon starts although a copy tool holds its database during the start", async () => {
  const before = await createDaemon("first-token");
  await before.app.start();
  await before.app.stop();
  const workers: Worker[] = [];
  const daemon = await createDaemon("second-token", {
    // At this moment the config's names are settled and the registers are not started yet.
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
