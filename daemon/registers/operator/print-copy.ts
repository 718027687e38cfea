/** Prints a paper copy of a registered receipt. A copy is no fiscal document, so it needs no recovery. */

import type { PaperCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { RegisterTools } from "../connected-register.js";
import type { DocumentPlace } from "../job-recorder.js";
import type { RegisterSnapshot } from "../register-snapshot.js";

/** `last-only`: the model copies only its last document, and the receipt is an earlier one. */
export type CopyObstacle = "away" | "other-drive" | "no-copies" | "last-only";

/** Judges by the register's last state. Null: the register prints a copy. */
export function findCopyObstacle(register: RegisterSnapshot, document: DocumentPlace): CopyObstacle | null {
  const { capabilities, isConnected, state } = register;
  return isConnected && state !== null ? obstacleOf(capabilities?.paper?.copies, state, document) : "away";
}

/** Call this in the register's turn. Throws `device.no-copy`, or the fault that keeps the register from printing. */
export async function printCopy({ context, signal }: RegisterTools, document: DocumentPlace): Promise<void> {
  const { driver, settings } = context;
  const { copies } = driver.capabilities.paper ?? {};
  const state = await driver.readState(signal);
  if (driver.printCopy === undefined || obstacleOf(copies, state, document) !== null) {
    const { copiesLast, copiesNone } = operatorReasons;
    const message = (copies === "last" ? copiesLast : copiesNone)({ register: settings.title, fd: state.lastFd });
    throw new Fault("device.no-copy", { message, place: settings.id });
  }
  // The maker's print service would keep the copy in its queue, before the receipts.
  if (state.blockedBy !== null) throw state.blockedBy;
  await driver.printCopy(document.fd, signal);
}

function obstacleOf(
  copies: PaperCapabilities["copies"],
  { fn, lastFd }: { readonly fn: FnSerial; readonly lastFd: number },
  document: DocumentPlace,
): CopyObstacle | null {
  if (fn !== document.fn) return "other-drive";
  if (copies === undefined) return "no-copies";
  return copies === "any" || lastFd === document.fd ? null : "last-only";
}
