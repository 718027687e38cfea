/** JSON for people and their tools: sums in roubles, times in ISO 8601, buyers' contacts and secrets masked. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, hintOfGivenUp } from "@fiscald/shared/fault-codes.js";
import { maskText, maskValue } from "../logging/mask.js";
import { faultWords } from "../messages/fault-words.js";
import { inEveryLanguage } from "../messages/messages.js";
import { jobLabel } from "../registers/job-label.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { Job, JobState } from "../store/job.js";
import type { JobFault, JobStore } from "../store/job-store.js";
import type { OutboxStore, StoredEvent } from "../store/outbox-store.js";
import type { RegisterRecord } from "../store/register-store.js";
import type { SetRow } from "./how-set/state-rows.js";

export interface FaultView {
  readonly code: FaultCode;
  readonly message: string;
  /** The message in Russian; null: the message is a technical detail. */
  readonly ru: string | null;
  readonly text: { readonly en: string; readonly ru: string };
  readonly hint: { readonly en: string; readonly ru: string };
}

interface Viewed {
  readonly code: FaultCode;
  readonly message: string;
  readonly ru?: string | null;
  readonly details?: Fault["details"];
}

export function faultView({ code, message, ru = null, details = {} }: Viewed, register?: string): FaultView {
  const part = (name: "text" | "next") =>
    inEveryLanguage((messages, language) => faultWords({ code, details }, messages, language, register)[name]);
  const masked = { message: maskText(message), ru: ru === null ? null : maskText(ru) };
  return { code, ...masked, text: part("text"), hint: part("next") };
}

function jobFaultView(fault: JobFault, state: JobState): FaultView {
  return state === "failed" ? { ...faultView(fault), hint: hintOfGivenUp(fault.code) } : faultView(fault);
}

export type JobView = ReturnType<typeof jobView>;

export function jobView(job: Job) {
  const { id, state, source, site, receiptId, register, kind, operation, forced, tries, document } = job;
  return {
    ...{ id, state, source, site, order: job.orderId, receiptId, register, kind, operation },
    ...{ what: jobLabel(job), total: rouble(job.total), forced, tries },
    fault: job.fault === null ? null : jobFaultView(job.fault, state),
    document,
    createdAt: isoTime(job.createdAt),
    updatedAt: isoTime(job.updatedAt),
  };
}

export function eventView(event: StoredEvent) {
  const { id, site, kind, job, register, body, state, tries, lastError } = event;
  const deliveredAt = event.deliveredAt === null ? null : isoTime(event.deliveredAt);
  return {
    ...{ id, site, kind, job, register, body: maskValue(body), state, tries },
    lastError: lastError === null ? null : maskText(lastError),
    createdAt: isoTime(event.createdAt),
    deliveredAt,
  };
}

export function registerView(
  snapshot: RegisterSnapshot,
  { jobs, howSet }: { readonly jobs: JobStore; howSet(snapshot: RegisterSnapshot): readonly SetRow[] },
) {
  const { settings, phase, fault, identity, state, jobInHand, pausedSince } = snapshot;
  return {
    id: settings.id,
    title: settings.title,
    group: settings.group,
    sites: settings.sites,
    phase,
    pausedSince: pausedSince === null ? null : isoTime(pausedSince),
    fault: fault === null ? null : faultView(fault, settings.id),
    identity,
    shift: state === null ? null : { ...state.shift, openedAt: state.shiftOpenedAt },
    paper: state?.paper ?? null,
    lastFd: state?.lastFd ?? null,
    unsent: state?.unsent ?? null,
    drive:
      state === null
        ? null
        : { daysLeft: state.fnDaysLeft, documentsLeft: state.fnDocumentsLeft, warnings: state.fnWarnings },
    clock: state?.clock ?? null,
    settings: howSet(snapshot),
    jobInHand,
    waiting: jobs.waitingCount(settings.id),
  };
}

/** The state on record, for commands while no daemon runs. */
export function recordedRegisterView(record: RegisterRecord, jobs: JobStore) {
  return {
    id: record.id,
    phase: "unknown",
    identity: record.identity,
    shift: record.shift,
    lastFd: record.lastFd,
    connected: record.connected,
    waiting: jobs.waitingCount(record.id),
    updatedAt: isoTime(record.updatedAt),
  };
}

export function siteView(health: SiteHealth, outbox: OutboxStore) {
  const oldest = outbox.oldestAt(health.site, "pending");
  return {
    id: health.site,
    reachable: health.since === null ? null : health.fault === null,
    fault: health.fault === null ? null : faultView(health.fault),
    since: health.since === null ? null : isoTime(health.since),
    lostAnswers: health.lostAnswers,
    polled: [...health.polled].map(([kkm, at]) => ({ kkm, at: isoTime(at) })),
    events: outbox.countUndelivered(health.site),
    oldestEventAt: oldest === null ? null : isoTime(oldest),
  };
}

/** A document whose `at` is null and whose names are empty could not be read yet. */
export function candidateView({ fd, time, operation, total, items }: FiscalDocument) {
  return {
    ...{ fd, at: time, total: rouble(total), items: items.map(({ name }) => name) },
    operation: operation === "sale" || operation === "return" ? operation : null,
  };
}

export function rouble(total: Kopecks | null): string | null {
  return total === null ? null : formatRoubles(total);
}

export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
