/**
 * Decides whether a program was carried out, by its kind of witness (exactly-once 22). The fiscal memory decides;
 * clocks and error codes decide nothing. Pure. A row of the table is a kind of witness:
 *
 *   receipt      its match with the documents (match-documents.ts)
 *   shift-close  the journalled shift is still open: not printed
 *                the shift was closed before the program, and no document came: not printed
 *                the shift's closing document came: printed, with its numbers
 *                the shift is closed, and a document came that cannot be read: printed, without numbers
 *                the shift is closed, and no document came: unsure, because a closing leaves a document, so the state
 *                before or after was an old answer
 *                another job closed the shift: there is nothing left to close
 *   drawer       a counter moved by exactly our sum, with no other document: printed
 *                no counter moved: not printed if the register refused, or gave no answer and has a counter that is not
 *                0; unsure if it answered that it was done, or if all its counters are 0 and may be dead
 *   shift-open   not printed, because the next try sees whether the shift is open
 *   none         not printed, because the program may be done again
 */

import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { Baseline, DeviceState, RequestEnd } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { faultArea, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt, Doubt, DoubtReason } from "../../store/attempt-store.js";
import type { Match } from "./match-documents.js";

export type Verdict =
  /** `fn` is the drive that holds the document. That drive may be in another register now. */
  | { readonly kind: "printed"; readonly fn: FnSerial; readonly document: FiscalDocument | null }
  | { readonly kind: "not-printed" }
  /** Another job has closed the shift, so this closing must not close the next one. */
  | { readonly kind: "nothing-to-close" }
  | { readonly kind: "unsure"; readonly doubt: Doubt };

export interface WitnessFacts {
  readonly witness: Witness;
  readonly before: Baseline;
  readonly after: Pick<DeviceState, "fn" | "lastFd" | "shift" | "drawer">;
  /** Documents on the drive of `before` above its last document, without the documents of other jobs. */
  readonly documents: readonly FiscalDocument[];
  readonly task: RequestEnd | null;
  /** What stopped the program; null = the daemon's own end. */
  readonly fault: Attempt["fault"];
  /** The receipt's match with the documents; null for other programs. */
  readonly match: Match | null;
  /** Another job has closed the shift that this attempt was to close. */
  readonly isClosedByAnother: boolean;
}

const notPrinted: Verdict = { kind: "not-printed" };

const strategies: Readonly<Record<Witness["kind"], (facts: WitnessFacts) => Verdict>> = {
  receipt: ({ match, before }) => (match === null ? unsure("no-evidence") : verdictOf(match, before)),
  "shift-close": (facts) => unlessServiceSays(facts, settleClosing(facts)),
  drawer: (facts) => unlessServiceSays(facts, settleDrawer(facts)),
  "shift-open": () => notPrinted,
  none: () => notPrinted,
};

export function settleByWitness(facts: WitnessFacts): Verdict {
  return strategies[facts.witness.kind](facts);
}

/** Counts nothing as not done while the maker's print service contradicts: the register may not show it yet. */
function unlessServiceSays({ task }: WitnessFacts, verdict: Verdict): Verdict {
  if (task?.kind === "open" && verdict.kind !== "printed") return unsure("in-progress");
  const isDenied = verdict.kind === "not-printed" || verdict.kind === "nothing-to-close";
  return task?.kind === "done" && isDenied ? unsure("unreadable") : verdict;
}

function isHere({ before, after }: WitnessFacts): boolean {
  return after.fn === before.fn && after.lastFd >= before.lastFd;
}

function settleClosing(facts: WitnessFacts): Verdict {
  const { before, after, documents } = facts;
  const { number } = before.shift;
  // A shift is closed once, and its numbers are reported once.
  if (facts.isClosedByAnother) return { kind: "nothing-to-close" };
  if (!isHere(facts)) return unsure("no-evidence");
  const closing = documents.find(({ type, shift }) => type === "shift-close" && shift === number);
  if (closing !== undefined) return { kind: "printed", fn: before.fn, document: closing };
  const isSameShift = after.shift.number === number;
  // The shift can be closed once more at no risk, or it was closed before the attempt and no document came since.
  if (isSameShift && after.shift.state !== "closed") return notPrinted;
  if (isSameShift && before.shift.state === "closed" && after.lastFd === before.lastFd) return notPrinted;
  const mayCloseIt = documents.some(
    ({ type, shift }) => type === "unknown" || (type === "shift-close" && shift === null),
  );
  return mayCloseIt ? printedWithoutDocument(before) : unsure("unreadable");
}

function settleDrawer(facts: WitnessFacts): Verdict {
  const { witness, before, after, documents, task, fault } = facts;
  if (task?.kind === "done") return printedWithoutDocument(before);
  if (witness.kind !== "drawer" || !isHere(facts) || before.drawer === null || after.drawer === null) {
    return unsure("no-evidence");
  }
  // The counters may start at zero again with each shift.
  const wasClosed = before.shift.state === "closed";
  const isSameShift = after.shift.number === before.shift.number && (after.shift.state === "closed") === wasClosed;
  if (!isSameShift) return unsure("no-evidence");
  const { cash, cashIn, cashOut } = after.drawer;
  const moved = { in: cashIn - before.drawer.cashIn, out: cashOut - before.drawer.cashOut };
  const { direction, sum } = witness;
  // A model may count only the cash in the drawer. Its counters of cash in and cash out then stay 0.
  const countsMoves = cashIn !== 0 || cashOut !== 0;
  if (!countsMoves) moved[direction] = (cash - before.drawer.cash) * (direction === "in" ? 1 : -1);
  if (moved.in === 0 && moved.out === 0) {
    const isLive = (countsMoves || cash !== 0) && fault?.code !== "device.cash-unproven";
    return isLive || isRefusal(fault) ? notPrinted : unsure("no-evidence");
  }
  const isOnlyOurs = moved[direction] === sum && moved[direction === "in" ? "out" : "in"] === 0;
  // A document in between shows that another program used this register meanwhile.
  return isOnlyOurs && documents.length === 0 ? printedWithoutDocument(before) : unsure("no-evidence");
}

/** Whether the register itself said that it did not carry the program out. */
function isRefusal(fault: WitnessFacts["fault"]): boolean {
  return fault !== null && faultArea(fault.code) === "device" && faultCodes[fault.code].retry !== "unsure";
}

function printedWithoutDocument({ fn }: Baseline): Verdict {
  return { kind: "printed", fn, document: null };
}

function verdictOf(match: Match, { fn: sentTo }: Baseline): Verdict {
  switch (match.kind) {
    case "certain":
      return { kind: "printed", fn: match.found.fn, document: match.found.document };
    case "none":
      return notPrinted;
    case "unsure":
      return unsure(
        match.reason,
        match.candidates.flatMap(({ fn, document }) => (fn === sentTo ? document : [])),
      );
  }
}

function unsure(reason: DoubtReason, candidates: readonly FiscalDocument[] = []): Verdict {
  return { kind: "unsure", doubt: { reason, candidates } };
}
