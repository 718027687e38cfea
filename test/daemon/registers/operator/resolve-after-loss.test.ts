/** What the operator's answers do while the database, which was restored from a copy, does not know everything. */

import { candidatesOf } from "@fiscald/daemon/registers/recovery/candidates.js";
import { toFnSerial, toOrderId } from "@fiscald/shared/ids.js";
import {
  copyDatabase,
  leaveUnsure,
  newBenchPath,
  noMarks,
  orderNamed,
  tillsOf,
  useBenches,
  withCode,
} from "../../../support/benches.js";
import { makePaper } from "../../../support/make-job.js";
import { type Bench, issuerOfBench } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
  swapDrive,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();

/** `since` happens after the copy, which is then restored. */
async function putBack(
  devices: readonly ScriptedDevice[],
  { copied, since }: Readonly<Record<"copied" | "since", (bench: Bench) => Promise<void>>>,
): Promise<Bench> {
  const path = newBenchPath();
  const registers = tillsOf(devices, { group: "hall" });
  const openAt = (forgetful: boolean) => open({ path, registers, forgetful });
  const before = openAt(false);
  await copied(before);
  await before.close();
  const restore = copyDatabase(path);
  const later = openAt(false);
  await since(later);
  await later.close();
  restore();
  return openAt(true);
}

test("a register whose drive was changed during a data loss stays blocked, whatever the operator says about an earlier job", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const after = await putBack([device], {
    copied: async (bench) => {
      await leaveUnsure(bench, device);
      bench.addJob(orderNamed("B-1"));
    },
    since: async (bench) => {
      swapDrive(device);
      await bench.runQueue();
    },
  });
  expect(receiptsOn(device)).toHaveLength(1);
  after.startQueue();
  await after.settled();
  const tried = after.operator.resolveNotPrinted(2, "no paper came out", [3, 4]);
  await expect(tried).rejects.toEqual(withCode("register.foreign-identity"));
  await after.clock.advance(120_000);
  expect(after.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "register.foreign-identity" } }]);
  expect(receiptsOn(device)).toHaveLength(1);
});

test("an operator may name a document as the order's own unless another site of this config issued its order mark", async () => {
  const device = createScriptedDevice();
  const after = await putBack([device], {
    copied: async (bench) => {
      await bench.sell("warm");
    },
    since: async (bench) => {
      await bench.sell("A-1", { site: "elsewhere" });
    },
  });
  await after.start();
  const job = await after.sell("A-1");
  const writtenBy = (issuer: string) => {
    const mark = `A-1 ${issuer}.0123abcd`;
    device.documents = device.documents.map((one) => (one.fd === 3 ? { ...one, mark } : one));
  };
  writtenBy(issuerOfBench("cafe"));
  const tried = after.operator.resolvePrinted(job.id, 3, "it looks like it");
  await expect(tried).rejects.toEqual(withCode("job.document-mismatch"));
  writtenBy("99999999");
  expect(await after.operator.resolvePrinted(job.id, 3, "it is")).toMatchObject({
    state: "printed",
    document: { fd: 3 },
  });
});

const oneDrive = toFnSerial("9999078900000001");
const { fn: otherDrive } = createTill(2).identity;
/** Somebody sold the goods of A-1 as document 3 of till-1. A-1 itself is document 3 of till-2. */
async function forget({ isInCopy } = { isInCopy: false }) {
  const one = createScriptedDevice({ capabilities: noMarks });
  const two = createTill(2, { capabilities: noMarks });
  const after = await putBack([one, two], {
    copied: async (bench) => {
      for (const register of ["till-1", "till-2"]) bench.addJob(orderNamed(`warm ${register}`), { register });
      await bench.runQueue();
      if (isInCopy) bench.addJob(orderNamed("A-1"), { register: "till-2" });
    },
    since: async (bench) => {
      addForeignReceipt(one, orderNamed("A-1"));
      one.unplugged = true;
      if (!isInCopy) bench.addJob(orderNamed("A-1"), { register: "till-2" });
      bench.startQueue();
      await bench.clock.advance(20_000);
      one.unplugged = false;
    },
  });
  expect([one, two].map((device) => receiptsOn(device).length)).toEqual([2, 2]);
  return { after, one, two };
}

const bothPlaces = [
  { fn: oneDrive, fd: 3 },
  { fn: otherDrive, fd: 3 },
];

test("all documents on two registers that may be one forgotten order are shown, and each unreadable one must be confirmed", async () => {
  const { after, two } = await forget();
  two.unreadable = new Set([3]);
  await after.start();
  const job = await after.sell("A-1");
  expect(after.job(job.id).state).toBe("unsure");
  expect(candidatesOf(after.stores, job)).toMatchObject(bothPlaces);
  await expect(after.operator.resolveNotPrinted(job.id, "not on the roll of till-1")).rejects.toMatchObject({
    code: "job.document-unread",
    message: expect.stringContaining(otherDrive),
  });
  expect(await after.operator.resolveNotPrinted(job.id, "on no roll", [3])).toMatchObject({ state: "queued" });
});

test("an unsure order gets a second document as a candidate, even when that is read later than the first", async () => {
  const { after, two } = await forget({ isInCopy: true });
  const { id } = after.stores.jobs.list({ state: "queued", limit: 1 })[0] ?? { id: 0 };
  two.unplugged = true;
  await after.start();
  const job = after.job(id);
  expect(job.state).toBe("unsure");
  expect(candidatesOf(after.stores, job)).toMatchObject(bothPlaces.slice(0, 1));
  two.unplugged = false;
  await after.clock.advance(120_000);
  expect(candidatesOf(after.stores, job)).toMatchObject(bothPlaces);
  expect(after.job(id).fault?.message).toContain(otherDrive);
  expect(after.told.results.filter((result) => result.job === id)).toHaveLength(1);
});

test("documents with one number on two registers are told apart by the drive, and the named one is read there", async () => {
  const { after } = await forget();
  await after.start();
  const job = await after.sell("A-1");
  await expect(after.operator.resolvePrinted(job.id, 3, "?")).rejects.toThrow(/on more than one drive.*--fn/);
  await expect(after.operator.resolvePrinted(job.id, 2, "?")).rejects.toEqual(withCode("job.document-mismatch"));
  expect(await after.operator.resolvePrinted(job.id, 3, "on the roll of till-2", makePaper(otherDrive))).toMatchObject({
    state: "printed",
    document: { fn: otherDrive, fd: 3 },
  });
});

/** A-1 and another order wait for a decision about document 3. The new drive has such a document too. */
async function swapAfterLoss() {
  const device = createScriptedDevice({ capabilities: noMarks });
  const after = await putBack([device], {
    copied: async (bench) => {
      await bench.sell("warm");
    },
    since: async (bench) => {
      await bench.sell("A-1");
    },
  });
  await after.start();
  const first = after.addJob(orderNamed("A-1"));
  const second = await after.sell({ ...orderNamed("A-1"), orderId: toOrderId("B-1") });
  expect([first, second].map(({ id }) => after.job(id).state)).toEqual(["unsure", "unsure"]);
  device.unplugged = true;
  await after.clock.advance(20_000);
  swapDrive(device);
  device.unplugged = false;
  for (const order of ["C-1", "C-2"]) addForeignReceipt(device, orderNamed(order));
  await after.clock.advance(120_000);
  expect(after.fleet.snapshots()).toMatchObject([{ phase: "ready", identity: { fn: otherDrive } }]);
  return { after, device, first, second };
}

test("a document with the named number on the new drive is refused as the receipt of an order on the removed drive", async () => {
  const { after, first } = await swapAfterLoss();
  await expect(after.operator.resolvePrinted(first.id, 3, "the paper says 3")).rejects.toMatchObject({
    code: "job.document-mismatch",
    message: expect.stringMatching(new RegExp(`on drive ${oneDrive}.*--fn`)),
  });
});

test("a document on the removed drive that its paper names for one order no longer keeps the other order waiting", async () => {
  const { after, first, second } = await swapAfterLoss();
  await after.operator.resolvePrinted(first.id, 3, "the paper lies here", makePaper(oneDrive));
  await after.runQueue();
  expect(after.job(second.id)).toMatchObject({ state: "printed", document: { fn: otherDrive } });
});
