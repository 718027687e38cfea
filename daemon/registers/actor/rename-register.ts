/** A register with another id (named by `registers[].renamedFrom`) keeps its history, which moves at the start. */
import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterConfig } from "../../config/register-schema.js";
import type { RegisterContext, Stores } from "../register-context.js";

/** A new id that already has a history keeps only that history, and the former id stays as it is. */
export function renameRegisters(
  stores: Pick<Stores, "registers" | "jobs" | "journal">,
  configured: readonly Pick<RegisterConfig, "id" | "renamedFrom">[],
  clock: Clock,
): void {
  const { registers, jobs, journal } = stores;
  jobs.transaction(() => {
    for (const { id, renamedFrom } of configured) {
      const former = renamedFrom === null ? null : registers.find(renamedFrom);
      if (renamedFrom === null || former === null || registers.find(id) !== null) continue;
      registers.rename(renamedFrom, id);
      const details = { formerId: renamedFrom, kkm: former.identity.kkm };
      journal.add({ at: clock.now(), actor: "daemon", what: "register renamed", register: id, details });
    }
  });
}

/** Returns `register.not-set-up` when the device or its drive is on record under an id that the config lacks. */
export function findRenamed(
  { settings, fleet, stores }: Pick<RegisterContext, "settings" | "fleet" | "stores">,
  { kkm, fn }: Pick<Identity, "kkm" | "fn">,
): Fault | null {
  const isSame = (known: Identity) => known.kkm === kkm || known.fn === fn;
  const former = stores.registers.all().find(({ id, identity }) => !fleet.ids.includes(id) && isSame(identity));
  if (former === undefined) return null;
  const message =
    `found kkm ${kkm} with drive ${fn}, which is on record as the register ${former.id} that the config no longer has: ` +
    `set "renamedFrom": "${former.id}" there, or give the register its id back`;
  return new Fault("register.not-set-up", { message, place: settings.id });
}
