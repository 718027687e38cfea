/** The whole daemon, with a clock that is turned by hand: what it warns of reaches log, API and metrics. */
import { readFileSync } from "node:fs";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { createFakeClock } from "../support/fake-clock.js";
import { serveSite } from "../support/fake-daemon.js";
import { startFakeSite } from "../support/fake-site.js";
import { freePort } from "../support/free-port.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, configIn, rawSite } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { createTestLogger } from "../support/test-logger.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

async function startDaemon(site: string, hooks?: CampaignHooks, alerts: object = {}) {
  const config = configIn(folder(), { sites: [rawSite(site)], console: { port: 0 }, alerts });
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = createTestLogger((line) => lines.push(line));
  const app = appOn(config, { clock, log, ...(hooks === undefined ? {} : { hooks }) });
  const base = await app.start();
  const headers = { authorization: `Bearer ${readFileSync(config.console.tokenFile, "utf8").trim()}` };
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).text();
  const warnings = async (): Promise<unknown[]> => {
    await clock.advance(1000);
    return JSON.parse(await read("/api/warnings")).warnings;
  };
  const someWarnings = async () => {
    const found = await warnings();
    return found.length > 0 ? found : null;
  };
  return {
    lines,
    read,
    /** The warnings as they are a second later. */
    warnings,
    /** Stops the daemon also where a poller waits for a while of its own. */
    async stop() {
      let isStopped = false;
      const stopping = app.stop().then(() => {
        isStopped = true;
      });
      const turn = async () => {
        await clock.advance(1000);
        return isStopped;
      };
      await waitFor("it stops", turn, { timeoutMs: 60_000 });
      await stopping;
    },
    warned: () => waitFor("it is warned of", someWarnings, { timeoutMs: 60_000 }),
    over: () => waitFor("it is over", async () => (await warnings()).length === 0, { timeoutMs: 60_000 }),
  };
}

test("a site that cannot be reached is warned of with the reason in log, API and metrics", async () => {
  const daemon = await startDaemon(`http://127.0.0.1:${await freePort()}/fiscal`);
  const told = await daemon.warned();
  const metrics = await daemon.read("/metrics");
  const line = /^a warning began .*site\.unreachable.*Site shop cannot be asked for orders/;
  const isLogged = async () => (await daemon.warnings()) && daemon.lines.some((text) => line.test(text));
  await waitFor("it is logged", isLogged, { timeoutMs: 60_000 });
  await daemon.stop();
  expect(told).toMatchObject([
    { kind: "site-unreachable", text: { ru: expect.any(String) }, fields: { site: "shop", code: "site.unreachable" } },
  ]);
  expect(metrics).toContain(
    'fiscald_warning{kind="site-unreachable",register="",site="shop",code="site.unreachable"} 1',
  );
});

test("a trouble that makes the page's light red is sent to a person, and a failed alert is a warning until sent", async () => {
  const texts: string[] = [];
  let status = 500;
  const person = await serveSite(async (request, response) => {
    for await (const chunk of request) texts.push(String(chunk));
    response.writeHead(status).end();
  });
  const site = `http://127.0.0.1:${await freePort()}/fiscal`;
  const daemon = await startDaemon(site, undefined, { afterMinutes: 1, url: person.url });
  const isWarned = async () => JSON.stringify(await daemon.warnings()).includes('"alert-failed"');
  await waitFor("the failure is warned of", isWarned, { timeoutMs: 60_000 });
  status = 200;
  const isOver = async () => !JSON.stringify(await daemon.warnings()).includes('"alert-failed"');
  await waitFor("it is told", isOver, { timeoutMs: 60_000 });
  await daemon.stop();
  await person.close();
  expect(texts.at(-1)).toMatch(/a person is needed.*shop: Site shop cannot be asked for orders/s);
  expect(texts.filter((text) => text.includes("could not be reached"))).toEqual([]);
});

test("a database that cannot store orders gives a warning until it can", async () => {
  let resize = (_pages: number) => {};
  const site = await startFakeSite();
  const daemon = await startDaemon(site.url, {
    onDatabase(db) {
      resize = (pages) => void db.pragma(`max_page_count = ${pages}`);
    },
  });
  try {
    const isPolled = async () => (await daemon.warnings()) && site.calls.some(({ action }) => action === "order");
    await waitFor("it is polled", isPolled, { timeoutMs: 60_000 });
    resize(1);
    // This order needs more room than the present pages have.
    site.offer("A-1", table([sell, tea, pay(100), close], { note: "x".repeat(50_000) }));
    expect(await daemon.warned()).toMatchObject([{ kind: "store-trouble", fields: { code: "store.full" } }]);
    resize(1_000_000);
    await daemon.over();
  } finally {
    resize(1_000_000);
    await daemon.stop();
    await site.close();
  }
});
