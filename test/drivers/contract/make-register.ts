import { DeviceEmulator } from "@fiscald/emulators/device/device-emulator.js";
import type { EmulatedModel } from "@fiscald/emulators/device/emulated-model.js";
import { FaultList } from "@fiscald/emulators/faults/fault-list.js";
import { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import { makeRegistration, type Registration } from "@fiscald/emulators/memory/registration.js";
import { memoryStore } from "@fiscald/emulators/memory/state-file.js";
import { Tape } from "@fiscald/emulators/paper/tape.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { EmulatedRegister } from "./subject.js";

export interface RegisterOptions {
  readonly clock: Clock;
  readonly model: EmulatedModel;
  readonly ffd?: Registration["ffd"];
  /** Bits of tag 1062. */
  readonly taxSystems?: number;
  readonly timing?: "instant" | "realistic";
}

export function makeRegister({ clock, model, ffd, taxSystems, timing = "instant" }: RegisterOptions): EmulatedRegister {
  const { taxes, paymentNames, columns, createProtocol } = model;
  const { registration, fn } = makeRegistration({ taxes, paymentNames, ffd, taxSystems });
  const msPerRow = timing === "realistic" ? 20 : 0;
  const core = new FiscalCore({ registration, fn, store: memoryStore(), clock, tape: new Tape(columns), msPerRow });
  const makerProtocol = createProtocol(core);
  const device = new DeviceEmulator({ makerProtocol, clock, timing });
  const faults = new FaultList({ device, makerProtocol, printer: core.printer, core });
  return {
    core,
    device,
    addFault(fault) {
      const id = faults.add(fault);
      return {
        get struck() {
          return faults.list().find((status) => status.id === id)?.struck ?? 0;
        },
      };
    },
    clearFaults: () => faults.clear(),
    close() {
      device.close();
      core.close();
    },
  };
}
