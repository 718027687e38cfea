import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { type RecoverOptions, recoverRegister } from "./recover-register.js";

/**
 * What a maker's service may still carry out is asked for at each look at a register at rest, until it has ended. Null: there
 * is no such thing. Throws what keeps the register from being asked.
 */
export async function lookAgain(options: Omit<RecoverOptions, "isFirst">): Promise<DeviceState | null> {
  const { stores, settings } = options.context;
  const doubts = stores.attempts.doubtsOf(settings.id);
  if (!doubts.some(({ doubt }) => doubt?.reason === "no-final-status")) return null;
  const end = await recoverRegister({ ...options, isFirst: false });
  if (end.kind === "blocked") throw end.fault;
  return end.state;
}
