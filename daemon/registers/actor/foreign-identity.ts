import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterContext } from "../register-context.js";

/**
 * The device is not the one that is configured or on record, or another register of the config has it; null = it is the
 * right one. A new drive in the same device is no matter.
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

/** What is on record of the register goes, because a person accepts the device that is there now. */
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
