/**
 * Opening time and totals of a shift from the document headers of the drive: this maker's money registers count only
 * the first payment types.
 */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { KnownShift, ShiftTotals } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import type { DocumentHeader } from "../protocol/drive-commands.js";

/** A longer shift is not read; 24 hours have 8,640 documents at one receipt in ten seconds. */
const MAX_DOCUMENTS = 10_000;

interface ScannedShift {
  readonly fn: string;
  readonly shift: number;
}

/** Each shift is scanned once, because opening times do not change; a time that the daemon knows is not searched. */
export class ShiftScan {
  private known: (ScannedShift & { readonly openedAt: LocalTime | null }) | null = null;

  know(shift: KnownShift): void {
    this.known = shift;
  }

  async openedAt(
    talk: Conversation,
    { fn, shift, lastFd }: ScannedShift & { readonly lastFd: number },
    signal: AbortSignal,
  ): Promise<LocalTime | null> {
    if (this.known?.shift !== shift || this.known.fn !== fn) {
      const documents = await readShift(talk, { shift, lastFd }, signal);
      this.known = { fn, shift, openedAt: documents?.at(-1)?.time ?? null };
    }
    return this.known.openedAt;
  }
}

/** Totals of the shift that is open or was closed last. Null: a header cannot be read. */
export async function readShiftTotals(talk: Conversation, signal: AbortSignal): Promise<ShiftTotals | null> {
  const { shift } = await talk.ask(commands.shiftParameters, talk.admin, signal);
  const { lastFd } = await talk.ask(commands.fnStatus, talk.admin, signal);
  const documents = await readShift(talk, { shift, lastFd }, signal);
  if (documents === null) return null;
  const receipts = documents.filter((document) => document.type === "receipt");
  const sales = receipts.filter((document) => document.operation === "sale");
  const returns = receipts.filter((document) => document.operation === "return");
  return {
    shift,
    sales: totalOf(sales),
    returns: totalOf(returns),
    saleCount: sales.length,
    returnCount: returns.length,
  };
}

/**
 * Headers from the last document back to the opening of its shift, newest first. Null where a header cannot be read,
 * and at a shift document of another shift: then the opening was missed, and earlier documents belong to earlier
 * shifts.
 */
async function readShift(
  talk: Conversation,
  { shift, lastFd }: { readonly shift: number; readonly lastFd: number },
  signal: AbortSignal,
): Promise<readonly DocumentHeader[] | null> {
  const documents: DocumentHeader[] = [];
  for (let fd = lastFd; fd > Math.max(0, lastFd - MAX_DOCUMENTS); fd -= 1) {
    const header = await talk.askOptional(commands.findDocument, { ...talk.admin, fd }, signal);
    if (header === null || (header.shift !== null && header.shift !== shift)) return null;
    documents.push(header);
    if (header.type === "shift-open") return documents;
  }
  return null;
}

function totalOf(documents: readonly DocumentHeader[]): Kopecks {
  return kopecks(documents.reduce((sum, document) => sum + (document.total ?? 0), 0));
}
