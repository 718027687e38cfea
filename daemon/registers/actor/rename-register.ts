/**
 * A register that got another id in the config is the same device with the same past: what is on record under its former id,
 * jobs in doubt among it, goes on under the new one. Without it they would wait for ever for a register that is gone.
 */
import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterContext } from "../register-context.js";

/** Nothing when the register has a past of its own, or when its number was never seen under an id that is gone. */
export function adoptHistory(
  { settings, fleet, stores, clock, log }: RegisterContext,
  { kkm, inn }: Pick<Identity, "kkm" | "inn">,
): void {
  const { registers, losses, jobs, journal } = stores;
  if (registers.find(settings.id) !== null) return;
  const former = registers
    .all()
    .find(({ id, identity }) => !fleet.includes(id) && identity.kkm === kkm && identity.inn === inn);
  if (former === undefined) return;
  jobs.transaction(() => {
    registers.rename(former.id, settings.id);
    const loss = losses.find(former.id);
    if (loss !== null) losses.keep(settings.id, loss);
    losses.settle(former.id);
    const details = { formerId: former.id, kkm };
    journal.add({ at: clock.now(), actor: "daemon", what: "register renamed", register: settings.id, details });
  });
  log.info("the register was known under another id", { formerId: former.id, kkm });
}
