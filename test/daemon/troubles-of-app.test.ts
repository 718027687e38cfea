import { readFileSync } from "node:fs";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { z } from "zod";
import { createFakeClock } from "../support/fake-clock.js";
import { serveSite } from "../support/fake-daemon.js";
import { startFakeSite } from "../support/fake-site.js";
import { freePort } from "../support/free-port.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, configIn, rawSite, stopOn } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { createTestLogger } from "../support/test-logger.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();
const answer = z.object({ troubles: z.array(z.looseObject({ kind: z.string(), needs: z.string() })) });
type Said = z.output<typeof answer>["troubles"][number];

async function startDaemon(site: string, hooks?: CampaignHooks, alerts: object = {}) {
  const config = configIn(folder(), { sites: [rawSite(site)], console: { port: 0 }, alerts });
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = createTestLogger((line) => lines.push(line));
  const app = appOn(config, { clock, log, ...(hooks === undefined ? {} : { hooks }) });
  const base = await app.start();
  const headers = { authorization: `Bearer ${readFileSync(config.console.tokenFile, "utf8").trim()}` };
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).text();
  const troubles = async (): Promise<readonly Said[]> => {
    await clock.advance(1000);
    return answer.parse(JSON.parse(await read("/api/troubles"))).troubles;
  };
  const ofPerson = async () => (await troubles()).filter(({ needs }) => needs === "person");
  const someTroubles = async () => {
    const found = await ofPerson();
    return found.length > 0 ? found : null;
  };
  return {
    lines,
    read,
    troubles,
    stop: () => stopOn(app, clock),
    said: () => waitFor("it is said", someTroubles, { timeoutMs: 60_000 }),
    over: () => waitFor("it is over", async () => (await ofPerson()).length === 0, { timeoutMs: 60_000 }),
  };
}

test("a site that cannot be reached is reported in log, API and metrics, with the reason", async () => {
  const daemon = await startDaemon(`http://127.0.0.1:${await freePort()}/fiscal`);
  const told = await daemon.said();
  const metrics = await daemon.read("/metrics");
  const line = /^a trouble began .*site\.unreachable.*shop: The site cannot be reached/;
  const isLogged = async () => (await daemon.troubles()) && daemon.lines.some((text) => line.test(text));
  await waitFor("it is logged", isLogged, { timeoutMs: 60_000 });
  await daemon.stop();
  expect(told).toMatchObject([
    {
      kind: "site-unreachable",
      text: { ru: "Сайт недоступен. Чеки ждут." },
      about: { site: "shop" },
      code: "site.unreachable",
    },
  ]);
  expect(metrics).toContain(
    'fiscald_trouble{kind="site-unreachable",needs="person",register="",site="shop",code="site.unreachable"} 1',
  );
});

test("a trouble that makes the page's light red is sent to a person, and a failed alert is a trouble until it is sent", async () => {
  const texts: string[] = [];
  let status = 500;
  const person = await serveSite(async (request, response) => {
    for await (const chunk of request) texts.push(String(chunk));
    response.writeHead(status).end();
  });
  const site = `http://127.0.0.1:${await freePort()}/fiscal`;
  const daemon = await startDaemon(site, undefined, { afterMinutes: 1, url: person.url });
  const isWarned = async () => JSON.stringify(await daemon.troubles()).includes('"alert-failed"');
  await waitFor("the failure is warned of", isWarned, { timeoutMs: 60_000 });
  status = 200;
  const isOver = async () => !JSON.stringify(await daemon.troubles()).includes('"alert-failed"');
  await waitFor("it is told", isOver, { timeoutMs: 60_000 });
  await daemon.stop();
  await person.close();
  expect(texts.at(-1)).toMatch(/a person is needed.*shop: The site cannot be reached/s);
  expect(texts.filter((text) => text.includes("could not be reached"))).toEqual([]);
});

test("a database that cannot store orders counts as a trouble until it can store them", async () => {
  let resize = (_pages: number) => {};
  const site = await startFakeSite();
  const daemon = await startDaemon(site.url, {
    onDatabase(db) {
      resize = (pages) => void db.pragma(`max_page_count = ${pages}`);
    },
  });
  try {
    const isPolled = async () => (await daemon.troubles()) && site.calls.some(({ action }) => action === "order");
    await waitFor("it is polled", isPolled, { timeoutMs: 60_000 });
    resize(1);
    // This order needs more room than the present pages have.
    site.offer("A-1", table([sell, tea, pay(100), close], { note: "x".repeat(50_000) }));
    expect(await daemon.said()).toMatchObject([{ kind: "store-trouble", code: "store.full" }]);
    resize(1_000_000);
    await daemon.over();
  } finally {
    resize(1_000_000);
    await daemon.stop();
    await site.close();
  }
});
