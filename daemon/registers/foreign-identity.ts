import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterContext } from "./register-context.js";

/** The device is not the one that is configured or on record; null = it is. A new drive in the same device is no matter. */
export function findForeignIdentity(
  { settings, stores }: Pick<RegisterContext, "settings" | "stores">,
  { kkm, inn }: Identity,
): Fault | null {
  const known = stores.registers.find(settings.id)?.identity;
  const expectedKkm = settings.expectKkm ?? known?.kkm ?? kkm;
  const expectedInn = known?.inn ?? inn;
  if (kkm === expectedKkm && inn === expectedInn) return null;
  const message = `found kkm ${kkm} of taxpayer ${inn}, expected kkm ${expectedKkm} of ${expectedInn}`;
  return new Fault("register.foreign-identity", { message, place: settings.id });
}
