/** Every action is confirmed by a plain sentence on what will happen, and says what became of it. */
import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { mayAct, type Role } from "../access/roles.js";
import { type ActionAnswer, act, type NotDone } from "./api.js";
import { Sentence } from "./text.js";
import type { Spoken } from "./words.js";

export interface Step {
  readonly name: string;
  readonly question: string;
  /** Asks for the number of a document too. */
  readonly asksNumber?: true;
  /** What the person may have checked by hand: a box each, none ticked at first. */
  readonly checks?: readonly Check[];
  readonly path: string;
  /** Left out: there is nothing to say but that it is to be done. */
  body?(answer: StepAnswer): object;
  /** Nothing waits for it: a role that may not do it is not told of it. */
  readonly isOptional?: boolean;
  /** Its outcome is shown by the page of the job that it makes, if it makes one. */
  readonly showsJob?: true;
  /** What is said when it is done; left out: only that. */
  told?(answer: ActionAnswer): string;
  /** By the code of a refusal, where its own words are for the command line. */
  readonly refusals?: Readonly<Record<string, string>>;
}

interface Check {
  readonly fd: number;
  readonly name: string;
}

export interface StepAnswer {
  /** The number of the document, 0 where none is asked for. */
  readonly fd: number;
  /** Those that the person ticked. */
  readonly checked: readonly number[];
}

/** A daemon that does not answer may carry an action out much later: none is sent to it. */
export const Rights = createContext<{ readonly isLive: boolean; readonly role: Role }>({
  isLive: false,
  role: "administrator",
});

/** The steps that the role is shown or told of. */
export function useOffered(steps: readonly Step[]): readonly Step[] {
  const { role } = useContext(Rights);
  return steps.filter(({ path, isOptional }) => isOptional !== true || mayAct(role, path));
}

/** A button for each step. */
export function Steps({ steps: all, language, words }: Spoken & { readonly steps: readonly Step[] }) {
  const { isLive, role } = useContext(Rights);
  const steps = useOffered(all);
  const allowed = steps.filter(({ path }) => mayAct(role, path));
  const [step, setStep] = useState<Step | null>(null);
  const [isActing, setActing] = useState(false);
  const [said, setSaid] = useState("");
  async function take(chosen: Step, given: StepAnswer): Promise<void> {
    const { hash } = location;
    setActing(true);
    setSaid(words.acting);
    const { refusal, answer } = await act(chosen.path, chosen.body?.(given) ?? {});
    setActing(false);
    const outcome =
      refusal === null ? (chosen.told?.(answer) ?? words.done) : notDone(refusal, chosen, { language, words });
    // With its time: a refusal stays there when its cause is gone.
    setSaid(`${new Date().toLocaleTimeString("ru", { timeStyle: "short" })} · ${outcome}`);
    const isStillHere = location.hash === hash;
    if (chosen.showsJob === true && answer.job !== undefined && isStillHere) location.hash = `#order/${answer.job.id}`;
  }
  return (
    <>
      <p class="pages">
        {allowed.map((one) => (
          <button
            key={one.name}
            type="button"
            disabled={!isLive}
            // It keeps the focus, which a disabled one loses.
            aria-disabled={isActing}
            onClick={() => !isActing && setStep(one)}
          >
            {one.name}
          </button>
        ))}
      </p>
      {steps.length > 0 && allowed.length === 0 ? <p class="names">{words.administratorActs}</p> : null}
      <p role="status">
        <Sentence text={said} />
      </p>
      {step === null ? null : (
        <Confirmation
          {...{ step, words, isLive }}
          onEnd={(given) => {
            setStep(null);
            if (given !== null) void take(step, given);
          }}
        />
      )}
    </>
  );
}

function notDone(refusal: NotDone, { refusals }: Step, { language, words }: Spoken): string {
  if (refusal === "no-answer") return words.noAnswer;
  if (refusal === "no-access") return `${words.connection["no-access"]}. ${words.howToOpen}`;
  return refusals?.[refusal.code] ?? `${refusal.text[language]} ${refusal.hint[language]}`;
}

interface ConfirmationProps {
  readonly step: Step;
  readonly words: Spoken["words"];
  readonly isLive: boolean;
  /** Null: nothing is to be done. */
  onEnd(answer: StepAnswer | null): void;
}

function Confirmation({ step, words, isLive, onEnd }: ConfirmationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const decline = useRef<HTMLButtonElement>(null);
  const question = useId();
  const [fd, setFd] = useState("");
  const [checked, setChecked] = useState<readonly number[]>([]);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // Enter twice must not print. A number that was typed is an answer by itself.
    if (step.asksNumber !== true) decline.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} onCancel={() => onEnd(null)} aria-label={step.name} aria-describedby={question}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onEnd({ fd: Number(fd), checked });
        }}
      >
        {step.asksNumber === true ? (
          <label id={question}>
            {step.question}
            <input
              inputMode="numeric"
              pattern="0*[1-9][0-9]{0,9}"
              required
              value={fd}
              onInput={(event) => setFd(event.currentTarget.value)}
            />
          </label>
        ) : (
          <p id={question}>{step.question}</p>
        )}
        {step.checks?.map(({ fd, name }) => (
          <label key={fd} class="check">
            <input
              type="checkbox"
              checked={checked.includes(fd)}
              onChange={({ currentTarget: { checked: isTicked } }) =>
                setChecked([...checked.filter((other) => other !== fd), ...(isTicked ? [fd] : [])])
              }
            />
            {name}
          </label>
        ))}
        <p class="pages">
          <button type="submit" disabled={!isLive}>
            {words.yes}
          </button>
          <button ref={decline} type="button" onClick={() => onEnd(null)}>
            {words.no}
          </button>
        </p>
      </form>
    </dialog>
  );
}
