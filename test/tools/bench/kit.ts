/** The kit's calls beside bare routes with a fixed answer, in turns within one run. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { postgres } from "../../support/site-databases.js";
import { type Figure, toFigure } from "./figure.js";
import type { KitServers } from "./servers/kit-servers.js";

/** In turns, so that a machine that is busy for a while is so for all of them. */
const TURNS = 6;
const SECONDS_A_TURN = 1;
const CONNECTIONS = 8;
const CYCLES_A_TURN = 200;

const emptyPoll = JSON.stringify({ action: "order", kkm: "0000000000000001" });

export async function run(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-bench-"));
  const schema = postgres.skipped === null ? await postgres.create() : null;
  const addresses = [join(folder, "kit.sqlite"), ...(schema === null ? [] : [schema.address])];
  const child = fork(fileURLToPath(new URL("./servers/kit-servers.js", import.meta.url)), addresses);
  try {
    return await measureAll(await started(child));
  } finally {
    const ended = once(child, "exit");
    child.kill();
    await ended;
    await schema?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function started(child: ChildProcess): Promise<KitServers> {
  const [servers]: KitServers[] = await once(child, "message");
  if (servers === undefined) throw new Error("the servers did not start");
  return servers;
}

async function measureAll(servers: KitServers): Promise<readonly Figure[]> {
  const polls = await inTurns(servers, pollRate);
  const cycles = await inTurns(servers, cycleRate);
  const ours = servers.postgres === null ? (["ours"] as const) : (["ours", "postgres"] as const);
  return ours.flatMap((which) => {
    const on = which === "postgres" ? " on PostgreSQL" : "";
    return [
      toFigure({
        name: `kit empty poll${on}`,
        figure: polls[which],
        unit: "requests/s",
        beside: { bare: polls.bare, fastify: polls.fastify },
        atLeast: 0.8 * polls.bare,
      }),
      toFigure({
        name: `kit order and result${on}`,
        figure: cycles[which],
        unit: "cycles/s",
        beside: { bare: cycles.bare, fastify: cycles.fastify },
        note: "ours commits three times, durably; the others answer three requests without a store",
      }),
    ];
  });
}

/** The mean of all turns; the first one only warms up. */
async function inTurns(servers: KitServers, measure: (url: string) => Promise<number>): Promise<KitRates> {
  const found = { ours: 0, postgres: 0, bare: 0, fastify: 0 };
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const share = turn === 0 ? 0 : 1 / TURNS;
    found.ours += share * (await measure(servers.ours));
    if (servers.postgres !== null) found.postgres += share * (await measure(servers.postgres));
    found.bare += share * (await measure(servers.bare));
    found.fastify += share * (await measure(servers.fastify));
  }
  return found;
}

type KitRates = Readonly<Record<keyof KitServers, number>>;

async function pollRate(url: string): Promise<number> {
  const result = await autocannon({
    url: `${url}/fiscal`,
    connections: CONNECTIONS,
    duration: SECONDS_A_TURN,
    method: "POST",
    headers: { "content-type": "application/json", "fiscald-daemon": "bench" },
    body: emptyPoll,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no success`);
  return result["2xx"] / result.duration;
}

/** A payment (ours enqueues; the others answer once more), the poll that takes its receipt, and the result. */
async function cycleRate(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isOurs = (await post(agent, `${url}/orders`)).status === 200;
  const beganAt = performance.now();
  for (let cycle = 0; cycle < CYCLES_A_TURN; cycle += 1) {
    await post(agent, `${url}/${isOurs ? "orders" : "fiscal"}`);
    const { text } = await post(agent, `${url}/fiscal`, emptyPoll);
    await post(agent, `${url}/fiscal`, resultOf(text));
  }
  const seconds = (performance.now() - beganAt) / 1000;
  agent.destroy();
  return CYCLES_A_TURN / seconds;
}

function resultOf(answer: string): string {
  const { response = {} } = Object(JSON.parse(answer));
  return JSON.stringify({
    action: "orderConfirm",
    kkm: "0000000000000001",
    inn: "7700000000",
    fn: "9999078900000001",
    resultCode: 0,
    resultInfo: "OK",
    outcome: "printed",
    orderId: String(response.orderId ?? "B-0"),
    receiptId: String(response.receiptId ?? "0"),
    shiftNumber: "1",
    OFDLink: "",
    fdNumber: "1",
    fpd: "1000000001",
  });
}

function post(agent: Agent, url: string, body = "{}"): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "fiscald-daemon": "bench",
    };
    const call = request(url, { agent, method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}
