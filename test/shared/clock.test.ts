import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { backoffDelayMs, systemClock } from "@fiscald/shared/clock.js";

let open: { destroy?: () => void; close?: () => void }[] = [];
afterEach(() => {
  for (const one of open) (one.destroy ?? one.close)?.call(one);
  open = [];
});

async function socketPair(): Promise<readonly [Socket, Socket]> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(server, "connection")) as [Socket];
  open.push(near, far, server);
  return [near, far];
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("an answer that came while the process was suspended is handled before its time limit ends", async () => {
  const [near, far] = await socketPair();
  const heard: string[] = [];
  const bothCame = new Promise<void>((resolve) => {
    const hear = (what: string) => {
      heard.push(what);
      if (heard.length === 2) resolve();
    };
    near.on("data", () => hear("answer"));
    // The process is suspended between two turns of its event loop.
    setImmediate(() => {
      systemClock.setTimer(20, () => hear("time is up"));
      far.write("answer");
      standStill(60);
    });
  });
  await bothCame;
  expect(heard).toEqual(["answer", "time is up"]);
});

test("a timer that is cancelled after its time, but before its callback runs, does not go off", async () => {
  let rang = false;
  const timer = systemClock.setTimer(5, () => {
    rang = true;
  });
  const nextTimer = new Promise<void>((resolve) => setTimeout(resolve, 5));
  // Both timers are due when the event loop gets its turn: the first has fired when the second is cancelled.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  await nextTimer;
  timer.cancel();
  await systemClock.sleep(20);
  expect(rang).toBe(false);
});

const options = { firstMs: 1000, maxMs: 60_000 };
const middle = () => 0.5;

test("the pause before a retry doubles from the first delay up to the longest", () => {
  expect([1, 2, 3, 6, 7, 8].map((attempt) => backoffDelayMs(attempt, options, middle))).toEqual([
    1000, 2000, 4000, 32_000, 60_000, 60_000,
  ]);
});

test("the pause before a retry stays at the longest delay after any number of attempts", () => {
  expect(backoffDelayMs(1_000_000, options, middle)).toBe(60_000);
});

test("the pause before a retry varies by a fifth in both directions", () => {
  expect(backoffDelayMs(1, options, () => 0)).toBe(800);
  expect(backoffDelayMs(1, options, () => 0.999_999)).toBe(1200);
});

test("the pause before the first attempt equals the pause after the first attempt", () => {
  expect(backoffDelayMs(0, options, middle)).toBe(1000);
});
