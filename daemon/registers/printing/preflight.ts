/** Says, by the state of a register that prints nothing, what keeps it from taking jobs. */
import type { DeviceState, ReadStateOptions } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { type ConnectedRegister, requireSameDrive } from "../connected-register.js";
import { driveStop } from "../drive-stop.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Reads the state of a register that prints nothing, and first finishes an unfinished print; if that fails, the state's
 * `blockedBy` has the fault. Throws the driver's other faults, and `link.lost` for another drive.
 */
export async function readRestingState(
  { driver }: Pick<RegisterContext, "driver">,
  connected: ConnectedRegister,
  signal: AbortSignal,
  options: ReadStateOptions = {},
): Promise<DeviceState> {
  const state = await driver.readState(signal, options);
  requireSameDrive(connected, state);
  if (state.print !== "unfinished" || state.blockedBy !== null || state.openReceipt !== null) return state;
  try {
    await driver.finishPrint(signal);
  } catch (error) {
    if (isFault(error) && error.area === "device") return { ...state, blockedBy: error };
    throw error;
  }
  return driver.readState(signal, options);
}

/** What keeps the register from taking jobs, by its state or its set-up; null = nothing. */
export function blockOf(
  context: RegisterContext,
  state: DeviceState,
  connected: ConnectedRegister,
  how: Tried,
): Fault | null {
  return lackOfSetUp(context, connected) ?? troubleOf(state, how);
}

export interface Tried {
  /** A person has said that the drive is to be used although its state shows that it is stopped. */
  readonly isDriveTried: boolean;
}

/** Null: the register can work. */
export function troubleOf(state: DeviceState, { isDriveTried }: Tried): Fault | null {
  const { blockedBy, openReceipt } = state;
  if (blockedBy !== null || openReceipt !== null) return blockedBy ?? new Fault("device.receipt-open");
  return isDriveTried ? null : driveStop(state);
}

/** A setting that this register needs and lacks. Without it every order would be refused (exactly-once 10). */
function lackOfSetUp({ settings }: RegisterContext, { identity }: ConnectedRegister): Fault | null {
  const { id, cashier, taxSystem, needsCashier } = settings;
  const missing = (message: FaultText) => new Fault("register.not-set-up", { message, place: `registers.${id}` });
  if (needsCashier && cashier === null) return missing(orderReasons.cashierMissing({ place: id }));
  const several = identity.taxSystems.toString(2).replaceAll("0", "").length > 1;
  return several && taxSystem === null ? missing(orderReasons.taxSystemMissing({ place: id })) : null;
}

/** Whether the register refuses the question itself. Otherwise the register is busy, or a person has to help first. */
export function isRefusal(error: unknown): error is Fault {
  if (!isFault(error) || error.area !== "device" || error.code === "device.printing") return false;
  // The next connect shows whether an unknown error is the register's.
  return error.retry !== "after-help" || error.code === "device.unknown-error";
}
