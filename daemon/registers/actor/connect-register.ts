import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import { commitWithRetry } from "../commit-with-retry.js";
import { type ConnectedRegister, knownShiftOf } from "../connected-register.js";
import { foreignIdentity } from "../foreign-identity.js";
import type { RegisterContext } from "../register-context.js";
import { findRenamed } from "./rename-register.js";

/**
 * Opens the connection, identifies the device and reads its tables. Rejects with the fault that prevented it; a
 * `register.*` one says that it is another device than the one on record, or on record under another id.
 */
export async function connectRegister(context: RegisterContext, signal: AbortSignal): Promise<ConnectedRegister> {
  const { driver, log, stores, settings } = context;
  const identity = await driver.connect(signal, knownShiftOf(stores.registers.find(settings.id)));
  const foreign = findForeignIdentity(context, identity) ?? findRenamed(context, identity);
  if (foreign !== null) throw foreign;
  context.onIdentified?.();
  const tables = await driver.readTables(signal);
  log.info("connected", { kkm: identity.kkm, device: identity.model, fn: identity.fn });
  return { identity, tables, capabilities: driver.capabilities };
}

/**
 * Fault when the device is not the one that the config or the record names, or when another register of the config
 * has it; null = it is the right one. A new drive in the same device is allowed.
 */
function findForeignIdentity(
  { settings, stores, claimKkm }: Pick<RegisterContext, "settings" | "stores" | "claimKkm">,
  { kkm, inn }: Identity,
): Fault | null {
  const known = stores.registers.find(settings.id)?.identity;
  const expectedKkm = settings.expectKkm ?? known?.kkm ?? kkm;
  const expectedInn = known?.inn ?? inn;
  if (kkm !== expectedKkm || inn !== expectedInn) {
    return foreignIdentity(settings.id, { kkm, inn }, { kkm: expectedKkm, inn: expectedInn });
  }
  const holder = claimKkm(kkm);
  if (holder === null) return null;
  const message = `found kkm ${kkm}, which is the one of ${holder}`;
  return new Fault("register.foreign-identity", { message, place: settings.id });
}

/** Deletes the record of the register: the operator accepts the present device. */
export function forgetIdentity(
  { stores, settings, clock }: Pick<RegisterContext, "stores" | "settings" | "clock">,
  reason: string,
): void {
  stores.jobs.transaction(() => {
    stores.registers.forget(settings.id);
    stores.documents.accept(settings.id);
    const what = "identity accepted";
    stores.journal.add({ at: clock.now(), actor: "operator", what, register: settings.id, details: { reason } });
  });
}

/**
 * Records that the register answers (null) or why it does not, together with the event for its sites. `identity`: as it
 * introduced itself, which comes before anything is on record of it.
 */
export async function recordConnection(
  context: RegisterContext,
  goneBy: Fault | null,
  identity: Identity | null,
): Promise<void> {
  const { stores, settings, facts, clock, log } = context;
  const connected = goneBy === null;
  await commitWithRetry(context, () =>
    stores.jobs.transaction(() => {
      const at = clock.now();
      stores.registers.saveConnected(settings.id, connected, at);
      if (connected) facts.connected(settings.id, identity);
      else facts.disconnected(settings.id, identity);
      const details = connected ? {} : { code: goneBy.code, reason: goneBy.message };
      const what = connected ? "connected" : "disconnected";
      stores.journal.add({ at, actor: "daemon", what, register: settings.id, details });
    }),
  );
  if (!connected) log.warn("disconnected", { fault: goneBy });
}
