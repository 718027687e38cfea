/** One order: why it is not printed, what happened, the receipt, and the one right next step as a button. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderStory } from "../order-views.js";
import { act, type Refusal, read } from "./api.js";
import type { Spoken } from "./words.js";

interface OrderProps extends Spoken {
  readonly job: number;
  readonly changed: number;
}

export function Order({ job, changed, language, words }: OrderProps) {
  const [story, setStory] = useState<OrderStory | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void read<OrderStory>(`/api/orders/${job}`).then((answer) => {
      if (isCurrent && answer !== null) setStory(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [job, changed]);
  if (story === null) return null;
  const { row, why, entries, deliveries, hasPaper } = story;
  return (
    <article class="order">
      <p>
        <a href="#orders">{words.back}</a>
      </p>
      <h2>
        {row.order === "" ? row.what : `${words.order} ${row.order}`}
        <span class={`state ${row.tone}`}> {row.state[language]}</span>
      </h2>
      <p>
        {[row.total, row.register, row.fd === null ? "" : `${words.document} ${row.fd}`].filter(Boolean).join(" · ")}
      </p>
      {why.length === 0 ? null : (
        <section aria-labelledby="why">
          <h3 id="why">{words.why}</h3>
          {why.map(({ text, next }) => (
            <p key={text.en}>
              {text[language]} <strong>{next[language]}</strong>
            </p>
          ))}
        </section>
      )}
      <Actions {...{ story, language, words }} />
      <section aria-labelledby="story">
        <h3 id="story">{words.story}</h3>
        <ol class="story">
          {entries.map(({ at, text, detail }, index) => (
            <li key={`${at} ${index}`}>
              <time dateTime={at}>{new Date(at).toLocaleString(language)}</time> {text[language]}
              {detail === "" ? null : <span class="detail"> {detail}</span>}
            </li>
          ))}
        </ol>
      </section>
      {deliveries.length === 0 ? null : (
        <section aria-labelledby="results">
          <h3 id="results">{words.results}</h3>
          <ul>
            {deliveries.map(({ kind, state, tries }, index) => (
              <li key={`${kind} ${index}`}>
                {kind}: {words.deliveryStates[state]} ({tries})
              </li>
            ))}
          </ul>
        </section>
      )}
      {hasPaper ? <img class="paper" src={`/api/jobs/${row.job}/paper.png`} alt={words.receipt} /> : null}
    </article>
  );
}

interface Step {
  readonly name: string;
  readonly question: string;
  /** Asks for the number of a document too. */
  readonly asksNumber?: true;
  readonly path: string;
  body(fd: number): object;
}

function Actions({ story: { row, candidates, actions }, language, words }: Spoken & { readonly story: OrderStory }) {
  const [step, setStep] = useState<Step | null>(null);
  const [outcome, setOutcome] = useState<Refusal | "no-answer" | "done" | null>(null);
  const steps = actions.flatMap((action) => stepsOf(action, row.job, row.order, candidates, words));
  if (steps.length === 0 && outcome === null) return null;
  return (
    <section aria-labelledby="actions">
      <h3 id="actions">{words.actions}</h3>
      <p class="pages">
        {steps.map((one) => (
          <button key={one.name} type="button" onClick={() => setStep(one)}>
            {one.name}
          </button>
        ))}
      </p>
      <p role="status">{outcome === null ? "" : outcomeInWords(outcome, language, words)}</p>
      {step === null ? null : (
        <Confirmation
          {...{ step, words }}
          onEnd={(fd) => {
            setStep(null);
            if (fd === null) return;
            void act(step.path, step.body(fd)).then((refusal) => setOutcome(refusal ?? "done"));
          }}
        />
      )}
    </section>
  );
}

function outcomeInWords(
  outcome: Refusal | "no-answer" | "done",
  language: "ru" | "en",
  words: Spoken["words"],
): string {
  if (outcome === "done") return words.done;
  return outcome === "no-answer" ? words.connection.lost : `${outcome.text[language]} ${outcome.hint[language]}`;
}

function stepsOf(
  action: OrderStory["actions"][number],
  job: number,
  order: string,
  candidates: readonly number[],
  words: Spoken["words"],
): readonly Step[] {
  const { actionNames } = words;
  const path = (name: string) => `/api/jobs/${job}/${name}`;
  switch (action) {
    case "retry":
      return [{ name: actionNames.retry, question: words.askRetry({ order }), path: path("retry"), body: () => ({}) }];
    case "cancel":
      return [
        { name: actionNames.cancel, question: words.askCancel({ order }), path: path("cancel"), body: () => ({}) },
      ];
    case "resolve":
      return [
        {
          name: actionNames.printed,
          question: words.askPrinted,
          asksNumber: true,
          path: path("resolve"),
          body: (fd) => ({ printed: fd }),
        },
        {
          name: actionNames.notPrinted,
          question: words.askNotPrinted({ order, documents: candidates.join(", ") }),
          path: path("resolve"),
          body: () => ({ notPrinted: true, checked: candidates }),
        },
      ];
  }
}

interface ConfirmationProps {
  readonly step: Step;
  readonly words: Spoken["words"];
  /** The number of the document, 0 where none is asked for; null = nothing is to be done. */
  onEnd(fd: number | null): void;
}

function Confirmation({ step, words, onEnd }: ConfirmationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [fd, setFd] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onCancel={() => onEnd(null)} aria-label={step.name}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onEnd(Number(fd));
        }}
      >
        {step.asksNumber === true ? (
          <label>
            {step.question}
            <input
              inputMode="numeric"
              pattern="[0-9]{1,10}"
              required
              value={fd}
              onInput={(event) => setFd(event.currentTarget.value)}
            />
          </label>
        ) : (
          <p>{step.question}</p>
        )}
        <p class="pages">
          <button type="submit">{words.yes}</button>
          <button type="button" onClick={() => onEnd(null)}>
            {words.no}
          </button>
        </p>
      </form>
    </dialog>
  );
}
