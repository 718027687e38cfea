import type { StoredState } from "@fiscald/daemon/cli/stored-state.js";
import { storesOf } from "@fiscald/daemon/open-stores.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { useStores } from "../../../support/use-stores.js";

const { open } = useStores();
const [register, site, fn] = [toRegisterId("till"), toSiteId("shop"), toFnSerial("9999078900000001")];
const model = { maker: "pirit", model: "model", firmware: "1" };
const checked = { register, model, fn, registration: "[]", basis: "now" };
const shift = { state: "open", number: 1, openedAt: null } as const;
const rates = [{ kkm: toKkm("1"), taxes: [] }];
const sync = { site, kind: "sync", lane: "sync", job: null, register, body: {}, latestOnly: false } as const;

function openAll() {
  const { db, ...stores } = open();
  db.exec(`INSERT INTO jobs (id, source, kind, receipt, register, state, created_at, updated_at)
    VALUES (1, 'site', 'receipt', '{}', 'till', 'queued', 0, 0)`);
  return { db, stores };
}

type Stores = Omit<StoredState, "oversights">;

/** Everything that the stores keep in memory. A write after which a kept answer is still right is in no case below. */
function readAll({ attempts, registers, documents, checks, outbox }: Stores) {
  return {
    attempts: attempts.ofJob(1),
    registers: [register, toRegisterId("till-2")].map((id) => registers.find(id)),
    models: [registers.hasProof(model), registers.refusesMarks(model), registers.hasDeadDrawerCounters(model)],
    marked: documents.findMarked(toOrderId("A-1"), { issuer: "5f0b5f0b", digits: "0123abcd" }),
    lost: documents.matchableAfterLoss(kopecks(100)),
    checks: [[...checks.values(checked)], checks.held(register)],
    taxes: outbox.syncedTaxes(site, 100),
  };
}

function begin({ attempts }: Stores): number {
  const baseline = { fn, lastFd: 1, shift: { state: "open", number: 1 }, drawer: null, requestId: null } as const;
  const program = { job: 1, part: 0, parts: 1, register, witness: { kind: "none" }, shiftTotals: null } as const;
  return attempts.begin({ ...program, baseline, now: 1 });
}

function save({ registers }: Stores): void {
  const rest = { serial: "1", model: "model", firmware: "1", ffd: "1.05", taxSystems: 1 };
  const identity = { ...rest, kkm: toKkm("1"), inn: toInn("7700000000"), fn };
  registers.save({ id: register, identity, tables: { taxes: [], paymentTypes: [] }, lastFd: 1, shift }, 1);
}

function keepDocument({ documents }: Stores, foundWhen: "newRegister" | "afterLoss"): void {
  const document = { ...unknownDocument(5), mark: "A-1 5f0b5f0b.0123abcd" };
  documents.keep({ fn, register, document, foundWhen }, 1);
}

function differ({ checks }: Stores): void {
  const difference = { tag: 1008, sent: "a", read: "b", weight: "hold" } as const;
  checks.addDifference(checked, difference, { job: 1, fn, fd: 5 }, 1);
}

const nothing = () => {};
const addSync = ({ outbox }: Stores) => void outbox.add({ ...sync, taxRows: rates }, 1);

test.each<[string, (stores: Stores) => unknown, (stores: Stores) => unknown]>([
  ["an attempt begins", nothing, begin],
  ["an attempt ends", begin, ({ attempts }) => attempts.end(1, "printed", null, 2)],
  ["the fence of an attempt is passed", begin, ({ attempts }) => attempts.setFence(1, 7, null)],
  ["an attempt is interrupted", begin, ({ attempts }) => attempts.interrupt(1, 2)],
  ["a register is recorded", nothing, save],
  ["documents of a register are compared", save, ({ registers }) => registers.saveLastFd(register, 9, 2)],
  ["a shift is recorded", save, ({ registers }) => registers.saveShift(register, { ...shift, number: 2 }, 2)],
  ["a loss of cash is recorded", save, ({ registers }) => registers.saveCashLoss(register, 1, 2)],
  ["a connection is recorded", save, ({ registers }) => registers.saveConnected(register, true, 2)],
  ["a pause is recorded", save, ({ registers }) => registers.savePause(register, 2, 2)],
  ["a register is forgotten", save, ({ registers }) => registers.forget(register)],
  ["a register is renamed", save, ({ registers }) => registers.rename(register, toRegisterId("till-2"))],
  ["reading back is proven", nothing, ({ registers }) => registers.addProof(model, 1)],
  ["a model refuses marks", nothing, ({ registers }) => registers.saveMarksRefused(model)],
  ["a model's drawer counters are dead", nothing, ({ registers }) => registers.saveDeadDrawerCounters(model)],
  ["a document is found", nothing, (stores) => keepDocument(stores, "afterLoss")],
  ["documents are lost", (stores) => keepDocument(stores, "newRegister"), ({ documents }) => documents.lose(register)],
  ["a value is compared", nothing, ({ checks }) => checks.saveValues(checked, ["1008"], "compared")],
  ["a difference is found", nothing, differ],
  [
    "a register is registered again",
    ({ checks }) => checks.saveValues(checked, ["1008"], "compared"),
    ({ checks }) => checks.renew({ ...checked, basis: "then" }),
  ],
  ["a difference is accepted", differ, ({ checks }) => checks.accept(register, { tag: 1008 }, 2)],
  ["a difference is mended", differ, ({ checks }) => checks.mended(register)],
  ["a list of rates is sent", nothing, addSync],
  [
    "an accepted list is sent again",
    (stores) => {
      addSync(stores);
      const event = stores.outbox.find(1);
      if (event !== null) stores.outbox.markDelivered(event, 2);
      stores.outbox.add({ ...sync, taxRows: [] }, 3);
      const second = stores.outbox.find(2);
      if (second !== null) stores.outbox.markDelivered(second, 4);
    },
    ({ outbox }) => outbox.rearm(2),
  ],
])("after %s, stores return what the database has, even after a rollback", (_what, before, write) => {
  const { db, stores } = openAll();
  before(stores);
  const old = readAll(stores);
  const undone = () =>
    db.transaction(() => {
      write(stores);
      expect(readAll(stores)).not.toEqual(old);
      throw new Error("rolled back");
    })();
  expect(undone).toThrow("rolled back");
  expect(readAll(stores)).toEqual(old);
  write(stores);
  expect(readAll(stores)).toEqual(readAll(storesOf(db)));
  expect(readAll(stores)).not.toEqual(old);
});

test.each([null, 9])(
  "the fence of an attempt stays at its first document number, even when a later reading passes %p",
  (later) => {
    const { db, stores } = openAll();
    const id = begin(stores);
    stores.attempts.setFence(id, 7, null);
    stores.attempts.setFence(id, later, null);
    expect(storesOf(db).attempts.ofJob(1)).toMatchObject([{ fenceFd: 7 }]);
  },
);
