/** The page of what needs a person's decision: each entry has its one right next step as a button. */
import type { DecisionsView, JobDecision } from "../decisions-view.js";
import { AfterLoss } from "./after-loss.js";
import { type ActionAnswer, useView } from "./api.js";
import { type Step, Steps } from "./confirm.js";
import { AsOf, minuteOf, Sentence } from "./text.js";
import type { Spoken } from "./words.js";

export function Decisions({ language, words, changed }: Spoken & { readonly changed: number }) {
  const view = useView<DecisionsView>("/api/decisions", changed);
  if (view === null) return <p>{words.connection.loading}</p>;
  const { unsure, held, failed, declined, unread, foreign, afterLoss, altering, refused } = view;
  const spoken = { language, words };
  const isEmpty = [unsure, held, failed, declined, unread, foreign, afterLoss, altering, refused].every(
    (list) => list.length === 0,
  );
  return (
    <>
      {isEmpty ? <h2>{words.noDecisions}</h2> : null}
      <AsOf at={view.at} words={words} />
      <Jobs {...{ id: "unsure", title: words.unsureJobs, jobs: unsure, ...spoken }} />
      <Jobs {...{ id: "held", title: words.heldJobs, jobs: held, ...spoken }} />
      <Jobs {...{ id: "failed", title: words.failedJobs, jobs: failed, ...spoken }}>
        <Steps {...{ steps: [retryAll(failed, words), setAsideAll(failed, words)], ...spoken }} />
      </Jobs>
      <Jobs {...{ id: "declined", title: words.declinedJobs, jobs: declined, ...spoken }}>
        <Steps {...{ steps: [setAsideAll(declined, words)], ...spoken }} />
      </Jobs>
      {foreign.length === 0 ? null : (
        <section aria-labelledby="foreign">
          <h2 id="foreign">{words.foreignDevices}</h2>
          {foreign.map(({ register, title, reason, isFixed }) => (
            <div key={register} class="card red">
              <h3>{title}</h3>
              <p>{reason[language]}</p>
              {isFixed ? null : <Steps {...{ steps: [accept(register, title, words)], ...spoken }} />}
            </div>
          ))}
        </section>
      )}
      <AfterLoss {...{ registers: afterLoss, ...spoken }} />
      {altering.length === 0 ? null : (
        <section aria-labelledby="altering">
          <h2 id="altering">{words.alteringRegisters}</h2>
          {altering.map(({ register, title, differences, isHolding }) => (
            <div key={register} class={isHolding ? "card red" : "card"}>
              <h3>{title}</h3>
              {differences.map(({ text, ...difference }) => (
                <div key={text.en}>
                  <p>{text[language]}</p>
                  <Steps {...{ steps: [acceptDifference(register, difference, words)], ...spoken }} />
                </div>
              ))}
              {isHolding ? <p>{words.alteringNext}</p> : null}
              <Steps {...{ steps: [endDifferences(register, title, words)], ...spoken }} />
            </div>
          ))}
        </section>
      )}
      {refused.length === 0 ? null : (
        <section aria-labelledby="refused">
          <h2 id="refused">{words.refusedEvents}</h2>
          {refused.map(({ event, site, kind, reason }) => (
            <div key={event} class="card">
              <h3>
                {site}: {words.eventKinds[kind]}
              </h3>
              <p>{reason}</p>
              <Steps {...{ steps: [resend(event, site, words)], ...spoken }} />
            </div>
          ))}
          <NewestShown {...{ list: refused, words }} />
          {refused.length < 2 ? null : <Steps {...{ steps: [resendAll(refused, words)], ...spoken }} />}
        </section>
      )}
      {unread.length === 0 ? null : (
        <section aria-labelledby="unread">
          <h2 id="unread">{words.unreadAnswers}</h2>
          <p>{words.unreadNext}</p>
          {unread.map(({ site, at, reason, place, body }) => (
            <details key={`${site} ${at}`} class="card">
              <summary>
                {minuteOf(at, language)} · {site} · {reason[language]}
              </summary>
              <p class="detail">{place}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
              <pre tabIndex={0}>{body}</pre>
            </details>
          ))}
        </section>
      )}
    </>
  );
}

/** The daemon sends at most so many entries of a kind. */
const SHOWN = 50;

interface JobsProps extends Spoken {
  readonly id: string;
  readonly title: string;
  readonly jobs: readonly JobDecision[];
  readonly children?: preact.ComponentChildren;
}

function Jobs({ id, title, jobs, language, words, children }: JobsProps) {
  if (jobs.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="troubles">
        {jobs.map(({ job, order, at, reason }) => (
          <li key={job} class="red">
            <a href={`#order/${job}`}>{order}</a> · {minuteOf(at, language)} · <Sentence text={reason[language]} />
          </li>
        ))}
      </ul>
      <NewestShown {...{ list: jobs, words }} />
      {children}
    </section>
  );
}

function NewestShown({ list, words }: Pick<Spoken, "words"> & { readonly list: readonly object[] }) {
  return list.length < SHOWN ? null : <p>{words.newestShown({ count: SHOWN })}</p>;
}

function retryAll(failed: readonly JobDecision[], words: Spoken["words"]): Step {
  const question = words.askRetryAll({ count: failed.length });
  return { name: words.retryAll, question, path: "/api/retry", ...ofMany(failed, words) };
}

function setAsideAll(missing: readonly JobDecision[], words: Spoken["words"]): Step {
  const question = words.askSetAsideAll({ count: missing.length });
  return {
    ...{ name: words.setAsideAll, question, path: "/api/set-aside", isOptional: true },
    ...ofMany(missing, words),
  };
}

function ofMany(shown: readonly JobDecision[], words: Spoken["words"]) {
  const jobs = shown.map(({ job }) => job);
  const told = ({ refused }: ActionAnswer) =>
    refused === undefined || refused.length === 0 ? words.done : words.notRetried({ count: refused.length });
  return { body: () => ({ jobs }), told };
}

function resendAll(refused: DecisionsView["refused"], words: Spoken["words"]) {
  const events = refused.map(({ event }) => event);
  const question = words.askResendAll({ count: events.length });
  return { name: words.resendAll, question, path: "/api/resend", body: () => ({ events }) };
}

function accept(register: string, title: string, words: Spoken["words"]) {
  const path = `/api/registers/${register}/accept-identity`;
  return { name: words.acceptDevice, question: words.askAccept({ register: title }), path };
}

function endDifferences(register: string, title: string, words: Spoken["words"]): Step {
  const path = `/api/registers/${register}/differences-mended`;
  return { name: words.differencesMended, question: words.askDifferencesMended({ register: title }), path };
}

function acceptDifference(register: string, difference: object, words: Spoken["words"]): Step {
  const path = `/api/registers/${register}/accept-differences`;
  return { name: words.acceptDifferences, question: words.askAcceptDifferences, path, body: () => difference };
}

function resend(event: number, site: string, words: Spoken["words"]) {
  const path = `/api/events/${event}/resend`;
  return { name: words.resend, question: words.askResend({ site }), path };
}
