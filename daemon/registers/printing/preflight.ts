/** Conditions that a register must meet before it gets a job. */
import type { DeviceState, ReadStateOptions } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { type ConnectedRegister, requireSameDrive } from "../connected-register.js";
import type { RegisterContext } from "../register-context.js";

export type Preflight =
  | { readonly kind: "sound"; readonly state: DeviceState }
  | { readonly kind: "blocked"; readonly fault: Fault }
  /** It is printing. */
  | { readonly kind: "busy"; readonly state: DeviceState };

/** Reads the state; ends an unfinished print. Throws the driver's faults. */
export async function readPreflight(
  context: RegisterContext,
  connected: ConnectedRegister,
  signal: AbortSignal,
  options: ReadStateOptions = {},
): Promise<Preflight> {
  const { driver } = context;
  let state = await driver.readState(signal, options);
  if (state.openReceipt !== null) return { kind: "blocked", fault: new Fault("device.receipt-open") };
  if (state.print === "unfinished") {
    const fault = await finishPrint(context, signal);
    if (fault !== null) return { kind: "blocked", fault };
    state = await driver.readState(signal, options);
  }
  requireSameDrive(connected, state);
  if (state.blockedBy !== null) return { kind: "blocked", fault: state.blockedBy };
  if (state.print === "printing") return { kind: "busy", state };
  return { kind: "sound", state };
}

/** Between two jobs: also ends an unfinished print. Throws the driver's faults, `link.lost` for another drive. */
export async function readRestingState(
  { driver }: RegisterContext,
  connected: ConnectedRegister,
  signal: AbortSignal,
): Promise<DeviceState> {
  const state = await driver.readState(signal);
  requireSameDrive(connected, state);
  if (state.print !== "unfinished" || state.blockedBy !== null) return state;
  await driver.finishPrint(signal);
  return driver.readState(signal);
}

/** Null when it is printed to its end now. */
async function finishPrint({ driver }: RegisterContext, signal: AbortSignal): Promise<Fault | null> {
  try {
    await driver.finishPrint(signal);
    return null;
  } catch (error) {
    if (isFault(error) && error.area === "device") return error;
    throw error;
  }
}

/** What of the state, or of its set-up, keeps the register from taking jobs; null = nothing. */
export function blockOf(context: RegisterContext, state: DeviceState, connected: ConnectedRegister): Fault | null {
  const lack = lackOfSetUp(context, connected);
  if (lack !== null) return lack;
  return state.blockedBy ?? (state.openReceipt === null ? null : new Fault("device.receipt-open"));
}

/** Without it this register would refuse every order, through no fault of the orders (design.md 7.10). */
function lackOfSetUp({ settings }: RegisterContext, { identity }: ConnectedRegister): Fault | null {
  const { id, cashier, taxSystem, needsCashier } = settings;
  const missing = (message: string) => new Fault("register.not-set-up", { message, place: `registers.${id}` });
  if (needsCashier && cashier === null) return missing(`set \`cashier\` of ${id}: its documents all name one`);
  const several = identity.taxSystems.toString(2).replaceAll("0", "").length > 1;
  return several && taxSystem === null ? missing(`set \`taxSystem\` of ${id}: it is registered for several`) : null;
}
