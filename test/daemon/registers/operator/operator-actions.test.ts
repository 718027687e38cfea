import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import {
  closeShift,
  leaveUnread,
  leaveUnsure,
  noMarks,
  operatorAt,
  orderNamed,
  tillsOf,
  useBenches,
} from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const { open, keep } = useBenches();
const withCode = (code: string) => expect.objectContaining({ code });
const second = orderNamed("A-2");

async function openWorking(devices = [createScriptedDevice()]): Promise<Bench> {
  const opened = open({ registers: tillsOf(devices, { group: "hall" }) });
  opened.addJob(orderNamed("A-1"));
  await opened.runQueue();
  return opened;
}

/** Job 2 is unsure: two documents fit it, FD 3 and FD 4. */
async function openUnsure(device: ScriptedDevice): Promise<Bench> {
  const opened = open({ registers: [{ device }] });
  await leaveUnsure(opened, device);
  return opened;
}

async function openUnread() {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  await leaveUnread(opened, device);
  device.unreadable = new Set();
  return { device, opened, actions: operatorAt(opened) };
}

describe("resolve", () => {
  test("as printed records the numbers of the document on the register", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const job = await operatorAt(opened).resolvePrinted(2, 3, "seen on paper");
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

  test("as printed refuses a document of another job, a missing one, and one with another total", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    addForeignReceipt(device, makeReceipt({ lines: [makeItem({ price: kopecks(77_700) })] }));
    const actions = operatorAt(opened);
    for (const fd of [1, 2, 5, 99]) {
      await expect(actions.resolvePrinted(2, fd, "guess")).rejects.toEqual(withCode("job.document-mismatch"));
      expect(opened.stores.jobs.get(2).state).toBe("unsure");
    }
  });

  test("as not printed passes the fence and prints the job", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const asked: string[] = [];
    device.onCall = (name) => void asked.push(name);
    await operatorAt(opened).resolveNotPrinted(2, "no paper came out");
    expect(asked[0]).toBe("fence");
    await opened.runQueue();
    expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: 5 } });
    expect(receiptsOn(device)).toHaveLength(4);
  });

  test("as not printed is refused while a receipt is open: it may be the job's, and a person may close it", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    device.openReceipt = { document: "receipt", operation: "sale", subtotal: kopecks(100) };
    await expect(operatorAt(opened).resolveNotPrinted(2, "no paper")).rejects.toEqual(withCode("device.receipt-open"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    device.openReceipt = null;
    expect(await operatorAt(opened).resolveNotPrinted(2, "no paper")).toMatchObject({ state: "queued" });
  });

  test("as not printed is refused while the register shows the job's own mark on a document", async () => {
    const { device, opened, actions } = await openUnread();
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.already-printed"));
    await opened.runQueue();
    expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("as not printed is refused while the register omits a document of the job's time", async () => {
    const { device, opened, actions } = await openUnread();
    const { documents } = device;
    // An earlier answer about the last document's number: none came after the journalled one.
    device.onCall = (name) => {
      device.documents = name === "documents" ? documents.slice(0, 2) : documents;
    };
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.document-unread"));
    device.onCall = () => {};
    device.documents = documents;
    await opened.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("as not printed is refused until the drive has reached the job's last document", async () => {
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

  test("as not printed requires a check of each document that a model without marks cannot show", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const { documents } = device;
    device.onCall = (name) => {
      device.documents = name === "documents" ? documents.slice(0, 2) : documents;
    };
    const actions = operatorAt(opened);
    await expect(actions.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode("job.document-unread"));
    await expect(actions.resolveNotPrinted(2, "no paper", [3])).rejects.toEqual(withCode("job.document-unread"));
    expect(opened.stores.jobs.get(2).state).toBe("unsure");
    await actions.resolveNotPrinted(2, "both papers are other receipts", [3, 4]);
    expect(opened.stores.jobs.get(2).state).not.toBe("unsure");
  });

  test("accepts only unsure jobs and needs a connected register", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const opened = await openUnsure(device);
    const actions = operatorAt(opened);
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
  test("prints a failed job with a full number of tries", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    opened.addJob(second);
    await opened.runQueue();
    operatorAt(opened).retry(2, "the register was mended");
    await opened.runQueue();
    expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", tries: 0 });
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("is refused while another job of the same order is printed, and for jobs that did not fail", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    opened.addJob(second);
    await opened.runQueue();
    opened.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Иной" })] }));
    const actions = operatorAt(opened);
    expect(() => actions.retry(2, "again")).toThrow(withCode("job.being-printed"));
    await opened.runQueue();
    expect(() => actions.retry(2, "again")).toThrow(withCode("job.already-printed"));
    expect(() => actions.retry(1, "again")).toThrow(withCode("job.wrong-state"));
    expect(receiptsOn(device)).toHaveLength(2);
  });
});

describe("retry of an order that was refused as another register's", () => {
  const fault = { code: "register.unknown-kkm", message: "" } as const;

  function refuse({ stores }: Bench, receipt: SaleReceipt): number {
    const nobody = { source: "site", raw: null, polledKkm: null, key: null, forced: false, now: 0 } as const;
    const place = { site: toSiteId("shop"), register: toRegisterId("till-1") };
    return stores.jobs.insertJob({ ...nobody, ...place, receipt, state: "refused", fault }).id;
  }

  test("prints it on the register of that number, and on no other", async () => {
    const [one, two] = [createScriptedDevice(), createTill(2)];
    const opened = await openWorking([one, two]);
    const actions = operatorAt(opened);
    const nobodys = refuse(opened, { ...second, kkm: toKkm("9999999999999999") });
    expect(() => actions.retry(nobodys, "again")).toThrow(withCode("register.unknown-kkm"));
    expect(() => actions.printAnyway(nobodys, "again")).toThrow(withCode("register.unknown-kkm"));
    expect(opened.stores.jobs.get(nobodys).state).toBe("refused");
    const ofTwo = refuse(opened, { ...second, orderId: toOrderId("A-3"), kkm: two.identity.kkm });
    expect(actions.retry(ofTwo, "the config has it now")).toMatchObject({
      register: "till-2",
      taxes: [{ id: 1, vat: 11 }],
      taxpayer: { inn: two.identity.inn },
    });
    await opened.runQueue();
    expect([receiptsOn(one).length, receiptsOn(two).length]).toEqual([1, 1]);
  });

  test("is refused as the order was when it is for another taxpayer", async () => {
    const opened = await openWorking();
    const id = refuse(opened, { ...second, expectedInn: toInn("7700000001") });
    expect(() => operatorAt(opened).retry(id, "again")).toThrow(withCode("order.wrong-inn"));
  });
});

describe("retry of a receipt with a receipt id", () => {
  const ofKit = (id: string, operation: "sale" | "return" = "sale") =>
    makeReceipt({ ...second, receiptId: toReceiptId(id), operation });

  async function openWith(failing: SaleReceipt, ...later: readonly SaleReceipt[]): Promise<Bench> {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
    for (const receipt of [failing, ...later]) {
      opened.addJob(receipt);
      await opened.runQueue();
    }
    return opened;
  }

  test.each(["sale", "return"] as const)(
    "is refused when the site has replaced it with another %s that was printed",
    async (kind) => {
      const opened = await openWith(ofKit("a", kind), ofKit("b", kind));
      expect(opened.stores.jobs.get(3).state).toBe("printed");
      expect(() => operatorAt(opened).retry(2, "again")).toThrow(withCode("job.already-printed"));
    },
  );

  test("is refused when an earlier failed receipt was retried first and was printed", async () => {
    const opened = await openWith(ofKit("a"));
    const { id } = opened.addJob(ofKit("b"));
    opened.stores.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
    operatorAt(opened).retry(2, "it can be printed now");
    expect(() => operatorAt(opened).retry(id, "this one too")).toThrow(withCode("job.being-printed"));
    await opened.runQueue();
    expect(opened.stores.jobs.get(2).state).toBe("printed");
    expect(() => operatorAt(opened).retry(id, "this one too")).toThrow(withCode("job.already-printed"));
  });

  test("is allowed when the site made the receipt in addition to an earlier one", async () => {
    const opened = await openWorking();
    opened.addJob(ofKit("a"));
    await opened.runQueue();
    const { id } = opened.addJob(ofKit("b"));
    opened.stores.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
    expect(operatorAt(opened).retry(id, "again").state).toBe("queued");
  });
});

test("cancel removes a queued job and notifies the site; other jobs cannot be cancelled", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = operatorAt(opened);
  device.unplugged = true;
  await opened.clock.advance(60_000);
  opened.addJob(second);
  expect(actions.cancel(2, "the buyer left").state).toBe("cancelled");
  expect(opened.told.results.at(-1)).toEqual({ job: 2, outcome: "failed", fd: null });
  expect(() => actions.cancel(1, "too late")).toThrow(withCode("job.wrong-state"));
});

test("print-anyway prints one more receipt at a time, each with an order mark of its own", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = operatorAt(opened);
  const again = actions.printAnyway(1, "the site reuses its numbers");
  expect(() => actions.printAnyway(1, "the site reuses its numbers")).toThrow(withCode("job.being-printed"));
  await opened.runQueue();
  expect(opened.stores.jobs.get(again.id)).toMatchObject({ state: "printed", forced: true });
  const marks = receiptsOn(device).map(({ mark }) => mark);
  expect([marks.length, new Set(marks).size]).toEqual([2, 2]);
  actions.printAnyway(1, "the customer lost it");
  await opened.runQueue();
  expect(receiptsOn(device)).toHaveLength(3);
});

test("print-anyway of an order with a tag 1084 of its own gives it no order mark, refused or printed", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const tabled = makeReceipt({ ...second, requisites: { userProperty: { name: "Стол", value: "7" } } });
  opened.addJob(tabled);
  const actions = operatorAt(opened);
  actions.cancel(2, "the wrong table");
  for (const reason of ["the right table after all", "the customer lost it"]) {
    const { id } = actions.printAnyway(2, reason);
    await opened.runQueue();
    expect(opened.stores.jobs.get(id)).toMatchObject({ state: "printed", forced: true, mark: null });
  }
  expect(receiptsOn(device).map(({ mark }) => mark)).toEqual([expect.stringContaining("A-1 "), "7", "7"]);
});

test("move refuses a job that its register is about to print", async () => {
  const [one, two] = [createScriptedDevice(), createTill(2)];
  const opened = await openWorking([one, two]);
  let refused: unknown = null;
  one.onCall = (name) => {
    if (name !== "read-state" || refused !== null) return;
    try {
      operatorAt(opened).move(2, toRegisterId("till-2"), "till-1 hangs");
    } catch (error) {
      refused = error;
    }
  };
  opened.addJob(second);
  await opened.runQueue();
  expect(refused).toEqual(withCode("job.being-printed"));
  expect([receiptsOn(one).length, receiptsOn(two).length]).toEqual([2, 0]);
});

test("move accepts only registers that may print the job", async () => {
  const [one, two] = [createScriptedDevice(), createTill(2)];
  const opened = await openWorking([one, two]);
  await opened.settled();
  one.unplugged = true;
  await opened.clock.advance(20_000);
  const actions = operatorAt(opened);
  opened.addJob(second);
  expect(actions.move(2, toRegisterId("till-2"), "till-1 is broken").register).toBe("till-2");
  expect(() => actions.move(2, toRegisterId("till-9"), "?")).toThrow(withCode("register.no-register"));
  expect(() => actions.move(1, toRegisterId("till-2"), "?")).toThrow(withCode("job.wrong-state"));
  await opened.clock.advance(60_000);
  expect(opened.stores.jobs.get(2).state).toBe("printed");
  expect(receiptsOn(two)).toHaveLength(1);
});

test("an X report is a job of the operator, a Z report closes the shift, and after it there is no X report", async () => {
  const device = createScriptedDevice();
  const opened = await openWorking([device]);
  const actions = operatorAt(opened);
  actions.report(toRegisterId("till-1"), "x", "curious");
  actions.report(toRegisterId("till-1"), "z", "the day is over");
  await opened.runQueue();
  expect(opened.stores.jobs.get(2)).toMatchObject({ state: "printed", source: "operator" });
  expect(opened.told.shifts).toEqual([expect.objectContaining({ shift: 1 })]);
  expect(() => actions.report(toRegisterId("till-9"), "x", "?")).toThrow(withCode("register.no-register"));
  // An X report of a closed shift is refused at once.
  expect(() => actions.report(toRegisterId("till-1"), "x", "curious")).toThrow(withCode("register.no-open-shift"));
});

test("a device that the config rules out is not printed on, and cannot be accepted", async () => {
  const device = createScriptedDevice();
  const expectKkm = toKkm("0009999999999999");
  const opened = open({ registers: [{ device, settings: { id: toRegisterId("till-1"), expectKkm } }] });
  opened.addJob(second);
  opened.startQueue();
  await opened.clock.advance(100_000);
  expect(device.documents).toEqual([]);
  expect(opened.fleet.get(toRegisterId("till-1")).snapshot()).toMatchObject({
    phase: "blocked",
    fault: { details: { found: { kkm: device.identity.kkm }, expected: { kkm: expectKkm } } },
  });
  const accept = () => operatorAt(opened).acceptIdentity(toRegisterId("till-1"), "it is the right one");
  expect(accept).toThrow(withCode("register.fixed-kkm"));
});

describe("pause", () => {
  const till = toRegisterId("till-1");

  test("lets the receipt in hand end and starts no other until resume, also after a restart", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    device.onCall = (name) => {
      if (name === "run") operatorAt(opened).pause(till, "new roll");
    };
    opened.addJob(second);
    opened.wake.notify();
    await waitFor("the receipt in hand is printed", async () => {
      await opened.clock.advance(100);
      return receiptsOn(device).length === 2;
    });
    device.onCall = () => {};
    opened.addJob(makeReceipt({ orderId: toOrderId("A-3") }));
    opened.wake.notify();
    await opened.clock.advance(60_000);
    expect(receiptsOn(device)).toHaveLength(2);

    const next = await opened.restart();
    keep(next);
    next.startQueue();
    await next.clock.advance(60_000);
    expect(next.fleet.snapshots()).toMatchObject([{ phase: "ready", pausedSince: expect.any(Number) }]);
    expect(receiptsOn(device)).toHaveLength(2);
    operatorAt(next).resume(till, "done");
    await next.runQueue();
    expect(receiptsOn(device)).toHaveLength(3);
    expect(next.journal().filter((what) => /by the operator/.test(String(what)))).toEqual([
      "paused by the operator",
      "resumed by the operator",
    ]);
  });

  test("gives the order to another register of the group at once, and takes none from it", async () => {
    const [one, two] = [createScriptedDevice(), createTill(2)];
    const opened = await openWorking([one, two]);
    operatorAt(opened).pause(till, "new roll");
    opened.addJob(second);
    opened.wake.notify();
    await opened.clock.advance(1_000);
    expect(receiptsOn(two)).toHaveLength(1);
    two.unplugged = true;
    opened.addJob(makeReceipt({ orderId: toOrderId("A-3") }), { register: "till-2" });
    opened.wake.notify();
    await opened.clock.advance(120_000);
    expect(receiptsOn(one)).toHaveLength(1);
  });

  test("keeps neither the shift from being closed nor the operator from his report", async () => {
    const device = createScriptedDevice();
    const opened = await openWorking([device]);
    operatorAt(opened).pause(till, "new roll");
    operatorAt(opened).report(till, "x", "now");
    await opened.runQueue();
    expect(opened.stores.jobs.list({ state: "printed", limit: 1 })[0]).toMatchObject({ source: "operator" });
    closeShift(opened);
    await opened.runQueue();
    expect(device.documents.at(-1)?.type).toBe("shift-close");
  });

  test("asked for twice keeps the first time; a register that was never connected can be paused too", async () => {
    const device = createScriptedDevice({ unplugged: true });
    const opened = open({ registers: [{ device, settings: { id: till } }] });
    const actions = operatorAt(opened);
    actions.pause(till, "first");
    const since = opened.clock.now();
    await opened.clock.advance(5_000);
    actions.pause(till, "again");
    expect(opened.stores.registers.pausedSince(till)).toBe(since);
    actions.resume(till, "done");
    actions.resume(till, "again");
    expect(opened.stores.registers.pausedSince(till)).toBeNull();
    expect(opened.journal()).toEqual(["paused by the operator", "resumed by the operator"]);
  });
});
