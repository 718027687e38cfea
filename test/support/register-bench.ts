/** Registers, their stores and a record of what sites are told: the core of the daemon without a site or a wire. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import { Dispatcher } from "@fiscald/daemon/dispatch/dispatcher.js";
import { storesOf } from "@fiscald/daemon/open-stores.js";
import { createRegisterFleet, type RegisterFleet } from "@fiscald/daemon/registers/actor/register-fleet.js";
import { renameRegisters } from "@fiscald/daemon/registers/actor/rename-register.js";
import { OperatorActions } from "@fiscald/daemon/registers/operator/operator-actions.js";
import type { SiteEventSink, Stores } from "@fiscald/daemon/registers/register-context.js";
import { defaultTimings, type OrderAge, type RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { ratesOfSales } from "@fiscald/daemon/sites/registered-rates.js";
import { createAttemptStore } from "@fiscald/daemon/store/attempt-store.js";
import { beginRun } from "@fiscald/daemon/store/database/begin-run.js";
import { createMetaStore, databaseMemory, markForgetful } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { issuersOf } from "@fiscald/daemon/store/issuers.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { type RegisterId, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { orderKey, orderMarkOf } from "@fiscald/shared/receipt/order-key.js";
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import { Signal } from "@fiscald/shared/signal.js";
import { nothingTold, recordEvents, recordLog, type Told } from "./bench-records.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";
import { makeItem, makeReceipt } from "./make-job.js";
import { defaultSettings } from "./make-snapshot.js";
import { createScriptedDriver, type ScriptedDevice } from "./scripted-driver.js";
import { waitFor } from "./wait-for.js";

export interface BenchRegister {
  readonly device: ScriptedDevice | FiscalDriver;
  readonly settings?: Partial<RegisterSettings>;
  readonly renamedFrom?: RegisterId;
}

export interface Bench {
  readonly stores: Stores;
  readonly fleet: RegisterFleet;
  readonly clock: FakeClock;
  readonly told: Told;
  readonly events: SiteEventSink;
  readonly log: string[];
  /** Lines of the log that ask for a person. */
  readonly errors: string[];
  readonly wake: Signal;
  /** Entries of the journal, oldest first. */
  journal(): readonly unknown[];
  /** True: the database has no room left from now on. False: it has room again. */
  setDiskFull(full: boolean): void;
  /** Another program holds the database until the returned function is called. */
  lockDatabase(): () => void;
  /** Calls back before each transaction with its number, counted from this call on. */
  beforeCommits(hook: (number: number) => void): void;
  /** What this operator settles is told to the bench's sites. */
  readonly operator: OperatorActions;
  /** Resolves when each register is ready or blocked. */
  start(): Promise<void>;
  addJob(receipt: Receipt, over?: JobPlace): Job;
  /** Adds a job while all registers and the dispatcher work. A text means a sale of one item with the order's name. */
  queue(receipt: Receipt | string, over?: JobPlace): Job;
  /** As `queue`, then lets the queue run; returns the job in its state after that. */
  sell(receipt: Receipt | string, over?: JobPlace): Promise<Job>;
  job(id: number): Job;
  states(...ids: readonly number[]): readonly Job["state"][];
  /** Prints on the job's own register. Resolves with the outcome when the register rests. */
  print(job: Job): ReturnType<ReturnType<RegisterFleet["get"]>["print"]>;
  settled(): Promise<void>;
  /** Moves the clock on step by step until `isSo` is true; the error names `what` when that never happens. */
  until(what: string, isSo: () => unknown, stepMs?: number): Promise<void>;
  readonly awaited: Dispatcher["awaited"];
  readonly whatWaited: Dispatcher["whatWaited"];
  startQueue(): void;
  /** As `startQueue`, and resolves when no job is queued or printed. */
  runQueue(): Promise<void>;
  /** The process dies: nothing is tidied up, and the same file is opened again without any memory. */
  crash(): Bench;
  /** Stops the daemon cleanly and starts it on the same file. */
  restart(): Promise<Bench>;
  close(): Promise<void>;
}

export interface JobPlace {
  readonly register?: string;
  readonly site?: string;
  readonly raw?: number;
  readonly issuer?: string;
  readonly state?: "held" | "refused";
}

export interface BenchOptions {
  /** Whether sites may still sell at 20 %; default true, as most tests print at the first row of a register. */
  readonly allows20?: boolean;
  readonly orderAge?: OrderAge;
  readonly registers: readonly BenchRegister[];
  /** The database reports that it was put back or deleted. */
  readonly forgetful?: boolean;
  readonly hooks?: Pick<CampaignHooks, "wrapStores" | "wrapDriver">;
  readonly path?: string;
  readonly told?: Told;
  readonly clock?: FakeClock;
  /** Called with this bench, and with each bench that a crash or a restart makes of it. */
  readonly onOpened?: (bench: Bench) => void;
}

/** The only item has the same name as its order. */
export function orderNamed(id: string): SaleReceipt {
  return makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name: id })] });
}

/** `old` and `new` are ids of one site. The daemon's config has no site with any other name. */
const BENCH_SITES = ["shop", "cafe", "old", "new"];

export function issuerOfBench(site: string): string {
  return shortHash(site === "old" || site === "new" ? "renamed" : site);
}

let folders: string[] = [];

/** To be called after each test. */
export function removeBenchFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders = [];
}

export function newBenchPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  folders.push(folder);
  return join(folder, "fiscald.sqlite");
}

/** The lock of a database that no process has open shows that its last owner was killed, or lost power. */
export function leaveAsCrashed(path: string): void {
  const lock = openSqliteFile(`${path}.lock`);
  lock.exec("UPDATE holder SET released = 0");
  lock.close();
}

export function openBench(options: BenchOptions): Bench {
  const path = options.path ?? newBenchPath();
  const clock = options.clock ?? createFakeClock();
  const told = options.told ?? nothingTold();
  const database = openDatabase({ path, clock, log: silentLogger, pid: 1 });
  const { db } = database;
  beginRun(database, { newId: randomUUID, clock, log: silentLogger });
  if (options.forgetful === true) markForgetful(db, "then");
  const stores: Stores = { ...storesOf(db), attempts: createAttemptStore(db, rollbackDetectorOf(path)) };
  const log: string[] = [];
  const errors: string[] = [];
  const wake = new Signal();
  const memory = databaseMemory(createMetaStore(db), database);
  const renamed = options.registers.map(({ settings, renamedFrom = null }) => ({
    ...defaultSettings(settings),
    renamedFrom,
  }));
  renameRegisters(stores, renamed, clock);
  const registers = options.registers.map(({ device, settings }) => {
    const driver = "run" in device ? device : createScriptedDriver(device);
    return { settings: defaultSettings(settings), driver: options.hooks?.wrapDriver?.(driver) ?? driver };
  });
  const events = recordEvents(told, stores);
  const fleet = createRegisterFleet({
    registers,
    stores: options.hooks?.wrapStores?.(stores) ?? stores,
    events,
    issuers: issuersOf(new Map(BENCH_SITES.map((id) => [toSiteId(id), [issuerOfBench(id)]]))),
    loadImages: async () => new Map(),
    allows20: () => options.allows20 ?? true,
    orderAge: () => options.orderAge ?? null,
    clock,
    random: () => 0.5,
    log: recordLog(log, errors),
    memory,
    onChange() {
      if (fleet.snapshots().every(({ recovered }) => recovered)) database.noteAllAsked();
      wake.notify();
    },
    onRead() {},
    timings: defaultTimings,
  });
  const dispatcher = new Dispatcher({
    jobs: stores.jobs,
    journal: stores.journal,
    fleet,
    memory,
    wake,
    clock,
    random: () => 0.5,
    log: recordLog(log, errors),
  });
  const atRest = () =>
    fleet.snapshots().every(({ phase }) => phase !== "connecting" && phase !== "recovering" && phase !== "busy");
  const settled = async () => {
    await waitFor("the registers have come to rest", async () => {
      await clock.advance(0);
      return atRest();
    });
  };
  /** Translates as the intake does. A scripted register that was never connected counts as known. */
  const taxesOf = (receipt: Receipt, id: RegisterId, site: string) => {
    const register = options.registers.find(({ settings }) => defaultSettings(settings).id === id);
    const scripted = register === undefined || "run" in register.device ? null : register.device;
    const { identity, tables } = stores.registers.find(id) ?? scripted ?? { identity: null, tables: null };
    const lists = tables === null ? [] : [tables.taxes];
    const defaultRow = tables?.taxes.find((row) => row.id === register?.settings?.defaultTax) ?? null;
    const taxpayer = identity === null ? null : { inn: identity.inn, taxSystems: identity.taxSystems };
    const ofOrder = receipt.orderId === null ? [] : stores.jobs.findByOrder(toSiteId(site), receipt.orderId);
    const sold = ratesOfSales(ofOrder, stores.journal);
    return { taxes: meaningOfTaxes(receipt, { lists, defaultRow, sold }), taxpayer };
  };
  let crashed = false;
  const started = { fleet: false, dispatcher: false };
  const startFleet = () => {
    if (!started.fleet) fleet.start();
    started.fleet = true;
  };
  const startQueue = () => {
    startFleet();
    if (!started.dispatcher) dispatcher.start();
    started.dispatcher = true;
  };

  const bench: Bench = {
    stores,
    fleet,
    awaited: (register) => dispatcher.awaited(register),
    whatWaited: (register) => dispatcher.whatWaited(register),
    clock,
    told,
    events,
    log,
    operator: new OperatorActions({
      ...{ stores, fleet, events, clock, log: silentLogger },
      newDigits: () => "feedc0de",
      hasKit: () => true,
      wake: () => wake.notify(),
    }),
    journal: () => db.prepare("SELECT what FROM journal ORDER BY id").pluck().all(),
    errors,
    async start() {
      startFleet();
      await settled();
    },
    addJob(receipt, over = {}) {
      const site = toSiteId(over.site ?? "shop");
      const register = toRegisterId(over.register ?? registers[0]?.settings.id ?? "till-1");
      return stores.jobs.insertJob({
        taxes: taxesOf(receipt, register, site),
        source: "site",
        site,
        raw: over.raw ?? null,
        polledKkm: null,
        receipt,
        key: orderKey({ site, receipt }),
        mark: orderMarkOf(receipt, over.issuer ?? issuerOfBench(site)),
        forced: false,
        register,
        state: over.state ?? "queued",
        fault: null,
        now: clock.now(),
      });
    },
    queue(receipt, over) {
      const job = bench.addJob(typeof receipt === "string" ? orderNamed(receipt) : receipt, over);
      startQueue();
      wake.notify();
      return job;
    },
    async sell(receipt, over) {
      const { id } = bench.queue(receipt, over);
      await bench.runQueue();
      return stores.jobs.get(id);
    },
    job: stores.jobs.get,
    states: (...ids) => ids.map((id) => stores.jobs.get(id).state),
    async print(job) {
      const end = await fleet.get(job.register).print(job.id);
      await settled();
      return end;
    },
    settled,
    async until(what, isSo, stepMs = 1000) {
      await waitFor(what, async () => {
        await clock.advance(stepMs);
        return Boolean(isSo());
      });
    },
    wake,
    setDiskFull(full) {
      const pages = Number(db.pragma("page_count", { simple: true }));
      db.pragma(`max_page_count = ${full ? pages : 1_000_000}`);
    },
    lockDatabase() {
      db.pragma("busy_timeout = 1");
      const other = openSqliteFile(path);
      other.exec("BEGIN EXCLUSIVE");
      return () => void other.close();
    },
    beforeCommits(hook) {
      const { transaction } = stores.jobs;
      let number = 0;
      Object.assign(stores.jobs, {
        transaction: <T>(body: () => T): T => {
          // A transaction inside another transaction commits nothing.
          if (!db.inTransaction) {
            number += 1;
            hook(number);
          }
          return transaction(body);
        },
      });
    },
    startQueue,
    async runQueue() {
      startQueue();
      wake.notify();
      await waitFor("the queue is empty", async () => {
        await clock.advance(1000);
        const counts = stores.jobs.countByState();
        return atRest() && !counts.has("queued") && !counts.has("printing");
      });
    },
    crash() {
      crashed = true;
      database.close();
      // The old clock never moves again, so everything that the dead process waited for never happens.
      return openBench({ ...options, path, told, clock: createFakeClock({ now: clock.now() }) });
    },
    async restart() {
      await bench.close();
      return openBench({ ...options, path, told, clock: createFakeClock({ now: clock.now() }) });
    },
    async close() {
      if (!crashed) {
        crashed = true;
        await dispatcher.stop();
        await fleet.stop();
        database.close();
      }
    },
  };
  options.onOpened?.(bench);
  return bench;
}
