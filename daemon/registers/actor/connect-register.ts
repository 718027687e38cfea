import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { commitWithRetry } from "../commit-with-retry.js";
import { type ConnectedRegister, knownShiftOf } from "../connected-register.js";
import { foreignIdentity } from "../foreign-identity.js";
import type { RegisterContext } from "../register-context.js";
import { findRenamed } from "./rename-register.js";

export async function connectRegister(
  { driver, stores, settings }: RegisterContext,
  signal: AbortSignal,
): Promise<ConnectedRegister> {
  const identity = await driver.connect(signal, knownShiftOf(stores.registers.find(settings.id)));
  const tables = await driver.readTables(signal);
  const read = (await driver.readSettings?.(signal)) ?? [];
  return { identity, tables, capabilities: driver.capabilities, settings: read };
}

/**
 * Null: the device is the right one; a new drive in it is allowed. A wrong device is not the one that the config or the
 * record names, or another register of the config has it (an order would be printed twice), or it is on record under
 * another id.
 */
export function findForeignIdentity(
  context: Pick<RegisterContext, "settings" | "stores" | "fleet">,
  identity: Identity,
): Fault | null {
  const { settings, stores } = context;
  const { kkm, inn } = identity;
  const known = stores.registers.learned(settings.id);
  const expectedKkm = settings.expectKkm ?? known?.kkm ?? kkm;
  const expectedInn = known?.inn ?? inn;
  if (kkm !== expectedKkm || inn !== expectedInn) {
    return foreignIdentity(settings.id, { kkm, inn }, { kkm: expectedKkm, inn: expectedInn });
  }
  const holder = context.fleet.holderOf(kkm);
  if (holder === null) return findRenamed(context, identity);
  const message = orderReasons.kkmOfOther({ kkm, holder });
  return new Fault("register.foreign-identity", { message, place: settings.id });
}

/**
 * Commits the numbers of a device that is new here. Only then a site is asked for the register's orders, because after
 * a restart they would be printed on whatever device is in its place. No other work may run between the comparison of
 * the identity and this commit.
 */
export function learnIdentity(
  { stores, settings, clock }: Pick<RegisterContext, "stores" | "settings" | "clock">,
  identity: Identity,
): void {
  if (stores.registers.learned(settings.id) === null) stores.registers.saveLearned(settings.id, identity, clock.now());
}

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

/** `goneBy` is null when the register answers. `identity` is what the device reported now; it may not be on record. */
export async function recordConnection(
  context: RegisterContext,
  goneBy: Fault | null,
  identity: Identity | null,
): Promise<void> {
  const { stores, settings, events, clock, log } = context;
  const connected = goneBy === null;
  await commitWithRetry(context, () =>
    stores.jobs.transaction(() => {
      const at = clock.now();
      stores.registers.saveConnected(settings.id, connected, at);
      if (connected) events.connected(settings.id, identity);
      else events.disconnected(settings.id, identity);
      const details = connected ? {} : { code: goneBy.code, reason: goneBy.message };
      const what = connected ? "connected" : "disconnected";
      stores.journal.add({ at, actor: "daemon", what, register: settings.id, details });
    }),
  );
  if (!connected) log.warn("disconnected", { fault: goneBy });
}
