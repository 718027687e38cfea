import type { DeviceState, DocumentNumbers } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";

/**
 * The state that was read before a document, updated by the document. For the console and for routing: the next job
 * reads the register again.
 */
export function stateAfterDocument(
  state: DeviceState | null,
  { fn, fd, shift, time }: DocumentNumbers,
  witness: Witness["kind"],
): DeviceState | null {
  if (state === null || state.fn !== fn || fd <= state.lastFd) return state;
  const after = { ...state, lastFd: fd };
  if (witness === "shift-open") return { ...after, shift: { number: shift, state: "open" }, shiftOpenedAt: time };
  if (witness === "shift-close") return { ...after, shift: { number: shift, state: "closed" }, shiftOpenedAt: null };
  return after;
}
