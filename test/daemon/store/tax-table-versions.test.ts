/** A job uses the tax table of its acceptance, and a change of the table rewrites no job. */
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
    accept(order: string, register = till) {
      const origin = { source: "operator", site: null, raw: null, polledKkm: null, key: null, forced: false } as const;
      const receipt = makeReceipt({ orderId: toOrderId(order) });
      return jobs.insertJob({ ...origin, receipt, register, state: "queued", fault: null, now: 1 });
    },
    taxRowsOf: (job: number) => registers.taxSource(jobs.get(job).taxRegister)?.tables.taxes,
  };
}

const rowsWritten = () => Number(opened.db.prepare("SELECT total_changes()").pluck().get());

test("a change of the tax table rewrites no job, and each job keeps its own table", () => {
  const { jobs, registers, connect, accept, taxRowsOf } = openStores();
  connect(vat22);
  for (let number = 1; number <= 50; number += 1) jobs.markPrinted(accept(`A-${number}`).id, null, 1);
  const waiting = accept("B-1");
  const before = rowsWritten();
  connect(vat10);
  registers.forget(till);
  expect(rowsWritten() - before).toBeLessThan(10);
  const between = accept("B-2");
  connect({ ...vat22, id: 7 });
  expect([taxRowsOf(1), taxRowsOf(waiting.id), taxRowsOf(between.id)]).toEqual([
    [vat22],
    [vat22],
    [{ ...vat22, id: 7 }],
  ]);
});

test("a changed title starts a new version only for a row whose VAT code is unknown", () => {
  const { jobs, connect, accept } = openStores();
  const isSameVersion = (before: TaxRow, after: TaxRow) => {
    connect(before);
    const { id } = accept("A-1");
    connect(after);
    return accept("A-2").taxRegister === jobs.get(id).taxRegister;
  };
  expect(isSameVersion(vat22, { ...vat22, title: "Ставка 22%" })).toBe(true);
  expect(isSameVersion({ id: 1, title: "Особая", vat: null }, { id: 1, title: "Другая", vat: null })).toBe(false);
});

test("unreported tax systems start no new version, and a former version keeps the reported ones", () => {
  const { jobs, registers, connect, accept } = openStores();
  const systemsOf = (job: number) => registers.taxSource(jobs.get(job).taxRegister)?.identity.taxSystems;
  connect(vat22, { taxSystems: 0 });
  const beforeReport = accept("A-1");
  connect(vat22, { taxSystems: 1 });
  const afterReport = accept("A-2");
  expect(afterReport.taxRegister).toBe(beforeReport.taxRegister);
  connect(vat22, { taxSystems: 0 });
  connect(vat22, { taxSystems: 2 });
  expect([systemsOf(afterReport.id), systemsOf(accept("A-3").id)]).toEqual([1, 2]);
});

test("a former version that cannot be parsed is store.failed", () => {
  const { jobs, registers, meta, connect, accept } = openStores();
  connect(vat22);
  const { id } = accept("A-1");
  connect(vat10);
  for (const [key] of meta.withPrefix("")) if (key.startsWith("former-register ")) meta.set(key, "{");
  const failed = { code: "store.failed", message: expect.stringContaining("not JSON") };
  expect(() => registers.taxSource(jobs.get(id).taxRegister)).toThrow(expect.objectContaining(failed));
});
