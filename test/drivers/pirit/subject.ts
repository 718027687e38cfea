import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { type PiritOptions, piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { spell } from "@fiscald/drivers/pirit/protocol/fields.js";
import { preparePirit } from "@fiscald/emulators/pirit/emulator.js";
import { makeRegister } from "../contract/make-register.js";
import type { ContractSubject } from "../contract/subject.js";
import type { ContractWorld } from "../contract/world.js";

export interface PiritSubject {
  readonly unconfirmed?: Readonly<Record<string, string>>;
  readonly options?: Partial<PiritOptions>;
  readonly ffd?: 2 | 4;
}

export function pirit({ unconfirmed = {}, options = {}, ffd = 2 }: PiritSubject = {}): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, ffd, model: preparePirit({ model: null, protocol: null, unconfirmed, wire: "loopback" }) }),
    createDriver: (parts) =>
      createPiritDriver({ ...parts, random: () => 0.5, options: piritOptionsSchema.parse(options) }),
    spell,
  };
}

/** Names of the commands that reach the device from now on. */
export function heard({ register }: ContractWorld): string[] {
  const names: string[] = [];
  register.device.addBehaviour({
    onCommand: ({ names: [code = "", name = code] }) => {
      names.push(name);
      return "pass";
    },
  });
  return names;
}

export function count(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length;
}
