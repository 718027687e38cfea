import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { couldHavePrinted } from "../recovery/claims.js";
import { markInterrupted } from "../recovery/sweep.js";
import type { RegisterContext } from "../register-context.js";
import { defaultTimings, type RegisterTimings } from "../register-settings.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { RegisterActor } from "./register-actor.js";
import { createUnknownReports } from "./unknown-reports.js";

export type FleetMember = Pick<RegisterContext, "settings" | "driver" | "onIdentified">;

type Shared =
  | ("stores" | "events" | "loadImages" | "allows20" | "orderAge")
  | ("clock" | "random" | "log" | "issuers" | "memory");

export interface RegisterFleetOptions extends Pick<RegisterContext, Shared> {
  readonly registers: readonly FleetMember[];
  onChange(register: RegisterId): void;
  onRead(): void;
  readonly timings?: RegisterTimings;
}

export type RegisterFleet = ReturnType<typeof createRegisterFleet>;

export function createRegisterFleet(options: RegisterFleetOptions) {
  const { registers, stores, clock, log, timings = defaultTimings } = options;
  const actors = new Map<RegisterId, RegisterActor>();
  const unknown = createUnknownReports({ ...options, timings });
  const places = registers.map(({ settings }) => settings);
  for (const member of registers) {
    const { id } = member.settings;
    actors.set(
      id,
      new RegisterActor({
        ...options,
        ...member,
        timings,
        fleet: {
          ids: places.map((place) => place.id),
          couldHavePrinted: (job, register) => couldHavePrinted(job, register, places),
          holderOf: (kkm) => others(id).find(({ identity }) => identity?.kkm === kkm)?.settings.id ?? null,
        },
        log: log.child({ register: id }, "registers"),
        onChange: () => options.onChange(id),
        onDoubt: (job) => unknown.watch(job),
      }),
    );
  }

  function get(id: RegisterId): RegisterActor {
    const actor = actors.get(id);
    if (actor === undefined) throw new Fault("register.no-register", { message: orderReasons.noRegister({ id }) });
    return actor;
  }

  const snapshots = (): readonly RegisterSnapshot[] => [...actors.values()].map((actor) => actor.snapshot());
  const others = (id: RegisterId) => snapshots().filter(({ settings }) => settings.id !== id);

  return {
    /** Makes the jobs unsure that the last run left printing, and connects every register. */
    start(): void {
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
    async stop(): Promise<void> {
      await Promise.all([...actors.values()].map((actor) => actor.stop()));
      // The reports of unsure jobs stop after the registers, because a job that was being printed may become unsure.
      unknown.stop();
    },
    /** Throws `register.no-register` for an unknown id. */
    get,
    snapshots,
    /** The first register that fits, or null. Makes one snapshot only, whatever the size of the fleet. */
    find: (fits: (register: Pick<RegisterSnapshot, "settings" | "identity">) => boolean) =>
      [...actors.values()].find(fits)?.snapshot() ?? null,
    issuers: options.issuers,
  };
}
