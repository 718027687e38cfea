/**
 * The cost of years of history: the same daemon and queries on a database of a million printed jobs, beside one of
 * 10,000, because an empty one has no rows to show. The rows are written through the stores, as the daemon writes them,
 * in large transactions that need not survive a crash.
 */
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createAttemptStore } from "@fiscald/daemon/store/attempt-store.js";
import { type OwnedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { createRawOrders } from "@fiscald/daemon/store/raw-orders.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toFnSerial, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { orderKey } from "@fiscald/shared/receipt/order-key.js";
import { type DaemonProcess, startDaemon, writeConfig } from "../../support/daemon-process.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder, startTill, tillAt } from "./measuring/till.js";
import { startWireSite } from "./servers/wire-site.js";

const FEW_JOBS = scaled(10_000);
const MANY_JOBS = scaled(1_000_000);
const MOST_GROWTH = 1.5;
/** Queries below this time differ by chance. */
const LEAST_MS = 0.1;
const RECEIPTS_PER_SHIFT = 200;
const JOBS_PER_COMMIT = 5_000;
const REPEATS = scaled(7);

const site = toSiteId("shop");
const kkm = toKkm("0000000000000001");
const fn = toFnSerial("9999078900000001");
/** Prints all day; the other register has not printed since its drive was new. */
const busy = toRegisterId("till-1");
const idle = toRegisterId("till-2");
const lines = [
  makeItem({ name: "Чай чёрный байховый, 100 г" }),
  makeItem({ name: "Сахар" }),
  makeItem({ name: "Печенье" }),
];

/** Milliseconds by the name of the query. */
type Times = ReadonlyMap<string, number>;

export async function run(): Promise<readonly Figure[]> {
  const few = await timesOf(FEW_JOBS);
  const many = await timesOf(MANY_JOBS);
  return [...many].map(([name, figure]) => {
    const before = few.get(name) ?? Number.NaN;
    const unit = name === SIZE ? "KB" : "ms";
    const atMost = Math.max(LEAST_MS, before * MOST_GROWTH);
    const beside = { [`${FEW_JOBS} jobs`]: before };
    return toFigure({ name: `history of ${MANY_JOBS} jobs: ${name}`, figure, unit, beside, atMost });
  });
}

async function timesOf(jobs: number): Promise<Times> {
  const folder = benchFolder();
  try {
    return new Map([...(await measureStores(folder, jobs)), ...(await measureDaemon(folder))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SIZE = "size per job";
const FIRST_POLL = "first poll after kill -9";
const PATHS = [
  "/metrics",
  "/api/sites",
  "/api/registers",
  "/api/troubles",
  "/api/jobs",
  "/api/jobs?state=failed",
  "/api/jobs?state=printed&register=till-2",
  "/api/jobs?order=A-5",
  "/api/events?state=refused",
];

function open(folder: string): OwnedDatabase {
  return openDatabase({
    path: join(folder, "fiscald.sqlite"),
    clock: systemClock,
    log: silentLogger,
    pid: process.pid,
  });
}

async function measureStores(folder: string, count: number): Promise<Times> {
  const { db, close } = open(folder);
  db.pragma("synchronous = OFF");
  const jobs = createJobStore(db);
  const attempts = createAttemptStore(db);
  const journal = createJournal(db);
  const rawOrders = createRawOrders(db);
  const outbox = createOutboxStore({ db, journal, newId: () => crypto.randomUUID(), onAdded: () => {} });
  for (let first = 1; first <= count; first += JOBS_PER_COMMIT) {
    jobs.transaction(() => {
      for (let fd = first; fd < first + JOBS_PER_COMMIT && fd <= count; fd += 1) addPrinted(fd);
    });
  }
  db.pragma("wal_checkpoint(TRUNCATE)");
  const shift = Math.max(1, Math.ceil(count / RECEIPTS_PER_SHIFT));
  const baseline = baselineOf(count, shift);
  const times = new Map([
    [SIZE, statSync(db.name).size / 1024 / count],
    ["sum of a shift", time(() => jobs.sumOfShift(fn, shift))],
    ["whether another job closed the shift", time(() => attempts.isClosedByAnother({ job: 0, baseline }))],
    ["newest sync event", time(() => outbox.latest(site, "sync"))],
    ["unreadable answers of an order", time(() => journal.ofUnreadOrder(toOrderId("none")))],
    ["removing 100 old order texts", time(() => rawOrders.purge(Date.now() + 1, 100))],
  ]);
  close();
  return times;

  function addPrinted(fd: number): void {
    const now = Date.now();
    const receipt = makeReceipt({ lines, orderId: toOrderId(`A-${fd}`) });
    const body = JSON.stringify(makeOrder({ orderId: `A-${fd}`, operation: "sale", prices: [100, 100, 100] }).answer);
    const raw = jobs.insertRaw({ site, polledKkm: kkm, receivedAt: now, hash: `${fd}`.padStart(64, "0"), body });
    const key = orderKey({ site, receipt });
    const register = fd === 1 ? idle : busy;
    const order = { source: "site", site, raw, polledKkm: kkm, receipt, key, forced: false, register } as const;
    const { id } = jobs.insertJob({ ...order, state: "queued", fault: null, now });
    journal.add({ at: now, actor: "daemon", what: "order accepted", job: id, raw, details: { reason: "a new order" } });
    jobs.claim(id, register, now);
    const baseline = baselineOf(fd - 1, Math.ceil(fd / RECEIPTS_PER_SHIFT));
    const total = kopecks(30_000);
    const witness = {
      kind: "receipt",
      document: "receipt",
      operation: "sale",
      total,
      mark: `A-${fd} 01234567.89abcdef`,
    } as const;
    const attempt = attempts.begin({ job: id, part: 0, parts: 1, register, witness, baseline, shiftTotals: null, now });
    journal.add({
      at: now,
      actor: "daemon",
      what: "attempt began",
      job: id,
      register,
      details: { fn, lastFd: fd - 1 },
    });
    const document = {
      ...{ fn, fd, fiscalSign: "1234567890", shift: baseline.shift.number, receiptNumber: fd % RECEIPTS_PER_SHIFT },
      time: "2026-11-20T14:03:00" as LocalTime,
    };
    jobs.addDonePart(id, { parts: 1, document }, now);
    attempts.end(attempt, "printed", null, now);
    jobs.setReportedOutcome(id, "printed");
    journal.add({ at: now, actor: "daemon", what: "printed", job: id, register, details: document });
    const result = { action: "orderConfirm", kkm, orderId: `A-${fd}`, resultCode: 0, resultInfo: "", ...document };
    const lane = `result A-${fd}`;
    const event = outbox.add({ site, kind: "result", lane, job: id, register, body: result, latestOnly: false }, now);
    const stored = outbox.find(event);
    if (stored !== null) outbox.markDelivered(stored, now);
  }
}

function baselineOf(lastFd: number, shift: number) {
  return {
    fn,
    lastFd,
    shift: { number: shift, state: "open" },
    drawer: null,
    requestId: `shop|${lastFd}|till-1|0|0`,
  } as const;
}

async function measureDaemon(folder: string): Promise<Times> {
  const emulator = await startTill({ folder, numbers: { kkm, fn: "9999078900000002" } });
  const shop = await startWireSite();
  const config = writeConfig({ folder, siteUrl: shop.url, registers: [tillAt(emulator.port, busy)] });
  try {
    let { daemon } = await startUntilPoll();
    const untilPolls: number[] = [];
    for (let kill = 1; kill <= REPEATS; kill += 1) {
      daemon.child.signal("SIGKILL");
      await daemon.child.ended;
      await waitFor("the poll has ended", () => !shop.isHeld());
      const restarted = await startUntilPoll();
      daemon = restarted.daemon;
      untilPolls.push(restarted.untilPollMs);
    }
    const times = new Map([[FIRST_POLL, percentile(untilPolls, 0.5)]]);
    for (const path of PATHS) times.set(`GET ${path}`, await timeOfGet(folder, daemon, path));
    const stopped = daemon.stop();
    shop.stopHolding();
    await stopped;
    return times;
  } finally {
    await shop.close();
    await emulator.stop();
  }

  async function startUntilPoll() {
    const startedAt = performance.now();
    const polled = waitFor("the daemon polls", () => shop.isHeld()).then(() => performance.now() - startedAt);
    const [daemon, untilPollMs] = await Promise.all([startDaemon(config), polled]);
    return { daemon, untilPollMs };
  }
}

/** Median of several tries, in ms. */
function time(ask: () => unknown): number {
  const times = Array.from({ length: REPEATS }, () => {
    const startedAt = performance.now();
    ask();
    return performance.now() - startedAt;
  });
  return percentile(times, 0.5);
}

async function timeOfGet(folder: string, { consoleUrl }: DaemonProcess, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${readFileSync(join(folder, "console-token"), "utf8").trim()}` };
  const times: number[] = [];
  for (let number = 0; number < REPEATS; number += 1) {
    const startedAt = performance.now();
    const response = await fetch(`${consoleUrl}${path}`, { headers });
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}
