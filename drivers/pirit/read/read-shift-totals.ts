/** Totals of a shift: from its counters while it is open, from its Z report afterwards (reference, section 7). */
import { sumKopecks } from "@fiscald/shared/amounts.js";
import type { ShiftTotals } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

/** Null where the register does not report them. */
export async function readShiftTotals(talk: Conversation, signal: AbortSignal): Promise<ShiftTotals | null> {
  const shift = await talk.ask(commands.shift, null, signal);
  return shift.open ? readOpenShift(talk, shift.number, signal) : readLastReport(talk, shift.number, signal);
}

async function readOpenShift(talk: Conversation, shift: number, signal: AbortSignal): Promise<ShiftTotals | null> {
  const sales = await talk.askOptional(commands.saleSums, null, signal);
  const returns = await talk.askOptional(commands.returnSums, null, signal);
  const counts = await talk.askOptional(commands.receiptCounts, null, signal);
  if (sales === null || returns === null) return null;
  return {
    shift,
    sales: sumKopecks(sales),
    returns: sumKopecks(returns),
    saleCount: counts?.sales ?? null,
    returnCount: counts?.returns ?? null,
  };
}

async function readLastReport(talk: Conversation, shift: number, signal: AbortSignal): Promise<ShiftTotals | null> {
  const report = await talk.askOptional(commands.lastReport, null, signal);
  return report === null ? null : { shift, ...report };
}
