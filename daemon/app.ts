import { toFault } from "@fiscald/shared/fault.js";
import type { Kkm, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Sender } from "@fiscald/shared/outbox/sender.js";
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";
import { createSignal } from "@fiscald/shared/signal.js";
import type { AppOptions } from "./app-options.js";
import type { Config } from "./config/config-schema.js";
import { issuerOf, issuerOfAddress } from "./config/issuer.js";
import type { RegisterFrames } from "./console/console-parts.js";
import { createWarningMonitor } from "./console/early-warnings.js";
import { createLiveUpdates } from "./console/live-updates.js";
import { createDispatcher } from "./dispatch/dispatcher.js";
import { createIntakeGate } from "./intake/intake-gate.js";
import { createPollers, type PolledSite } from "./intake/poll-sites.js";
import { type KnownSecret, maskSecrets, maskText, secretsIn } from "./logging/mask.js";
import { openRegisters } from "./registers/actor/open-registers.js";
import { createRegisterFleet, type FleetMember } from "./registers/actor/register-fleet.js";
import { renameRegisters } from "./registers/actor/rename-register.js";
import { createOperatorActions } from "./registers/operator/operator-actions.js";
import { createImageLoader } from "./registers/printing/load-images.js";
import { createShiftCloseSchedule } from "./registers/shift/shift-close-schedule.js";
import { createFirstSync } from "./sites/first-sync.js";
import { createSiteClient } from "./sites/site-client.js";
import { createSiteEvents } from "./sites/site-events.js";
import { createSiteHealth } from "./sites/site-health.js";
import { createSiteSender } from "./sites/site-outbox.js";
import { createAttemptStore } from "./store/attempt-store.js";
import { createLossStore } from "./store/data-loss-store.js";
import { checkWholeDatabase } from "./store/database/check-integrity.js";
import { createMetaStore, daemonIdOf, forgetfulDatabase, leasingSite } from "./store/database/meta-store.js";
import { createNightlyMaintenance } from "./store/database/nightly-maintenance.js";
import { openDatabase } from "./store/database/open-database.js";
import { shortenBusyTimeout } from "./store/database/retry-while-busy.js";
import { identityFileOf, rollbackDetectorOf } from "./store/database/sidecar-files.js";
import { createIdleCheckpoint, preallocateWal } from "./store/database/write-ahead-log.js";
import { recordIssuers } from "./store/issuers.js";
import { createJobStore } from "./store/job-store.js";
import { createJournal } from "./store/journal.js";
import { createOutboxStore } from "./store/outbox-store.js";
import { createRawOrders } from "./store/raw-orders.js";
import { createRegisterStore, type RegisterStore } from "./store/register-store.js";
import { applySiteNames, knownSites } from "./store/site-names.js";
import { createDocumentStore } from "./store/unowned-documents.js";

export interface App {
  /**
   * Resolves with the console's address. Rejects with a fault when a needed part cannot start; the started parts are
   * stopped again.
   */
  start(): Promise<string>;
  /** Receipts that are being printed are finished, polls in flight end and their orders are committed. */
  stop(): Promise<void>;
}

/** The longest time that a site without leases may hold a poll. */
const pollGraceMs = 35_000;
const deliveryGraceMs = 5_000;

/** The whole daemon. Parts are started from the bottom up; each leaves how to stop it, and those run in reverse. */
export function createApp(options: AppOptions): App {
  const { config, clock, random, newId, log } = options;
  let undo: (() => void | Promise<void>)[] = [];

  async function startAll(): Promise<string> {
    const live = createLiveUpdates(clock);
    const storeLog = log.child({}, "store");
    const database = openDatabase({ path: config.database, clock, pid: options.pid, log: storeLog });
    const { db } = database;
    undo.push(() => database.close());
    options.hooks?.onDatabase?.(db);
    if (database.afterCrash) checkInBackground(storeLog);
    const meta = createMetaStore(db);
    const { sites, registers } = config;
    preallocateWal({ db, log: storeLog });
    applySiteNames(db, meta, config.sites.map(toNamedSite));
    const identity = identityFileOf(config.database);
    const issuers = recordIssuers(meta, identity, config.sites.map(toIssuingSite));
    const daemonId = daemonIdOf(meta, identity, newId);
    const runId = newId();

    const senders = new Map<SiteId, Sender>();
    const journal = createJournal(db);
    const outbox = createOutboxStore({
      db,
      journal,
      newId,
      onAdded: (site) => {
        senders.get(site)?.wake();
        live.publish("events");
      },
    });
    const stores = {
      jobs: createJobStore(db),
      attempts: createAttemptStore(db, rollbackDetectorOf(config.database)),
      registers: createRegisterStore(db),
      documents: createDocumentStore(db),
      losses: createLossStore(meta),
      journal,
    };
    renameRegisters(stores, registers, clock);
    const rawOrders = createRawOrders(db);
    const firstSync = createFirstSync({
      // A blocked one may wait long for its operator.
      allAnswered: () => fleet.snapshots().every(({ recovered, phase }) => recovered || phase === "blocked"),
      send: () => stores.jobs.transaction(() => events.sync()),
      clock,
    });
    undo.push(() => firstSync.stop());
    const events = createSiteEvents({
      ...{ sites, registers, outbox, records: stores.registers, clock },
      holdsSync: () => firstSync.isHeld,
    });

    const nightly = createNightlyMaintenance({ db, rawOrders, clock, log: storeLog });
    nightly.start();
    undo.push(() => nightly.stop());
    const checkpoint = createIdleCheckpoint({ db, clock, log: storeLog });
    checkpoint.start();
    undo.push(() => checkpoint.stop());

    const polled = sites.map((site): PolledSite => {
      const client = createSiteClient({ site, daemonId, runId, clock, newId });
      undo.push(() => client.close());
      const siteLog = log.child({ site: site.id }, "sites");
      const sender = createSiteSender({
        site,
        outbox,
        client,
        clock,
        random,
        log: siteLog,
        onChange: () => live.publish("events"),
      });
      senders.set(site.id, sender);
      sender.start();
      undo.push(() => sender.stop(deliveryGraceMs));
      const health = createSiteHealth({
        ...{ site: site.id, clock, log: siteLog, leasing: leasingSite(meta, site.id) },
        onChange: () => live.publish("sites"),
      });
      if (database.afterCrash)
        health.mayHaveLost(polledKkms(config, site.id, stores.registers), database.lastWriteBeforeCrash);
      return { config: site, client, health };
    });

    const wake = createSignal();
    const memory = forgetfulDatabase(meta);
    const drivers = await openRegisters({ ...options, ...options.hooks, registers, meta }, undo);
    const fleet = createRegisterFleet({
      registers: drivers,
      stores,
      facts: events,
      issuers,
      loadImages: createImageLoader({ folder: config.images.folder, log: log.child({}, "registers") }),
      clock,
      random,
      log,
      memory,
      onChange() {
        if (fleet.snapshots().every(({ recovered }) => recovered)) database.noteAllAsked();
        firstSync.look();
        wake.notify();
        live.publish("registers");
        live.publish("jobs");
      },
      ...(options.timings === undefined ? {} : { timings: options.timings }),
      ...(options.safety === undefined ? {} : { safety: options.safety }),
    });
    fleet.start();
    firstSync.look();
    undo.push(() => fleet.stop());
    shortenBusyTimeout(db);

    const dispatchLog = log.child({}, "dispatch");
    const dispatcher = createDispatcher({
      jobs: stores.jobs,
      journal,
      fleet,
      memory,
      wake,
      remembersAll: () => database.remembersAll,
      clock,
      random,
      log: dispatchLog,
    });
    dispatcher.start();
    undo.push(() => dispatcher.stop());

    const closeSchedule = createShiftCloseSchedule({
      registers,
      onClosingTime: (id) => fleet.get(id).closeShift("the configured time is reached"),
    });
    closeSchedule.start();
    undo.push(() => closeSchedule.stop());

    const gate = createIntakeGate();
    const pollers = createPollers({
      sites: polled,
      knownSites: knownSites(meta),
      memory,
      fleet,
      jobs: stores.jobs,
      journal,
      attempts: stores.attempts,
      records: stores.registers,
      events,
      gate,
      clock,
      random,
      log,
      ...(options.hooks?.orderKey === undefined ? {} : { orderKey: options.hooks.orderKey }),
      wake() {
        wake.notify();
        live.publish("jobs");
      },
    });
    for (const poller of pollers) poller.start();
    undo.push(async () => {
      await Promise.all(pollers.map((poller) => poller.stop(pollGraceMs)));
    });

    const warnings = createWarningMonitor({
      config,
      snapshots: () => fleet.snapshots(),
      siteHealth: () => polled.map(({ health }) => health.read()),
      storeFault: () => gate.closedBy,
      hasLock: () => database.hasLock(),
      consoleFault: () => server.closedBy,
      stores: { ...stores, outbox },
      clock,
      log: log.child({}, "warnings"),
    });

    // Loaded after the first polls are sent: Express and the metrics library take a tenth of a second.
    const { createConsoleServer } = await import("./console/console-server.js");
    const server = createConsoleServer({
      ...config.console,
      log: log.child({}, "console"),
      parts: {
        ...stores,
        snapshots: () => fleet.snapshots(),
        siteHealth: () => polled.map(({ health }) => health.read()),
        storeFault: () => gate.closedBy,
        warnings: () => warnings.read(),
        frames: () => drivers.map((register) => maskedFrames(register, secretsIn(config))),
        outbox,
        rawOrders,
        actions: createOperatorActions({
          ...{ stores, fleet, facts: events, clock },
          newDigits: () => shortHash(newId()),
          wake: () => wake.notify(),
        }),
        sync: (site) => events.sync(site ?? undefined),
        live,
        logTail: options.logTail,
        clock,
      },
    });
    undo.push(() => server.stop());
    warnings.start();
    undo.push(() => warnings.stop());
    return server.start();
  }

  function checkInBackground(storeLog: Logger): void {
    const check = checkWholeDatabase(config.database);
    undo.push(() => check.stop());
    void check.fault.then((fault) => {
      if (fault === null) storeLog.info("the database was checked after an unclean end");
      else if (fault.code === "store.damaged") options.onFatal?.(fault);
      else storeLog.warn("the database could not be checked after an unclean end", { fault });
    });
  }

  async function stop(): Promise<void> {
    const steps = undo.reverse();
    undo = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        // The parts below still have to be stopped.
        log.error("a part did not stop cleanly", { fault: toFault(error, "internal") });
      }
    }
  }

  return {
    async start() {
      try {
        const address = await startAll();
        log.info("started", { sites: config.sites.length, registers: config.registers.length, console: address });
        return address;
      } catch (error) {
        await stop();
        throw error;
      }
    },
    async stop() {
      await stop();
      log.info("stopped");
    },
  };
}

/** What the site was asked for in an earlier run. */
function polledKkms({ registers }: Config, site: SiteId, records: Pick<RegisterStore, "find">): readonly Kkm[] {
  return registers
    .filter(({ sites }) => sites.includes(site))
    .flatMap(({ id }) => records.find(id)?.identity.kkm ?? []);
}

function maskedFrames({ settings, driver }: FleetMember, secrets: readonly KnownSecret[]): RegisterFrames {
  const frames = driver.lastFrames();
  return {
    register: settings.id,
    frames: frames.map((it) => ({ ...it, hex: maskSecrets(maskText(it.hex), secrets) })),
  };
}

function toIssuingSite(site: Config["sites"][number]) {
  const { id, renamedFrom, formerAddresses } = site;
  return { id, renamedFrom, issuer: issuerOf(site), formerIssuers: formerAddresses.map(issuerOfAddress) };
}

function toNamedSite({ id, urls, renamedFrom }: Config["sites"][number]) {
  return { id, ordersUrl: urls.orders, renamedFrom };
}
