import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Fault when the device is not the one that the config or the record names, or when another register of the config
 * has it; null = it is the right one. A new drive in the same device is allowed.
 */
export function findForeignIdentity(
  { settings, stores, claimKkm }: Pick<RegisterContext, "settings" | "stores" | "claimKkm">,
  { kkm, inn }: Identity,
): Fault | null {
  const known = stores.registers.find(settings.id)?.identity;
  const expectedKkm = settings.expectKkm ?? known?.kkm ?? kkm;
  const expectedInn = known?.inn ?? inn;
  const foreign = (message: string) => new Fault("register.foreign-identity", { message, place: settings.id });
  if (kkm !== expectedKkm || inn !== expectedInn) {
    return foreign(`found kkm ${kkm} of taxpayer ${inn}, expected kkm ${expectedKkm} of taxpayer ${expectedInn}`);
  }
  const holder = claimKkm(kkm);
  return holder === null ? null : foreign(`found kkm ${kkm}, which is the one of ${holder}`);
}

/** Deletes the record of the register: the operator accepts the present device. */
export function forgetIdentity(
  { stores, settings, clock }: Pick<RegisterContext, "stores" | "settings" | "clock">,
  reason: string,
): void {
  stores.jobs.transaction(() => {
    stores.registers.forget(settings.id);
    stores.documents.dropUnmarked(settings.id);
    stores.losses.settle(settings.id);
    const what = "identity accepted";
    stores.journal.add({ at: clock.now(), actor: "operator", what, register: settings.id, details: { reason } });
  });
}
