import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Issuers } from "../../store/issuers.js";
import { couldHavePrinted } from "../recovery/claims.js";
import { markInterrupted } from "../recovery/sweep.js";
import type { LoadImages, SiteEventSink, Stores } from "../register-context.js";
import { defaultTimings, type RegisterSettings, type RegisterTimings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { RegisterActor } from "./register-actor.js";
import { createUnknownReports } from "./unknown-reports.js";

export interface FleetMember {
  readonly settings: RegisterSettings;
  readonly driver: FiscalDriver;
  /** Called when the connected device has proved to be the right one. */
  readonly onIdentified?: () => void;
}

export interface RegisterFleetOptions {
  readonly registers: readonly FleetMember[];
  readonly stores: Stores;
  readonly facts: SiteEventSink;
  readonly loadImages: LoadImages;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** The sites that the marks on documents belong to. */
  readonly issuers: Issuers;
  /** Whether the database may have lost print results. */
  readonly memory: { readonly isForgetful: boolean };
  /** True: the daemon stopped cleanly with this very database file, so no print is missing in it. */
  remembersAll(): boolean;
  /** Something of a snapshot changed; a register may have become free. */
  onChange(register: RegisterId): void;
  readonly timings?: RegisterTimings;
}

/** All registers of the daemon. */
export interface RegisterFleet {
  /** Jobs that the last run left printing become unsure; then every register is connected. */
  start(): void;
  /** Receipts that are being printed are finished. */
  stop(): Promise<void>;
  /** Throws `register.no-register`. */
  get(id: RegisterId): RegisterActor;
  snapshots(): readonly RegisterSnapshot[];
  /** The sites that the marks on documents belong to. */
  readonly issuers: Issuers;
}

export function createRegisterFleet(options: RegisterFleetOptions): RegisterFleet {
  const { registers, stores, clock, log, timings = defaultTimings } = options;
  const actors = new Map<RegisterId, RegisterActor>();
  const claims = new Map<Kkm, RegisterId>();
  const unknown = createUnknownReports({ stores, facts: options.facts, clock, timings, log });
  for (const { settings, driver, onIdentified } of registers) {
    const { id } = settings;
    actors.set(
      id,
      new RegisterActor({
        settings,
        driver,
        claimKkm: (kkm) => claimKkm(id, kkm),
        releaseKkm: () => releaseKkm(id),
        fleet: registers.map((member) => member.settings.id),
        couldHavePrinted: (job, register) =>
          couldHavePrinted(
            job,
            register,
            registers.map((member) => member.settings),
          ),
        issuers: options.issuers,
        isForgetful: () => options.memory.isForgetful,
        remembersAll: () => options.remembersAll(),
        stores,
        facts: options.facts,
        loadImages: options.loadImages,
        timings,
        clock,
        random: options.random,
        log: log.child({ register: id }, "registers"),
        onChange: () => options.onChange(id),
        onDoubt: (job) => unknown.watch(job),
        ...(onIdentified === undefined ? {} : { onIdentified }),
      }),
    );
  }

  /** Two registers that are one device would print an order twice. The first one keeps its number. */
  function claimKkm(id: RegisterId, kkm: Kkm): RegisterId | null {
    const recorded = registers.find(({ settings }) => stores.registers.find(settings.id)?.identity.kkm === kkm);
    const holder = claims.get(kkm) ?? recorded?.settings.id ?? id;
    if (holder === id) claims.set(kkm, id);
    return holder === id ? null : holder;
  }

  function releaseKkm(id: RegisterId): void {
    for (const [kkm, holder] of claims) if (holder === id) claims.delete(kkm);
  }

  function get(id: RegisterId): RegisterActor {
    const actor = actors.get(id);
    if (actor === undefined) throw new Fault("register.no-register", { message: `no register ${id} is configured` });
    return actor;
  }

  const snapshots = () => [...actors.values()].map((actor) => actor.snapshot());

  return {
    start() {
      for (const job of markInterrupted(stores, clock, null)) {
        const fields = { job: job.id, order: job.orderId, register: job.register };
        if (!actors.has(job.register)) log.error("an unsure job belongs to a register that is not configured", fields);
        else log.warn("a job was cut off; its register is asked", fields);
      }
      for (const { id, orderId, register } of stores.jobs.queue()) {
        if (actors.has(register)) continue;
        const fields = { job: id, order: orderId, register };
        log.error(
          "a waiting job belongs to a register that is not configured: move it to another one, or cancel it",
          fields,
        );
      }
      for (const { id } of stores.jobs.list({ state: "unsure", limit: Number.MAX_SAFE_INTEGER })) unknown.watch(id);
      for (const actor of actors.values()) actor.start();
    },
    async stop() {
      await Promise.all([...actors.values()].map((actor) => actor.stop()));
      // A job that was being printed may have become unsure.
      unknown.stop();
    },
    get,
    snapshots,
    issuers: options.issuers,
  };
}
