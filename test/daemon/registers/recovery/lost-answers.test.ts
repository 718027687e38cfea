/** One fault in the dialogue with the register: the receipt is there once, and the site knows its true numbers. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { noMarks, once, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  type RunFault,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../../support/scripted-driver.js";

const { openOn } = useBenches();

const openShift = { number: 1, state: "open", openedAt: null } as const;
const onlyHeaders = { ...noMarks, documentBodies: "header" } as const;

/** A model whose documents were read back rightly before: one receipt went well. */
async function openProven(device: ScriptedDevice): Promise<Bench> {
  const opened = openOn(device);
  await opened.sell(makeReceipt({ lines: [makeItem({ name: "Первый" })] }));
  expect(opened.job(1).state).toBe("printed");
  opened.told.results.length = 0;
  return opened;
}

async function runWithFault(device: ScriptedDevice, fault: RunFault, receipt = makeReceipt()): Promise<Bench> {
  const opened = await openProven(device);
  device.faults = [fault];
  await opened.sell(receipt);
  return opened;
}

const links: readonly RunFault["kind"][] = ["before", "after", "late", "open", "stale"];

test.each<RunFault>([
  ...links.map((kind) => ({ kind }) as RunFault),
  { kind: "throw", error: new TypeError("a mistake") },
])(
  "a receipt whose link breaks ($kind) is registered once, told with its numbers, and no error is logged",
  async (fault) => {
    const device = createScriptedDevice();
    const { stores, told, log, errors } = await runWithFault(device, fault);
    const [, receipt, ...others] = receiptsOn(device);
    expect(others).toEqual([]);
    expect(stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
    expect(told.results).toEqual([{ job: 2, outcome: "printed", fd: receipt?.fd }]);
    const compared = log.slice(log.indexOf("compared an unsure job with documents"));
    const wasDone = fault.kind === "after" || fault.kind === "stale";
    expect(compared[1]).toMatch(wasDone ? /^printed$/ : /^not printed, queued again: /);
    expect(errors).toEqual([]);
  },
);

test.each(links)("without marks it is known by its lines (%s)", async (kind) => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const { stores } = await runWithFault(device, { kind } as RunFault);
  const [, receipt, ...others] = receiptsOn(device);
  expect(others).toEqual([]);
  expect(stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
});

test("on a model never read back, a document that is not ours leaves the job unsure", async () => {
  const device = createScriptedDevice({ shift: openShift });
  device.faults = [{ kind: "before" }];
  device.onCall = (name) => {
    if (name === "fence") addForeignReceipt(device, makeReceipt({ lines: [makeItem({ name: "Чужой" })] }));
  };
  const opened = openOn(device);
  await opened.sell(makeReceipt());
  expect(opened.job(1).state).toBe("unsure");
  expect(opened.stores.attempts.ofJob(1).at(-1)?.doubt).toMatchObject({ reason: "unreadable" });
  expect(opened.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  expect(receiptsOn(device)).toHaveLength(1);
  const said = [`it is unknown whether the job was printed: ${new Fault("job.outcome-unknown").message}`];
  expect(opened.errors).toEqual(said);

  // It is compared with each later one, and the log says no more of it.
  device.faults = [{ kind: "after" }];
  await opened.sell(makeReceipt({ lines: [makeItem({ name: "Следующий" })] }));
  expect(opened.log.filter((line) => line.startsWith("compared an unsure job")).length).toBeGreaterThan(2);
  expect(opened.errors).toEqual(said);
});

test.each([
  { marks: "marks", capabilities: scriptedCapabilities, kind: "before", other: "other", own: 4 },
  { marks: "no marks", capabilities: noMarks, kind: "before", other: "other", own: 4 },
  { marks: "marks", capabilities: scriptedCapabilities, kind: "after", other: "equal", own: 3 },
] as const)(
  "beside another program's receipt of our sum ours is one document ($marks, $kind, $other goods)",
  async ({ capabilities, kind, other, own }) => {
    const device = createScriptedDevice({ capabilities });
    const opened = await openProven(device);
    once(device, "fence", () => {
      addForeignReceipt(
        device,
        makeReceipt({ lines: [makeItem({ name: other === "equal" ? "Чай" : "Чужой товар" })] }),
      );
    });
    device.faults = [{ kind }];
    await opened.sell(makeReceipt());
    expect(receiptsOn(device)).toHaveLength(3);
    expect(opened.job(2)).toMatchObject({ state: "printed", document: { fd: own } });
  },
);

test("a model that shows only totals: a document of our total is a candidate, never a proof", async () => {
  const device = createScriptedDevice({ capabilities: onlyHeaders });
  const { stores } = await runWithFault(device, { kind: "after" });
  expect(stores.jobs.get(2).state).toBe("unsure");
  expect(stores.attempts.ofJob(2).at(-1)?.doubt?.candidates).toHaveLength(1);
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a document that cannot be read leaves the job unsure until it can, and it is never printed again", async () => {
  const device = createScriptedDevice();
  const opened = await openProven(device);
  device.faults = [{ kind: "after" }];
  device.unreadable.add(device.documents.length + 1);
  await opened.sell(makeReceipt());
  expect(opened.job(2).state).toBe("unsure");

  device.unreadable.clear();
  const again = opened.crash();
  await again.runQueue();
  expect(again.job(2)).toMatchObject({ state: "printed", document: { fd: device.documents.length } });
  expect(again.told.results.map(({ outcome }) => outcome)).toEqual(["unknown", "printed"]);
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a register that answers with another job's document is not believed", async () => {
  const device = createScriptedDevice();
  const opened = await openProven(device);
  // The drive counts wrongly: what it says is above the journalled number, but already another job's.
  const taken = opened.job(1).document;
  opened.stores.jobs.transaction(() => {
    const job = opened.addJob(makeReceipt({ lines: [makeItem({ name: "Занято" })] }));
    if (taken !== null) opened.stores.jobs.markPrinted(job.id, { ...taken, fd: device.documents.length + 1 }, 0);
  });
  const job = await opened.sell(makeReceipt());
  expect(opened.job(job.id).state).toBe("unsure");
  expect(opened.stores.attempts.ofJob(job.id).at(-1)?.doubt).toMatchObject({ reason: "ambiguous" });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a doubt that ends with a receipt given up is logged as an error with the register's own reason", async () => {
  const fault = new Fault("device.bad-value");
  const { stores, errors } = await runWithFault(createScriptedDevice(), { kind: "throw", error: fault });
  expect(stores.jobs.get(2).state).toBe("failed");
  expect(errors).toEqual([`not printed, given up: ${fault.message}`]);
});

describe("a refusal by the register", () => {
  test("of the receipt itself fails the job at once, and the site is told", async () => {
    const device = createScriptedDevice();
    const { stores, told } = await runWithFault(device, { kind: "refuse", fault: new Fault("device.bad-value") });
    expect(stores.jobs.get(2)).toMatchObject({ state: "failed", fault: { code: "device.bad-value" } });
    expect(told.results).toEqual([{ job: 2, outcome: "failed", fd: null }]);
    expect(receiptsOn(device)).toHaveLength(1);
  });

  test("that may pass is tried three times in all", async () => {
    const device = createScriptedDevice();
    const opened = await openProven(device);
    const refuse: RunFault = { kind: "refuse", fault: new Fault("device.wrong-mode") };
    device.faults = [refuse, refuse, refuse];
    await opened.sell(makeReceipt());
    expect(opened.job(2)).toMatchObject({ state: "failed", tries: 3 });
    expect(device.faults).toEqual([]);
  });

  test("for want of paper waits for a person and goes on by itself", async () => {
    const device = createScriptedDevice();
    const opened = await openProven(device);
    device.faults = [{ kind: "refuse", fault: new Fault("device.paper-out") }];
    device.blockedBy = new Fault("device.paper-out");
    opened.addJob(makeReceipt());
    opened.wake.notify();
    await opened.clock.advance(30_000);
    expect(opened.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "device.paper-out" } });
    expect(opened.job(2).state).toBe("queued");
    device.blockedBy = null;
    await opened.runQueue();
    expect(opened.job(2).state).toBe("printed");
    expect(receiptsOn(device)).toHaveLength(2);
  });
});

describe("a receipt that stands open", () => {
  test("and is somebody else's is never cancelled: the register waits until it is gone", async () => {
    const device = createScriptedDevice();
    const opened = await openProven(device);
    device.openReceipt = { operation: "sale", subtotal: kopecks(500) };
    opened.addJob(makeReceipt());
    opened.wake.notify();
    await opened.clock.advance(120_000);
    expect(device.openReceipt).not.toBeNull();
    expect(opened.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "device.receipt-open" } });
    device.openReceipt = null;
    await opened.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("with more in it than we ever sent is not ours, whatever doubt there is", async () => {
    const device = createScriptedDevice();
    const opened = await openProven(device);
    device.faults = [{ kind: "before" }];
    device.onCall = (name) => {
      if (name === "run") device.openReceipt = { operation: "sale", subtotal: kopecks(999_999) };
    };
    opened.addJob(makeReceipt());
    opened.wake.notify();
    await opened.clock.advance(60_000);
    expect(device.openReceipt).not.toBeNull();
    expect(opened.job(2).state).toBe("unsure");
    device.onCall = () => {};
    device.openReceipt = null;
    await opened.runQueue();
    await opened.clock.advance(60_000);
    expect(opened.job(2).state).toBe("printed");
    expect(receiptsOn(device)).toHaveLength(2);
  });
});
