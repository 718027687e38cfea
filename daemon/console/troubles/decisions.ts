import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { maskBody, maskText } from "../../logging/mask.js";
import { inEveryLanguage, type Language, type Messages } from "../../messages/messages.js";
import { foreignDevices, isRuledOut } from "../../registers/foreign-identity.js";
import { jobLabel } from "../../registers/job-label.js";
import { waitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { paidDay } from "../../registers/operator/as-correction.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { ConsoleParts } from "../console-parts.js";
import { candidateView, isoTime, rouble } from "../views.js";
import { type Found, joinAlike, titleOf, titlesOf, toTrouble, weightOf, withoutCommands } from "./found.js";
import { readUnread } from "./gather-facts.js";
import { mayHelp, SECOND } from "./order-troubles.js";
import { codeOfUnread } from "./site-troubles.js";
import type { Decision, DecisionEntry, OfferedStep } from "./trouble.js";

/** Entries of each list. The lists are read again at each change, and no call takes more than 100 entries. */
const SHOWN = 50;
const BODY_SHOWN = 2_000;
const nothing: FaultText = { en: "", ru: "" };

type DecisionParts = Pick<
  ConsoleParts,
  | ("jobs" | "attempts" | "documents" | "journal" | "outbox" | "rawOrders" | "checks")
  | ("snapshots" | "troubles" | "clock")
>;

export type DecisionsAnswer = ReturnType<typeof decisionsView>;
export type RegisterAfterLoss = DecisionsAnswer["afterLoss"][number];

/** The worst trouble comes first. */
export function decisionsView(parts: DecisionParts) {
  const { snapshots, clock, troubles } = parts;
  const titles = titlesOf(snapshots());
  const found = joinAlike(troubles().filter(({ isDecision }) => isDecision));
  const decisions = found.map((trouble): Decision => {
    const shown = toTrouble(trouble, titles, clock.now());
    const offers = isTicked(trouble) ? offersFor(trouble) : [];
    const { entries, steps } = contentOf(trouble, parts);
    const isSaid = ({ text }: DecisionEntry) =>
      text.ru !== "" && shown.text.ru.toLowerCase().includes(text.ru.toLowerCase());
    return {
      ...{ trouble: { ...shown, next: withoutCommands(shown.next) }, offers, steps },
      entries: entries.map((one) => (isSaid(one) ? { ...one, text: nothing } : one)),
    };
  });
  return {
    at: isoTime(clock.now()),
    decisions,
    // A person decides whether documents from the time of a lost database belong to waiting orders.
    afterLoss: snapshots().flatMap((snapshot) => registerAfterLoss(parts, snapshot)),
  };
}

export function countDecisions(troubles: readonly Found[]): number {
  return troubles.filter(({ isDecision }) => isDecision).reduce((sum, trouble) => sum + weightOf(trouble), 0);
}

type Content = Pick<Decision, "entries" | "steps">;

function contentOf(trouble: Found, parts: DecisionParts): Content {
  switch (trouble.kind) {
    case "failed":
    case "refused":
    case "wrong-kkm":
      return missingOrders(trouble, parts);
    case "printed-twice":
    case "printed-after-all": {
      const entries = orderEntries(trouble, parts);
      const doubles = jobsOf(entries);
      const words: Worded = (messages, language) => {
        const { name, askDoubles } = messages.steps.putAway;
        return [name, askDoubles(these(entries, messages, language))];
      };
      return { entries, steps: [step("/api/put-away", { doubles }, words)] };
    }
    case "held":
      return isTicked(trouble) ? { entries: orderEntries(trouble, parts), steps: [] } : heldOrder(trouble, parts);
    case "unreadable":
    case "unknown-answer":
      return unreadAnswers(trouble, parts);
    case "event-refused":
      return refusedEvents(trouble, parts);
    case "site-left": {
      const { site } = trouble;
      const events = site === null ? [] : parts.outbox.list({ site, state: "pending" }, { limit: SHOWN, offset: 0 });
      return { entries: [], steps: [putAway({ events: events.map(({ id }) => id) }, "askEvents")] };
    }
    case "register-blocked":
      return foreignDevice(trouble, parts);
    case "receipt-altered":
    case "receipt-differs":
      return difference(trouble, parts);
    default:
      return { entries: orderEntries(trouble, parts), steps: [] };
  }
}

/** A person ticks the orders when there are several, or when the day of a correction has to be given. */
function isTicked({ kind, orders, fault }: Found): boolean {
  return kind === "held" && (fault?.code === "job.held-old" || orders.length > 1);
}

function heldOrder(trouble: Found, parts: DecisionParts): Content {
  const entries = orderEntries(trouble, parts);
  const body = { jobs: jobsOf(entries) };
  const isSecond = trouble.fault?.code === SECOND;
  const [what = ""] = entries.map((one) => one.what);
  const isCorrection = what.endsWith("-correction");
  const ask = isSecond ? "askSecond" : isCorrection ? "askCorrection" : what === "return" ? "askReturn" : "ask";
  return {
    entries,
    steps: [
      step("/api/print", body, (messages, language) => [
        messages.page.actionNames.approve,
        messages.steps.print[ask](these(entries, messages, language)),
      ]),
      step("/api/set-aside", body, (messages, language) => [
        messages.page.actionNames.cancel,
        messages.steps.refuse[isSecond ? "askSecond" : "ask"](these(entries, messages, language)),
      ]),
    ],
  };
}

function jobsOf(entries: readonly DecisionEntry[]): readonly number[] {
  return entries.flatMap(({ job }) => job ?? []);
}

const MOST_NAMED = 5;

function these(entries: readonly DecisionEntry[], { steps, commands }: Messages, language: Language) {
  const named = entries.slice(0, MOST_NAMED).map(({ name, total }) => {
    const [order, sum] = [name[language], commands.sum({ roubles: total ?? "" })];
    return total === null ? order : steps.ofSum({ name: order, sum });
  });
  const [names, count] = [named.join(", "), entries.length - named.length];
  return { orders: count === 0 ? names : steps.andMore({ names, count }) };
}

function offersFor({ fault }: Found): Decision["offers"] {
  return fault?.code === "job.held-old" ? ["as-correction", "print", "set-aside"] : ["print", "set-aside"];
}

function orderEntries({ orders }: Found, { jobs, snapshots, clock }: DecisionParts): readonly DecisionEntry[] {
  return orders.slice(0, SHOWN).flatMap(({ name, job: id }) => {
    if (id === null) return [];
    const job = jobs.get(id);
    const { updatedAt, fault } = job;
    const text = { en: maskText(fault?.message ?? ""), ru: maskText(fault?.ru ?? "") };
    const paidOn = paidDay(job, snapshots(), clock.now());
    const about = { what: jobLabel(job), paidOn, total: rouble(job.total), at: isoTime(updatedAt), text };
    return [entry(name, { job: id, ...about })];
  });
}

function entry(name: string, more: Partial<Omit<DecisionEntry, "name">>): DecisionEntry {
  const shown = maskText(name);
  return {
    name: { en: shown, ru: shown },
    job: null,
    what: "",
    paidOn: null,
    total: null,
    at: null,
    text: nothing,
    body: "",
    ...more,
  };
}

function missingOrders(trouble: Found, parts: DecisionParts): Content {
  const entries = orderEntries(trouble, parts);
  const jobs = jobsOf(entries);
  const { kind, fault } = trouble;
  const asks = (name: "retry" | "setAside"): Worded => {
    return (messages, language) => {
      const { [name]: it } = messages.steps;
      return [it.name, it.ask(these(entries, messages, language))];
    };
  };
  const retry = step("/api/retry", { jobs }, asks("retry"));
  const mayRetry = kind === "failed" && fault !== null && mayHelp(fault.code);
  const setAside = step("/api/set-aside", { jobs }, asks("setAside"));
  return { entries, steps: [...(mayRetry ? [retry] : []), { ...setAside, isOptional: true }] };
}

function unreadAnswers(trouble: Found, parts: DecisionParts): Content {
  const isOrder = trouble.kind === "unreadable";
  const own = readUnread(parts.journal, parts.clock.now()).filter(
    (answer) =>
      answer.site === trouble.site && answer.isOrder === isOrder && codeOfUnread(answer) === trouble.fault?.code,
  );
  const shown = own.slice(0, SHOWN);
  const entries = shown.map(({ raw, order, at, details }) => {
    const { reason = "", ru } = details;
    const text = { en: maskText(String(reason)), ru: maskText(String(ru ?? reason)) };
    const body = maskBody(parts.rawOrders.find(raw)?.body ?? "").slice(0, BODY_SHOWN);
    return entry(order, { at: isoTime(at), text, body });
  });
  return { entries, steps: [putAway({ answers: shown.map(({ raw }) => raw) }, "askAnswers")] };
}

function refusedEvents({ site }: Found, { outbox }: DecisionParts): Content {
  const events = site === null ? [] : outbox.list({ site, state: "refused" }, { limit: SHOWN, offset: 0 });
  const ids = events.map(({ id }) => id);
  const entries = events.map(({ kind, job, createdAt, lastError }): DecisionEntry => {
    const said = lastError === null ? "" : maskText(lastError);
    return {
      ...entry("", { job, at: isoTime(createdAt), text: { en: said, ru: said } }),
      name: inEveryLanguage(({ page }) => page.eventKinds[kind]),
    };
  });
  const resend = step("/api/resend", { events: ids }, ({ steps }) => [
    steps.resend.name,
    steps.resend.ask({ count: ids.length }),
  ]);
  return { entries, steps: [resend, putAway({ events: ids }, "askEvents")] };
}

function foreignDevice({ registers: [register] }: Found, { snapshots }: DecisionParts): Content {
  const snapshot = snapshots().find(({ settings }) => settings.id === register);
  if (snapshot === undefined || snapshot.fault === null) return { entries: [], steps: [] };
  const { fault, settings } = snapshot;
  const devices = foreignDevices(fault);
  const text =
    devices === null
      ? { en: fault.message, ru: fault.ru ?? fault.message }
      : inEveryLanguage(({ foreign }) =>
          foreign({ ...devices.found, expectedKkm: devices.expected.kkm, expectedInn: devices.expected.inn }),
        );
  // The config names the expected number, so the device cannot be accepted on this page.
  const isFixed = isRuledOut(devices?.found ?? null, settings.expectKkm);
  const given = { register: titleOf(settings.id, titlesOf([snapshot])) };
  const accept = step(`/api/registers/${settings.id}/accept-identity`, {}, ({ steps }) => [
    steps.acceptDevice.name,
    steps.acceptDevice.ask(given),
  ]);
  return { entries: [entry("", { text })], steps: isFixed ? [] : [accept] };
}

function difference(trouble: Found, parts: DecisionParts): Content {
  const [register = ""] = trouble.registers;
  const own = parts.checks.open().filter((one) => trouble.key.endsWith(JSON.stringify([one.tag, one.sent, one.read])));
  const [first] = own.filter((one) => one.register === register);
  if (first === undefined) return { entries: [], steps: [] };
  const titles = titlesOf(parts.snapshots());
  const path = `/api/registers/${register}`;
  const { tag, sent, read } = first;
  return {
    entries: orderEntries(trouble, parts),
    steps: [
      step(`${path}/accept-differences`, { tag, sent, read }, ({ steps: { acceptDifference: it } }) => [
        it.name,
        it.ask,
      ]),
      step(`${path}/differences-mended`, {}, ({ steps: { mended: it } }) => [
        it.name,
        it.ask({ register: titleOf(register, titles) }),
      ]),
    ],
  };
}

type PutAwayQuestion = "askEvents" | "askAnswers";

function putAway(body: Readonly<Record<string, readonly number[]>>, ask: PutAwayQuestion): OfferedStep {
  const count = Object.values(body).flat().length;
  return step("/api/put-away", body, ({ steps: { putAway: it } }) => [it.name, it[ask]({ count })]);
}

type Worded = (messages: Messages, language: Language) => readonly [name: string, ask: string];

function step(path: string, body: object, words: Worded): OfferedStep {
  const part = (index: 0 | 1) => inEveryLanguage((...given) => words(...given)[index]);
  return { name: part(0), question: part(1), path, body, isOptional: false };
}

function registerAfterLoss(parts: DecisionParts, { settings }: RegisterSnapshot) {
  const { id: register, title } = settings;
  const { orders, documents } = waitingSinceLoss(parts, register);
  if (orders.length === 0) return [];
  const waiting = orders.slice(0, SHOWN).map(({ id, orderId, operation, total, receipt }) => {
    const items = receipt.kind === "receipt" ? itemsOf(receipt).map(({ name }) => name) : [];
    return { job: id, order: orderId ?? `#${id}`, operation, total: rouble(total), items };
  });
  return [{ register, title, orders: waiting, documents: documents.map(({ document }) => candidateView(document)) }];
}
