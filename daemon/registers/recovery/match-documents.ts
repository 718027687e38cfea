/**
 * The one comparison of fiscal documents with jobs whose outcome is open (exactly-once 5). Pure; the order of documents
 * and claims does not matter. A claim is a job whose outcome is open. It is `sent` when a program of the job began on
 * this drive. It is `queued` when the job waits and may have been printed already, before the database was put back or
 * deleted, or by a program that was thought to be over. "Mark" means the order mark (tag 1086 inside tag 1084,
 * additional user property). "A loss" means that the database was deleted or put back.
 *
 * Which document could be a claim's own:
 *
 *   document                                sent                              queued
 *   no receipt, correction or unknown type  never                             never
 *   another job's                           never                             never
 *   a receipt, and the job is a correction  never, without the job's mark     never, without the job's mark
 *   the job's mark                          yes, wherever it is               yes, wherever it is
 *   the site's issuer, the same order id    never                             after a loss or on a new register, in the
 *                                                                             same direction, for an order that has no
 *                                                                             `receiptId`
 *   an unknown issuer, the same order id    never                             after a loss: by direction and total
 *   any other mark                          never                             never
 *   no mark could be read                   in its window, if what was read   after a loss: by direction and total;
 *                                           agrees                            after a crash, or late: if what was read
 *                                                                             agrees
 *   no mark, and the order has a tag 1084   in its window, if it agrees       the same
 *   of its own
 *   none, sent with a mark                  in its window, if it agrees and   late: never, if it was read in full
 *                                           the receipt may have been closed
 *                                           before its mark was sent
 *
 * "In its window" means on the claim's drive, above the document before the program, up to the program's fence. "After
 * a loss" means found on a register that could have printed the job, until a person accepts that register. "After a
 * crash" means the same when the database knows of no loss but may be an older copy that was put back unnoticed
 * (sweep-record.ts). "Late" means above the document before an earlier program of the job that was proven not printed,
 * because a program carried out behind the fence leaves no other trace. Documents up to the last one at which
 * the operator said "not printed" or "print anyway" are never the claim's own, unless they carry its mark and do not
 * contradict it.
 *
 * The result of a claim, decided in the order of the letters:
 *
 *   a  one document with the job's mark, and nothing in it contradicts         certain
 *      two documents with the job's mark, or one that contradicts              ambiguous
 *      the numbers of the document with the mark cannot be read                unreadable
 *      the maker's service names a document, and nothing in it contradicts     certain
 *   b  sent without a mark, one equal document in its window, no other claim   certain
 *      could own it, no other program's receipt in that shift
 *   c  sent, nothing could be its own, the drive is the same one and counts    none
 *      on, no other job's document was the answer, the service has ended, and
 *      reading is proven or its window holds no document without a job
 *   d  queued, nothing could be its own                                        none
 *   e  the service may still carry it out                                      in progress
 *      something that could be its own was not read in full, or reading is     unreadable
 *      not proven
 *      the drive is gone or counts backwards, or the answer was another        no evidence
 *      job's document
 *      anything else                                                           ambiguous
 */

import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { RequestDocument, RequestEnd } from "@fiscald/drivers/fiscal-driver.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import { documentTypeOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { DoubtReason } from "../../store/attempt-store.js";
import type { IssuerKind } from "../../store/issuers.js";
import type { UnownedDocument } from "../../store/unowned-documents.js";
import {
  type Agreement,
  compareDocument,
  contradictsHead,
  couldBeForm,
  countsAsReceipt,
  hasNumbers,
  isSameMark,
  issuerOfOrder,
  markBeside,
} from "./compare-document.js";

export interface FoundDocument extends UnownedDocument {
  readonly owner: number | null;
}

interface ClaimBase {
  readonly job: number;
  readonly receipt: SaleReceipt;
  /** Whether or not the mark was sent; null = the job has none. */
  readonly mark: string | null;
}

export interface SentClaim extends ClaimBase {
  readonly strength: "sent";
  readonly fn: FnSerial;
  /** The last document before the program began. */
  readonly above: number;
  /** The last document when the fence was passed. After the fence no earlier command can still take effect. */
  readonly upTo: number;
  /** The program wrote the order mark. */
  readonly isMarked: boolean;
  /** The order mark is the last step, so a receipt that is closed from outside before that step has none. */
  readonly canLackMark: boolean;
  /** The program's drive is in the register and did not count backwards, and no other job's document was answered. */
  readonly canProveNone: boolean;
  /** Reading back documents of this model was verified (exactly-once 21). */
  readonly isProven: boolean;
  /** What the maker's print service says of the program; null = the service was not asked. */
  readonly task: RequestEnd | null;
}

export interface QueuedClaim extends ClaimBase {
  readonly strength: "queued";
  /** The job matches by its order mark alone, because its attempt is settled on the register that it was sent to. */
  readonly marksOnly: boolean;
  /** The last document before each earlier program of the job. */
  readonly earlier: readonly EarlierProgram[];
  /** The last document of each drive when the operator settled the job as not printed, or had it printed anyway. */
  readonly excluded: readonly Place[];
  couldBeOn(register: RegisterId): boolean;
  kindOfIssuer(issuer: string | null): IssuerKind;
}

export interface Place {
  readonly fn: FnSerial;
  readonly fd: number;
}

export interface EarlierProgram extends Place {
  /** The program wrote the order mark. */
  readonly isMarked: boolean;
}

export type Claim = SentClaim | QueuedClaim;

export type Match =
  | { readonly kind: "certain"; readonly found: FoundDocument }
  | { readonly kind: "none" }
  | { readonly kind: "unsure"; readonly reason: DoubtReason; readonly candidates: readonly FoundDocument[] };

/** Returns one answer for each claim. `documents` holds each document once. */
export function matchDocuments(
  documents: readonly FoundDocument[],
  claims: readonly Claim[],
): ReadonlyMap<Claim, Match> {
  const receipts = documents.filter(({ document }) => countsAsReceipt(document)).toSorted(byPlace);
  const round = new Round(receipts, documents, claims);
  const first = new Map(claims.map((claim) => [claim, round.byMark(claim) ?? round.byService(claim)]));
  settleRivals(first);
  round.close(first);
  const second = new Map(claims.map((claim) => [claim, first.get(claim) ?? round.byContent(claim)]));
  round.close(second);
  return new Map(claims.map((claim) => [claim, second.get(claim) ?? round.remainder(claim)]));
}

/** `own`: order mark and content agree. `marked`: the order mark agrees, but direction or sum does not. */
type Fit = "own" | "marked" | "equal" | "similar" | "unread" | "other";

class Round {
  /** Drive and number of each document that certainly belongs to a claim. */
  private readonly taken = new Set<string>();
  private open: readonly Claim[];

  constructor(
    private readonly receipts: readonly FoundDocument[],
    private readonly documents: readonly FoundDocument[],
    claims: readonly Claim[],
  ) {
    this.open = claims;
  }

  /** Takes the settled documents and claims out of the matching. */
  close(matches: ReadonlyMap<Claim, Match | null>): void {
    for (const match of matches.values()) if (match?.kind === "certain") this.taken.add(placeOf(match.found));
    this.open = this.open.filter((claim) => matches.get(claim)?.kind !== "certain");
  }

  /** Null: no document has the claim's order mark. */
  byMark(claim: Claim): Match | null {
    const marked = this.receipts.filter(
      (found) => hasMarkOf(claim, found.document.mark) && fitOf(claim, found) !== "other",
    );
    const [only, ...others] = marked;
    if (only === undefined) return null;
    const isClear = others.length === 0 && only.owner === null;
    if (isClear && fitOf(claim, only) === "own") return { kind: "certain", found: only };
    return unsure(isClear && fitOf(claim, only) === "unread" ? "unreadable" : "ambiguous", marked);
  }

  /** Null unless the maker's print service reports the program done. */
  byService(claim: Claim): Match | null {
    if (claim.strength !== "sent" || claim.task?.kind !== "done") return null;
    const { document: made } = claim.task;
    const others = this.candidatesOf(claim);
    const named = this.documents.find(({ fn, document }) => fn === made?.fn && document.fd === made.fd);
    if (made === null || named === undefined) return unsure(others.length === 0 ? "no-evidence" : "ambiguous", others);
    // A service that was stopped for a while may report a document that a person made meanwhile.
    const { fd } = named.document;
    const fit = fitOf({ ...claim, above: fd - 1, upTo: fd }, named);
    const isSameTotal = made.total === null || made.total === totalOf(claim.receipt);
    if (named.owner === null && fit !== "other" && fit !== "marked" && isSameTotal) {
      return { kind: "certain", found: withNumbersOf(made, named) };
    }
    return unsure("ambiguous", [named, ...others.filter((other) => other !== named)]);
  }

  /** Null when the content alone does not prove the match. */
  byContent(claim: Claim): Match | null {
    if (claim.strength !== "sent" || claim.isMarked || claim.task?.kind === "open") return null;
    const [only, ...others] = this.candidatesOf(claim);
    if (only === undefined || others.length > 0 || fitOf(claim, only) !== "equal") return null;
    const isWanted = this.open.some((other) => other !== claim && this.couldBe(other, only));
    return isWanted || this.isShiftShared(only) ? null : { kind: "certain", found: only };
  }

  remainder(claim: Claim): Match {
    const candidates = this.candidatesOf(claim);
    if (claim.strength === "sent" && claim.task?.kind === "open") return unsure("in-progress", candidates);
    if (candidates.length > 0) return unsure(reasonOf(claim, candidates), candidates);
    if (claim.strength === "queued") return { kind: "none" };
    if (!claim.canProveNone) return unsure("no-evidence", []);
    const unowned = this.documents.filter((found) => found.owner === null && isInWindow(claim, found));
    if (unowned.length === 0 || claim.isProven) return { kind: "none" };
    return unsure(
      "unreadable",
      unowned.filter(({ document }) => countsAsReceipt(document)),
    );
  }

  private candidatesOf(claim: Claim): FoundDocument[] {
    return this.receipts.filter((found) => this.couldBe(claim, found));
  }

  private couldBe(claim: Claim, found: FoundDocument): boolean {
    return found.owner === null && !this.taken.has(placeOf(found)) && fitOf(claim, found) !== "other";
  }

  /** Whether another program sells on this drive in the shift of this document. */
  private isShiftShared({ fn, document: { fd, shift } }: FoundDocument): boolean {
    return this.receipts.some((other) => {
      const isOfShift = other.fn === fn && other.document.shift === shift && other.document.fd !== fd;
      const isFree = other.owner === null && !this.taken.has(placeOf(other));
      return isOfShift && isFree && !this.open.some((claim) => claim.strength === "sent" && this.couldBe(claim, other));
    });
  }
}

/** Two claims that certainly match the same document become ambiguous. */
function settleRivals(matches: Map<Claim, Match | null>): void {
  const certain = [...matches].flatMap(([claim, match]) => (match?.kind === "certain" ? [{ claim, match }] : []));
  for (const { claim, match } of certain) {
    const rivals = certain.filter((other) => isSamePlace(other.match.found, match.found));
    if (rivals.length > 1) matches.set(claim, unsure("ambiguous", [match.found]));
  }
}

function fitOf(claim: Claim, found: FoundDocument): Fit {
  const { document } = found;
  if (!countsAsReceipt(document)) return "other";
  if (hasMarkOf(claim, document.mark)) {
    const fit = fitOfMarked(document, claim.receipt);
    return fit === "marked" && isExcluded(claim, found) ? "other" : fit;
  }
  if (!couldBeForm(document, claim.receipt)) return "other";
  if (claim.strength === "queued") return isExcluded(claim, found) ? "other" : fitOfQueued(claim, found);
  const isForeign = markBeside(claim.receipt, document) !== null || !isInWindow(claim, found);
  return isForeign ? "other" : fitOfSent(claim, document);
}

/** The order mark is no proof when direction or sum of the document differ. */
function fitOfMarked(document: FiscalDocument, receipt: SaleReceipt): Fit {
  if (document.type !== documentTypeOf(receipt) || contradictsHead(document, receipt)) return "marked";
  return hasNumbers(document) ? "own" : "unread";
}

function fitOfSent({ receipt, isMarked, canLackMark }: SentClaim, document: FiscalDocument): Fit {
  const agreement = compareDocument(document, receipt);
  if (!isMarked || agreement === "unread") return agreement;
  return canLackMark ? atMostSimilar(agreement) : "other";
}

function fitOfQueued(claim: QueuedClaim, found: FoundDocument): Fit {
  const { receipt, marksOnly, kindOfIssuer } = claim;
  if (marksOnly) return "other";
  const { document, foundWhen } = found;
  const mark = markBeside(receipt, document);
  if (mark === null) return isOfLoss(claim, found) ? possible(document) : fitOfUnseen(claim, found);
  const issuer = issuerOfOrder(mark, receipt);
  if (issuer === undefined) return "other";
  switch (kindOfIssuer(issuer)) {
    case "own": {
      // Before the kit handed out the `receiptId`, it looked for an earlier receipt of the order.
      const isSameDirection = document.operation === null || document.operation === receipt.operation;
      return foundWhen !== "running" && receipt.receiptId === null && isSameDirection ? "similar" : "other";
    }
    case "unknown":
      return isOfLoss(claim, found) ? possible(document) : "other";
    case "another-site":
      return "other";
  }
}

/** After a lost database, direction and total make a document possible, and only the job's own order mark proves it. */
function isOfLoss({ receipt, couldBeOn }: QueuedClaim, { register, document, foundWhen }: FoundDocument): boolean {
  return foundWhen === "afterLoss" && couldBeOn(register) && !contradictsHead(document, receipt);
}

function possible({ body }: FiscalDocument): Fit {
  return body === "full" ? "similar" : "unread";
}

/**
 * How a document fits that a later state of a database put back unnoticed may have printed, or an earlier program of
 * the job late. Equal content makes such a document possible.
 */
function fitOfUnseen(
  { receipt, earlier, couldBeOn }: QueuedClaim,
  { fn, register, document, foundWhen }: FoundDocument,
): Fit {
  const agreement = atMostSimilar(compareDocument(document, receipt));
  if (foundWhen === "afterCrash" && couldBeOn(register)) return agreement;
  // A program that wrote the order mark leaves the mark on a late document, if it can be read there.
  const mayBeLate = earlier.some(
    (place) => place.fn === fn && document.fd > place.fd && (!place.isMarked || agreement === "unread"),
  );
  return mayBeLate ? agreement : "other";
}

function atMostSimilar(agreement: Agreement): Fit {
  return agreement === "equal" ? "similar" : agreement;
}

function isExcluded(claim: Claim, { fn, document }: FoundDocument): boolean {
  if (claim.strength !== "queued") return false;
  return claim.excluded.some((place) => place.fn === fn && document.fd <= place.fd);
}

function hasMarkOf({ mark, receipt }: Claim, found: string | null): boolean {
  return mark !== null && found !== null && isSameMark(found, mark, receipt);
}

function isInWindow({ fn, above, upTo }: SentClaim, found: FoundDocument): boolean {
  return found.fn === fn && found.document.fd > above && found.document.fd <= upTo;
}

/** `unreadable` when a candidate was not read in full, because a later reading may decide; otherwise `ambiguous`. */
function reasonOf(claim: Claim, candidates: readonly FoundDocument[]): DoubtReason {
  return candidates.some((found) => fitOf(claim, found) === "unread") ? "unreadable" : "ambiguous";
}

function unsure(reason: DoubtReason, candidates: readonly FoundDocument[]): Match {
  return { kind: "unsure", reason, candidates: candidates.toSorted(byPlace) };
}

function placeOf({ fn, document }: FoundDocument): string {
  return `${fn}/${document.fd}`;
}

function isSamePlace(one: FoundDocument, other: FoundDocument): boolean {
  return placeOf(one) === placeOf(other);
}

function byPlace(one: FoundDocument, other: FoundDocument): number {
  return one.fn === other.fn ? one.document.fd - other.document.fd : one.fn < other.fn ? -1 : 1;
}

/** Takes from the print service the numbers that the register does not show. */
function withNumbersOf(
  { fiscalSign, time, shift, receiptNumber }: RequestDocument,
  named: FoundDocument,
): FoundDocument {
  const { document } = named;
  const numbers = {
    fiscalSign: document.fiscalSign || fiscalSign,
    time: document.time ?? time,
    shift: document.shift ?? shift,
    receiptNumber: document.receiptNumber ?? receiptNumber,
  };
  return { ...named, document: { ...document, ...numbers } };
}
