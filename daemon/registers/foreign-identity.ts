import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";

export type FoundIdentity = z.output<typeof identity>;

const identity = z.object({ kkm: z.string(), inn: z.string() });
const details = z.object({ found: identity, expected: identity });

export function foreignIdentity(place: string, found: FoundIdentity, expected: FoundIdentity): Fault {
  const inWords = ({ kkm, inn }: FoundIdentity) => `kkm ${kkm} of taxpayer ${inn}`;
  const message = `found ${inWords(found)}, expected ${inWords(expected)}`;
  return new Fault("register.foreign-identity", { message, place, details: { found, expected } });
}

/** Returns null for another fault, and for a fault that does not name two devices. */
export function foreignDevices(fault: Fault | null): z.output<typeof details> | null {
  if (fault?.code !== "register.foreign-identity") return null;
  return details.safeParse(fault.details).data ?? null;
}

/** Whether `expectKkm` of the config names another number. Nobody can accept such a device on the operator's page. */
export function isRuledOut(found: FoundIdentity | null, expectKkm: string | null): boolean {
  return found !== null && expectKkm !== null && found.kkm !== expectKkm;
}
