/** The kit's calls and bare routes with a fixed answer, measured in turns within one run. */
import { Agent, request } from "node:http";
import { join } from "node:path";
import autocannon from "autocannon";
import { postgres } from "../../support/site-databases.js";
import { type Figure, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { inTurns, withServers } from "./servers/fork-servers.js";
import type { KitServers } from "./servers/kit-servers.js";

const TURNS = scaled(6);
const SECONDS_A_TURN = 1;
const CONNECTIONS = 8;
const CYCLES_A_TURN = scaled(200);

const emptyPoll = JSON.stringify({ action: "order", kkm: "0000000000000001" });

export async function run(): Promise<readonly Figure[]> {
  const schema = postgres.skipped === null ? await postgres.create() : null;
  const processes = (folder: string) => ({
    ours: [join(folder, "ours.sqlite")],
    ...(schema === null ? {} : { postgres: [schema.address] }),
    plugin: [join(folder, "plugin.sqlite")],
    bare: [],
    fastify: [],
  });
  try {
    return await withServers<KitServers>({ script: "kit-servers.js", processes, measure: measureAll });
  } finally {
    await schema?.drop();
  }
}

async function measureAll(servers: KitServers): Promise<readonly Figure[]> {
  const ours = [servers.ours, ...(servers.postgres === undefined ? [] : [servers.postgres])];
  const polled = [...peers(servers), servers.plugin, ...ours];
  const [barePolls = 0, fastifyPolls = 0, pluginPolls = 0, ...polls] = await inTurns(TURNS, polled, pollRate);
  const [bareCycles = 0, fastifyCycles = 0, ...cycles] = await inTurns(TURNS, [...peers(servers), ...ours], cycleRate);
  const onFastify = toFigure({
    name: "kit empty poll, plugin",
    figure: pluginPolls,
    unit: "requests/s",
    beside: { fastify: fastifyPolls },
    atLeast: 0.5 * fastifyPolls,
  });
  const onExpress = ours.flatMap((_, which) => {
    const on = which === 1 ? " on PostgreSQL" : "";
    return [
      toFigure({
        name: `kit empty poll${on}`,
        figure: polls[which] ?? 0,
        unit: "requests/s",
        beside: { bare: barePolls, fastify: fastifyPolls },
        atLeast: 0.8 * barePolls,
      }),
      toFigure({
        name: `kit order and result${on}`,
        figure: cycles[which] ?? 0,
        unit: "cycles/s",
        beside: { bare: bareCycles, fastify: fastifyCycles },
        note: "ours commits three times, durably; the others answer three requests without a store",
      }),
    ];
  });
  return [onFastify, ...onExpress];
}

const peers = ({ bare, fastify }: KitServers) => [bare, fastify];

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

/** A payment (only the kit enqueues a receipt), the poll that takes the receipt, and the result. */
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
