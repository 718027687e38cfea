/** Asks a register directly while no daemon runs. Nothing is printed or written on the register. */
import { createDriver } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import type { RegisterConfig } from "../../config/register-schema.js";
import { howSetNow, type SetStores } from "../../console/how-set/set-facts.js";
import { readStateIfAny } from "../stored-state.js";
import type { AnsweredRegister } from "./check-register.js";

/** Before the first start nothing is proven about a register, and no site has heard of it. */
const nothingStored: SetStores = {
  checks: { agreedTags: () => new Set(), open: () => [] },
  outbox: { syncedTaxes: () => [] },
};

/** An emulated register is not asked, because a question would start it. */
export async function askRegister(
  register: RegisterConfig,
  config: Config,
  { timeoutMs, stopSignal }: { readonly timeoutMs: number; readonly stopSignal: AbortSignal },
): Promise<AnsweredRegister> {
  const { id, driver: name, connection, options } = register;
  const base = { id, fault: null, identity: null, state: null, settings: [] };
  if (connection.kind === "emulator") return base;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stopSignal, limit]);
  const parts = { driver: name, connection, options, logger: silentLogger, clock: systemClock, random: Math.random };
  try {
    const { driver, stop } = await createDriver(parts);
    try {
      const identity = await driver.connect(signal);
      const state = await driver.readState(signal);
      const stateAt = Date.now();
      const tables = await driver.readTables(signal);
      const receiptSettings = (await driver.readSettings?.(signal)) ?? [];
      const { capabilities } = driver;
      const known = { settings: register, identity, state, stateAt, tables, receiptSettings, capabilities };
      const rowsOf = (stores: SetStores) => howSetNow(known, config, stores, stateAt);
      return {
        ...{ id, fault: null, identity, state },
        settings: [...(readStateIfAny(config, rowsOf) ?? rowsOf(nothingStored))],
      };
    } finally {
      await stop();
    }
  } catch (error) {
    if (stopSignal.aborted) throw error;
    const { code, message, text, hint } = limit.aborted ? new Fault("link.timeout") : toFault(error, "internal");
    return { ...base, fault: { code, message, text, hint } };
  }
}
