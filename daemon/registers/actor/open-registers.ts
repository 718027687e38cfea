/** Makes a driver for each register of the config, at the USB port remembered for it. None is connected yet. */
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { createDriver, type DriverSetup, driverRows } from "@fiscald/drivers/registry.js";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RegisterConfig } from "../../config/register-schema.js";
import type { MetaStore } from "../../store/database/meta-store.js";
import type { RegisterSettings } from "../register-settings.js";
import { createPortMemory } from "./port-memory.js";
import type { FleetMember } from "./register-fleet.js";

export interface OpenRegistersOptions extends Pick<DriverSetup, "clock" | "random" | "wrapTransport"> {
  readonly registers: readonly RegisterConfig[];
  readonly meta: MetaStore;
  readonly log: Logger;
  readonly driverTimeouts?: Readonly<Record<string, number>> | undefined;
  readonly listPorts?: ListSerialPorts | undefined;
  readonly wrapDriver?: ((driver: FiscalDriver) => FiscalDriver) | undefined;
}

/** As soon as a register is open, the function that closes it is added to `undo`. */
export async function openRegisters(
  { registers, meta, clock, random, log, driverTimeouts, listPorts, wrapTransport, wrapDriver }: OpenRegistersOptions,
  undo: (() => void | Promise<void>)[],
): Promise<readonly FleetMember[]> {
  const opened: FleetMember[] = [];
  for (const register of registers) {
    const { id, connection } = register;
    const memory = connection.kind === "serial" ? createPortMemory(meta, id, connection.path) : null;
    const { driver: own, stop } = await createDriver({
      driver: register.driver,
      // An emulated register has the time zone of its config entry, unless its clock is given another zone.
      connection: connection.kind === "emulator" ? { timeZone: register.timeZone, ...connection } : connection,
      options: register.options,
      logger: log.child({ register: id }, "drivers"),
      clock,
      random,
      portSearch: memory === null ? undefined : { memory, listPorts },
      wrapTransport,
      ...(driverTimeouts === undefined ? {} : { timeouts: driverTimeouts }),
    });
    undo.push(stop);
    const driver = wrapDriver?.(own) ?? own;
    opened.push({ settings: toSettings(register), driver, onIdentified: () => memory?.confirm() });
  }
  return opened;
}

function toSettings({ title, ...register }: RegisterConfig): RegisterSettings {
  return { ...register, title: title ?? register.id, needsCashier: driverRows[register.driver].needsCashier };
}
