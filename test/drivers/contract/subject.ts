import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { DeviceEmulator } from "@fiscald/emulators/device/device-emulator.js";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";

export interface ContractSubject {
  openRegister(options: { readonly clock: Clock }): EmulatedRegister;
  createDriver(options: {
    readonly openTransport: TransportFactory;
    readonly clock: Clock;
    readonly logger: Logger;
  }): FiscalDriver;
  /** A text in the register's characters. Absent: unchanged. */
  readonly spell?: (text: string) => string;
  /** True: the register has no code page. */
  readonly holdsAnyLetter?: boolean;
}

/** The fake device: its fiscal memory is the truth for every test. */
export interface EmulatedRegister {
  readonly core: FiscalCore;
  readonly device: DeviceEmulator;
  /** `struck`: how often the fault has acted so far. */
  addFault(fault: FaultInput): { readonly struck: number };
  clearFaults(): void;
  close(): void;
}
