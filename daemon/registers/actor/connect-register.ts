import type { Fault } from "@fiscald/shared/fault.js";
import { type ConnectedRegister, knownShiftOf } from "../connected-register.js";
import type { RegisterContext } from "../register-context.js";
import { findForeignIdentity } from "./foreign-identity.js";
import { findRenamed } from "./rename-register.js";

export type ConnectEnd =
  | { readonly kind: "connected"; readonly register: ConnectedRegister }
  /** Another device than the one on record, or on record under another id: the connection is closed again. */
  | { readonly kind: "foreign"; readonly fault: Fault };

/** Opens the connection, identifies the device and reads its tables. Rejects with the fault that prevented it. */
export async function connectRegister(context: RegisterContext, signal: AbortSignal): Promise<ConnectEnd> {
  const { driver, log, stores, settings } = context;
  const identity = await driver.connect(signal, knownShiftOf(stores.registers.find(settings.id)));
  const foreign = findForeignIdentity(context, identity) ?? findRenamed(context, identity);
  if (foreign !== null) {
    await driver.close();
    return { kind: "foreign", fault: foreign };
  }
  context.onIdentified?.();
  const tables = await driver.readTables(signal);
  log.info("connected", { kkm: identity.kkm, device: identity.model, fn: identity.fn });
  return { kind: "connected", register: { identity, tables, capabilities: driver.capabilities } };
}
