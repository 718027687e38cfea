/** Compares the daemon's last result for each order with the fiscal memories. */
import { parseWireTime } from "@fiscald/shared/local-time.js";
import { type CampaignOrder, labelOf } from "../plan/orders.js";
import { linkTo } from "../processes/daemon-config.js";
import type { RegisteredDocument } from "../processes/registered-document.js";

export type ReportedResult = Readonly<Record<string, unknown>>;

export const verdictKinds = ["lost", "doubled", "wronglyReported", "unreported", "unsure", "differing"] as const;
export type VerdictKind = (typeof verdictKinds)[number];

/** Keys of orders, by what is wrong. `differing`: the document differs from the order, and nobody was told. */
export interface Verdict extends Readonly<Record<VerdictKind, readonly string[]>> {
  readonly documents: number;
  /** Orders that may stay unsure, and orders that wait behind them. Doubles are still looked for. */
  readonly undecidable: readonly string[];
}

export type Findings = Record<VerdictKind | "undecidable", string[]>;

export function noFindings(): Findings {
  return { lost: [], doubled: [], wronglyReported: [], unreported: [], unsure: [], differing: [], undecidable: [] };
}

/** True: a search may stop. Without a safety net an order that only waits proves no double. */
export function isProof({ lost, doubled, wronglyReported, differing }: Verdict, netOff: string | undefined): boolean {
  return netOff === undefined || lost.length + doubled.length + wronglyReported.length + differing.length > 0;
}

export interface JudgedOrder {
  readonly order: CampaignOrder;
  readonly otherTotals?: readonly number[];
  /** Why nobody can know the outcome. Absent: it must be known. Excuses the result `unknown` only. */
  readonly undecidable?: string | null;
  /** True: an undecidable receipt of the same order precedes this one, so it has no result until a person decides. */
  readonly waits?: boolean;
  /** Other receipts that look equal to the register: the order may be reported with their numbers. */
  readonly twins?: readonly RegisteredDocument[];
  /** True: the result may be lost, so that only the refusal of the order's other content names the document. */
  readonly mayBeToldByRefusal?: boolean;
  /** True: each content may be printed once, because nothing shows that they are one order. */
  readonly eachContent?: boolean;
  /** Issuer in the order marks of the order's site, if it is known. */
  readonly issuer?: string | null;
  /** True: `failed` is a correct result, because the register was set to refuse the order and no document exists. */
  readonly mayFail?: boolean;
}

export interface JudgeOptions {
  readonly orders: readonly JudgedOrder[];
  /** Receipts of the registers' fiscal memories that belong to no other order: the truth. */
  readonly receipts: readonly RegisteredDocument[];
  /** Print results that the site got for an order, oldest first. */
  resultsOf(order: CampaignOrder): readonly ReportedResult[];
}

export function judge({ orders, receipts, resultsOf }: JudgeOptions): Verdict {
  const found = noFindings();
  const documentsOf = assignDocuments({ orders, receipts, resultsOf });
  for (const judged of orders) {
    const own = documentsOf.get(judged) ?? [];
    for (const kind of findingsOf(judged, own, resultsOf(judged.order))) found[kind].push(judged.order.key);
  }
  return { documents: receipts.length, ...found };
}

/**
 * Gives each document to one order. Where several orders sell the same goods, that is the order whose site issued the
 * mark, else the order that was reported with the document's numbers, else an order without a document.
 */
function assignDocuments({
  orders,
  receipts,
  resultsOf,
}: JudgeOptions): Map<JudgedOrder, readonly RegisteredDocument[]> {
  const assigned = new Map<JudgedOrder, readonly RegisteredDocument[]>();
  const documentsOf = (judged: JudgedOrder) => assigned.get(judged) ?? [];
  const lacksOne = (judged: JudgedOrder) => documentsOf(judged).length === 0;
  const isTold = ({ order }: JudgedOrder, document: RegisteredDocument) =>
    resultsOf(order).some((result) => result["outcome"] === "printed" && agrees(result, document));
  for (const document of receipts) {
    const label = labelOf(document);
    const candidates = orders.filter(({ order }) => order.label === label);
    const issuer = issuerOf(document);
    const marked = candidates.filter((judged) => issuer !== null && judged.issuer === issuer);
    const told = candidates.filter((judged) => isTold(judged, document));
    const owner =
      (marked.length === 1 ? marked[0] : undefined) ??
      told.find(lacksOne) ??
      candidates.find(lacksOne) ??
      candidates[0];
    if (owner !== undefined) assigned.set(owner, [...documentsOf(owner), document]);
  }
  return assigned;
}

/** The issuer in an order mark `ORDERID ISSUER.DIGITS`. Null: the document has no order mark. */
export function issuerOf({ orderMark }: Pick<RegisteredDocument, "orderMark">): string | null {
  return / ([0-9a-f]{8})\.[0-9a-f]{8}$/.exec(orderMark ?? "")?.[1] ?? null;
}

function findingsOf(
  judged: JudgedOrder,
  own: readonly RegisteredDocument[],
  results: readonly ReportedResult[],
): (VerdictKind | "undecidable")[] {
  const {
    order,
    otherTotals = [],
    undecidable = null,
    twins = [],
    waits = false,
    mayFail = false,
    mayBeToldByRefusal = false,
  } = judged;
  const findings: (VerdictKind | "undecidable")[] = [];
  // A site that changes an order after the print is told that this content failed: nothing of the printed receipt.
  const refusals = otherTotals.length === 0 ? [] : results.filter((result) => namesOtherContent(result, own));
  const answers = results.filter((result) => !refusals.includes(result));
  const last = answers.at(-1)?.["outcome"] ?? (mayBeToldByRefusal && refusals.length > 0 ? "refused" : undefined);
  const printed = results.filter(({ outcome }) => outcome === "printed");
  const isTaken = (result: ReportedResult) => own.length === 0 && twins.some((twin) => agrees(result, twin));
  if (isDoubled(own, judged.eachContent === true)) findings.push("doubled");
  if (last === undefined) findings.push(waits ? "undecidable" : "unreported");
  if (last === "unknown") findings.push(undecidable === null ? "unsure" : "undecidable");
  const mayBeAbsent =
    last === "unknown" ||
    (last === undefined && waits) ||
    (last === "failed" && mayFail) ||
    (last === "printed" && printed.some(isTaken));
  if (own.length === 0 && !mayBeAbsent) findings.push("lost");
  const totals = [order.totalKopecks, ...otherTotals];
  const isRight = own.every(({ totalKopecks }) => totals.includes(totalKopecks ?? -1));
  const numbersAgree = printed.every((result) => isTaken(result) || own.some((found) => agrees(result, found)));
  // The repeat of a printed order may be answered with another code, but the print itself was reported as a success.
  const wasReported = printed.some(({ resultCode }) => resultCode === 0);
  const isTold = numbersAgree && (last !== "printed" || wasReported);
  const isDenied = last === "failed" && own.length > 0;
  if (!isRight || !isTold || isDenied) findings.push("wronglyReported");
  return findings;
}

function isDoubled(own: readonly RegisteredDocument[], eachContent: boolean): boolean {
  const apart = eachContent ? new Set(own.map(({ totalKopecks }) => totalKopecks)).size : 1;
  return own.length > apart;
}

/** The refusal of a changed order: failed, with the printed document's number only in the message. */
function namesOtherContent(result: ReportedResult, own: readonly RegisteredDocument[]): boolean {
  if (result["outcome"] !== "failed" || result["fdNumber"] !== undefined) return false;
  const named = /с другим содержимым: ФД (\d+) от/.exec(String(result["resultInfo"]));
  return named !== null && own.some(({ fd }) => fd === Number(named[1]));
}

/** Length of "2026-11-20T14:05": some registers answer a closing without the seconds. */
const TO_THE_MINUTE = 16;

export function agrees(result: ReportedResult, document: RegisteredDocument): boolean {
  return (
    result["kkm"] === document.kkm &&
    result["inn"] === document.inn &&
    Number(result["fdNumber"]) === document.fd &&
    Number(result["fpd"]) === Number(document.fiscalSign) &&
    Number(result["receiptNumber"]) === document.receiptNumber &&
    parseWireTime(String(result["dateTime"]))?.slice(0, TO_THE_MINUTE) === document.time.slice(0, TO_THE_MINUTE) &&
    String(result["shiftNumber"]) === String(document.shift) &&
    result["fn"] === document.fn &&
    result["operation"] === operationWord(document) &&
    Math.round(Number(result["total"]) * 100) === document.totalKopecks &&
    Buffer.from(String(result["OFDLink"]), "base64").toString() === linkTo(document)
  );
}

function operationWord({ type, operation }: Pick<RegisteredDocument, "type" | "operation">): string {
  const word = operation === "sale" ? "sell" : "sell_refund";
  return type === "correction" ? `${word}_correction` : word;
}

export function isClean(verdict: Verdict): boolean {
  return verdictKinds.every((kind) => verdict[kind].length === 0);
}
