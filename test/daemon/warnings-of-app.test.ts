/** The whole daemon, with a clock that is turned by hand: what it warns of reaches log, API and metrics. */
import { readFileSync } from "node:fs";
import { createApp } from "@fiscald/daemon/app.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createLogTail } from "@fiscald/daemon/logging/log-tail.js";
import { createFakeClock } from "../support/fake-clock.js";
import { freePort } from "../support/free-port.js";
import { useTempFolder } from "../support/temp-folder.js";
import { createTestLogger } from "../support/test-logger.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

test("a site that is not there is warned of with its reason, everywhere", async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}/fiscal`;
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: { orders: nowhere, result: nowhere } }],
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator" }, sites: ["shop"] }],
    console: { port: 0 },
  };
  const config = parseConfig(JSON.stringify(raw), "c", { folder: folder(), env: {}, readFile: () => "" });
  const clock = createFakeClock();
  const lines: string[] = [];
  let id = 0;
  const app = createApp({
    config,
    clock,
    random: () => 0.5,
    newId: () => `id-${++id}`,
    pid: process.pid,
    log: createTestLogger((line) => lines.push(line)),
    logTail: createLogTail(),
  });
  const base = await app.start();
  const headers = { authorization: `Bearer ${readFileSync(config.console.tokenFile, "utf8").trim()}` };
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).text();
  const told = await waitFor(
    "it is warned of",
    async () => {
      await clock.advance(1000);
      const { warnings } = JSON.parse(await read("/api/warnings"));
      return warnings.length > 0 ? warnings : null;
    },
    { timeoutMs: 20_000 },
  );
  const metrics = await read("/metrics");
  await app.stop();
  expect(told).toMatchObject([
    { kind: "site-unreachable", text: { ru: expect.any(String) }, fields: { site: "shop", code: "site.unreachable" } },
  ]);
  expect(metrics).toContain(
    'fiscald_warning{kind="site-unreachable",register="",site="shop",code="site.unreachable"} 1',
  );
  expect(lines).toContainEqual(expect.stringMatching(/^The site cannot be asked for orders.*site\.unreachable/));
});
