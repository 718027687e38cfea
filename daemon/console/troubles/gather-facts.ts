import { type OrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Config } from "../../config/config-schema.js";
import type { SiteConfig } from "../../config/site-schema.js";
import { closingRegisters } from "../../dispatch/pick-jobs.js";
import { shown } from "../../registers/describe-difference.js";
import { doubtReasonOf } from "../../registers/recovery/candidates.js";
import type { DayFacts } from "../../store/day-facts.js";
import type { CheckStore, FoundDifference } from "../../store/document-checks.js";
import type { BriefJob, Job } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import {
  differencesIn,
  type Journal,
  PRINTED_TWICE,
  PUT_AWAY,
  repairOf,
  type StoredJournalEntry,
} from "../../store/journal.js";
import type { OutboxStore } from "../../store/outbox-store.js";
import type { RegisterStore } from "../../store/register-store.js";
import type { ConsoleParts } from "../console-parts.js";
import { titleOf, titlesOf } from "./found.js";
import type { KnownJob } from "./order-troubles.js";
import type { PresentFacts, StoredFacts, WrongDocument } from "./trouble-facts.js";

/** An event is listed for this time. A lasting trouble is listed until its end. */
export const LISTED_MS = 7 * 24 * 3_600_000;
/** Readers of a list need no more entries, and longer queries would block the daemon. */
const MOST_LISTED = 1_000;

export type PresentParts = Pick<
  ConsoleParts,
  | ("snapshots" | "siteHealth" | "storeFault" | "awaited" | "whatWaited")
  | ("jobs" | "attempts" | "journal" | "clock" | "limits")
>;

export function presentFacts(parts: PresentParts): PresentFacts {
  const { jobs, clock, limits } = parts;
  const registers = parts.snapshots();
  const queue = jobs.queue();
  const closing = new Set(closingRegisters(queue));
  for (const { settings, jobInHand } of registers) {
    const job = jobInHand === null ? null : jobs.find(jobInHand);
    if (job !== null && closesShift(job)) closing.add(settings.id);
  }
  return {
    ...{ isRunning: true, now: clock.now(), limits, storeFault: parts.storeFault() },
    ...{ registers, sites: parts.siteHealth(), closing, queue, undecided: jobs.undecided() },
    ...named(registers),
    doubtReason: (job) => doubtReasonOf(parts, job),
    awaited: (register) => parts.awaited(register),
    whatWaited: (register) => parts.whatWaited(register),
  };
}

/** For use while no daemon runs. The polls are those that a daemon would send. */
export function recordedFacts(
  config: Config,
  stores: { jobs: JobStore; registers: RegisterStore } & Pick<ConsoleParts, "attempts" | "journal">,
  now: number,
): PresentFacts {
  const queue = stores.jobs.queue();
  const registers = config.registers.map(({ id, title, sites, group, taxSystem, defaultTax, timeZone }) => ({
    settings: { id, title: title ?? id, sites, group, taxSystem, defaultTax, timeZone },
    phase: "stopped" as const,
    identity: stores.registers.find(id)?.identity ?? null,
    ...{ fault: null, tables: null, state: null, stateAt: null, jobInHand: null },
    pausedSince: stores.registers.pausedSince(id),
  }));
  return {
    ...{ isRunning: false, now, limits: config.warnings, storeFault: null },
    ...{ registers, queue, undecided: stores.jobs.undecided() },
    sites: config.sites.map(({ id }) => ({ site: id, fault: null, since: null, polled: new Map() })),
    closing: closingRegisters(queue),
    ...named(registers),
    doubtReason: (job) => doubtReasonOf(stores, job),
    awaited: () => null,
    whatWaited: () => null,
  };
}

function named(registers: PresentFacts["registers"]): Pick<PresentFacts, "titles" | "title"> {
  const titles = titlesOf(registers);
  return { titles, title: (register) => titleOf(register, titles) };
}

function closesShift({ source, receipt }: Job): boolean {
  if (source === "schedule") return true;
  return receipt.kind === "service" && receipt.lines.some((line) => line.type === "report" && line.report === "z");
}

export function knownJob(job: BriefJob, read: () => Job): KnownJob {
  return { ...job, name: orderName(job.id, job.orderId), read };
}

export function orderName(id: number, orderId: OrderId | null): string {
  return orderId ?? `#${id}`;
}

/** Unprinted jobs are jobs that wait, and jobs of the last week that a person has not set aside. */
export function unprintedJobs(jobs: Pick<JobStore, "queue" | "brief" | "get">, now: number): readonly KnownJob[] {
  const brief = (filter: Omit<Parameters<typeof jobs.brief>[0], "limit">) =>
    jobs.brief({ ...filter, limit: MOST_LISTED });
  const unprinted = [
    ...jobs.queue(),
    ...(["held", "printing", "unsure"] as const).flatMap((state) => brief({ state })),
    ...(["failed", "refused"] as const).flatMap((state) => brief({ state, missingSince: now - LISTED_MS })),
  ];
  return unprinted.map((job) => knownJob(job, () => jobs.get(job.id)));
}

export interface TroubleStores {
  readonly jobs: Pick<JobStore, "queue" | "brief" | "get">;
  readonly journal: Pick<Journal, "rejectedAnswers" | "doubles" | "differing" | "ofJob">;
  readonly outbox: Pick<OutboxStore, "countUndelivered" | "oldestAt" | "waitingResults">;
  readonly checks: Pick<CheckStore, "open" | "notCompared">;
  readonly dayFacts: Pick<DayFacts, "lastMonth" | "lastDocumentAt">;
}

export function readStored(
  { jobs, journal, outbox, checks, dayFacts }: TroubleStores,
  { sites, registers }: { readonly sites: readonly Pick<SiteConfig, "id">[]; readonly registers: readonly WithId[] },
  now: number,
): StoredFacts {
  // Shops use each other's order numbers, so where there are several sites an order is named with its own.
  const nameOf = ({ id, orderId, site }: Job) =>
    `${orderName(id, orderId)}${site === null || sites.length < 2 ? "" : ` (${site})`}`;
  return {
    risks: readRisks(dayFacts, registers, now),
    doubles: readDoubles({ jobs, journal, nameOf }, now),
    unread: readUnread(journal, now),
    outbox: sites.map(({ id: site }) => ({
      site,
      ...outbox.countUndelivered(site),
      oldestAt: outbox.oldestAt(site, "pending"),
      refusedAt: outbox.oldestAt(site, "refused"),
    })),
    removedSites: findRemovedSites(outbox, { sites }),
    differences: checks.open().map((one) => ({ ...one, documents: wrongDocuments(one, { jobs, journal, nameOf }) })),
    notCompared: [...new Set(checks.notCompared().map(({ register }) => register))],
  };
}

type NamingStores = Pick<TroubleStores, "jobs" | "journal"> & { nameOf(job: Job): string };
type WithId = Pick<Config["registers"][number], "id">;

/** Only registers of the config count, because a removed register prints nothing any more. */
function readRisks(facts: TroubleStores["dayFacts"], registers: readonly WithId[], now: number) {
  const months = facts.lastMonth(now).filter(({ register }) => registers.some(({ id }) => id === register));
  const idle = registers
    .filter(({ id }) => months.every(({ register }) => register !== id))
    .flatMap(({ id: register }) => {
      const lastAt = facts.lastDocumentAt(register);
      return lastAt === null ? [] : [{ register, lastAt }];
    });
  return { months, idle };
}

/** The other wrong receipts are searched within this many job numbers of the first. */
const NEAR = 200;

function wrongDocuments(
  difference: FoundDifference,
  { jobs, journal, nameOf }: NamingStores,
): readonly WrongDocument[] {
  const { register, job: first } = difference;
  const { tag, sent, read } = shown(difference);
  const isSame = (one: Pick<FoundDifference, "tag" | "sent" | "read">) =>
    one.tag === tag && one.sent === sent && one.read === read;
  return journal.differing(register, first - NEAR, first + NEAR).flatMap((entry): WrongDocument[] => {
    const { job } = entry;
    if (job === null || !differencesIn([entry]).some(isSame) || repairOf(journal, { id: job }) !== null) return [];
    const found = jobs.get(job);
    return found.document === null ? [] : [{ job, name: nameOf(found), fd: found.document.fd }];
  });
}

function readDoubles({ jobs, journal, nameOf }: NamingStores, now: number) {
  return journal.doubles(now - LISTED_MS, MOST_LISTED).flatMap(({ id, what, at, job, register }) => {
    // Removing a message of the job from the list settles nothing about the job's doubled receipt.
    const isSeenTo = (later: StoredJournalEntry) => later.id > id && later.what === PUT_AWAY && later.event === null;
    if (job === null || journal.ofJob(job).some(isSeenTo)) return [];
    const found = jobs.get(job);
    const kind = what === PRINTED_TWICE ? "printed-twice" : "printed-after-all";
    // The doubled receipt is settled: its job was retried later, and the site knows the receipt.
    if (kind === "printed-after-all" && found.state === "printed") return [];
    const of = register === null ? null : toRegisterId(register);
    return [{ kind, at, job, name: nameOf(found), register: of } as const];
  });
}

export function readUnread(journal: Pick<Journal, "rejectedAnswers">, now: number) {
  return unreadSince(journal, now - LISTED_MS, MOST_LISTED);
}

/** Newest first. */
export function unreadSince(journal: Pick<Journal, "rejectedAnswers">, from: number, limit: number, before?: number) {
  return journal.rejectedAnswers(from, limit, before).flatMap(({ what, site, at, since = at, raw, details }) => {
    if (raw === null || site === null) return [];
    const order = typeof details["order"] === "string" ? details["order"] : "";
    return [{ raw, isOrder: what !== "unknown answer", site: toSiteId(site), at, since, order, details }];
  });
}

export function findRemovedSites(
  outbox: Pick<OutboxStore, "waitingResults">,
  { sites }: { readonly sites: readonly Pick<SiteConfig, "id">[] },
) {
  return [...outbox.waitingResults()].flatMap(([site, results]) =>
    sites.some(({ id }) => id === site) ? [] : [{ site, results }],
  );
}
