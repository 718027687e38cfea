import { randomUUID } from "node:crypto";
import type { SiteId } from "@fiscald/shared/ids.js";
import type { AppOptions } from "./app-options.js";
import type { Config } from "./config/config-schema.js";
import { issuerOf, issuerOfAddress } from "./config/issuer.js";
import { renameRegisters } from "./registers/actor/rename-register.js";
import { createAttemptStore } from "./store/attempt-store.js";
import { beginRun } from "./store/database/begin-run.js";
import { checkInBackground } from "./store/database/check-integrity.js";
import { createMetaStore, daemonIdOf } from "./store/database/meta-store.js";
import { createNightlyMaintenance } from "./store/database/nightly-maintenance.js";
import { openDatabase } from "./store/database/open-database.js";
import { identityFileOf, rollbackDetectorOf } from "./store/database/sidecar-files.js";
import type { Database } from "./store/database/sqlite-file.js";
import { createIdleCheckpoint } from "./store/database/write-ahead-log.js";
import { createDayFacts } from "./store/day-facts.js";
import { createCheckStore } from "./store/document-checks.js";
import { recordIssuers } from "./store/issuers.js";
import { createJobStore } from "./store/job-store.js";
import { createJournal } from "./store/journal.js";
import { createOutboxStore, type OutboxStoreOptions } from "./store/outbox-store.js";
import { createRawOrders } from "./store/raw-orders.js";
import { createRegisterStore } from "./store/register-store.js";
import { applySiteNames } from "./store/site-names.js";
import { createSiteOversights } from "./store/site-oversights.js";
import { createDocumentStore } from "./store/unowned-documents.js";

export type Undo = () => void | Promise<void>;

export type OpenedStores = ReturnType<typeof openStores>;

/**
 * `onEvent` is called when an event was added to the outbox. `mayPrint` says whether the recorded attempts are
 * undamaged, `isIntact` whether the whole database is. Throws the faults of `openDatabase`.
 */
export function openStores(options: AppOptions, undo: Undo[], onEvent: (site: SiteId) => void) {
  const { config, clock, newId, pid, hooks } = options;
  const log = options.log.child({}, "store");
  const database = openDatabase({ path: config.database, clock, pid, log });
  const { db } = database;
  undo.push(() => database.close());
  const runId = beginRun(database, { newId, clock, log });
  hooks?.onDatabase?.(db);
  const { mayPrint, isIntact } = database.afterCrash ? checkAfterCrash(options, undo) : soundDatabase;
  const meta = createMetaStore(db);
  applySiteNames(db, meta, config.sites.map(toNamedSite));
  const identity = identityFileOf(config.database);
  const issuers = recordIssuers(meta, identity, config.sites.map(toIssuingSite));
  const daemonId = daemonIdOf(meta, identity, newId);
  const stores = storesOf(db, { highWater: rollbackDetectorOf(config.database), newId, onAdded: onEvent });
  const { outbox, rawOrders, dayFacts } = stores;
  renameRegisters(stores, config.registers, clock);
  const maintenance = createNightlyMaintenance({ db, rawOrders, checks: stores.checks, clock, log });
  for (const upkeep of [maintenance, createIdleCheckpoint({ db, clock, log })]) {
    upkeep.start();
    undo.push(() => upkeep.stop());
  }
  const { copyNow } = maintenance;
  return { database, runId, mayPrint, isIntact, meta, issuers, daemonId, stores, outbox, rawOrders, dayFacts, copyNow };
}

interface ChangesTold extends Pick<OutboxStoreOptions, "newId" | "onAdded"> {
  readonly highWater: Parameters<typeof createAttemptStore>[1];
}

const toldToNobody: ChangesTold = { highWater: null, newId: randomUUID, onAdded: () => {} };

export function storesOf(db: Database, { highWater, newId, onAdded }: ChangesTold = toldToNobody) {
  const journal = createJournal(db);
  return {
    jobs: createJobStore(db),
    attempts: createAttemptStore(db, highWater),
    registers: createRegisterStore(db),
    documents: createDocumentStore(db),
    checks: createCheckStore(db),
    dayFacts: createDayFacts(db),
    journal,
    oversights: createSiteOversights(createMetaStore(db)),
    outbox: createOutboxStore({ db, journal, newId, onAdded }),
    rawOrders: createRawOrders(db),
  };
}

const soundDatabase = { mayPrint: Promise.resolve(true), isIntact: Promise.resolve(true) };

/** `mayPrint` is false when the attempts are damaged or the check was stopped. */
function checkAfterCrash({ config, log, onFatal }: AppOptions, undo: Undo[]): typeof soundDatabase {
  const storeLog = log.child({}, "store");
  const check = checkInBackground(config.database);
  undo.push(() => check.stop());
  void check.whole.then((result) => {
    if (result === "stopped") return;
    if (result === "intact") storeLog.info("the database was checked after an unclean end");
    else if (result.code === "store.damaged") onFatal?.(result);
    else storeLog.warn("the database could not be checked after an unclean end", { fault: result });
  });
  return {
    mayPrint: check.attempts.then(
      (result) => result === "intact" || (result !== "stopped" && result.code !== "store.damaged"),
    ),
    isIntact: check.whole.then((result) => result === "intact"),
  };
}

function toIssuingSite(site: Config["sites"][number]) {
  const { id, renamedFrom, formerAddresses } = site;
  return { id, renamedFrom, issuer: issuerOf(site), formerIssuers: formerAddresses.map(issuerOfAddress) };
}

function toNamedSite({ id, urls, renamedFrom }: Config["sites"][number]) {
  return { id, ordersUrl: urls.orders, renamedFrom };
}
