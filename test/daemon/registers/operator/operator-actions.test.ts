import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { closeShift, once, orderNamed, TILL, tillsOf, useBenches, withCode } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { createTill, type RunFault, receiptsOn } from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();
const other = toRegisterId("till-2");
const second = orderNamed("A-2");
const badValue: RunFault = { kind: "refuse", fault: new Fault("device.bad-value") };

/** One or two registers of a group. The first has printed A-1. */
async function openWorking(count: 1 | 2 = 1) {
  const [one, two] = [createTill(1), createTill(2)];
  const bench = open({ registers: tillsOf([one, two].slice(0, count), { group: "hall" }) });
  await bench.sell("A-1");
  const printed = () => [one, two].map((device) => receiptsOn(device).length);
  return { bench, operator: bench.operator, one, two, printed };
}

test("a retried failed job has the full number of tries again", async () => {
  const { bench, operator, one, printed } = await openWorking();
  one.faults = [badValue];
  await bench.sell(second);
  operator.retry(2, "the register was mended");
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", tries: 0 });
  expect(printed()).toEqual([2, 0]);
});

test("a job cannot be retried while another job of its order waits or is printed, or when the job did not fail", async () => {
  const { bench, operator, one, printed } = await openWorking();
  one.faults = [badValue];
  await bench.sell(second);
  bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Иной" })] }));
  expect(() => operator.retry(2, "again")).toThrow(withCode("job.being-printed"));
  await bench.runQueue();
  expect(() => operator.retry(2, "again")).toThrow(withCode("job.already-printed"));
  expect(() => operator.retry(1, "again")).toThrow(withCode("job.wrong-state"));
  expect(printed()).toEqual([2, 0]);
});

const fault = { code: "register.unknown-kkm", message: "" } as const;

function refuse({ stores }: Bench, receipt: SaleReceipt, site = "shop"): number {
  const nobody = { source: "site", raw: null, polledKkm: null, key: null, forced: false, now: 0 } as const;
  const place = { site: toSiteId(site), register: TILL };
  return stores.jobs.insertJob({ ...nobody, ...place, receipt, state: "refused", fault }).id;
}

test("an order that was refused because it names another register is printed only on the register that it names", async () => {
  const { bench, operator, two, printed } = await openWorking(2);
  const nobodys = refuse(bench, { ...second, kkm: toKkm("9999999999999999") });
  expect(() => operator.retry(nobodys, "again")).toThrow(withCode("register.unknown-kkm"));
  expect(() => operator.printAnyway(nobodys, "again")).toThrow(withCode("register.unknown-kkm"));
  expect(bench.job(nobodys).state).toBe("refused");
  const ofCafe = refuse(bench, { ...second, kkm: two.identity.kkm }, "cafe");
  expect(() => operator.retry(ofCafe, "again")).toThrow(withCode("register.unknown-kkm"));
  const ofTwo = refuse(bench, { ...second, orderId: toOrderId("A-3"), kkm: two.identity.kkm });
  expect(operator.retry(ofTwo, "the config has it now")).toMatchObject({
    register: other,
    taxes: [{ id: 1, vat: 11 }],
    taxpayer: { inn: two.identity.inn },
  });
  await bench.runQueue();
  expect(printed()).toEqual([1, 1]);
});

test("a return that was refused because it names another register gets the rate of its sale when it is retried there", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  two.tables = { ...two.tables, taxes: [{ id: 1, title: "НДС 20%", vat: 1 }, ...one.tables.taxes.slice(1)] };
  const bench = open({ registers: tillsOf([one, two], { group: "hall" }) });
  await bench.sell("A-1", { register: TILL });
  const back = makeReceipt({ ...orderNamed("A-1"), operation: "return", kkm: two.identity.kkm });
  const { register, taxes } = bench.operator.retry(refuse(bench, back), "again");
  expect([register, taxes]).toMatchObject([other, [{ id: 1, vat: 11 }]]);
});

test("an order for another taxpayer stays refused when the operator retries it", async () => {
  const { bench, operator } = await openWorking();
  const id = refuse(bench, { ...second, expectedInn: toInn("7700000001") });
  expect(() => operator.retry(id, "again")).toThrow(withCode("order.wrong-inn"));
});

const ofKit = (id: string, operation: "sale" | "return" = "sale") =>
  makeReceipt({ ...second, receiptId: toReceiptId(id), operation });

/** The first of these receipts fails. */
async function openWith(...receipts: readonly SaleReceipt[]) {
  const working = await openWorking();
  working.one.faults = [badValue];
  for (const receipt of receipts) await working.bench.sell(receipt);
  return working;
}

/** A further receipt of the order, which fails without being sent. */
function addFailed(bench: Bench): number {
  const { id } = bench.addJob(ofKit("b"));
  bench.stores.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
  return id;
}

test.each(["sale", "return"] as const)(
  "a retry of a failed receipt is refused when the site has replaced it with another %s that was printed",
  async (kind) => {
    const { bench, operator } = await openWith(ofKit("a", kind), ofKit("b", kind));
    expect(bench.job(3).state).toBe("printed");
    expect(() => operator.retry(2, "again")).toThrow(withCode("job.already-printed"));
  },
);

test("a retry of a failed receipt is refused when an earlier failed receipt of the order was retried first", async () => {
  const { bench, operator } = await openWith(ofKit("a"));
  const id = addFailed(bench);
  operator.retry(2, "it can be printed now");
  expect(() => operator.retry(id, "this one too")).toThrow(withCode("job.being-printed"));
  await bench.runQueue();
  expect(bench.job(2).state).toBe("printed");
  expect(() => operator.retry(id, "this one too")).toThrow(withCode("job.already-printed"));
});

test("a retry of a failed receipt is allowed when the site made the receipt in addition to an earlier one", async () => {
  const { bench, operator } = await openWorking();
  await bench.sell(ofKit("a"));
  expect(operator.retry(addFailed(bench), "again").state).toBe("queued");
});

test("a queued job that is cancelled is reported to its site, and a job in another state cannot be cancelled", async () => {
  const { bench, operator, one } = await openWorking();
  one.unplugged = true;
  await bench.clock.advance(60_000);
  bench.addJob(second);
  expect(operator.cancel(2, "the buyer left").state).toBe("cancelled");
  expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "failed", fd: null });
  expect(() => operator.cancel(1, "too late")).toThrow(withCode("job.wrong-state"));
});

test("print-anyway prints one further receipt at a time, each with its own order mark and request id", async () => {
  const { bench, operator, one, printed } = await openWorking();
  const again = operator.printAnyway(1, "the site reuses its numbers");
  expect(() => operator.printAnyway(1, "the site reuses its numbers")).toThrow(withCode("job.being-printed"));
  await bench.runQueue();
  expect(bench.job(again.id)).toMatchObject({ state: "printed", forced: true });
  const marks = receiptsOn(one).map(({ mark }) => mark);
  expect([marks.length, new Set(marks).size]).toEqual([2, 2]);
  const requestOf = (job: number) => bench.stores.attempts.ofJob(job).at(-1)?.baseline.requestId;
  expect(requestOf(again.id)).not.toBe(requestOf(1));
  operator.printAnyway(1, "the customer lost it");
  await bench.runQueue();
  expect(printed()).toEqual([3, 0]);
});

test("print-anyway of a cancelled or printed order with its own tag 1084 gives the receipt no order mark", async () => {
  const { bench, operator, one } = await openWorking();
  bench.addJob(makeReceipt({ ...second, requisites: { userProperty: { name: "Стол", value: "7" } } }));
  operator.cancel(2, "the wrong table");
  for (const reason of ["the right table after all", "the customer lost it"]) {
    const { id } = operator.printAnyway(2, reason);
    await bench.runQueue();
    expect(bench.job(id)).toMatchObject({ state: "printed", forced: true, mark: null });
  }
  expect(receiptsOn(one).map(({ mark }) => mark)).toEqual([expect.stringContaining("A-1 "), "7", "7"]);
});

test("a job that its register is about to print cannot be moved", async () => {
  const { bench, operator, one, printed } = await openWorking(2);
  let refused: unknown = null;
  once(one, "read-state", () => {
    try {
      operator.move(2, other, "till-1 hangs");
    } catch (error) {
      refused = error;
    }
  });
  await bench.sell(second);
  expect(refused).toEqual(withCode("job.being-printed"));
  expect(printed()).toEqual([2, 0]);
});

test("a job can be moved only to a register that may print it", async () => {
  const { bench, operator, one, printed } = await openWorking(2);
  await bench.settled();
  one.unplugged = true;
  await bench.clock.advance(20_000);
  bench.addJob(second);
  expect(operator.move(2, other, "till-1 is broken").register).toBe(other);
  expect(() => operator.move(2, toRegisterId("till-9"), "?")).toThrow(withCode("register.no-register"));
  expect(() => operator.move(1, other, "?")).toThrow(withCode("job.wrong-state"));
  await bench.clock.advance(60_000);
  expect([bench.job(2).state, printed()]).toEqual(["printed", [1, 1]]);
});

test("the operator's X report and Z report are printed, and an X report is refused after the Z report has closed the shift", async () => {
  const { bench, operator } = await openWorking();
  operator.report(TILL, "x", "curious");
  operator.report(TILL, "z", "the day is over");
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", source: "operator" });
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1 })]);
  expect(() => operator.report(toRegisterId("till-9"), "x", "?")).toThrow(withCode("register.no-register"));
  // An X report of a closed shift is refused at once.
  expect(() => operator.report(TILL, "x", "curious")).toThrow(withCode("register.no-open-shift"));
});

test("nothing is printed on a device that the config rules out, and a person cannot accept the device", async () => {
  const expectKkm = toKkm("0009999999999999");
  const { bench, device } = openTill({}, { settings: { expectKkm } });
  bench.queue(second);
  await bench.clock.advance(100_000);
  expect(device.documents).toEqual([]);
  const found = { kkm: device.identity.kkm };
  expect(bench.fleet.snapshots()).toMatchObject([
    { phase: "blocked", fault: { details: { found, expected: { kkm: expectKkm } } } },
  ]);
  const accept = () => bench.operator.acceptIdentity(TILL, "it is the right one");
  expect(accept).toThrow(withCode("register.fixed-kkm"));
});

test("a paused register finishes the receipt in print and starts no other until it is resumed, even after a restart", async () => {
  const { bench, operator, one: device } = await openWorking();
  once(device, "run", () => operator.pause(TILL, "new roll"));
  bench.queue(second);
  await bench.until("the receipt in hand is printed", () => receiptsOn(device).length === 2, 100);
  bench.queue("A-3");
  await bench.clock.advance(60_000);
  expect(receiptsOn(device)).toHaveLength(2);

  const next = await bench.restart();
  next.startQueue();
  await next.clock.advance(60_000);
  expect(next.fleet.snapshots()).toMatchObject([{ phase: "ready", pausedSince: expect.any(Number) }]);
  expect(receiptsOn(device)).toHaveLength(2);
  next.operator.resume(TILL, "done");
  await next.runQueue();
  expect(receiptsOn(device)).toHaveLength(3);
  const byOperator = next.journal().filter((what) => /by the operator/.test(String(what)));
  expect(byOperator).toEqual(["paused by the operator", "resumed by the operator"]);
});

test("the order of a paused register moves to another register of its group at once, and the paused register gets no order", async () => {
  const { bench, operator, two, printed } = await openWorking(2);
  operator.pause(TILL, "new roll");
  bench.queue(second);
  await bench.clock.advance(1_000);
  expect(printed()).toEqual([1, 1]);
  two.unplugged = true;
  bench.queue("A-3", { register: "till-2" });
  await bench.clock.advance(120_000);
  expect(printed()).toEqual([1, 1]);
});

test("a paused register closes its shift and prints the operator's reports", async () => {
  const { bench, operator, one } = await openWorking();
  operator.pause(TILL, "new roll");
  operator.report(TILL, "x", "now");
  await bench.runQueue();
  expect(bench.stores.jobs.list({ state: "printed", limit: 1 })).toMatchObject([{ source: "operator" }]);
  closeShift(bench);
  await bench.runQueue();
  expect(one.documents.at(-1)?.type).toBe("shift-close");
});

test("a register that is paused twice counts as paused since the first time, even if it was never connected", async () => {
  const { bench } = openTill({ unplugged: true });
  const { operator } = bench;
  operator.pause(TILL, "first");
  const since = bench.clock.now();
  await bench.clock.advance(5_000);
  operator.pause(TILL, "again");
  expect(bench.stores.registers.pausedSince(TILL)).toBe(since);
  operator.resume(TILL, "done");
  operator.resume(TILL, "again");
  expect(bench.stores.registers.pausedSince(TILL)).toBeNull();
  expect(bench.journal()).toEqual(["paused by the operator", "resumed by the operator"]);
});
