import { toFault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Sender } from "@fiscald/shared/outbox/sender.js";
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";
import { Signal } from "@fiscald/shared/signal.js";
import { openAlerts } from "./alerts/open-alerts.js";
import type { AppOptions } from "./app-options.js";
import type { Config } from "./config/config-schema.js";
import { issuerOf } from "./config/issuer.js";
import type { RegisterFrames } from "./console/console-parts.js";
import { createConsoleServer } from "./console/console-server.js";
import { howSetNow } from "./console/how-set/set-facts.js";
import { createLiveUpdates, type LiveUpdates } from "./console/live-updates.js";
import { titlesOf } from "./console/troubles/found.js";
import { watchTroubles } from "./console/troubles/watch-troubles.js";
import { Repairs } from "./corrections/repairs.js";
import { Dispatcher } from "./dispatch/dispatcher.js";
import { IntakeGate } from "./intake/intake-gate.js";
import { hearsOfPersons, OperatorReturns } from "./intake/operator-return.js";
import { createPollers, type PolledSite, type SitePoller } from "./intake/poll-sites.js";
import { type KnownSecret, maskSecrets, maskText, secretsIn } from "./logging/mask.js";
import { type OpenedStores, openStores, type Undo } from "./open-stores.js";
import { openRegisters } from "./registers/actor/open-registers.js";
import { createRegisterFleet, type FleetMember, type RegisterFleet } from "./registers/actor/register-fleet.js";
import { OperatorActions } from "./registers/operator/operator-actions.js";
import { createImageLoader } from "./registers/printing/load-images.js";
import type { RegisterSnapshot } from "./registers/register-snapshot.js";
import { startShiftCloseSchedule } from "./registers/shift/shift-close-schedule.js";
import { emulatedTitles } from "./setup/emulated.js";
import { Deliveries } from "./sites/deliveries.js";
import { createSiteClient } from "./sites/site-client.js";
import { SiteEvents } from "./sites/site-events.js";
import { createSiteHealth } from "./sites/site-health.js";
import { createSiteSender } from "./sites/site-outbox.js";
import { type DatabaseMemory, databaseMemory, leasingSite } from "./store/database/meta-store.js";
import { shortenBusyTimeout } from "./store/database/retry-while-busy.js";
import type { RegisterStore } from "./store/register-store.js";
import { knownSites } from "./store/site-names.js";

/** How long a stop waits for a poll that a site holds open, if the site would not offer its order again. */
const pollGraceMs = 35_000;
const deliveryGraceMs = 5_000;

interface Base extends OpenedStores {
  readonly events: SiteEvents;
  readonly memory: DatabaseMemory;
}

interface Registers {
  readonly drivers: readonly FleetMember[];
  readonly fleet: RegisterFleet;
}

/** Parts are started from the bottom up. Each part registers how it is stopped, and a stop runs in reverse. */
export class App {
  private undo: Undo[] = [];
  private readonly live: LiveUpdates;
  private readonly wake = new Signal();
  private readonly gate = new IntakeGate();
  private readonly deliveries = new Deliveries();
  private readonly senders = new Map<SiteId, Sender>();
  private pollers: readonly SitePoller[] = [];

  constructor(private readonly options: AppOptions) {
    this.live = createLiveUpdates(options.clock);
  }

  /** Resolves with the console's address. Rejects when a needed part cannot start, after stopping the others. */
  async start(): Promise<string> {
    const { config, log } = this.options;
    try {
      const address = await this.startAll();
      log.info("started", { sites: config.sites.length, registers: config.registers.length, console: address });
      return address;
    } catch (error) {
      await this.stopAll();
      throw error;
    }
  }

  /** Finishes the receipts that are being printed, lets polls in flight end, and commits their orders. */
  async stop(): Promise<void> {
    await this.stopAll();
    this.options.log.info("stopped");
  }

  private async startAll(): Promise<string> {
    const opened = openStores(this.options, this.undo, (site) => {
      this.senders.get(site)?.wake();
      this.live.publish();
    });
    const base = {
      ...opened,
      events: this.createEvents(opened),
      memory: databaseMemory(opened.meta, opened.database),
    };
    const sites = this.startSites(base);
    // The list of registers comes from the record. A register that proves to be changed queues a newer list.
    base.events.sync();
    const registers = await this.openFleet(base);
    this.startFleet(base, registers);
    const dispatcher = this.startDispatcher(base, registers);
    this.startClosingTimes(registers);
    this.pollers = this.startPollers(base, sites, registers);
    const address = await this.startConsole(base, sites, { ...registers, dispatcher });
    void base.isIntact.then((isIntact) => {
      if (isIntact) base.database.noteCrashHandled();
    });
    return address;
  }

  private createEvents({ outbox, rawOrders, stores }: OpenedStores): SiteEvents {
    const { config, clock } = this.options;
    const { sites, registers } = config;
    const { deliveries } = this;
    const { journal, registers: records } = stores;
    return new SiteEvents({ sites, registers, outbox, deliveries, records, journal, rawOrders, clock });
  }

  private startSites({ database, runId, meta, daemonId, stores, outbox }: Base): readonly PolledSite[] {
    const { config, clock, random, newId } = this.options;
    return config.sites.map((site): PolledSite => {
      const client = createSiteClient({ site, daemonId, runId, clock, newId });
      this.undo.push(() => client.close());
      const log = this.options.log.child({ site: site.id }, "sites");
      const sender = createSiteSender({
        ...{ site, outbox, deliveries: this.deliveries, client, clock, random, log },
        onChange: () => this.live.publish(),
      });
      this.senders.set(site.id, sender);
      sender.start();
      this.undo.push(() => sender.stop(deliveryGraceMs));
      const health = createSiteHealth({
        ...{ site: site.id, clock, log, leasing: leasingSite(meta, site.id) },
        // A site whose orders were taken may say "no orders" in words of its own.
        isProven: stores.jobs.brief({ site: site.id, limit: 1 }).length > 0,
        onChange: () => this.live.publish(),
      });
      if (database.afterCrash) {
        health.mayHaveLost(polledKkms(config, site.id, stores.registers), database.lastWriteBeforeCrash);
      }
      return { config: site, client, health };
    });
  }

  private async openFleet({ database, meta, stores, events, issuers, memory }: Base) {
    const { config, clock, random, log, timings, hooks } = this.options;
    const drivers = await openRegisters({ ...this.options, ...hooks, registers: config.registers, meta }, this.undo);
    const fleet: RegisterFleet = createRegisterFleet({
      ...{ registers: drivers, events, issuers, clock, random, log, memory },
      stores: hooks?.wrapStores?.(stores) ?? stores,
      loadImages: createImageLoader({ folder: config.images.folder, log: log.child({}, "registers") }),
      allows20: (id) => config.sites.some((site) => site.id === id && site.rates.allow20),
      orderAge: (id) => config.sites.find((site) => site.id === id)?.orderAge ?? null,
      onChange: () => {
        if (!database.remembersAll && fleet.snapshots().every(({ recovered }) => recovered)) database.noteAllAsked();
        this.wake.notify();
        for (const poller of this.pollers) poller.registersChanged();
        this.live.publish();
      },
      onRead: () => this.live.publish(),
      ...(timings === undefined ? {} : { timings }),
    });
    return { drivers, fleet };
  }

  private startFleet({ database }: Base, { fleet }: Registers): void {
    fleet.start();
    this.undo.push(() => fleet.stop());
    shortenBusyTimeout(database.db);
  }

  private startDispatcher({ mayPrint, stores, memory }: Base, { fleet }: Registers): Dispatcher {
    const { clock, random, log } = this.options;
    const dispatcher = new Dispatcher({
      ...{ jobs: stores.jobs, journal: stores.journal, fleet, memory, wake: this.wake, clock, random },
      log: log.child({}, "dispatch"),
    });
    void mayPrint.then((sound) => {
      if (sound) dispatcher.start();
    });
    this.undo.push(() => dispatcher.stop());
    return dispatcher;
  }

  private startClosingTimes({ fleet }: Registers): void {
    const stop = startShiftCloseSchedule({
      registers: this.options.config.registers,
      onClosingTime: (id) => fleet.get(id).readNow(),
    });
    this.undo.push(stop);
  }

  private startPollers(base: Base, sites: readonly PolledSite[], { fleet }: Registers): readonly SitePoller[] {
    const { clock, random, log, hooks } = this.options;
    const pollers = createPollers({
      ...{ sites, knownSites: knownSites(base.meta), memory: base.memory, fleet, stores: base.stores },
      ...{ events: base.events, deliveries: this.deliveries, gate: this.gate, clock, random, log },
      ...(hooks?.decideRepeat === undefined ? {} : { decideRepeat: hooks.decideRepeat }),
      wake: () => {
        this.wake.notify();
        this.live.publish();
      },
    });
    for (const poller of pollers) poller.start();
    this.undo.push(async () => {
      await Promise.all(pollers.map((poller) => poller.stop(pollGraceMs)));
    });
    return pollers;
  }

  private startConsole(
    { database, meta, stores, outbox, rawOrders, dayFacts, events, copyNow }: Base,
    sites: readonly PolledSite[],
    { drivers, fleet, dispatcher }: Registers & { readonly dispatcher: Dispatcher },
  ): Promise<string> {
    const { config, clock, random, newId, log } = this.options;
    const { live } = this;
    const emulated = emulatedTitles(config.registers);
    const seen = {
      snapshots: () => fleet.snapshots(),
      howSet: (snapshot: RegisterSnapshot) =>
        howSetNow(snapshot, config, { checks: stores.checks, outbox }, clock.now()),
      siteHealth: () => sites.map(({ health }) => health.read()),
      storeFault: () => this.gate.closedBy,
      awaited: (register: RegisterId) => dispatcher.awaited(register),
      whatWaited: (register: RegisterId) => dispatcher.whatWaited(register),
    };
    const known = { ...stores, ...seen, clock, limits: config.warnings };
    const troubles = watchTroubles({
      ...{ config, parts: known, howSet: seen.howSet, stores: { ...stores, outbox, dayFacts } },
      hasLock: () => database.hasLock(),
      alertFault: () => alerts.fault,
      log: log.child({}, "warnings"),
    });
    const alerts = openAlerts({
      ...{ config: config.alerts, memory: meta, clock, random, log: log.child({}, "alerts") },
      words: { language: config.log.language, secrets: secretsIn(config) },
      emulated,
      titles: () => titlesOf(fleet.snapshots()),
      // An alert about failing alerts could not be delivered either.
      troubles: () => troubles.read().filter(({ kind }) => kind !== "alert-failed"),
    });
    const hasKit = (site: SiteId) => leasingSite(meta, site).leases;
    const actions = new OperatorActions({
      ...{ stores, fleet, events, clock, log, hasKit },
      newDigits: () => shortHash(newId()),
      wake: () => this.wake.notify(),
    });
    const returns = new OperatorReturns({
      ...{ ...stores, ...config, hasKit, clock, newId },
      wake: () => this.wake.notify(),
    });
    const repairs = new Repairs({
      ...{ stores, actions, newId, clock, fleet },
      issuerOf: (id) => config.sites.filter((site) => site.id === id).map(issuerOf)[0] ?? null,
      isTold: (id) =>
        hearsOfPersons(
          config.sites.find((site) => site.id === id),
          hasKit,
        ),
    });
    const server = createConsoleServer({
      ...config.console,
      config: this.options.runningConfig ?? null,
      memory: meta,
      log: log.child({}, "console"),
      parts: {
        ...{ ...known, emulated, outbox, rawOrders, dayFacts, actions, returns, repairs, live },
        copyDatabase: copyNow,
        makeSupportFile: this.options.makeSupportFile ?? null,
        stop: this.options.stop ?? null,
        troubles: () => troubles.read(),
        frames: () => drivers.map((register) => maskedFrames(register, secretsIn(config))),
        sync: (site) => events.sync(site ?? undefined),
        poll: (site) => {
          for (const poller of this.pollers) if (poller.site === site) poller.askNow();
        },
      },
    });
    this.undo.push(() => server.stop());
    troubles.start();
    this.undo.push(() => troubles.stop());
    alerts.start();
    this.undo.push(() => alerts.stop());
    return server.start();
  }

  private async stopAll(): Promise<void> {
    const steps = this.undo.reverse();
    this.undo = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        // A part that fails to stop must not keep the parts below it from being stopped.
        this.options.log.error("a part did not stop cleanly", { fault: toFault(error, "internal") });
      }
    }
  }
}

/** The numbers of the registers for which the site was asked in an earlier run. */
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
