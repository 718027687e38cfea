/** Continues a print whose document is in the drive: 31 in state 8, 21 with flag 8 (reference, sections 4 and 12). */
import { UNNAMED_CASHIER } from "./compile/compiler-setup.js";
import { commands } from "./protocol/commands.js";
import { CLOSED_IN_DRIVE, type Conversation } from "./protocol/conversation.js";
import { isPrintUnfinished } from "./read/read-state.js";

/** Does nothing when no print waits. Fault `device.paper-out` and its like while the printer is not ready. */
export async function finishPrint(talk: Conversation, signal: AbortSignal): Promise<void> {
  const status = await talk.status(signal);
  if (!isPrintUnfinished(status)) return;
  if (!status.started) await talk.startWork(null, signal);
  // The fiscal part of the receipt is in the drive already.
  const closing = { cutFlag: 0, contact: "", flags: 0, place: "", requisite: null };
  if (status.document.state === CLOSED_IN_DRIVE) await talk.send(commands.closeDocument.encode(closing), signal);
  if (status.closingUnfinished) await talk.send(commands.closeShift.encode({ operator: UNNAMED_CASHIER }), signal);
}
