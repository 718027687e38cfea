import { Fault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Delivery } from "@fiscald/shared/outbox/classify-response.js";
import type { DeliveryFailure, OutboxHead, OutboxPort } from "@fiscald/shared/outbox/outbox-port.js";
import { backoffSchedule, createSender, type Sender } from "@fiscald/shared/outbox/sender.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";

type State = "pending" | "delivered" | "aside";
interface Row extends OutboxHead {
  state: State;
  tries: number;
  refusals: number;
  revision: number;
  lastFault: string | null;
}

class MemoryOutbox implements OutboxPort<Row> {
  readonly rows: Row[] = [];
  broken: Fault | null = null;

  add(lane: string, destination = "shop"): Row {
    const id = this.rows.length + 1;
    const begun = { revision: 0, tries: 0, refusals: 0 };
    const row: Row = { id, lane, destination, ...begun, dueInMs: 0, state: "pending", lastFault: null };
    this.rows.push(row);
    return row;
  }

  async heads(limit: number, without: ReadonlySet<string>) {
    if (this.broken !== null) throw this.broken;
    const pending = this.rows.filter(({ state }) => state === "pending");
    const heads = pending.filter((row) => !pending.some(({ lane, id }) => lane === row.lane && id < row.id));
    return heads.filter(({ destination }) => !without.has(destination)).slice(0, limit);
  }
  async aside() {
    if (this.broken !== null) throw this.broken;
    return this.rows.filter(({ state }) => state === "aside");
  }
  async take(head: OutboxHead) {
    return this.rows.find(({ id, state }) => id === head.id && state !== "delivered") ?? null;
  }
  async delivered(row: Row) {
    row.state = "delivered";
  }
  async failed(row: Row, { fault, refused, againInMs }: DeliveryFailure) {
    row.tries += 1;
    if (refused) row.refusals += 1;
    row.lastFault = fault.code;
    if (againInMs === null) row.state = "aside";
  }
}

const delivered: Delivery = { kind: "delivered" };
const refused: Delivery = { kind: "refused", fault: new Fault("site.refused") };
const failed: Delivery = { kind: "failed", fault: new Fault("site.http-status") };
const outage: Delivery = { kind: "outage", fault: new Fault("site.unreachable") };
const oneDayMs = 86_400_000;

let clock: FakeClock;
let outbox: MemoryOutbox;
let sender: Sender;
let tried: number[];
let answers: (row: Row) => Delivery | Promise<Delivery>;

beforeEach(() => {
  clock = createFakeClock();
  outbox = new MemoryOutbox();
  tried = [];
  answers = () => delivered;
  sender = createSender<Row>({
    outbox,
    deliver: async (row) => {
      tried.push(row.id);
      return answers(row);
    },
    schedule: backoffSchedule({
      event: { firstMs: 5000, maxMs: 60_000 },
      outage: { firstMs: 1000, maxMs: 8000 },
      maxRefusals: 3,
      random: () => 0.5,
    }),
    concurrency: 2,
    asideEveryMs: oneDayMs,
    describe: () => ({}),
    clock,
    logger: silentLogger,
  });
});

afterEach(async () => {
  await sender.stop(0);
  expect(clock.pending).toBe(0);
});

async function start(): Promise<void> {
  sender.start();
  await clock.advance(0);
}

test("the sender delivers all waiting events, the oldest first, and then events that are added later", async () => {
  for (const lane of ["a", "b", "c", "d", "a"]) outbox.add(lane);
  await start();
  await clock.advance(0);
  expect(tried).toEqual([1, 2, 3, 4, 5]);
  outbox.add("e");
  sender.wake();
  await clock.advance(0);
  expect(outbox.rows.map(({ state }) => state)).toEqual(Array(6).fill("delivered"));
});

test("in a lane an event waits until the event before has been delivered", async () => {
  const first = deferred<Delivery>();
  outbox.add("a");
  outbox.add("a");
  answers = (row) => (row.id === 1 ? first.promise : delivered);
  await start();
  expect(tried).toEqual([1]);
  first.resolve(delivered);
  await clock.advance(0);
  expect(tried).toEqual([1, 2]);
});

test("a lane that fails is tried again after growing pauses and does not delay another lane", async () => {
  outbox.add("bad");
  outbox.add("good");
  answers = ({ lane }) => (lane === "bad" ? failed : delivered);
  await start();
  expect(tried).toEqual([1, 2]);
  await clock.advance(4999);
  expect(tried).toHaveLength(2);
  await clock.advance(1);
  expect(tried).toEqual([1, 2, 1]);
  await clock.advance(9999);
  expect(tried).toHaveLength(3);
  await clock.advance(1);
  expect(tried).toHaveLength(4);
});

test("during an outage the sender tries one event at a time, and after it sends all events at once", async () => {
  for (const lane of ["a", "b", "c", "d"]) outbox.add(lane);
  answers = () => outage;
  await start();
  expect(tried).toEqual([1, 2]);
  tried.length = 0;
  await clock.advance(1000);
  expect(tried).toEqual([1]);
  await clock.advance(2000);
  await clock.advance(4000);
  await clock.advance(8000);
  await clock.advance(8000);
  expect(tried).toEqual([1, 1, 1, 1, 1]);
  answers = () => delivered;
  await clock.advance(8000);
  expect(outbox.rows.every(({ state }) => state === "delivered")).toBe(true);
});

test("an outage of one address of a site does not delay any number of events for another address", async () => {
  for (let n = 0; n < 20; n += 1) outbox.add(`down ${n}`, "down");
  const [first, second] = [outbox.add("a", "up"), outbox.add("b", "up")];
  const probe = deferred<Delivery>();
  answers = ({ destination }) => (destination === "up" ? delivered : tried.length > 4 ? probe.promise : outage);
  await start();
  await clock.advance(0);
  expect([first.state, second.state]).toEqual(["delivered", "delivered"]);
  await clock.advance(1000);
  const whileProbed = outbox.add("c", "up");
  sender.wake();
  await clock.advance(0);
  expect([whileProbed.state, tried.length]).toEqual(["delivered", 6]);
  probe.resolve(delivered);
  await clock.advance(0);
  expect(outbox.rows.every(({ state }) => state === "delivered")).toBe(true);
});

test("an event that a working site refuses is set aside after its last try, and its lane goes on", async () => {
  outbox.add("a");
  outbox.add("a");
  answers = ({ id }) => (id === 1 ? refused : delivered);
  await start();
  await clock.advance(5000);
  expect(tried).toEqual([1, 1]);
  await clock.advance(10_000);
  await clock.advance(0);
  expect(tried).toEqual([1, 1, 1, 2]);
  expect(outbox.rows.map(({ state }) => state)).toEqual(["aside", "delivered"]);
});

test("an event that only the network fails to deliver is never set aside, however often it is tried", async () => {
  outbox.add("a");
  answers = () => outage;
  await start();
  for (let hour = 0; hour < 24; hour += 1) await clock.advance(3_600_000);
  expect(tried.length).toBeGreaterThan(10_000);
  expect(outbox.rows[0]?.state).toBe("pending");
});

test("an event that was set aside is tried again at each start of the sender and once a day", async () => {
  const row = outbox.add("a");
  row.state = "aside";
  answers = () => refused;
  await start();
  expect(tried).toEqual([1]);
  await clock.advance(oneDayMs - 1);
  expect(tried).toHaveLength(1);
  answers = () => delivered;
  await clock.advance(1);
  expect(row.state).toBe("delivered");
});

test("a failed event that gets another body is tried at once", async () => {
  const row = outbox.add("a");
  answers = () => failed;
  await start();
  row.revision += 1;
  row.refusals = 0;
  answers = () => delivered;
  sender.wake();
  await clock.advance(0);
  expect(row.state).toBe("delivered");
});

test("after a failed read of the store the sender reads again by itself, also the events set aside", async () => {
  outbox.add("a");
  outbox.add("b").state = "aside";
  outbox.broken = new Fault("store.busy");
  await start();
  outbox.broken = null;
  await clock.advance(1000);
  expect(outbox.rows.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
});

test("the sender delivers waiting events when the events set aside cannot be read, and soon reads those again", async () => {
  outbox.add("a");
  outbox.add("b").state = "aside";
  const { aside } = outbox;
  outbox.aside = () => Promise.reject(new Fault("store.failed"));
  await start();
  expect(outbox.rows.map(({ state }) => state)).toEqual(["delivered", "aside"]);
  outbox.aside = aside;
  await clock.advance(8000);
  expect(outbox.rows.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
});

test("a successful read of the outbox's store makes the next pause the shortest, even when no event waits", async () => {
  outbox.broken = new Fault("store.busy");
  await start();
  await clock.advance(1000 + 2000);
  outbox.broken = null;
  await clock.advance(4000);
  outbox.broken = new Fault("store.busy");
  sender.wake();
  await clock.advance(0);
  outbox.broken = null;
  outbox.add("a");
  await clock.advance(1000);
  expect(outbox.rows[0]?.state).toBe("delivered");
});

test("a delivery that the store cannot record is repeated after growing pauses", async () => {
  outbox.add("a");
  const { delivered: record } = outbox;
  outbox.delivered = () => Promise.reject(new Fault("store.full"));
  sender.start();
  await clock.advance(100_000);
  expect(tried.length).toBeLessThan(20);
  outbox.delivered = record;
  await clock.advance(600_000);
  expect(outbox.rows[0]?.state).toBe("delivered");
});

test("a delivery that throws counts as a failed try of its event", async () => {
  outbox.add("a");
  answers = () => {
    throw new Error("mistake");
  };
  await start();
  expect(outbox.rows[0]).toMatchObject({ state: "pending", tries: 1, lastFault: "internal" });
});

test("a stop of the sender waits for the delivery in flight and records it", async () => {
  const first = deferred<Delivery>();
  outbox.add("a");
  answers = () => first.promise;
  await start();
  const stopped = sender.stop(60_000);
  first.resolve(delivered);
  await stopped;
  expect(outbox.rows[0]?.state).toBe("delivered");
});

test("a stop of the sender after its time limit records no more deliveries", async () => {
  const first = deferred<Delivery>();
  outbox.add("a");
  answers = () => first.promise;
  await start();
  const stopped = sender.stop(1000);
  await clock.advance(1000);
  first.resolve(delivered);
  await stopped;
  expect(outbox.rows[0]).toMatchObject({ state: "pending", tries: 0 });
});

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
