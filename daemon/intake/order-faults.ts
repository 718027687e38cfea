/** Why an order that could be read is not accepted. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId } from "@fiscald/shared/ids.js";

/**
 * The order names a number that no register of its site is known to have. `unseen`: a register whose number is not known yet;
 * null = all are known. A site is polled for a register only after that register was identified.
 */
export function unknownKkm(kkm: Kkm | null, unseen: RegisterId | null): Fault {
  if (unseen === null) {
    const message = `no register with kkm ${kkm} is configured for this site`;
    return new Fault("register.unknown-kkm", { message, place: "kkm" });
  }
  const message = `kkm ${kkm} is not known: it may be the one of ${unseen}, which was never connected so far`;
  return new Fault("register.offline", { message, place: "kkm" });
}

export function siteRefusal(read: { readonly resultCode: number; readonly resultInfo: string }): Fault {
  const message = `the site answered resultCode ${read.resultCode}: ${read.resultInfo}`;
  return new Fault("site.bad-answer", { message });
}

/** The order itself is wrong, whatever the daemon did with it: the report goes to the developers' address too. */
export function isMistakeOfSite({ area, code }: Fault): boolean {
  return area === "order" || code === "register.unknown-kkm" || code === "device.tax-unknown";
}
