/**
 * Settles a doubt (design.md 7.5): the program began, its outcome is not known, the fence was passed, the register was
 * read. Pure. The fiscal memory decides; clocks and error codes decide nothing.
 *
 *   receipt      one document with our mark, or without marks one equal document: printed. None possible: not printed.
 *                An equal one without the mark that ours has: a person may have closed ours with another program.
 *   shift-close  the journalled shift is open no longer, and a document tells of it: printed. It still is: not printed.
 *   shift-open   done or not, the next try sees it: not printed.
 *   drawer       the counter moved by exactly our sum, and nobody else was at work: printed. Not moved: not printed.
 *   none         it may simply be done again: not printed.
 *   Everything else stays unsure.
 *
 * What a maker's service says of the run by its name comes second: what it has carried out is printed, or unsure where that
 * cannot be placed; what it may still carry out is unsure. Neither is ever not printed.
 */
import type {
  Baseline,
  DeviceState,
  FiscalDocument,
  RequestDocument,
  RequestEnd,
} from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Doubt, DoubtReason } from "../../store/attempt-store.js";
import { countsAsReceipt, type FitQuestion, fitOf } from "./document-fit.js";

export interface DoubtFacts {
  readonly witness: Witness;
  readonly baseline: Baseline;
  readonly receipt: Receipt;
  /** As read after the fence. */
  readonly after: Pick<DeviceState, "fn" | "lastFd" | "shift" | "drawer">;
  /** All documents above the journalled one up to the fence; those that other jobs own are left out. */
  readonly documents: readonly FiscalDocument[];
  /** Those that other jobs own. */
  readonly owned: readonly FiscalDocument[];
  /** The register answered with a document that is another job's: something was registered, whatever is found. */
  readonly answeredWithOwned: boolean;
  /** Another job has closed the journalled shift, whether its document can be read or not. */
  readonly closedByAnother: boolean;
  /** Whether documents of this model and firmware have been read back rightly before. */
  readonly proven: boolean;
  /** Its receipts are built up in steps and stand open until they are closed, by whoever does it; the mark goes last. */
  readonly standsOpen: boolean;
  /** What the maker's service says of the run; null = nobody was asked. */
  readonly request: RequestEnd | null;
  /** The document that the service names is another job's. */
  readonly requestIsOwned: boolean;
  /** That document as the drive shows it, also one from before the run; null = it is not there, or was not read. */
  readonly named: FiscalDocument | null;
}

export type Verdict =
  | { readonly kind: "printed"; readonly document: FiscalDocument | null }
  | { readonly kind: "not-printed" }
  | { readonly kind: "unsure"; readonly doubt: Doubt };

const notPrinted: Verdict = { kind: "not-printed" };

export function settleDoubt(facts: DoubtFacts): Verdict {
  const { witness, request } = facts;
  if (witness.kind === "none" || witness.kind === "shift-open") return notPrinted;
  const verdict = settleByDrive(facts);
  if (verdict.kind === "printed" || request === null) return verdict;
  switch (request.kind) {
    case "ended":
      return verdict;
    case "open":
      return unsure("no-final-status", verdict.kind === "unsure" ? verdict.doubt.candidates : []);
    case "done":
      return settleByService(facts, request.document, verdict);
  }
}

/** The service has carried the run out: where is it? */
function settleByService(facts: DoubtFacts, made: RequestDocument | null, verdict: Verdict): Verdict {
  const { witness, baseline, receipt, requestIsOwned, named } = facts;
  if (witness.kind === "drawer") return { kind: "printed", document: null };
  const candidates = verdict.kind === "unsure" ? verdict.doubt.candidates : [];
  if (made === null || witness.kind !== "receipt" || receipt.kind !== "receipt") return unsure("misplaced", candidates);
  const document = documentOf(made, witness);
  // A service that was stopped tells by the last number alone what it has done, and takes what a person made then for its own.
  const fits = named === null || fitOf(named, { receipt, mark: witness.mark }) !== "other";
  const isOurs = made.fn === baseline.fn && !requestIsOwned && (made.total === null || made.total === witness.total);
  return isOurs && fits ? { kind: "printed", document } : unsure("misplaced", [document, ...candidates]);
}

function documentOf(
  made: RequestDocument,
  { operation, mark, total }: Extract<Witness, { kind: "receipt" }>,
): FiscalDocument {
  const { fd, fiscalSign, time, shift, receiptNumber } = made;
  return {
    ...{ fd, fiscalSign, time, shift, receiptNumber, operation, mark },
    type: "receipt",
    total: made.total ?? total,
    body: "header",
    items: [],
    contact: null,
  };
}

function settleByDrive(facts: DoubtFacts): Verdict {
  const { witness, baseline, after, receipt } = facts;
  if (after.fn !== baseline.fn) return unsure("drive-changed");
  if (after.lastFd < baseline.lastFd) return unsure("no-witness");
  switch (witness.kind) {
    case "receipt":
      return receipt.kind === "receipt" ? settleReceipt(facts, { receipt, mark: witness.mark }) : unsure("no-witness");
    case "shift-close":
      return settleShiftClose(facts);
    case "drawer":
      return settleDrawer(facts, witness);
    default:
      return notPrinted;
  }
}

function settleReceipt(facts: DoubtFacts, question: FitQuestion): Verdict {
  const { documents, owned, answeredWithOwned, proven } = facts;
  const fitting = (fit: ReturnType<typeof fitOf>) => documents.filter((document) => fitOf(document, question) === fit);
  const marked = fitting("marked");
  const taken = owned.filter((document) => answeredWithOwned || fitOf(document, question) === "marked");
  if (taken.length > 0) return unsure("several", [...taken, ...marked]);
  if (marked.length > 0) return theOnly(marked);
  const equal = fitting("equal");
  const possible = fitting("possible");
  if (equal.length > 0) return theOnly([...equal, ...possible]);
  if (possible.length > 0) return unsure("unreadable", possible);
  if (documents.length > 0 && !proven) return unsure("unproven", documents.filter(countsAsReceipt));
  const byHand = facts.standsOpen ? documents.filter((document) => isOursUnmarked(document, question)) : [];
  if (byHand.length > 0) return unsure("unmarked", byHand);
  return notPrinted;
}

/** All of it but the mark: our open receipt, closed by somebody else's program, looks so. */
function isOursUnmarked(document: FiscalDocument, { receipt }: FitQuestion): boolean {
  return document.mark === null && fitOf(document, { receipt, mark: null }) !== "other";
}

function theOnly(documents: readonly FiscalDocument[]): Verdict {
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) return unsure("several", documents);
  // Its numbers are what the site is told: without them nothing true can be said.
  if (document.shift === null || document.time === null) return unsure("unreadable", documents);
  return { kind: "printed", document };
}

function settleShiftClose({ baseline, after, documents, closedByAnother }: DoubtFacts): Verdict {
  // A shift is closed once, and its numbers are told once.
  if (closedByAnother) return unsure("no-witness");
  const { number } = baseline.shift;
  const closing = documents.find(({ type, shift }) => type === "shift-close" && shift === number);
  if (closing !== undefined) return { kind: "printed", document: closing };
  const stillOpen = after.shift.number === number && after.shift.state !== "closed";
  if (stillOpen) return notPrinted;
  // A closing leaves a document: with none, the answer about the shift or the one about the last number is an earlier one.
  const mayCloseIt = ({ type, shift }: FiscalDocument) =>
    type === "unknown" || (type === "shift-close" && shift === null);
  return documents.some(mayCloseIt) ? { kind: "printed", document: null } : unsure("no-witness");
}

function settleDrawer(
  { baseline, after, documents }: DoubtFacts,
  { direction, sum }: Extract<Witness, { kind: "drawer" }>,
): Verdict {
  if (baseline.drawer === null || after.drawer === null) return unsure("no-witness");
  // The counters may begin anew with a shift.
  const wasClosed = baseline.shift.state === "closed";
  const sameShift = after.shift.number === baseline.shift.number && (after.shift.state === "closed") === wasClosed;
  if (!sameShift) return unsure("no-witness");
  const moved = {
    in: after.drawer.cashIn - baseline.drawer.cashIn,
    out: after.drawer.cashOut - baseline.drawer.cashOut,
    cash: after.drawer.cash - baseline.drawer.cash,
  };
  const other = direction === "in" ? "out" : "in";
  if (moved[direction] === 0 && moved[other] === 0) return notPrinted;
  const expectedCash = direction === "in" ? sum : -sum;
  const onlyOurs = moved[direction] === sum && moved[other] === 0 && moved.cash === expectedCash;
  // A document in between says that somebody else was at this register meanwhile.
  return onlyOurs && documents.length === 0 ? { kind: "printed", document: null } : unsure("no-witness");
}

function unsure(reason: DoubtReason, candidates: readonly FiscalDocument[] = []): Verdict {
  return { kind: "unsure", doubt: { reason, candidates } };
}
