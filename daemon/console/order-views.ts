import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { casesOf } from "../corrections/repairs.js";
import { returnJobsAfter, returnsAfter } from "../intake/operator-return.js";
import { positionsLeft } from "../intake/return-receipt.js";
import { maskText } from "../logging/mask.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";
import { jobLabel } from "../registers/job-label.js";
import { mayBeCorrected, paidDay } from "../registers/operator/as-correction.js";
import { findCopyObstacle } from "../registers/operator/print-copy.js";
import { answerOfSite, placeOfRefused } from "../registers/operator/refused-order.js";
import { findMoveObstacle } from "../registers/printing/move-obstacle.js";
import { candidateDocuments } from "../registers/recovery/candidates.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { Job, JobState } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import {
  isPrintedAfterAll,
  isSetAside,
  jobBefore,
  questionOf,
  ratesReadIn,
  repairOf,
  SET_ASIDE,
} from "../store/journal.js";
import { linkForBuyer } from "./buyers-receipt.js";
import type { ConsoleParts } from "./console-parts.js";
import { zoneOf } from "./day/day-receipts.js";
import { dayIn, findJobs } from "./find-orders.js";
import { detailOf } from "./job-story.js";
import type { Tone } from "./now-view.js";
import { beginningsIn, pageCause, whyJob, whyOrder } from "./troubles/find-troubles.js";
import { type Titles, titlesOf } from "./troubles/found.js";
import { type PresentParts, presentFacts } from "./troubles/gather-facts.js";
import { mayHelp } from "./troubles/order-troubles.js";
import { candidateView, isoTime, rouble } from "./views.js";

export type OrderRow = ReturnType<typeof orderRow>;
export type OrderPage = ReturnType<typeof orderPage>;
export type OrderStory = ReturnType<typeof orderStory>;

export type OrderAction =
  | "approve"
  | "as-correction"
  | "print-anyway"
  | "same-receipt"
  | "retry"
  | "set-aside"
  | "cancel"
  | "resolve"
  | "copy";

const PAGE_SIZE = 30;

/** `search`: an order's id, a document's number, a sum (1990,00) or a day (25.11.2026); empty: all orders. */
export function orderPage(
  parts: PresentParts & Pick<ConsoleParts, "rawOrders" | "outbox" | "troubles">,
  { search, page }: { readonly search: string; readonly page: number },
) {
  const { jobs, clock } = parts;
  const snapshots = parts.snapshots();
  const window = { limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE };
  const titles = titlesOf(snapshots);
  const found = search === "" ? jobs.list(window) : findJobs(search, { jobs, snapshots }, window);
  const isUnknown = found.length === 0 && page === 1 && search !== "" && dayIn(search, zoneOf(snapshots)) === null;
  return {
    at: isoTime(clock.now()),
    page,
    orders: found.slice(0, PAGE_SIZE).map((job) => orderRow(job, titles, parts)),
    hasMore: found.length > PAGE_SIZE,
    /** Why the order with this id is not printed, when the search has found no job; otherwise empty. */
    why: isUnknown ? whyOrder(search, parts, presentFacts(parts), beginningsIn(parts)).map(pageCause) : [],
  };
}

export function orderStory(job: Job, parts: PresentParts & Pick<ConsoleParts, "troubles" | "outbox" | "documents">) {
  const titles = titlesOf(parts.snapshots());
  return {
    at: isoTime(parts.clock.now()),
    row: orderRow(job, titles, parts),
    /** Empty: the job is printed. */
    why: whyJob(job, presentFacts(parts), beginningsIn(parts)).map((cause) => ({
      ...pageCause(cause),
      ...setAsideWords(job, parts),
    })),
    entries: parts.journal.ofJob(job.id).map((entry) => ({
      at: isoTime(entry.at),
      text: inEveryLanguage((messages) => journalWords(entry.what, messages)),
      ...detailOf(entry),
    })),
    deliveries: parts.outbox.ofJob(job.id).map(({ id, kind, state, tries }) => ({ event: id, kind, state, tries })),
    /** These documents made the job unsure. They are shown as they were read last. */
    candidates:
      job.state === "unsure" ? candidateDocuments(parts, job).map(({ document }) => candidateView(document)) : [],
    actions: actionsFor(job, parts),
    /** Registers that may print the job instead of its own register. */
    movesTo: job.state === "queued" ? movesTo(job, parts.snapshots()) : [],
    hasPaper: job.receipt.kind === "receipt",
    /** The day on which the order was paid, as `2026-07-14`; null: the order does not say. */
    paidOn: paidDay(job, parts.snapshots(), parts.clock.now()),
    /** The ways in which a person may have this receipt put right; empty: there is none. */
    cases: isPrintedAfterAll(parts.journal, job) ? [] : casesOf(job),
    /** The repair that has this receipt as its wrong, missed or right receipt; null: there is none. */
    repair: repairRows(job, parts, titles),
    forBuyer: forBuyer(job, parts.snapshots()),
  };
}

/** These words replace the advice when a person has set the order aside. */
function setAsideWords(job: Job, { journal }: Pick<ConsoleParts, "journal">) {
  if (!isSetAside(journal, job)) return {};
  const { reason } = journal.ofJob(job.id).findLast(({ what }) => what === SET_ASIDE)?.details ?? {};
  const text = inEveryLanguage(({ page }) => page.setAside({ reason: maskText(String(reason ?? "")) }));
  return { text, next: { en: "", ru: "" } };
}

function repairRows(job: Job, parts: Pick<ConsoleParts, "journal" | "jobs" | "siteHealth">, titles: Titles) {
  const repair = repairOf(parts.journal, job);
  if (repair === null) return null;
  const ids = [...(repair.of === null ? [] : [repair.of]), ...repair.jobs];
  return { reason: maskText(repair.reason), rows: ids.map((id) => orderRow(parts.jobs.get(id), titles, parts)) };
}

function actionsFor(job: Job, parts: Pick<ConsoleParts, "snapshots" | "journal" | "jobs">): readonly OrderAction[] {
  const snapshots = parts.snapshots();
  const before = jobBefore(parts.journal, job);
  const isUnprintedBefore = before !== null && parts.jobs.get(before).state !== "printed";
  const isRuledOut = (action: OrderAction) =>
    ((action === "approve" || action === "print-anyway") && isUnprintedBefore) ||
    (action === "retry" && job.state === "cancelled" && (before === null || isUnprintedBefore)) ||
    (action === "retry" && job.state === "refused" && !mayBePrinted(job, parts)) ||
    // A correction has the same lines as the receipt, so it fails for the same cause.
    ((action === "retry" || action === "as-correction") &&
      job.state === "failed" &&
      !mayHelp(job.fault?.code ?? "internal")) ||
    (action === "as-correction" &&
      (!mayBeCorrected(job) ||
        before !== null ||
        isPrintedAfterAll(parts.journal, job) ||
        (job.state === "refused" && !mayBePrinted(job, parts)))) ||
    (action === "set-aside" && isSetAside(parts.journal, job));
  const possible = ofState[job.state].actions.filter((action) => !isRuledOut(action));
  const isCopied = forBuyer(job, snapshots)?.noCopy === null;
  return [...answersTo(job, parts), ...possible, ...(isCopied ? (["copy"] as const) : [])];
}

/** A person may be asked whether a refused order is a further receipt. */
function answersTo(job: Job, parts: Pick<ConsoleParts, "journal" | "jobs">): readonly OrderAction[] {
  const question = job.state === "refused" ? questionOf(parts.journal, job) : null;
  if (question === null || answerOfSite(job, parts) !== undefined) return [];
  const maySame = question.asks === "return-again" && !isSetAside(parts.journal, job);
  return maySame ? ["print-anyway", "same-receipt"] : ["print-anyway"];
}

function mayBePrinted(job: Job, parts: Pick<ConsoleParts, "snapshots" | "journal" | "jobs">): boolean {
  try {
    placeOfRefused(job, parts.snapshots(), parts);
    return job.fault?.code !== "job.already-printed";
  } catch {
    return false;
  }
}

/** Null: no receipt is printed. */
function forBuyer(job: Job, snapshots: readonly RegisterSnapshot[]) {
  const { kind, document } = job;
  if (kind !== "receipt" || document === null) return null;
  const register = snapshots.find(({ identity }) => identity?.fn === document.fn);
  const obstacle = register === undefined ? "other-drive" : findCopyObstacle(register, document);
  return {
    /** The receipt's page at the OFD; null: the config names no OFD for the register. */
    link: linkForBuyer(job, snapshots),
    /** Null: a button prints a copy on paper. */
    noCopy: obstacle === null ? null : inEveryLanguage(({ page }) => page.copyObstacles[obstacle]),
  };
}

function movesTo(job: Job, snapshots: readonly RegisterSnapshot[]) {
  const from = snapshots.find(({ settings }) => settings.id === job.register);
  if (from === undefined) return [];
  return snapshots
    .filter((to) => to !== from && findMoveObstacle({ job, from, to }) === null)
    .map(({ settings: { id, title } }) => ({ register: id, title }));
}

function journalWords(what: string, { journal }: Messages): string {
  const known: Readonly<Record<string, string>> = journal;
  return Object.hasOwn(known, what) ? (known[what] ?? what) : what;
}

const ofState: Readonly<Record<JobState, { readonly tone: Tone; readonly actions: readonly OrderAction[] }>> = {
  queued: { tone: "grey", actions: ["cancel"] },
  held: { tone: "red", actions: ["approve", "as-correction", "set-aside"] },
  printing: { tone: "grey", actions: [] },
  unsure: { tone: "red", actions: ["resolve"] },
  printed: { tone: "green", actions: [] },
  failed: { tone: "red", actions: ["retry", "as-correction", "set-aside"] },
  refused: { tone: "yellow", actions: ["retry", "as-correction", "set-aside"] },
  // A cancelled job can be retried only as the second document of a pair whose first document is printed.
  cancelled: { tone: "grey", actions: ["retry"] },
};

function orderRow(job: Job, titles: Titles, stores: OrderStores) {
  return {
    job: job.id,
    order: job.orderId ?? "",
    /** Such as `sale`, `return` or `z-report`. */
    what: jobLabel(job),
    total: rouble(job.total),
    register: titles.get(job.register) ?? job.register,
    /** Null: there is one site only, or no site. */
    site: stores.siteHealth().length < 2 ? null : job.site,
    state: inEveryLanguage(({ page }) => page.jobStates[job.state]),
    tone: ofState[job.state].tone,
    /** What was done about the printed sale later, such as a return or a repair; null: nothing. */
    since: sinceThen(job, stores) ?? alteredRate(job, stores),
    fd: job.document?.fd ?? null,
    at: isoTime(job.createdAt),
  };
}

type OrderStores = Pick<ConsoleParts, "journal" | "siteHealth"> & {
  readonly jobs: Pick<JobStore, "findByOrder" | "get">;
};

/** Shown when the register registered other rates than it was sent, and nothing was done about that. */
function alteredRate({ id }: Job, { journal }: OrderStores): FaultText | null {
  return ratesReadIn(journal.ofJob(id)) === null ? null : inEveryLanguage(({ page }) => page.sinceThen.otherVat);
}

function sinceThen(job: Job, stores: OrderStores): FaultText | null {
  const { id, site, receipt, state } = job;
  if (receipt.kind !== "receipt" || receipt.operation !== "sale") return null;
  const repair = repairOf(stores.journal, job);
  if (repair?.of === id && (repair.case === "wrong" || repair.case === "missed")) {
    const [first, second = first] = repair.jobs.map((one) => stores.jobs.get(one).state);
    const isHalfDone = first === "printed" && (second === "cancelled" || second === "failed");
    // When a person has set the repair aside, the sale counts as one without a repair.
    if (isHalfDone || (first !== "cancelled" && second !== "cancelled")) {
      const word = second === "printed" ? "putRight" : isHalfDone ? "halfPutRight" : "beingPutRight";
      return inEveryLanguage(({ page }) => page.sinceThen[word]);
    }
  }
  if (state !== "printed") return null;
  const waiting = returnJobsAfter({ id, site, receipt }, stores).find((one) => one.state !== "printed");
  if (waiting !== undefined) return inEveryLanguage(({ page }) => page.sinceThen.returning({ job: waiting.id }));
  const returns = returnsAfter({ id, site, receipt }, stores);
  if (returns.length === 0) return null;
  const isLeft = positionsLeft(receipt, returns).some(({ total }) => total > 0);
  return inEveryLanguage(({ page }) => (isLeft ? page.sinceThen.partlyReturned : page.sinceThen.returned));
}
