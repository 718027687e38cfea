import { type FaultText, faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { rateInWords } from "@fiscald/shared/receipt/tax-meaning.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { maskBody, maskText, maskValue } from "../logging/mask.js";
import { inEveryLanguage, type Language } from "../messages/messages.js";
import type { Attempt, AttemptStore } from "../store/attempt-store.js";
import type { Job } from "../store/job.js";
import { type Journal, NO_REASON, type StoredJournalEntry, warningsIn } from "../store/journal.js";
import type { OutboxStore } from "../store/outbox-store.js";
import type { RawOrder, RawOrders } from "../store/raw-orders.js";
import { idsAsTyped } from "./find-orders.js";
import { eventView, type FaultView, faultView, isoTime, jobView } from "./views.js";

export interface StoryStores {
  readonly attempts: AttemptStore;
  readonly journal: Journal;
  readonly outbox: OutboxStore;
  readonly rawOrders: RawOrders;
}

type UnreadStores = Pick<StoryStores, "journal" | "outbox" | "rawOrders">;

export type JobStory = ReturnType<typeof jobStory>;

export function jobStory(job: Job, { attempts, journal, outbox, rawOrders }: StoryStores) {
  const order = job.raw === null ? null : rawOrders.find(job.raw);
  return {
    job: jobView(job),
    order: order === null ? null : orderView(order),
    receipt: maskValue(job.receipt),
    taxes: job.taxes.map((meaning) => ({ id: meaning.id, vat: meaning.vat, rate: rateInWords(meaning) })),
    attempts: attempts.ofJob(job.id).map(attemptView),
    events: outbox.ofJob(job.id).map(eventView),
    journal: journal.ofJob(job.id).map(entryView),
  };
}

export type UnreadOrderStory = NonNullable<ReturnType<typeof unreadOrderStory>>;

/** `typed` is an order's id. Null: every answer with this id could be read. */
export function unreadOrderStory(typed: string, { journal, outbox, rawOrders }: UnreadStores) {
  const order = idsAsTyped(typed)
    .map(toOrderId)
    .find((id) => journal.ofUnreadOrder(id).length > 0);
  if (order === undefined) return null;
  const entries = journal.ofUnreadOrder(order);
  const answers = entries.flatMap(({ raw }) => (raw === null ? [] : (rawOrders.find(raw) ?? [])));
  return {
    faults: entries.flatMap(reasonOf),
    answers: answers.map(orderView),
    events: outbox.ofUnreadOrder(order).map(eventView),
    journal: entries.map(entryView),
  };
}

/** Null: every answer with this order could be read. */
export function unreadFault(order: string, stores: UnreadStores): FaultView | null {
  return unreadOrderStory(order, stores)?.faults.at(-1) ?? null;
}

/** A fault in the delivery of an event is no reason why an answer could not be read. */
function reasonOf({ raw, details: { code, reason, ru } }: StoredJournalEntry): readonly FaultView[] {
  const isKnown = raw !== null && typeof code === "string" && isFaultCode(code) && typeof reason === "string";
  return isKnown ? [faultView({ code, message: reason, ru: typeof ru === "string" ? ru : null })] : [];
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

export function entryView(entry: StoredJournalEntry) {
  const { at, actor, what, register, event, details } = entry;
  const { detail } = detailOf(entry);
  return { at: isoTime(at), actor, what, register, event, details: maskValue(details), detail };
}

/** `technical` has the words of the device or the program, which are for support and mostly English. */
export function detailOf(entry: StoredJournalEntry): { readonly detail: FaultText; readonly technical: string } {
  const { code, reason, ru, checked, asCorrectionOf } = entry.details;
  const nothing = { en: "", ru: "" };
  const warnings = warningsIn([entry]);
  if (warnings.length > 0) {
    const all = (language: Language) =>
      maskText(warnings.map(({ path, text }) => [path, text[language]].filter(Boolean).join(": ")).join("; "));
    return { detail: { en: all("en"), ru: all("ru") }, technical: "" };
  }
  if (Array.isArray(checked) && checked.length > 0) {
    const detail = inEveryLanguage(({ page }) => page.checkedAsOthers({ fds: checked.join(", ") }));
    return { detail, technical: "" };
  }
  if (typeof asCorrectionOf === "string") {
    const day = asCorrectionOf.split("-").reverse().join(".");
    return { detail: inEveryLanguage(({ page }) => page.asCorrectionOf({ day })), technical: "" };
  }
  if (typeof code !== "string") {
    const isTyped = entry.actor === "operator" && typeof reason === "string" && reason !== NO_REASON;
    return { detail: isTyped ? asItIs(maskText(reason)) : nothing, technical: "" };
  }
  const technical = maskText(typeof reason === "string" ? `${code}: ${reason}` : code);
  if (typeof ru === "string") return { detail: { en: maskText(String(reason)), ru: maskText(ru) }, technical };
  return { detail: isFaultCode(code) ? faultCodes[code].text : nothing, technical };
}
