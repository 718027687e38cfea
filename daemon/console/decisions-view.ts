/** The list of what needs a person's decision, on the operator's page; each entry has its one right next step. */
import { type FaultText, faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type Operation } from "@fiscald/shared/receipt/receipt.js";
import { maskBody, maskText } from "../logging/mask.js";
import { inEveryLanguage } from "../messages/messages.js";
import { describeDifference } from "../registers/describe-difference.js";
import { type FoundIdentity, foreignDevices, isRuledOut } from "../registers/foreign-identity.js";
import { waitingSinceLoss } from "../registers/operator/accept-loss.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { FoundDifference } from "../store/document-checks.js";
import type { Job, JobState } from "../store/job.js";
import type { EventKind } from "../store/outbox-store.js";
import type { ConsoleParts } from "./console-parts.js";
import { type CandidateView, candidateView, isoTime, rouble } from "./views.js";

export interface DecisionsView {
  readonly at: string;
  /** Jobs with an unknown outcome: the order's page asks what became of them. */
  readonly unsure: readonly JobDecision[];
  /** Jobs that wait for a person, who approves them or sets them aside. */
  readonly held: readonly JobDecision[];
  /** Jobs that failed in the last week: a person prints them again or sets them aside, one by one or all at once. */
  readonly failed: readonly JobDecision[];
  /** Answers that could not be read as orders: the site must correct them. */
  readonly unread: readonly UnreadAnswer[];
  /** Registers on whose connection another device answers: a person accepts it, or looks for the right one. */
  readonly foreign: readonly ForeignDevice[];
  /** Registers with documents of a lost database's time that may be waiting orders: a person accepts the register. */
  readonly afterLoss: readonly RegisterAfterLoss[];
  /** Registers with documents that differ from what was sent: a person accepts this, or mends the register. */
  readonly altering: readonly AlteringRegister[];
  /**
   * Orders refused in the last week: the site must correct them; or a person prints them after all or sets them aside.
   */
  readonly declined: readonly JobDecision[];
  /** Results and reports that a site refused: a person sends them again. */
  readonly refused: readonly RefusedEvent[];
}

export interface JobDecision {
  readonly job: number;
  readonly order: string;
  readonly at: string;
  readonly reason: FaultText;
}

export interface ForeignDevice {
  readonly register: string;
  readonly title: string;
  /** What is wrong, in words. */
  readonly reason: FaultText;
  /** The two devices to compare; null: the fault does not name them. */
  readonly devices: { readonly found: FoundIdentity; readonly expected: FoundIdentity } | null;
  /** The config names the expected number (`expectKkm`): the device cannot be accepted on this page. */
  readonly isFixed: boolean;
}

export interface RegisterAfterLoss {
  readonly register: string;
  readonly title: string;
  readonly orders: readonly {
    readonly job: number;
    readonly order: string;
    readonly operation: Operation | null;
    readonly total: string | null;
    /** Names of the receipt's lines. */
    readonly items: readonly string[];
  }[];
  readonly documents: readonly CandidateView[];
}

export interface AlteringRegister {
  readonly register: string;
  readonly title: string;
  readonly differences: readonly (Pick<FoundDifference, "tag" | "sent" | "read"> & { readonly text: FaultText })[];
  /** Receipts wait for the decision. */
  readonly isHolding: boolean;
}

export interface UnreadAnswer {
  readonly site: string;
  readonly at: string;
  readonly reason: FaultText;
  /** The place of the error in the answer, as the site's developer needs it. */
  readonly place: string;
  /** The answer as the site sent it, masked; "" = it was removed after its time. */
  readonly body: string;
}

export interface RefusedEvent {
  readonly event: number;
  readonly site: string;
  readonly kind: EventKind;
  /** The site's own words. */
  readonly reason: string;
}

/** Limit of each list: they are read again at each change, and no call takes more than 100. */
const SHOWN = 50;
const WEEK_MS = 7 * 24 * 60 * 60_000;
const BODY_SHOWN = 2_000;

type DecisionParts = Pick<
  ConsoleParts,
  "jobs" | "attempts" | "documents" | "journal" | "outbox" | "rawOrders" | "checks" | "snapshots" | "siteHealth"
>;

export function decisionsView(parts: DecisionParts, now: number): DecisionsView {
  const { jobs, journal, outbox, rawOrders, checks, snapshots, siteHealth } = parts;
  const since = now - WEEK_MS;
  const differences = checks.open();
  const missing = (state: JobState) => jobs.list({ state, missingSince: since, limit: SHOWN }).map(jobDecision);
  return {
    at: isoTime(now),
    unsure: jobs.list({ state: "unsure", limit: SHOWN }).map(jobDecision),
    held: jobs.list({ state: "held", limit: SHOWN }).map(jobDecision),
    failed: missing("failed"),
    declined: missing("refused"),
    unread: journal.rejectedAnswers(since, SHOWN).map(({ site, at, raw, details }) => ({
      site: site ?? "",
      at: isoTime(at),
      reason: reasonOf(details["code"]),
      place: maskText(String(details["reason"] ?? "")),
      body: maskBody((raw === null ? null : rawOrders.find(raw)?.body) ?? "").slice(0, BODY_SHOWN),
    })),
    foreign: snapshots().flatMap(foreignDevice),
    afterLoss: snapshots().flatMap((snapshot) => registerAfterLoss(parts, snapshot)),
    altering: snapshots().flatMap((snapshot) => alteringRegister(snapshot, differences)),
    refused: siteHealth()
      .flatMap(({ site }) => outbox.list({ site, state: "refused" }, { limit: SHOWN, offset: 0 }))
      .toSorted((one, other) => other.id - one.id)
      .slice(0, SHOWN)
      .map(({ id, site, kind, lastError }) => ({
        ...{ event: id, site, kind },
        reason: lastError === null ? "" : maskText(lastError),
      })),
  };
}

function foreignDevice({ settings, fault }: RegisterSnapshot): readonly ForeignDevice[] {
  if (fault?.code !== "register.foreign-identity") return [];
  const devices = foreignDevices(fault);
  const { id: register, title, expectKkm } = settings;
  const reason =
    devices === null
      ? { en: fault.message, ru: `${fault.text.ru} (${fault.ru ?? fault.message})` }
      : inEveryLanguage(({ foreign }) =>
          foreign({ ...devices.found, expectedKkm: devices.expected.kkm, expectedInn: devices.expected.inn }),
        );
  return [{ register, title, reason, devices, isFixed: isRuledOut(devices?.found ?? null, expectKkm) }];
}

function registerAfterLoss(parts: DecisionParts, { settings }: RegisterSnapshot): readonly RegisterAfterLoss[] {
  const { id: register, title } = settings;
  const { orders, documents } = waitingSinceLoss(parts, register);
  if (orders.length === 0) return [];
  const waiting = orders.slice(0, SHOWN).map(({ id, orderId, operation, total, receipt }) => {
    const items = receipt.kind === "receipt" ? itemsOf(receipt).map(({ name }) => name) : [];
    return { job: id, order: orderId ?? `#${id}`, operation, total: rouble(total), items };
  });
  return [{ register, title, orders: waiting, documents: documents.map(({ document }) => candidateView(document)) }];
}

function alteringRegister(
  { settings: { id: register, title } }: RegisterSnapshot,
  found: readonly FoundDifference[],
): readonly AlteringRegister[] {
  const own = found.filter((difference) => difference.register === register);
  const isHolding = own.some(({ weight }) => weight === "hold");
  const differences = own.map((one) => ({
    tag: one.tag,
    sent: one.sent,
    read: one.read,
    text: describeDifference(one, one.fd),
  }));
  return own.length === 0 ? [] : [{ register, title, differences, isHolding }];
}

function jobDecision({ id, orderId, updatedAt, fault }: Job): JobDecision {
  return { job: id, order: orderId ?? `#${id}`, at: isoTime(updatedAt), reason: reasonOf(fault?.code) };
}

function reasonOf(code: unknown): FaultText {
  return typeof code === "string" && isFaultCode(code) ? faultCodes[code].text : { en: "", ru: "" };
}
