import { sumInRussian as money } from "@fiscald/shared/texts.js";
import type { ComponentChildren } from "preact";
import { jobKind } from "../../messages/rows.js";
import type { OrderRow } from "../order-views.js";
import type { PageCause } from "../troubles/find-troubles.js";
import { language, words } from "./words.js";

export { jobKind, money };

/** Both times are ISO 8601 by the daemon's clock. */
export function Ago({ since, now }: { readonly since: string; readonly now: string }) {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 60_000));
  return (
    <time class="ago" dateTime={since} title={new Date(since).toLocaleString()}>
      {ageInWords(minutes)}
    </time>
  );
}

function ageInWords(minutes: number): string {
  const { ages } = words;
  if (minutes < 1) return ages.now;
  if (minutes < 60) return ages.minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? ages.hours({ count: hours }) : ages.days({ count: Math.floor(hours / 24) });
}

export function AsOf({ at }: { readonly at: string }) {
  return <p class="names">{words.asOf({ at: momentOf(at) })}</p>;
}

/** Commands and keys stand between backticks. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
  return <>{parts}</>;
}

/** `next` is one next step for all causes without a step of their own. */
export function Causes({ why, next }: CausesProps) {
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
  readonly next: string | null;
}

/** Such as `26.11.2026, 14:03`. A register's time has no zone and is shown as it is. */
export function minuteOf(at: string, inLanguage = language): string {
  return new Date(at).toLocaleString(inLanguage, { dateStyle: "short", timeStyle: "short" });
}

export function paidOnDay(day: string | null): string {
  return day === null ? "" : words.paidOn({ day: day.split("-").reverse().join(".") });
}

function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString("ru", { timeStyle: "short" });
}

export function momentOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? clockTime(at) : minuteOf(at, "ru");
}

export function Badges({ row }: { readonly row: OrderRow }) {
  // A report or a slip is called done, because it is no printed receipt.
  const state = row.order === "" && row.tone === "green" ? words.jobDone : row.state[language];
  return (
    <>
      {" "}
      <span class={`badge ${row.tone}`}>{state}</span>{" "}
      {row.since === null ? null : <span class="badge grey">{row.since[language]}</span>}
    </>
  );
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
