import type { FaultCode, FaultText } from "@fiscald/shared/fault-codes.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { maskText } from "../../logging/mask.js";
import type { FaultWords } from "../../messages/fault-words.js";
import { inEveryLanguage, type Language, type Messages } from "../../messages/messages.js";
import type { Counted, OfJobs } from "../../messages/texts/troubles/trouble-words.js";
import { isoTime } from "../views.js";
import { type About, type Example, type Needs, type Trouble, type TroubleKind, troubleKinds } from "./trouble.js";

/** The texts for people come from the table of faults. */
export interface FaultFact {
  readonly code: FaultCode;
  readonly message: string;
}

export interface Found {
  /** The key stays the same as long as the trouble lasts. */
  readonly key: string;
  readonly kind: TroubleKind;
  readonly needs: Needs;
  readonly registers: readonly RegisterId[];
  readonly site: SiteId | null;
  readonly fault: FaultFact | null;
  /** Milliseconds since 1970; null: no time is recorded, and the trouble counts from when it is first seen. */
  readonly since: number | null;
  readonly until: number | null;
  /** Orders that wait for the trouble's end, or were not printed because of the trouble. */
  readonly orders: readonly Example[];
  /** The number of messages or answers that the trouble is about, if it is not about orders. */
  readonly others: number;
  readonly isDecision: boolean;
  say(counted: Counted & OfJobs, messages: Messages, language: Language): FaultWords;
}

export interface SeenTrouble extends Found {
  /** When the trouble began or was first seen, in milliseconds since 1970. */
  readonly since: number;
}

type Stated = Pick<Found, "kind" | "needs" | "say"> &
  Partial<Pick<Found, "key" | "site" | "since" | "until" | "orders" | "others" | "isDecision">> & {
    readonly register?: RegisterId | null;
    readonly fault?: FaultFact | null;
    /** Distinguishes the trouble from others of the same kind, register, site and fault. */
    readonly apart?: string | number;
  };

export function found({ register = null, fault = null, apart = "", ...stated }: Stated): Found {
  const { kind, site = null } = stated;
  const names = [kind, register, site, fault?.code, apart].filter((part) => part !== null && part !== undefined);
  return {
    ...{ since: null, until: null, orders: [], others: 0, isDecision: false },
    ...stated,
    key: stated.key ?? names.filter((part) => part !== "").join(" "),
    registers: register === null ? [] : [register],
    site,
    fault: fault === null ? null : { code: fault.code, message: fault.message },
  };
}

export function weightOf({ orders, others }: Pick<Found, "orders" | "others">): number {
  return Math.max(1, orders.length + others);
}

export function withOrders(trouble: Found, orders: readonly Example[], since: number | null = null): Found {
  return { ...trouble, orders, since: trouble.since ?? since };
}

export function joinSame(troubles: readonly Found[]): readonly Found[] {
  return joinBy(troubles, ({ key }) => key);
}

function joinBy(troubles: readonly Found[], keyOf: (trouble: Found) => string): readonly Found[] {
  const joined = new Map<string, Found>();
  for (const trouble of troubles) {
    const key = keyOf(trouble);
    const before = joined.get(key);
    joined.set(key, before === undefined ? trouble : join(before, trouble));
  }
  return [...joined.values()];
}

function join(one: Found, other: Found): Found {
  // One order may have several receipts, such as two returns.
  const idOf = ({ name, job }: Example) => job ?? name;
  const known = new Set(one.orders.map(idOf));
  return {
    ...one,
    needs: severity(one.needs) <= severity(other.needs) ? one.needs : other.needs,
    registers: [...new Set([...one.registers, ...other.registers])],
    orders: [...one.orders, ...other.orders.filter((order) => !known.has(idOf(order)))],
    others: one.others + other.others,
    since: earlier(one.since, other.since),
    until: earlier(one.until, other.until),
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function severity(needs: Needs): number {
  return ["person", "look", "nobody"].indexOf(needs);
}

const ranks: readonly string[] = Object.keys(troubleKinds);

export function worstFirst<T extends Pick<Found, "needs" | "kind">>(troubles: readonly T[]): readonly T[] {
  const rank = ({ needs, kind }: T) => severity(needs) * ranks.length + ranks.indexOf(kind);
  return troubles.toSorted((one, other) => rank(one) - rank(other));
}

export type Titles = ReadonlyMap<string, string>;

export function titlesOf(registers: readonly { readonly settings: TitledRegister }[]): Titles {
  return new Map(registers.map(({ settings: { id, title } }) => [String(id), title]));
}

export function titlesIn(registers: readonly { readonly id: string; readonly title: string | null }[]): Titles {
  return new Map(registers.map(({ id, title }) => [id, title ?? id]));
}

interface TitledRegister {
  readonly id: RegisterId;
  readonly title: string;
}

export function titleOf(register: string, titles: Titles): string {
  const title = titles.get(register) ?? null;
  return title === null || title === register ? register : `${title} (${register})`;
}

const MOST_EXAMPLES = 20;
/** At most this many orders are named. Further orders are only counted. */
const MOST_NAMED = 3;

function counted(count: number, names: readonly string[]): Counted {
  const shown = names.slice(0, MOST_NAMED);
  return { count, names: shown.join(", "), more: Math.max(0, count - shown.length) };
}

/** Registers that have one trouble in the same words share one trouble. The worst trouble comes first. */
export function joinAlike(troubles: readonly Found[]): readonly Found[] {
  const sameWords = ({ kind, site, needs, fault, say }: Found) => {
    const { text } = inWords({ say }, { ...counted(1, ["1"]), jobs: "1" });
    return JSON.stringify([kind, site, needs, fault?.code, text.en]);
  };
  return worstFirst(joinBy(troubles, sameWords));
}

/** `now` is the trouble's beginning if none is recorded. */
export function toTrouble(trouble: Found, titles: Titles, now: number): Trouble {
  const { key, kind, needs, registers, site, fault, since, until, orders, others, isDecision } = trouble;
  const count = orders.length + others;
  const names = orders.map(({ name }) => maskText(name));
  const jobs = orders.flatMap(({ job }) => job ?? []).slice(0, MOST_NAMED);
  const said = inWords(trouble, { ...counted(count, names), jobs: jobs.join(" ") });
  // A shift closing also waits, but no person waits for the closing.
  const waiting = isAboutOrders(trouble) ? [] : names.filter((name) => !name.startsWith("#"));
  return {
    ...{ key, kind, needs, count, isDecision },
    about: aboutOf({ registers, site }, titles),
    since: isoTime(since ?? now),
    until: until === null ? null : isoTime(until),
    text:
      waiting.length === 0
        ? said.text
        : inEveryLanguage(
            ({ troubles }, language) => `${said.text[language]} ${troubles.waiting(counted(waiting.length, waiting))}`,
          ),
    next: said.next,
    examples: orders.slice(0, MOST_EXAMPLES).map(({ job }, index) => ({ name: names[index] ?? "", job })),
    code: fault?.code ?? null,
    detail: fault === null ? null : `${fault.code}: ${maskText(fault.message)}`,
  };
}

export function isAboutOrders({ kind }: Pick<Found, "kind">): boolean {
  return ["order", "receipt"].includes(troubleKinds[kind]);
}

function inWords({ say }: Pick<Found, "say">, about: Counted & OfJobs) {
  const part = (name: keyof FaultWords) =>
    inEveryLanguage((messages, language) => say(about, messages, language)[name].trim());
  return { text: part("text"), next: part("next") };
}

function aboutOf({ registers, site }: Pick<Found, "registers" | "site">, titles: Titles): About {
  const names = registers.map((id) => titleOf(id, titles));
  const name = inEveryLanguage(({ troubles }) => {
    const said = names.length > 1 ? troubles.registers(counted(names.length, names)) : (names[0] ?? "");
    return [said, site ?? ""].filter((part) => part !== "").join(", ");
  });
  return { name, registers, site };
}

export function sentenceOf({ about, text }: Pick<Trouble, "about" | "text">, language: Language): string {
  const name = about.name[language];
  return name === "" ? text[language] : `${name}: ${text[language]}`;
}

/** The page has buttons instead of commands, so sentences that name a command are left out. */
export function withoutCommands({ en, ru }: FaultText): FaultText {
  const rest = (text: string) =>
    text
      .split(/(?<=\.)\s+/)
      .filter((sentence) => !sentence.includes("`fiscald"))
      .join(" ");
  return { en: rest(en), ru: rest(ru) };
}
