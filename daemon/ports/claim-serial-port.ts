/** A register's serial port, claimed before it is opened. */
import type { ClaimPort } from "@fiscald/drivers/transport/replug-transport.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { createTaskLane } from "@fiscald/shared/task-lane.js";
import type { PortClaims } from "./port-claims.js";
import { nameOfDevice, serialDevice } from "./port-name.js";

export interface ClaimSerialPortOptions {
  readonly claims: PortClaims;
  readonly register: RegisterId;
  /** Default: this system's. */
  readonly findDevice?: (path: string) => Promise<string>;
}

/**
 * The device that is opened is the one that was claimed, whatever a link to it does meanwhile. Of what is not there the name is
 * claimed and nothing is opened: a device that turns up a moment later may be another daemon's, and the next attempt asks.
 */
export function claimSerialPort({ claims, register, findDevice = serialDevice }: ClaimSerialPortOptions): ClaimPort {
  // The last that is asked for is the one that stays, however long looking for the earlier ones takes.
  const lane = createTaskLane();
  return (path) =>
    lane.add(async () => {
      const device = findDevice(path);
      await claims.claim(register, [nameOfDevice(await device.catch(() => path))]);
      return device;
    });
}
