import { maskBody, maskText, maskValue } from "../logging/mask.js";
import type { Attempt, AttemptStore } from "../store/attempt-store.js";
import type { Job } from "../store/job.js";
import type { Journal, StoredJournalEntry } from "../store/journal.js";
import type { OutboxStore } from "../store/outbox-store.js";
import type { RawOrder, RawOrders } from "../store/raw-orders.js";
import { eventView, isoTime, jobView } from "./views.js";

export interface StoryStores {
  readonly attempts: AttemptStore;
  readonly journal: Journal;
  readonly outbox: OutboxStore;
  readonly rawOrders: RawOrders;
}

export type JobStory = ReturnType<typeof jobStory>;

/** One job's whole story: receipt, every attempt with what the register said, every event, and the journal in order. */
export function jobStory(job: Job, { attempts, journal, outbox, rawOrders }: StoryStores) {
  const order = job.raw === null ? null : rawOrders.find(job.raw);
  return {
    job: jobView(job),
    order: order === null ? null : orderView(order),
    receipt: maskValue(job.receipt),
    attempts: attempts.ofJob(job.id).map(attemptView),
    events: outbox.ofJob(job.id).map(eventView),
    journal: journal.ofJob(job.id).map(entryView),
  };
}

function orderView({ polledKkm, receivedAt, body }: RawOrder) {
  return { polledKkm, receivedAt: isoTime(receivedAt), body: body === null ? null : maskBody(body) };
}

function attemptView(attempt: Attempt) {
  const { id, part, parts, register, witness, baseline, outcome, fault, fenceFd, doubt } = attempt;
  return {
    id,
    part: `${part + 1}/${parts}`,
    register,
    witness: witness.kind,
    before: { fn: baseline.fn, lastFd: baseline.lastFd, shift: baseline.shift.number },
    startedAt: isoTime(attempt.startedAt),
    endedAt: attempt.endedAt === null ? null : isoTime(attempt.endedAt),
    outcome,
    fault: fault === null ? null : { ...fault, message: maskText(fault.message) },
    fenceFd,
    doubt: maskValue(doubt),
  };
}

export function entryView({ at, actor, what, register, event, details }: StoredJournalEntry) {
  return { at: isoTime(at), actor, what, register, event, details: maskValue(details) };
}
