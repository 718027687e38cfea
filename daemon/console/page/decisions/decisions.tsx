import type { DecisionsAnswer } from "../../troubles/decisions.js";
import type { Decision, DecisionEntry, OfferedStep } from "../../troubles/trouble.js";
import { useView } from "../api.js";
import { doneButFor, type Step, Steps } from "../confirm.js";
import { ToGuide } from "../help/to-guide.js";
import { AsOf, minuteOf, money, Sentence, Wide } from "../text.js";
import { language, words } from "../words.js";
import { AfterLoss } from "./after-loss.js";
import { TickedOrders } from "./ticked.js";

export function Decisions({ changed }: { readonly changed: number }) {
  const view = useView<DecisionsAnswer>("/api/decisions", changed);
  if (view === null) return <p>{words.connection.loading}</p>;
  const { decisions, afterLoss } = view;
  return (
    <>
      <h2>{words.decisions}</h2>
      {decisions.length === 0 && afterLoss.length === 0 ? <p>{words.noDecisions}</p> : null}
      <AsOf at={view.at} />
      <AfterLoss registers={afterLoss} />
      {decisions.map((decision) => (
        <Asked key={decision.trouble.key} decision={decision} />
      ))}
    </>
  );
}

/** The daemon sends at most this many entries of a trouble. */
const SHOWN = 50;

function Asked({ decision }: { readonly decision: Decision }) {
  const { trouble, entries, steps, offers } = decision;
  const { key, kind, needs, about, text, next } = trouble;
  const name = about.name[language];
  return (
    <section class={`card ${needs === "person" ? "red" : "yellow"} ${kind}`} aria-labelledby={key}>
      <h3 id={key}>
        {name === "" ? null : `${name}. `}
        <Sentence text={text[language]} />
      </h3>
      <p>
        <Sentence text={next[language]} />
        <ToGuide trouble={trouble} />
      </p>
      {offers.length > 0 ? (
        <TickedOrders {...{ orders: tickedOf(entries), offers }} />
      ) : (
        <ul class="troubles">
          {entries.map((entry, index) => (
            <Entry key={entry.job ?? index} entry={entry} />
          ))}
        </ul>
      )}
      {entries.length < SHOWN ? null : <p>{words.newestShown({ count: SHOWN })}</p>}
      <Steps steps={steps.map(toStep)} />
    </section>
  );
}

function tickedOf(entries: readonly DecisionEntry[]) {
  return entries.flatMap(({ job, name, what, paidOn, total, at, text }) =>
    job === null
      ? []
      : [
          {
            job,
            ...{ order: name[language], what, paidOn },
            about: [total === null ? "" : money(total), at === null ? "" : minuteOf(at), text[language]],
            mayTick: true,
          },
        ],
  );
}

function Entry({ entry }: { readonly entry: DecisionEntry }) {
  const { name, job, total, at, text, body } = entry;
  const [shown, said] = [name[language], text[language]];
  return (
    <li>
      {job === null ? shown : <a href={`#order/${job}`}>{shown}</a>}
      {total === null ? null : ` · ${money(total)}`}
      {at === null ? null : ` · ${minuteOf(at)}`}
      {body !== "" ? (
        <details>
          <summary>{words.forDeveloper}</summary>
          <p class="detail">{said}</p>
          <Wide>
            <pre>{body}</pre>
          </Wide>
        </details>
      ) : said === "" ? null : (
        <span class="detail">
          {shown === "" && at === null ? "" : " · "}
          {said}
        </span>
      )}
    </li>
  );
}

function toStep({ name, question, path, body, isOptional }: OfferedStep): Step {
  return { name: name[language], question: question[language], path, body: () => body, isOptional, told: doneButFor };
}
