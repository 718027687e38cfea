/** Jobs keep the tax rows that they were taken in with, without being written anew. */

import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { type OpenedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createRegisterStore } from "@fiscald/daemon/store/register-store.js";
import { toFnSerial, toInn, toKkm, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeReceipt } from "../../support/make-job.js";
import { newBenchPath, removeBenchFolders } from "../../support/register-bench.js";

let opened: OpenedDatabase;
beforeEach(() => {
  opened = openDatabase({ path: newBenchPath(), clock: createFakeClock(), log: silentLogger, pid: 1 });
});
afterEach(() => {
  opened.close();
  removeBenchFolders();
});

const till = toRegisterId("till-1");
const vat22: TaxRow = { id: 1, title: "НДС 22%", vat: 11 };
const vat10: TaxRow = { id: 1, title: "НДС 10%", vat: 2 };

function openStores() {
  const jobs = createJobStore(opened.db);
  const registers = createRegisterStore(opened.db);
  const rest = { serial: "1", model: "model", firmware: "1", ffd: "1.05" };
  const names = { kkm: toKkm("1"), inn: toInn("7700000000"), fn: toFnSerial("9999078900000001") };
  return {
    jobs,
    registers,
    meta: createMetaStore(opened.db),
    connect(row: TaxRow, { id = till, taxSystems = 1 } = {}) {
      const tables = { taxes: [row], paymentTypes: [] };
      const shift = { number: 1, state: "closed", openedAt: null } as const;
      registers.save({ id, identity: { ...rest, ...names, taxSystems }, tables, lastFd: 1, shift }, 1);
    },
    takeIn(order: string, register = till) {
      const nobody = { source: "operator", site: null, raw: null, polledKkm: null, key: null, forced: false } as const;
      const receipt = makeReceipt({ orderId: toOrderId(order) });
      return jobs.insertJob({ ...nobody, receipt, register, state: "queued", fault: null, now: 1 });
    },
    rowsOf: (job: number) => registers.taxSource(jobs.get(job).taxRegister)?.tables.taxes,
  };
}

const rowsWritten = () => Number(opened.db.prepare("SELECT total_changes()").pluck().get());

test("however many jobs there were, a change of the rows writes none of them", () => {
  const { jobs, registers, connect, takeIn, rowsOf } = openStores();
  connect(vat22);
  for (let number = 1; number <= 50; number += 1) jobs.markPrinted(takeIn(`A-${number}`).id, null, 1);
  const waiting = takeIn("B-1");
  const before = rowsWritten();
  connect(vat10);
  registers.forget(till);
  expect(rowsWritten() - before).toBeLessThan(10);
  const between = takeIn("B-2");
  connect({ ...vat22, id: 7 });
  expect([rowsOf(1), rowsOf(waiting.id), rowsOf(between.id)]).toEqual([[vat22], [vat22], [{ ...vat22, id: 7 }]]);
});

test("another title of a row whose rate is known is no other meaning; of one that nobody knows it is", () => {
  const { jobs, connect, takeIn } = openStores();
  const isAsBefore = (before: TaxRow, after: TaxRow) => {
    connect(before);
    const { id } = takeIn("A-1");
    connect(after);
    return takeIn("A-2").taxRegister === jobs.get(id).taxRegister;
  };
  expect(isAsBefore(vat22, { ...vat22, title: "Ставка 22%" })).toBe(true);
  expect(isAsBefore({ id: 1, title: "Особая", vat: null }, { id: 1, title: "Другая", vat: null })).toBe(false);
});

test("tax systems that a device does not say are no other ones, and what it said before stays", () => {
  const { jobs, registers, connect, takeIn } = openStores();
  const systemsOf = (job: number) => registers.taxSource(jobs.get(job).taxRegister)?.identity.taxSystems;
  connect(vat22, { taxSystems: 0 });
  const untold = takeIn("A-1");
  connect(vat22, { taxSystems: 1 });
  const told = takeIn("A-2");
  expect(told.taxRegister).toBe(untold.taxRegister);
  connect(vat22, { taxSystems: 0 });
  connect(vat22, { taxSystems: 2 });
  expect([systemsOf(told.id), systemsOf(takeIn("A-3").id)]).toEqual([1, 2]);
});

test("former rows that cannot be read are told as such", () => {
  const { jobs, registers, meta, connect, takeIn } = openStores();
  connect(vat22);
  const { id } = takeIn("A-1");
  connect(vat10);
  for (const [key] of meta.withPrefix("")) if (key.startsWith("former-register ")) meta.set(key, "{");
  const told = { code: "store.failed", message: expect.stringContaining("no JSON") };
  expect(() => registers.taxSource(jobs.get(id).taxRegister)).toThrow(expect.objectContaining(told));
});
