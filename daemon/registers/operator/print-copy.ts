/** Prints a paper copy of a registered receipt. A copy is no fiscal document, so it needs no recovery. */

import type { PaperCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { RegisterTools } from "../connected-register.js";
import type { DocumentPlace } from "../job-recorder.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

/** Whether a copy is possible, as far as the last state shows: for the page's button. */
export function canCopy(register: RegisterSnapshot, document: DocumentPlace): boolean {
  const { capabilities, isConnected, state } = register;
  return isConnected && state !== null && reachesBack(capabilities?.paper?.copies, state, document);
}

/** Call it in the register's turn. Throws `device.not-supported`, or what keeps the register from printing. */
export async function printCopy({ context, signal }: RegisterTools, document: DocumentPlace): Promise<void> {
  const { driver, settings } = context;
  const { copies } = driver.capabilities.paper ?? {};
  const state = await driver.readState(signal);
  if (driver.printCopy === undefined || !reachesBack(copies, state, document)) {
    const { copiesLast, copiesNone } = operatorReasons;
    const message = (copies === "last" ? copiesLast : copiesNone)(settings.id, state.lastFd);
    throw new Fault("device.not-supported", { message, place: settings.id });
  }
  // The maker's print service would keep the copy in its queue, before the receipts.
  if (state.blockedBy !== null) throw state.blockedBy;
  await driver.printCopy(document.fd, signal);
}

function reachesBack(
  copies: PaperCapabilities["copies"],
  { fn, lastFd }: { readonly fn: FnSerial; readonly lastFd: number },
  document: DocumentPlace,
): boolean {
  if (fn !== document.fn) return false;
  return copies === "any" || (copies === "last" && lastFd === document.fd);
}
