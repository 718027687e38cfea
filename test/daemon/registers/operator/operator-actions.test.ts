import { createOperatorActions, type OperatorActions } from "@fiscald/daemon/registers/operator/operator-actions.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toKkm, toOrderId, toReceiptId, toRegisterId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench, removeBenchFolders } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../../support/scripted-driver.js";

let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
  removeBenchFolders();
});

const noMarks = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, orderMark: false } };
const withCode = (code: string) => expect.objectContaining({ code });
const first = makeReceipt({ lines: [makeItem({ name: "Первый" })] });
const second = makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })] });

function actionsOf({ stores, fleet, clock, wake, told }: Bench): OperatorActions {
  const result = (job: { id: number }, outcome: "printed" | "failed" | "unknown") =>
    void told.results.push({ job: job.id, outcome, fd: null });
  return createOperatorActions({
    stores,
    fleet,
    facts: { result },
    clock,
    newDigits: () => "feedc0de",
    wake: () => wake.notify(),
  });
}

async function openWorking(devices = [createScriptedDevice()]): Promise<Bench> {
  const opened = openBench({
    registers: devices.map((device, index) => ({
      device,
      settings: { id: toRegisterId(`till-${index + 1}`), group: "hall" },
    })),
  });
  bench = opened;
  opened.addJob(first);
  await opened.runQueue();
  return opened;
}

/** Job 2 is unsure: two documents fit it, FD 3 and FD 4. */
async function openUnsure(device: ScriptedDevice): Promise<Bench> {
  const opened = await openWorking([device]);
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name !== "fence") return;
    addForeignReceipt(device, second);
    device.onCall = () => {};
  };
  opened.addJob(second);
  opened.wake.notify();
  await opened.runQueue();
  expect(opened.stores.jobs.get(2).state).toBe("unsure");
  return opened;
}

/** The second receipt is on the drive as document 3 with its mark, which could not be read while its job became unsure. */
async function openUnread() {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  device.faults = [{ kind: "after" }];
  device.unreadable = new Set([3]);
  opened.addJob(second);
  opened.wake.notify();
  await opened.runQueue();
  expect(opened.stores.jobs.get(2).state).toBe("unsure");
  device.unreadable = new Set();
  return { device, opened, actions: actionsOf(opened) };
}

describe("resolve", () => {
  test("as printed takes the numbers of the document on the register", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const job = await actionsOf(opened).resolvePrinted(2, 3, "seen on paper");
    expect(job).toMatchObject({ state: "printed", document: { fd: 3, fiscalSign: "1000000003" } });
    expect(opened.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd: 3 });
    expect(opened.stores.journal.ofJob(2)).toContainEqual(
      expect.objectContaining({
        actor: "operator",
        what: "resolved as printed",
        details: { reason: "seen on paper", fd: 3 },
      }),
    );
  });

  test("as printed refuses a document that carries another order's mark", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    device.documents = device.documents.map((it) => (it.fd === 3 ? { ...it, mark: "A-9 0123abcd" } : it));
    await expect(actionsOf(opened).resolvePrinted(2, 3, "?")).rejects.toEqual(withCode("job.document-mismatch"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
  });

  test("as printed refuses a document that is another job's, is not there, or is of another sum", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    addForeignReceipt(device, makeReceipt({ lines: [makeItem({ price: kopecks(77_700) })] }));
    const actions = actionsOf(opened);
    for (const fd of [1, 2, 5, 99]) {
      await expect(actions.resolvePrinted(2, fd, "guess")).rejects.toEqual(withCode("job.document-mismatch"));
      expect(opened.stores.jobs.get(2).state).toBe("unsure");
    }
  });

  test("as not printed passes the fence and prints it", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const asked: string[] = [];
    device.onCall = (name) => void asked.push(name);
    await actionsOf(opened).resolveNotPrinted(2, "no paper came out");
    expect(asked[0]).toBe("fence");
    await opened.runQueue();
    expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: 5 } });
    expect(receiptsOn(device)).toHaveLength(4);
  });

  test("as not printed is refused while a receipt stands open: it may be the job's, and somebody may close it", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    device.openReceipt = { document: "receipt", operation: "sale", itemCount: 1, subtotal: kopecks(100) };
    await expect(actionsOf(opened).resolveNotPrinted(2, "no paper")).rejects.toEqual(withCode("device.receipt-open"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    device.openReceipt = null;
    expect(await actionsOf(opened).resolveNotPrinted(2, "no paper")).toMatchObject({ state: "queued" });
  });

  test("as not printed is refused while the register shows the job's own mark on a document", async () => {
    const { device, opened, actions } = await openUnread();
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.document-mismatch"));
    await opened.runQueue();
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    expect(receiptsOn(device)).toHaveLength(2);
    expect(await actions.resolvePrinted(2, 3, "seen now")).toMatchObject({ state: "printed", document: { fd: 3 } });
  });

  test("as not printed is refused while the register leaves a document of the job's time out", async () => {
    const { device, opened, actions } = await openUnread();
    const { documents } = device;
    // An earlier answer about the last document's number: none came after the journalled one.
    device.onCall = (name) => {
      device.documents = name === "documents" ? documents.slice(0, 2) : documents;
    };
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.document-left-out"));
    device.onCall = () => {};
    device.documents = documents;
    await opened.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("as not printed of a job whose last seen document the drive does not have is done once it has come so far", async () => {
    const { device, opened, actions } = await openUnread();
    // What the fence read was not the drive's own number.
    device.documents = device.documents.slice(0, 2);
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toMatchObject({
      code: "job.document-left-out",
      message: expect.stringMatching(/document 3\b.* last one is 2\b/),
      hint: {
        en: expect.stringMatching(/once .*that number.*`fiscald accept-identity`.*out of the config.*`fiscald move`/),
        ru: expect.stringMatching(/с этим номером.*`fiscald accept-identity`.*из настроек.*`fiscald move`/),
      },
    });
    actions.report(toRegisterId("till-1"), "z", "the drive comes to that number");
    await opened.clock.advance(20_000);
    expect(opened.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "device.fn-state" } }]);
    actions.acceptIdentity(toRegisterId("till-1"), "the drive is the right one");
    await opened.runQueue();
    expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt", "shift-close"]);
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    await actions.resolveNotPrinted(2, "no paper came out");
    await opened.runQueue();
    expect(opened.stores.jobs.get(2).state).toBe("printed");
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("as not printed asks about each document that a model without marks does not show", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const { documents } = device;
    device.onCall = (name) => {
      device.documents = name === "documents" ? documents.slice(0, 2) : documents;
    };
    const actions = actionsOf(opened);
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.document-unread"));
    await expect(actions.resolveNotPrinted(2, "no paper", [3])).rejects.toEqual(withCode("job.document-unread"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    await actions.resolveNotPrinted(2, "both papers are other receipts", [3, 4]);
    expect(opened.stores.jobs.get(2).state).not.toBe("unsure");
  });

  test("is for unsure jobs only, and needs a register that answers", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const actions = actionsOf(opened);
    await expect(actions.resolveNotPrinted(1, "why")).rejects.toEqual(withCode("job.wrong-state"));
    await expect(actions.resolveNotPrinted(77, "why")).rejects.toEqual(withCode("job.not-found"));
    device.unplugged = true;
    await expect(actions.resolveNotPrinted(2, "why")).rejects.toEqual(withCode("link.lost"));
    await opened.settled();
    await expect(actions.resolvePrinted(2, 3, "why")).rejects.toEqual(withCode("link.lost"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
  });
});

describe("retry", () => {
  test("prints a failed job, with all its tries", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    opened.addJob(second);
    opened.wake.notify();
    await opened.runQueue();
    actionsOf(opened).retry(2, "the register was mended");
    await opened.runQueue();
    expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", tries: 0 });
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("refuses while the same order is printed under another job, and for jobs that are not failed", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    opened.addJob(second);
    opened.wake.notify();
    await opened.runQueue();
    opened.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Иной" })] }));
    const actions = actionsOf(opened);
    expect(() => actions.retry(2, "again")).toThrow(withCode("job.being-printed"));
    opened.wake.notify();
    await opened.runQueue();
    expect(() => actions.retry(2, "again")).toThrow(withCode("job.already-printed"));
    expect(() => actions.retry(1, "again")).toThrow(withCode("job.wrong-state"));
    expect(receiptsOn(device)).toHaveLength(2);
  });
});

describe("retry of a receipt that carries the kit's id", () => {
  const ofKit = (id: string, operation: "sale" | "return" = "sale") =>
    makeReceipt({ ...second, receiptId: toReceiptId(id), operation });

  async function openWith(failing: SaleReceipt, ...later: readonly SaleReceipt[]): Promise<Bench> {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    for (const receipt of [failing, ...later]) {
      opened.addJob(receipt);
      opened.wake.notify();
      await opened.runQueue();
    }
    return opened;
  }

  test.each(["sale", "return"] as const)(
    "is refused when the site has made another %s in its place, which is printed",
    async (kind) => {
      const opened = await openWith(ofKit("a", kind), ofKit("b", kind));
      expect(opened.stores.jobs.get(3).state).toBe("printed");
      expect(() => actionsOf(opened).retry(2, "again")).toThrow(withCode("job.already-printed"));
    },
  );

  test("is refused when an earlier one that had failed too was retried before, and is printed", async () => {
    const opened = await openWith(ofKit("a"));
    const { id } = opened.addJob(ofKit("b"));
    opened.stores.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
    actionsOf(opened).retry(2, "it can be printed now");
    expect(() => actionsOf(opened).retry(id, "this one too")).toThrow(withCode("job.being-printed"));
    await opened.runQueue();
    expect(opened.stores.jobs.get(2).state).toBe("printed");
    expect(() => actionsOf(opened).retry(id, "this one too")).toThrow(withCode("job.already-printed"));
  });

  test("is done when it was made beside an earlier one on purpose", async () => {
    const opened = await openWorking();
    opened.addJob(ofKit("a"));
    opened.wake.notify();
    await opened.runQueue();
    const { id } = opened.addJob(ofKit("b"));
    opened.stores.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
    expect(actionsOf(opened).retry(id, "again").state).toBe("queued");
  });
});

test("cancel takes a queued job out and tells the site; nothing else can be cancelled", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = actionsOf(opened);
  device.unplugged = true;
  await opened.clock.advance(60_000);
  opened.addJob(second);
  expect(actions.cancel(2, "the buyer left").state).toBe("cancelled");
  expect(opened.told.results.at(-1)).toEqual({ job: 2, outcome: "failed", fd: null });
  expect(() => actions.cancel(1, "too late")).toThrow(withCode("job.wrong-state"));
});

test("print-anyway makes a second receipt of a printed job, with a mark of its own", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const again = actionsOf(opened).printAnyway(1, "the site reuses its numbers");
  await opened.runQueue();
  expect(opened.stores.jobs.get(again.id)).toMatchObject({ state: "printed", forced: true });
  const marks = receiptsOn(device).map(({ mark }) => mark);
  expect(new Set(marks).size).toBe(2);
});

test("move goes only where the job may be printed", async () => {
  const [one, two] = [createScriptedDevice(), createScriptedDevice()];
  two.identity = { ...two.identity, kkm: toKkm("2"), fn: toFnSerial("9999078900000002") };
  const opened = await openWorking([one, two]);
  await opened.settled();
  one.unplugged = true;
  await opened.clock.advance(20_000);
  const actions = actionsOf(opened);
  opened.addJob(second);
  expect(actions.move(2, toRegisterId("till-2"), "till-1 is broken").register).toBe("till-2");
  expect(() => actions.move(2, toRegisterId("till-9"), "?")).toThrow(withCode("register.no-register"));
  expect(() => actions.move(1, toRegisterId("till-2"), "?")).toThrow(withCode("job.wrong-state"));
  await opened.clock.advance(60_000);
  expect(opened.stores.jobs.get(2).state).toBe("printed");
  expect(receiptsOn(two)).toHaveLength(1);
});

test("an X report is a job of the operator's; a Z report closes the shift", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = actionsOf(opened);
  actions.report(toRegisterId("till-1"), "x", "curious");
  actions.report(toRegisterId("till-1"), "z", "the day is over");
  await opened.runQueue();
  expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", source: "operator" });
  expect(opened.told.shifts).toEqual([expect.objectContaining({ shift: 1 })]);
  expect(() => actions.report(toRegisterId("till-9"), "x", "?")).toThrow(withCode("register.no-register"));
});

test("print-anyway asked for twice prints once more, not twice", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = actionsOf(opened);
  actions.printAnyway(1, "the customer lost it");
  expect(() => actions.printAnyway(1, "the customer lost it")).toThrow(withCode("job.being-printed"));
  await opened.runQueue();
  expect(receiptsOn(device)).toHaveLength(2);
  actions.printAnyway(1, "lost again");
  await opened.runQueue();
  expect(receiptsOn(device)).toHaveLength(3);
});
