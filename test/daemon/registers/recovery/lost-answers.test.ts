/** One fault in the dialogue with the register: the receipt is registered once, and the site gets its true numbers. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { noMarks, once, type Till, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import {
  addForeignReceipt,
  type RunFault,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../../support/scripted-driver.js";

const { openTill } = useBenches();

const named = (name: string) => makeReceipt({ lines: [makeItem({ name })] });

/** A model whose documents were read back rightly before, because one receipt went well. */
async function openProven(over: Partial<ScriptedDevice> = {}): Promise<Till> {
  const till = openTill(over);
  expect((await till.bench.sell(named("Первый"))).state).toBe("printed");
  till.bench.told.results.length = 0;
  return till;
}

async function sellWith(faults: readonly RunFault[], over: Partial<ScriptedDevice> = {}) {
  const till = await openProven(over);
  till.device.faults = [...faults];
  const job = await till.bench.sell(makeReceipt());
  const [, receipt, ...others] = receiptsOn(till.device);
  return { ...till, ...till.bench, job, receipt, others };
}

const links: readonly RunFault["kind"][] = ["before", "after", "late", "open", "stale"];
const ofLink = (kind: RunFault["kind"]) => ({ kind }) as RunFault;

test.each<RunFault>([...links.map(ofLink), { kind: "throw", error: new TypeError("a mistake") }])(
  "a receipt whose connection breaks ($kind) is registered once and reported with its numbers, and no error is logged",
  async (fault) => {
    const { job, receipt, others, told, log, errors } = await sellWith([fault]);
    expect(others).toEqual([]);
    expect(job).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
    expect(told.results).toEqual([{ job: 2, outcome: "printed", fd: receipt?.fd }]);
    const compared = log.slice(log.indexOf("compared an unsure job with documents"));
    const wasDone = fault.kind === "after" || fault.kind === "stale";
    expect(compared[1]).toMatch(wasDone ? /^printed$/ : /^not printed, queued again: /);
    expect(errors).toEqual([]);
  },
);

test.each(links)("a receipt without an order mark whose link breaks (%s) is recognised by its lines", async (kind) => {
  const { job, receipt, others } = await sellWith([ofLink(kind)], { capabilities: noMarks });
  expect(others).toEqual([]);
  expect(job).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
});

test("on a model that was never read back, another program's document leaves the job unsure, and the log says so once", async () => {
  const { bench, device } = openTill({ shift: { number: 1, state: "open", openedAt: null } });
  device.faults = [{ kind: "before" }];
  device.onCall = (name) => {
    if (name === "fence") addForeignReceipt(device, named("Чужой"));
  };
  expect((await bench.sell(makeReceipt())).state).toBe("unsure");
  expect(bench.stores.attempts.ofJob(1).at(-1)?.doubt).toMatchObject({ reason: "unreadable" });
  expect(bench.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  expect(receiptsOn(device)).toHaveLength(1);
  const said = [`it is unknown whether the job was printed: ${new Fault("job.outcome-unknown").message}`];
  expect(bench.errors).toEqual(said);

  device.faults = [{ kind: "after" }];
  await bench.sell({ ...named("Следующий"), orderId: toOrderId("A-2") });
  expect(bench.log.filter((line) => line.startsWith("compared an unsure job")).length).toBeGreaterThan(2);
  expect(bench.errors).toEqual(said);
});

test.each([
  { marks: "marks", capabilities: scriptedCapabilities, kind: "before", name: "Чужой товар", own: 4 },
  { marks: "no marks", capabilities: noMarks, kind: "before", name: "Чужой товар", own: 4 },
  { marks: "marks", capabilities: scriptedCapabilities, kind: "after", name: "Чай", own: 3 },
] as const)(
  "a receipt is printed once although another program prints one of the same sum ($marks, $kind, of $name)",
  async ({ capabilities, kind, name, own }) => {
    const { bench, device } = await openProven({ capabilities });
    once(device, "fence", () => addForeignReceipt(device, named(name)));
    device.faults = [{ kind }];
    expect(await bench.sell(makeReceipt())).toMatchObject({ state: "printed", document: { fd: own } });
    expect(receiptsOn(device)).toHaveLength(3);
  },
);

test("a job whose document cannot be read is unsure until it can be read, and is never printed again", async () => {
  const { job, bench, device } = await sellWith([{ kind: "after" }], { unreadable: new Set([3]) });
  expect(job.state).toBe("unsure");
  device.unreadable.clear();
  const again = bench.crash();
  await again.runQueue();
  expect(again.job(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(again.told.results.map(({ outcome }) => outcome)).toEqual(["unknown", "printed"]);
  expect(receiptsOn(device)).toHaveLength(2);
});

test.each([
  ["and has one that may be this job's", "ambiguous", 2],
  ["and has none that may be this job's", "no-evidence", 1],
] as const)("a register that answers with another job's document %s is not believed", async (_, reason, receipts) => {
  const { bench, device } = await openProven();
  if (reason === "no-evidence") once(device, "ran", () => void device.documents.pop());
  const { jobs, attempts } = bench.stores;
  // The drive counts wrongly: its number is above the recorded one, but is another job's already.
  const taken = bench.job(1).document;
  jobs.transaction(() => {
    const { id } = bench.addJob(named("Занято"));
    if (taken !== null) jobs.markPrinted(id, { ...taken, fd: device.documents.length + 1 }, 0);
  });
  const job = await bench.sell(makeReceipt());
  expect(job.state).toBe("unsure");
  expect(attempts.ofJob(job.id).at(-1)?.doubt).toMatchObject({ reason });
  expect(receiptsOn(device)).toHaveLength(receipts);
});

test("an unsure receipt that fails after its last try is logged as an error with the register's own reason", async () => {
  const fault = new Fault("device.bad-value");
  const { job, errors } = await sellWith([{ kind: "throw", error: fault }]);
  expect(job.state).toBe("failed");
  expect(errors).toEqual([`not printed, given up: ${fault.message}`]);
});

const refusal = (code: "device.bad-value" | "device.wrong-mode"): RunFault => ({
  kind: "refuse",
  fault: new Fault(code),
});

test.each([
  ["of the receipt itself fails the job at once", "device.bad-value", 1],
  ["that may pass fails the job after three tries", "device.wrong-mode", 3],
] as const)("a refusal by the register %s, and the site gets a failed result", async (_, code, tries) => {
  const { job, device, told } = await sellWith(Array.from({ length: tries }, () => refusal(code)));
  expect(job).toMatchObject({ state: "failed", tries, fault: { code } });
  expect(told.results).toEqual([{ job: 2, outcome: "failed", fd: null }]);
  expect([device.faults, receiptsOn(device).length]).toEqual([[], 1]);
});

test.each<[string, Partial<ScriptedDevice>, Partial<ScriptedDevice>]>([
  ["device.paper-out", { blockedBy: new Fault("device.paper-out") }, { blockedBy: null }],
  ["device.receipt-open", { openReceipt: { operation: "sale", subtotal: kopecks(500) } }, { openReceipt: null }],
])(
  "a register that shows %s is left as it is until a person has helped, and then prints without further help",
  async (code, now, then) => {
    const { bench, device } = await openProven();
    if (now.blockedBy != null) device.faults = [{ kind: "refuse", fault: now.blockedBy }];
    Object.assign(device, now);
    bench.queue(makeReceipt());
    await bench.clock.advance(120_000);
    expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code } }]);
    expect(device).toMatchObject(now);
    expect(bench.job(2).state).toBe("queued");
    Object.assign(device, then);
    await bench.runQueue();
    expect([bench.job(2).state, receiptsOn(device).length]).toEqual(["printed", 2]);
  },
);

test("an open receipt with a larger sum than was ever sent counts as another program's, even while a job is unsure", async () => {
  const { bench, device } = await openProven();
  device.faults = [{ kind: "before" }];
  device.onCall = (name) => {
    if (name === "run") device.openReceipt = { operation: "sale", subtotal: kopecks(999_999) };
  };
  bench.queue(makeReceipt());
  await bench.clock.advance(60_000);
  expect(device.openReceipt).not.toBeNull();
  expect(bench.job(2).state).toBe("unsure");
  Object.assign(device, { onCall: () => {}, openReceipt: null });
  await bench.runQueue();
  await bench.clock.advance(60_000);
  expect([bench.job(2).state, receiptsOn(device).length]).toEqual(["printed", 2]);
});
