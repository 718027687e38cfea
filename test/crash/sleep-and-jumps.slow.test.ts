/** The machine sleeps and wakes, its clock jumps by hours, a register's clock is another: nobody decides by a clock. */
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { waitFor } from "../support/wait-for.js";
import { isPaused, waitForFinal, warmUp } from "../tools/campaign/cases/run-world-case.js";
import { type CampaignOrder, makeOrder } from "../tools/campaign/plan/orders.js";
import { findMakers } from "../tools/campaign/processes/makers.js";
import { useCampaign } from "../tools/campaign/worlds/campaign-bench.js";
import { type CutWorld, openCutWorld } from "../tools/campaign/worlds/cut-world.js";

const bench = useCampaign();
/** These real ms are more than any limit that the daemon has for a register or a poll at its hurried pace. */
const LONGER_THAN_A_COMMAND = 1_200;
const LONGER_THAN_A_POLL = 7_000;

async function inWorld(maker: string, work: (world: CutWorld) => Promise<void>, marksOnPoll = false): Promise<void> {
  const [row] = findMakers(maker);
  if (row === undefined) throw new Error(maker);
  const { folder, pool, host } = bench();
  const world = await openCutWorld({ folder: join(folder, `${maker}-${Math.random()}`), row, pool, host, marksOnPoll });
  try {
    await warmUp(world);
    await work(world);
  } finally {
    await world.close();
  }
}

const newOrder = (orderId: string) => makeOrder({ orderId, operation: "sale", prices: [10, 20.5] });

async function expectPrintedOnce(world: CutWorld, { orderId }: CampaignOrder): Promise<void> {
  const result = await waitForFinal(world, orderId);
  const own = (await world.emulator.receipts()).filter(({ items }) => items[0]?.name.startsWith(`${orderId} `));
  expect(own).toHaveLength(1);
  expect(result).toMatchObject({ outcome: "printed", resultCode: 0, fdNumber: String(own[0]?.fd) });
  expect(world.site.results(orderId)).toHaveLength(1);
}

/** Stops the daemon, lets the world go on without it, and wakes it again. */
async function sleepThrough(world: CutWorld, ms: number, meanwhile: () => Promise<void>): Promise<void> {
  world.signalDaemon("SIGSTOP");
  try {
    await meanwhile();
    await pass(ms);
  } finally {
    world.signalDaemon("SIGCONT");
  }
}

test.each(["shtrih-v1", "shtrih-v2", "pirit", "atol-v2", "reference"])(
  "a receipt on %s is printed once, and is not unsure, when the computer sleeps during its close",
  (maker) =>
    inWorld(maker, async (world) => {
      const order = newOrder("sleeper");
      await world.emulator.addFault({ effect: "pause", when: { command: "close-receipt", nth: 1 } });
      world.site.offer(order.orderId, order.answer);
      await waitFor("the receipt is being closed", () => isPaused(world), { timeoutMs: world.patienceMs });
      await sleepThrough(world, LONGER_THAN_A_COMMAND, () => world.emulator.clearFaults());
      await expectPrintedOnce(world, order);
      expect(await world.log()).not.toMatch(/in doubt|disconnected/);
    }),
);

test("an order that the site hands out is printed once when the computer sleeps during that poll", () =>
  inWorld(
    "reference",
    async (world) => {
      const order = newOrder("night");
      await waitFor("a poll is held", () => world.site.isHeld());
      await sleepThrough(world, LONGER_THAN_A_POLL, async () => world.site.offer(order.orderId, order.answer));
      await expectPrintedOnce(world, order);
      // What becomes of later polls, which the site holds as long as this test takes, is another matter.
      const [untilAccepted] = await waitFor("the log names the order", async () =>
        /^.*accepted an order [^\n]*order=night/s.exec(await world.log()),
      );
      expect(untilAccepted).not.toMatch(/answer-lost.*no answer in/);
    },
    true,
  ));

test("a wall clock that jumps ten hours forward and back, even during a receipt, doubles and loses no receipt", () =>
  inWorld("shtrih-v2", async (world) => {
    for (const orderId of ["forward", "back", "forward-again"]) {
      const order = newOrder(orderId);
      await world.emulator.addFault({ effect: "pause", when: { command: "close-receipt", nth: 1 } });
      world.site.offer(order.orderId, order.answer);
      await waitFor("the receipt is being closed", () => isPaused(world), { timeoutMs: world.patienceMs });
      world.signalDaemon("SIGHUP");
      await world.emulator.clearFaults();
      await expectPrintedOnce(world, order);
    }
    // The clock jumps in the pauses between two polls and two state reads as well.
    world.signalDaemon("SIGHUP");
    const last = newOrder("last");
    world.site.offer(last.orderId, last.answer);
    await expectPrintedOnce(world, last);
    expect(await world.log()).not.toMatch(/in doubt|disconnected/);
    expect(world.site.calls.filter(({ action }) => action === "KKMDisconnected")).toEqual([]);
  }));

test("a register whose clock is hours ahead prints its orders, and the register's own time is reported", () =>
  inWorld("shtrih-v2", async (world) => {
    await world.emulator.post("/clock", { advanceSeconds: 7 * 3600 });
    const order = newOrder("ahead");
    world.site.offer(order.orderId, order.answer);
    await expectPrintedOnce(world, order);
    const [document] = (await world.emulator.receipts()).slice(-1);
    const [date = "", time = ""] = (document?.time ?? "").split("T");
    // The register's documents know no seconds.
    const minute = `${date.split("-").reverse().join(".")} ${time.slice(0, 5)}`;
    expect(String(world.site.results(order.orderId)[0]?.["dateTime"])).toContain(minute);
  }));
