/** Why an order that could be read is not accepted. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Inn } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";

/** What a well-formed receipt cannot be accepted for; null = nothing. `inn`: taxpayer of its register. */
export function orderFault(receipt: Receipt, inn: Inn | null): Fault | null {
  if (receipt.kind !== "receipt") return null;
  if (receipt.cancelledByOrder) return new Fault("job.cancelled-by-order");
  const { expectedInn } = receipt;
  if (expectedInn === null || inn === null || expectedInn === inn) return null;
  const message = `the order is for taxpayer ${expectedInn}, the register belongs to ${inn}`;
  return new Fault("order.wrong-inn", { message, place: "service.inn" });
}

export function siteRefusal(read: { readonly resultCode: number; readonly resultInfo: string }): Fault {
  const message = `the site answered resultCode ${read.resultCode}: ${read.resultInfo}`;
  return new Fault("site.bad-answer", { message });
}

/** The order itself is wrong, whatever was done with it before: the developers' address hears of it too. */
export function isMistakeOfSite({ code }: Fault): boolean {
  return code.startsWith("order.") || code === "register.unknown-kkm";
}
