/** A copy on paper of a registered receipt: no fiscal document, so nothing of it is recovered. */

import type { PaperCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { RegisterTools } from "../connected-register.js";
import type { DocumentPlace } from "../job-recorder.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

/** As far as its last state tells: for the button. */
export function canCopy(register: RegisterSnapshot, document: DocumentPlace): boolean {
  const { capabilities, isConnected, state } = register;
  return isConnected && state !== null && reachesBack(capabilities?.paper?.copies, state, document);
}

/** While it is the register's turn. Faults: `device.not-supported`, and what keeps the register from printing. */
export async function printCopy({ context, signal }: RegisterTools, document: DocumentPlace): Promise<void> {
  const { driver, settings } = context;
  const { copies } = driver.capabilities.paper ?? {};
  const state = await driver.readState(signal);
  if (driver.printCopy === undefined || !reachesBack(copies, state, document)) {
    const { copiesLast, copiesNone } = operatorReasons;
    const message = (copies === "last" ? copiesLast : copiesNone)(settings.id, state.lastFd);
    throw new Fault("device.not-supported", { message, place: settings.id });
  }
  // A print service would keep it in its queue, before the receipts.
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
