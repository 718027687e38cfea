import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, isFaultCode } from "@fiscald/shared/fault-codes.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { maskText } from "../../logging/mask.js";
import { type FaultWords, faultTextOf, filled, hintOf } from "../../messages/fault-words.js";
import type { Language, Messages } from "../../messages/messages.js";
import type { JobFault } from "../../store/job-store.js";
import { type Found, found, type Titles, titleOf } from "./found.js";
import type { TroubleKind } from "./trouble.js";
import type { PresentFacts, SiteFacts, StoredFacts, UndeliveredEvents, UnreadAnswer } from "./trouble-facts.js";

const MINUTE_MS = 60_000;
/** Milliseconds. A shorter trouble of a site needs nobody, because a single poll may fail. */
const SITE_TROUBLE_MS = MINUTE_MS;

/** A polled register. `kkm` null: it was never connected. `at` null: it got no answer in this run. */
export interface AskedRegister {
  readonly register: RegisterId;
  readonly kkm: Kkm | null;
  readonly at: number | null;
}

/** A site is polled for a register from the register's first identification on (intake/poll-sites.ts). */
export function askedOf(id: SiteId, { registers, sites }: PresentFacts): readonly AskedRegister[] {
  const polled = sites.find(({ site }) => site === id)?.polled;
  return registers
    .filter(({ settings }) => settings.sites.includes(id))
    .map(({ settings: { id: register }, identity }) => {
      const kkm = identity?.kkm ?? null;
      return { register, kkm, at: kkm === null ? null : (polled?.get(kkm) ?? null) };
    });
}

export function askedInWords(asked: readonly AskedRegister[], titles: Titles, { asked: words }: Messages): string {
  const list = asked.map(({ register: id, kkm, at }) => {
    const register = titleOf(id, titles);
    if (kkm === null) return words.unknown({ register });
    return at === null ? words.never({ kkm, register }) : words.kkm({ kkm, register, at });
  });
  return list.length === 0 ? words.nothing : list.join("; ");
}

/** Why no order of the site arrives; null: the site answers its polls. */
export function pollTrouble(id: SiteId, facts: PresentFacts): Found | null {
  const asked = askedOf(id, facts);
  if (asked.every(({ kkm }) => kkm === null)) return nobodyPolls(id, asked, facts);
  const health = facts.sites.find(({ site }) => site === id);
  return health === undefined ? null : answerTrouble(health, facts.now);
}

function nobodyPolls(site: SiteId, asked: readonly AskedRegister[], { titles }: PresentFacts): Found {
  const [first] = asked;
  // The list also has the register's trouble, which is red when nobody is mending it.
  const needs = first === undefined ? "person" : "look";
  return found({
    ...{ kind: "nobody-polls", needs, site },
    say: (_, { troubles: { nobodyPolls: said } }) =>
      first === undefined
        ? { text: said.none, next: said.next }
        : { text: said.unseen({ register: titleOf(first.register, titles) }), next: said.connect },
  });
}

/** Null: the site answers, or was not polled yet. */
export function answerTrouble({ site, fault, since, strangeAt, isProven }: SiteFacts, now: number): Found | null {
  if (since === null) return null;
  const needs = now - since < SITE_TROUBLE_MS ? "look" : "person";
  // A site that gives orders may say "no orders" in words of its own, so its strange answers stop nothing.
  if (fault === null) return isProven || !strangeAt?.size ? null : unknownAnswer(site, { needs, since });
  const [kind, words] = answerWords(fault);
  // During one outage one fault follows another, so the key does not name the fault.
  const key = `site ${site}`;
  return found({ ...{ key, kind, needs, site, fault, since }, say: (_, ...rest) => words(...rest) });
}

type Said = (messages: Messages, language: Language) => FaultWords;

function answerWords({ code, details }: Fault): readonly [TroubleKind, Said] {
  const { status: answered, isHtml } = details;
  const status = typeof answered === "number" ? answered : 0;
  if (code === "order.unreadable") {
    if (isHtml === true) return ["site-html", ({ troubles }) => troubles.siteHtml];
    return ["site-unreadable", ({ troubles }) => troubles.siteUnreadable];
  }
  if (code === "site.unauthorized") {
    return ["site-refuses-us", ({ troubles }) => filled(troubles.siteRefusesUs, { status })];
  }
  if (status === 404) return ["site-not-found", ({ troubles }) => troubles.siteNotFound];
  if (status >= 300 && status < 400) {
    return ["site-not-found", ({ troubles }) => filled(troubles.siteMoved, { status })];
  }
  if (code === "site.http-status" && status !== 0) {
    return ["site-error", ({ troubles }) => filled(troubles.siteError, { status })];
  }
  const kind = code === "site.bad-answer" ? "site-error" : "site-unreachable";
  return [
    kind,
    ({ troubles }, language) => ({
      text: troubles.siteDown({ text: faultTextOf(code, language) }),
      next: hintOf(code, language),
    }),
  ];
}

export function deliveryTroubles(
  { outbox, removedSites }: Pick<StoredFacts, "outbox" | "removedSites">,
  { now, limits }: Pick<PresentFacts, "now" | "limits">,
): readonly Found[] {
  return [
    ...outbox.flatMap((events) => [
      ...refusedEvents(events),
      ...waitingEvents(events, now, limits.orderWaitsMinutes * MINUTE_MS),
    ]),
    ...removedSites.map(({ site, results }) =>
      found({
        ...{ kind: "site-left", needs: "look", site, others: results, isDecision: true },
        say: ({ count }, { troubles }) => filled(troubles.siteLeft, { count }),
      }),
    ),
  ];
}

function refusedEvents({ site, refused, refusedAt }: UndeliveredEvents): readonly Found[] {
  if (refused === 0) return [];
  return [
    found({
      ...{ kind: "event-refused", needs: "person", site, since: refusedAt, others: refused, isDecision: true },
      say: (counted, { troubles }) => filled(troubles.eventRefused, counted),
    }),
  ];
}

function waitingEvents({ site, pending, oldestAt }: UndeliveredEvents, now: number, limitMs: number): readonly Found[] {
  if (oldestAt === null || now - oldestAt <= limitMs) return [];
  const minutes = Math.round((now - oldestAt) / MINUTE_MS);
  return [
    found({
      ...{ kind: "event-waits", needs: "look", site, since: oldestAt, others: pending },
      say: (counted, { troubles }) => filled(troubles.eventWaits, { ...counted, minutes }),
    }),
  ];
}

/** An entry of an earlier version may have no code, or a code that is no longer used. */
export function codeOfUnread({ details: { code } }: UnreadAnswer): FaultCode {
  return typeof code === "string" && isFaultCode(code) ? code : "order.unreadable";
}

export function unreadTrouble(answer: UnreadAnswer): Found {
  const { site, since, order, isOrder, details } = answer;
  const { reason = "", ru } = details;
  const fault = { code: codeOfUnread(answer), message: String(reason), ru: typeof ru === "string" ? ru : null };
  if (!isOrder) return unknownAnswer(site, { fault, since, others: 1, isDecision: true });
  return unreadOrder(fault, order, { site, since });
}

/** All answers of a site that are neither an order nor "no orders" are one trouble, put away or not. */
export function unknownAnswer(site: SiteId, more: Partial<Found> = {}): Found {
  const kind = "unknown-answer";
  const say: Found["say"] = (_, { troubles }) => troubles.unknownAnswer;
  return found({ key: `${kind} ${site}`, kind, needs: "look", site, ...more, say });
}

export function unreadOrder(fault: JobFault, name: string, from: Partial<Pick<Found, "site" | "since">> = {}): Found {
  return found({
    ...{ kind: "unreadable", needs: "person", fault, ...from, isDecision: true },
    ...(name === "" ? { others: 1 } : { orders: [{ name, job: null }] }),
    say: (counted, { troubles }, language) => {
      const reason = counted.count === 1 ? reasonIn(language, fault.code, () => fault) : "";
      return filled(troubles.unreadable, { ...counted, text: `${faultTextOf(fault.code, language)}${reason}` });
    },
  });
}

/** Faults whose reason names what to mend. The reason of another fault may be a maker's or a library's, in English. */
const toldWithReason: readonly FaultCode[] = [
  ...(["receipt.unsupported", "device.tax-unknown", "order.wrong-value", "order.missing-value"] as const),
];

export function reasonIn(language: Language, code: FaultCode, read: () => JobFault | null): string {
  if (!toldWithReason.includes(code)) return "";
  const { ru, message } = read() ?? {};
  const said = maskText((language === "ru" ? ru : message) ?? "");
  // The name of a field, or a place such as `items[0].name`, keeps its small letter.
  return said === "" ? "" : ` ${said.replace(/^\p{Ll}(?!\w*[[.:])/u, (first) => first.toUpperCase())}.`;
}
