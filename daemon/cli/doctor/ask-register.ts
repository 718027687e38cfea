/** Asks a register directly, while no daemon runs. Nothing is printed or written on it. */
import { createDriver } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { RegisterConfig, RegisterFacts } from "./check-register.js";

const nothingRead = { paper: null, unsent: null, drive: null, clock: null, settings: [] };

/** An emulated register is not started for it. */
export async function askRegister(
  register: RegisterConfig,
  timeoutMs: number,
  stopSignal: AbortSignal,
): Promise<RegisterFacts> {
  const { id, driver: name, connection, options } = register;
  const base = { id, fault: null, identity: null, ...nothingRead };
  if (connection.kind === "emulator") return { ...base, phase: "unknown" };
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stopSignal, limit]);
  const parts = { driver: name, connection, options, logger: silentLogger, clock: systemClock, random: Math.random };
  try {
    const { driver, stop } = await createDriver(parts);
    try {
      const identity = await driver.connect(signal);
      const state = await driver.readState(signal);
      const settings = (await driver.readSettings?.(signal)) ?? [];
      return {
        id,
        phase: "ready",
        fault: null,
        identity,
        paper: state.paper,
        coverOpen: state.coverOpen,
        unsent: state.unsent,
        drive: { daysLeft: state.fnDaysLeft, documentsLeft: state.fnDocumentsLeft, warnings: state.fnWarnings },
        clock: state.clock,
        settings: settings.map((setting) => ({ ...setting, right: [...setting.right] })),
      };
    } finally {
      await stop();
    }
  } catch (error) {
    if (stopSignal.aborted) throw error;
    const { code, message, text, hint } = limit.aborted ? new Fault("link.timeout") : toFault(error, "internal");
    return { ...base, phase: "offline", fault: { code, message, text, hint } };
  }
}
