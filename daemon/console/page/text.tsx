import { sumInRussian as money } from "@fiscald/shared/texts.js";
import type { ComponentChildren } from "preact";
import type { Language } from "../../messages/messages.js";
import { jobKind } from "../../messages/rows.js";
import type { OrderRow } from "../order-views.js";
import type { PageCause } from "../troubles/find-troubles.js";
import type { Words } from "./words.js";

export { jobKind, money };

interface AgoProps {
  /** Both times are ISO 8601 by the daemon's clock. */
  readonly since: string;
  readonly now: string;
  readonly words: Words;
}

export function Ago({ since, now, words }: AgoProps) {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 60_000));
  return (
    <time class="ago" dateTime={since} title={new Date(since).toLocaleString()}>
      {ageInWords(minutes, words)}
    </time>
  );
}

function ageInWords(minutes: number, { ages }: Words): string {
  if (minutes < 1) return ages.now;
  if (minutes < 60) return ages.minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? ages.hours({ count: hours }) : ages.days({ count: Math.floor(hours / 24) });
}

interface AsOfProps {
  readonly at: string;
  readonly words: Words;
}

export function AsOf({ at, words }: AsOfProps) {
  return <p class="names">{words.asOf({ at: momentOf(at) })}</p>;
}

/** Commands and keys stand between backticks. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
  return <>{parts}</>;
}

/** `next` is one next step for all causes without a step of their own. */
export function Causes({ why, language, next }: CausesProps) {
  return (
    <>
      {why.map((cause) => (
        <p key={cause.about.name.en + cause.text.en}>
          {cause.about.name[language] === "" ? null : <strong>{cause.about.name[language]}. </strong>}
          <Sentence text={cause.text[language]} />{" "}
          <strong>
            <Sentence text={next ?? cause.next[language]} />
          </strong>
        </p>
      ))}
    </>
  );
}

interface CausesProps {
  readonly why: readonly Pick<PageCause, "about" | "text" | "next">[];
  readonly language: Language;
  readonly next: string | null;
}

/** Such as `26.11.2026, 14:03`. A register's time has no zone and is shown as it is. */
export function minuteOf(at: string, language: Language): string {
  return new Date(at).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });
}

export function paidOnDay(day: string | null, words: Words): string {
  return day === null ? "" : words.paidOn({ day: day.split("-").reverse().join(".") });
}

function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString("ru", { timeStyle: "short" });
}

export function momentOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? clockTime(at) : minuteOf(at, "ru");
}

/** A report or a slip is called done, because it is no printed receipt. */
function jobState({ order, tone, state }: OrderRow, language: Language, words: Words): string {
  return order === "" && tone === "green" ? words.jobDone : state[language];
}

export function Badges({ row, language, words }: BadgesProps) {
  return (
    <>
      {" "}
      <span class={`badge ${row.tone}`}>{jobState(row, language, words)}</span>{" "}
      {row.since === null ? null : <span class="badge grey">{row.since[language]}</span>}
    </>
  );
}

interface BadgesProps {
  readonly row: OrderRow;
  readonly language: Language;
  readonly words: Words;
}

/** Money that goes back to a buyer has a minus sign. */
export function signedSum({ what, total }: Pick<OrderRow, "what" | "total">): string {
  if (total === null) return "";
  return `${what.startsWith("return") ? "−" : ""}${money(total)}`;
}

interface HeadsProps {
  readonly names: readonly string[];
  /** The heads of columns of numbers stand above the numbers, at the right. */
  readonly numbers?: readonly string[];
}

export function Heads({ names, numbers = [] }: HeadsProps) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" class={numbers.includes(name) ? "number" : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Content that may be wider than the page has a scroll bar of its own, which the keyboard reaches. */
export function Wide({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div class="wide" tabIndex={0}>
      {children}
    </div>
  );
}
