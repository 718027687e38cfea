import { IntakeGate } from "@fiscald/daemon/intake/intake-gate.js";
import type { AcceptResult } from "@fiscald/daemon/intake/intake-parts.js";
import { createPoller, type PollerOptions } from "@fiscald/daemon/intake/poller.js";
import type { PollAnswer } from "@fiscald/daemon/sites/site-client.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeJob } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";

const empty: AcceptResult = { kind: "empty" };
const order: AcceptResult = { kind: "order", job: makeJob() };
const plain = (body: string): PollAnswer => ({ body, leases: false });

function start(over: Partial<PollerOptions> = {}) {
  const clock = createFakeClock();
  const startedAt = clock.monotonic();
  const polls: number[] = [];
  const troubles: (string | null)[] = [];
  const options: PollerOptions = {
    periodMs: 5000,
    kkm: () => toKkm("0001"),
    hasRoom: () => true,
    poll: async () => plain(""),
    accept: () => empty,
    onTrouble: (fault) => troubles.push(fault?.code ?? null),
    deliveries: { count: 0 },
    gate: new IntakeGate(),
    clock,
    random: () => 0.5,
    log: silentLogger,
    ...over,
  };
  const poller = createPoller({
    ...options,
    poll: (kkm, signal) => {
      polls.push((clock.monotonic() - startedAt) / 1000);
      return options.poll(kkm, signal);
    },
  });
  poller.start();
  return { clock, polls, troubles, poller, gate: options.gate };
}

test("an answer has the number of events that had been delivered when its poll was sent", async () => {
  const deliveries = { count: 3 };
  const heard: number[] = [];
  const { clock, poller } = start({
    deliveries,
    poll: async () => {
      deliveries.count = 4;
      return plain("");
    },
    accept: (answer) => {
      heard.push(answer.deliveries);
      return empty;
    },
  });
  await clock.advance(0);
  expect(heard).toEqual([3]);
  await poller.stop(0);
});

test("the poller polls its site at once, then at the set period", async () => {
  const { clock, polls, poller } = start();
  await clock.advance(11_000);
  expect(polls).toEqual([0, 5, 10]);
  await poller.stop(0);
  expect(clock.pending).toBe(0);
});

test("the poller polls again 50 ms after each order, however many orders came in a row", async () => {
  let polled = 0;
  const { clock, polls, poller } = start({
    accept: () => (polled < 60 ? order : empty),
    poll: async (_kkm, signal) => {
      polled += 1;
      if (polled === 30) await held(signal);
      return plain("");
    },
  });
  const held = (signal: AbortSignal) => clock.sleep(25_000, signal);
  await clock.advance(29 * 50);
  expect(polls).toEqual(Array.from({ length: 30 }, (_, index) => index / 20));
  await clock.advance(25_000 + 30 * 50);
  expect(polls).toHaveLength(60);
  await poller.stop(0);
  expect(clock.pending).toBe(0);
});

test("the poller polls again at once after an answer that took longer than the period", async () => {
  const held = start({
    poll: (_kkm, signal) => held.clock.sleep(25_000, signal).then(() => ({ body: "", leases: true })),
  });
  await held.clock.advance(51_000);
  expect(held.polls).toEqual([0, 25, 50]);
  await held.poller.stop(0);
});

test("the poller gives a delayed answer the time at which its poll was sent", async () => {
  const asked: number[] = [];
  const held = start({
    poll: (_kkm, signal) => held.clock.sleep(25_000, signal).then(() => ({ body: "", leases: true })),
    accept: ({ askedAt }) => {
      asked.push(held.clock.now() - askedAt);
      return empty;
    },
  });
  await held.clock.advance(26_000);
  expect(asked).toEqual([25_000]);
  await held.poller.stop(0);
});

test("the poller dates a poll by the present clock, even when the clock was set back before the answer", async () => {
  const asked: number[] = [];
  const held = start({
    poll: async (_kkm, signal) => {
      await held.clock.sleep(25_000, signal);
      held.clock.setWallClock(held.clock.now() - 3 * 3_600_000);
      return { body: "", leases: true };
    },
    accept: ({ askedAt }) => {
      asked.push(held.clock.now() - askedAt);
      return empty;
    },
  });
  await held.clock.advance(26_000);
  expect(asked).toEqual([25_000]);
  await held.poller.stop(0);
});

test("the poller waits longer and longer while the site is in trouble, and reports when the trouble is over", async () => {
  let down = true;
  const { clock, polls, troubles, poller } = start({
    poll: async () => {
      if (down) throw new Fault("site.unreachable");
      return plain("");
    },
  });
  await clock.advance(36_000);
  expect(polls).toEqual([0, 5, 15, 35]);
  down = false;
  await clock.advance(40_000);
  expect(troubles.slice(0, 5)).toEqual([...Array.from({ length: 4 }, () => "site.unreachable"), null]);
  await poller.stop(0);
});

test("the poller polls again after a read of the database failed, and reports a trouble of the site", async () => {
  let reads = 0;
  const { clock, polls, troubles, poller } = start({
    hasRoom: () => {
      reads += 1;
      if (reads === 2) throw new Fault("store.failed");
      return true;
    },
  });
  await clock.advance(16_000);
  expect([polls, troubles]).toEqual([
    [0, 10, 15],
    [null, "store.failed", null, null],
  ]);
  await poller.stop(0);
});

test("the poller polls at once when an operator wants it, and then goes on at the set period", async () => {
  const { clock, polls, poller } = start({ poll: () => Promise.reject(new Fault("site.unreachable")) });
  await clock.advance(16_000);
  poller.askNow();
  await clock.advance(0);
  expect(polls).toEqual([0, 5, 15, 16]);
  await clock.advance(30_000);
  expect(polls).toHaveLength(4);
  await poller.stop(0);
  expect(clock.pending).toBe(0);
});

test("the poller polls again at once when an operator wants it during a poll, and then goes on at the set period", async () => {
  const held = start({
    poll: (_kkm, signal) => held.clock.sleep(1000, signal).then(() => Promise.reject(new Fault("site.unreachable"))),
  });
  await held.clock.advance(500);
  held.poller.askNow();
  await held.clock.advance(8000);
  expect(held.polls).toEqual([0, 1]);
  await held.poller.stop(0);
});

test("the poller does not poll while too many orders wait, and checks again at the set period", async () => {
  let room = false;
  const { clock, polls, poller } = start({ hasRoom: () => room });
  await clock.advance(12_000);
  expect(polls).toEqual([]);
  room = true;
  await clock.advance(5000);
  expect(polls).toEqual([15]);
  await poller.stop(0);
});

test.each<[string, (isWaiting: () => boolean) => Partial<PollerOptions>]>([
  ["becomes known", (isWaiting) => ({ kkm: () => (isWaiting() ? null : toKkm("0001")) })],
  ["has room again", (isWaiting) => ({ hasRoom: () => !isWaiting() })],
])("the poller polls at once when its register %s, and at the set period after any other change", async (_, over) => {
  let isWaiting = true;
  const { clock, polls, poller } = start(over(() => isWaiting));
  await clock.advance(6000);
  poller.registersChanged();
  await clock.advance(0);
  expect(polls).toEqual([]);
  isWaiting = false;
  poller.registersChanged();
  await clock.advance(1000);
  poller.registersChanged();
  await clock.advance(3999);
  expect(polls).toEqual([6]);
  await clock.advance(1);
  expect(polls).toEqual([6, 11]);
  await poller.stop(0);
  expect(clock.pending).toBe(0);
});

test("the poller keeps an answer that cannot be stored, and polls again only when the answer is stored", async () => {
  const gate = new IntakeGate();
  let full = true;
  const stored: string[] = [];
  const first = start({
    gate,
    poll: async () => plain("the order"),
    accept: ({ body }) => {
      if (full) throw new Fault("store.full");
      stored.push(body);
      return empty;
    },
  });
  await first.clock.advance(0);
  const second = start({ gate });
  await second.clock.advance(60_000);
  await first.clock.advance(60_000);
  expect(first.polls).toEqual([0]);
  expect(second.polls).toEqual([]);
  full = false;
  await first.clock.advance(30_000);
  await second.clock.advance(0);
  expect(stored[0]).toBe("the order");
  expect(second.polls).toHaveLength(1);
  await Promise.all([first.poller.stop(0), second.poller.stop(0)]);
});

test("the poller goes on when an answer that waited for the database fails by a programming error", async () => {
  const gate = new IntakeGate();
  const faults = [new Fault("store.full"), new Fault("internal")];
  const { clock, poller, polls } = start({
    gate,
    poll: async () => plain("the order"),
    accept: () => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return empty;
    },
  });
  await clock.advance(60_000);
  expect(polls.length).toBeGreaterThan(1);
  await poller.stop(0);
});

test("the poller waits without a log line for a database that another program holds for a moment", async () => {
  const lines: string[] = [];
  let tries = 0;
  const gate = new IntakeGate();
  const { clock, poller } = start({
    gate,
    log: createTestLogger((line) => lines.push(line)),
    accept: () => {
      tries += 1;
      if (tries < 10) throw new Fault("store.busy");
      return empty;
    },
  });
  await clock.advance(1000);
  expect(gate.closedBy).toBeNull();
  await clock.advance(1000);
  expect([tries, lines]).toEqual([10, []]);
  await poller.stop(0);
});

test.each([1_000, 6_000])(
  "the poller reports a lost answer when it is stopped while the database is busy, after %p ms",
  async (ms) => {
    const { clock, troubles, poller } = start({
      poll: async () => ({ body: "the order", leases: false }),
      accept: () => {
        throw new Fault("store.busy");
      },
    });
    await clock.advance(ms);
    const stopped = poller.stop(500);
    await clock.advance(500);
    await stopped;
    expect(troubles).toEqual(["site.answer-lost"]);
    expect(clock.pending).toBe(0);
  },
);

test("the poller reports a lost answer when it is stopped before the answer could be stored", async () => {
  const { clock, troubles, poller } = start({
    poll: async () => plain("the order"),
    accept: () => {
      throw new Fault("store.full");
    },
  });
  await clock.advance(0);
  const stopped = poller.stop(1000);
  await clock.advance(1000);
  await stopped;
  expect(troubles).toEqual(["site.answer-lost"]);
});

test("a stopped poller waits for the poll in flight and stores the order in its answer", async () => {
  let answer: (answer: PollAnswer) => void = () => {};
  const kept: string[] = [];
  const { clock, poller } = start({
    poll: () => new Promise((resolve) => (answer = resolve)),
    accept: ({ body }) => {
      kept.push(body);
      return order;
    },
  });
  await clock.advance(0);
  const stopped = poller.stop(10_000);
  answer(plain("the last order"));
  await stopped;
  expect(kept).toEqual(["the last order"]);
  expect(clock.pending).toBe(0);
});

test("a poller that is stopped cuts a long poll at once when the site leases its orders", async () => {
  let polled = 0;
  const { clock, poller } = start({
    poll: (_kkm, signal) => {
      polled += 1;
      if (polled === 1) return Promise.resolve({ body: "", leases: true });
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  await clock.advance(6000);
  expect(polled).toBe(2);
  await poller.stop(10_000);
  expect(clock.pending).toBe(0);
});
