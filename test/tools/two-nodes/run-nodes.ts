/** Two nodes of a site on one PostgreSQL, killed at random, and two print servers: the outcome of every receipt. */
import { fileURLToPath } from "node:url";
import { openReceiptStore } from "@fiscald/handlers";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { type Child, startChild } from "../../support/child-process.js";
import { freePort } from "../../support/free-port.js";
import { type Seeded, seeded } from "../../support/seeded.js";
import { waitFor } from "../../support/wait-for.js";
import { PrintServer } from "./print-server.js";

export interface NodesRunOptions {
  readonly database: string;
  readonly receipts: number;
  /** A node is killed after about so many further receipts. */
  readonly killEvery: number;
  readonly seed: number;
  readonly say?: (text: string) => void;
}

export interface NodesReport {
  readonly printed: number;
  readonly kills: number;
  readonly lostAnswers: number;
  readonly repeats: number;
  /** A sentence for each receipt that is not printed exactly once. */
  readonly wrong: readonly string[];
}

const NODES = 2;
const PAYING_AT_ONCE = 4;

export async function runNodes(options: NodesRunOptions): Promise<NodesReport> {
  const { database, receipts, say = () => {} } = options;
  const random = seeded(options.seed);
  const nodes = await startNodes(database);
  const orders = Array.from({ length: receipts }, (_, number) => `N-${number}`);
  const servers = [1, 2].map(
    (number) =>
      new PrintServer({
        id: `daemon-${number}`,
        fn: `999907890000000${number}`,
        kkms: [1, 2, 3].map((register) => `000123456701234${number}${register}`),
        nodeUrl: () => runningUrl(nodes, random),
        random,
      }),
  );
  const count = (of: (server: PrintServer) => number) => servers.reduce((sum, server) => sum + of(server), 0);
  const heard = () => count((server) => server.heard.size);
  let isOver = false;
  const isDone = () => isOver || heard() >= receipts;
  let kills = 0;
  try {
    const killNodes = async () => {
      for (;;) {
        const next = heard() + random.int(1, 2 * options.killEvery);
        await waitFor("further receipts are reported", () => isDone() || heard() >= next);
        if (isDone()) return;
        await random.pickOf(nodes)?.restart();
        kills += 1;
        if (kills % 10 === 0) say(`${heard()} receipts reported, ${kills} nodes killed`);
      }
    };
    await Promise.all([killNodes(), pay(orders, nodes, random), ...servers.map((server) => server.run(isDone))]);
  } finally {
    isOver = true;
    for (const node of nodes) await node.stop();
  }
  return {
    printed: count(({ printed }) => printed.size),
    kills,
    lostAnswers: count((server) => server.lostAnswers),
    repeats: count((server) => server.repeats),
    wrong: await judge(database, orders, servers),
  };
}

interface SiteNode {
  readonly url: string;
  /** False while the node restarts: a load balancer would call another node. */
  isUp(): boolean;
  /** Kills the node in the middle of its work and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function startNodes(database: string): Promise<readonly SiteNode[]> {
  const nodes: SiteNode[] = [];
  // One after the other, because the first node makes the tables.
  for (let number = 0; number < NODES; number += 1) {
    const port = await freePort();
    const start = async (): Promise<Child> => {
      const child = startChild([fileURLToPath(new URL("./node-child.js", import.meta.url)), database, String(port)]);
      await child.line(/^ready/);
      return child;
    };
    const kill = async (child: Child) => {
      child.signal("SIGKILL");
      await child.ended;
    };
    let running = await start();
    let isUp = true;
    nodes.push({
      isUp: () => isUp,
      url: `http://127.0.0.1:${port}`,
      async restart() {
        isUp = false;
        await kill(running);
        running = await start();
        isUp = true;
      },
      stop: () => kill(running),
    });
  }
  return nodes;
}

function runningUrl(nodes: readonly SiteNode[], random: Seeded): string {
  return random.pickOf(nodes.filter((node) => node.isUp()))?.url ?? "";
}

/** The shop pays each order once, and repeats the call until a node has accepted it: that is the same receipt. */
async function pay(orders: readonly string[], nodes: readonly SiteNode[], random: Seeded): Promise<void> {
  const left = orders.values();
  const payer = async () => {
    for (const order of left) {
      const enqueue = () => fetch(`${runningUrl(nodes, random)}/orders/${order}`, { method: "POST" });
      while (
        !(await enqueue().then(
          ({ ok }) => ok,
          () => false,
        ))
      );
    }
  };
  await Promise.all(Array.from({ length: PAYING_AT_ONCE }, payer));
}

async function judge(database: string, orders: readonly string[], servers: readonly PrintServer[]) {
  const store = await openReceiptStore({ database, logger: silentLogger });
  const wrong: string[] = [];
  try {
    for (const order of orders) {
      const found = await store.findByOrder(toOrderId(order));
      const states = found.map(({ state }) => state).join(", ");
      const printedBy = found.flatMap(({ receiptId }) => servers.filter(({ printed }) => printed.has(receiptId)));
      if (states !== "printed" || printedBy.length !== 1) {
        wrong.push(`order ${order}: ${states || "no receipt"}, printed ${printedBy.length} times`);
      }
    }
  } finally {
    await store.close();
  }
  return wrong;
}
