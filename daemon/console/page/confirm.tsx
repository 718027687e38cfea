/** Every action is confirmed after a plain sentence about what will happen. Afterwards the page says the outcome. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { mayAct, type Role } from "../access/roles.js";
import type { ReturnableLine } from "../returns/return-api.js";
import { type ActionAnswer, act, isRefused } from "./api.js";
import { ReturnedLines, wantedOf, wholeOf } from "./orders/returned-lines.js";
import { Sentence } from "./text.js";
import { notDone, words } from "./words.js";

export interface Step {
  readonly name: string;
  readonly question: string;
  readonly asksNumber?: true;
  readonly asksReason?: true;
  /** The dialog also asks for the day of the settlement, as `2026-07-14`, which only the person can name. */
  readonly asksDay?: boolean;
  readonly checks?: readonly Check[];
  /** What is left of the receipt. The dialog asks how much of each line is returned. */
  readonly lines?: readonly ReturnableLine[];
  readonly path: string;
  /** Absent: the path says everything. */
  body?(answer: StepAnswer): object;
  /** No order waits for this action, so a role that may not do the action sees no word of it. */
  readonly isOptional?: boolean;
  /** The action cannot be undone, so its button differs from the buttons that may be pressed at any time. */
  readonly isGrave?: true;
  /** The action ends the trouble of the card, so the card shows this step first. */
  readonly endsTrouble?: boolean;
  /** The button stands for the usual way among several. */
  readonly isMain?: true;
  /** Afterwards the page shows the page of the job that the action has made, if any. */
  readonly showsJob?: true;
  /** What the page says when the action is done; absent: the page says only that it is done. */
  told?(answer: ActionAnswer): string;
  /** Replaces the daemon's words for a refusal, by the refusal's code (`notDone` in words.ts). */
  readonly refusals?: Readonly<Record<string, string>>;
}

interface Check {
  readonly fd: number;
  readonly name: string;
}

export interface StepAnswer {
  /** The typed document number; 0: the step asks for none. */
  readonly fd: number;
  readonly checked: readonly number[];
  readonly day: string | null;
  readonly reason: string;
  readonly returned: ReturnType<typeof wantedOf>;
}

export function doneButFor({ refused = [] }: ActionAnswer): string {
  const [first] = refused;
  if (first === undefined) return words.done;
  return words.notRetried({ count: refused.length, why: notDone(first.error) });
}

/** No action is sent to a daemon that does not answer, because the daemon might carry it out much later. */
export const Rights = createContext<{ readonly isLive: boolean; readonly role: Role }>({
  isLive: false,
  role: "administrator",
});

/** The steps that the page shows to the role, or mentions. */
export function useOffered(steps: readonly Step[]): readonly Step[] {
  const { role } = useContext(Rights);
  return steps.filter(({ path, isOptional }) => isOptional !== true || mayAct(role, path));
}

interface StepsProps {
  readonly steps: readonly Step[];
  readonly children?: ComponentChildren;
}

export function Steps({ steps: all, children }: StepsProps) {
  const { isLive, role } = useContext(Rights);
  const steps = useOffered(all);
  const isGrave = (one: Step) => Number(one.isGrave === true);
  const allowed = steps
    .filter(({ path }) => mayAct(role, path))
    .toSorted((one, other) => isGrave(one) - isGrave(other));
  const [step, setStep] = useState<Step | null>(null);
  const [isActing, setActing] = useState(false);
  const [said, setSaid] = useState("");
  async function take(chosen: Step, given: StepAnswer): Promise<void> {
    const { hash } = location;
    setActing(true);
    setSaid(words.acting);
    const reason = given.reason === "" ? {} : { reason: given.reason };
    const answer = await act(chosen.path, { ...chosen.body?.(given), ...reason });
    setActing(false);
    const outcome = isRefused(answer) ? notDone(answer.refusal, chosen) : (chosen.told?.(answer) ?? words.done);
    // The refusal is shown with its time, because the words stay on the page when the cause is gone.
    setSaid(`${new Date().toLocaleTimeString("ru", { timeStyle: "short" })} · ${outcome}`);
    const isStillHere = location.hash === hash;
    if (isRefused(answer) || answer.job === undefined) return;
    if (chosen.showsJob === true && isStillHere) location.hash = `#order/${answer.job.id}`;
  }
  return (
    <>
      <p class="pages">
        {children}
        {allowed.map((one) => (
          <button
            key={one.name}
            type="button"
            class={one.isGrave === true ? "grave" : one.isMain === true ? "main" : undefined}
            disabled={!isLive}
            // A button with `aria-disabled` keeps the focus, which a disabled button loses.
            aria-disabled={isActing}
            onClick={() => !isActing && setStep(one)}
          >
            {one.name}
          </button>
        ))}
      </p>
      {steps.length > 0 && allowed.length === 0 ? <Administrator /> : null}
      <p role="status">
        <Sentence text={said} />
      </p>
      {step === null ? null : (
        <Confirmation
          {...{ step, isLive }}
          onEnd={(given) => {
            setStep(null);
            if (given !== null) void take(step, given);
          }}
        />
      )}
    </>
  );
}

export function Administrator() {
  return (
    <p class="names">
      <Sentence text={words.administratorActs} />
    </p>
  );
}

/** When the dialog closes, the focus returns to where it was. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return dialog;
}

interface ConfirmationProps {
  readonly step: Step;
  readonly isLive: boolean;
  onEnd(answer: StepAnswer | null): void;
}

function Confirmation({ step, isLive, onEnd }: ConfirmationProps) {
  const dialog = useModal();
  const decline = useRef<HTMLButtonElement>(null);
  const question = useId();
  const [fd, setFd] = useState("");
  const [checked, setChecked] = useState<readonly number[]>([]);
  const [day, setDay] = useState("");
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState(() => wholeOf(step.lines ?? []));
  useEffect(() => {
    // "No" has the focus, so that pressing Enter twice does not print. A typed number is a decision by itself.
    if (step.asksNumber !== true) decline.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={step.isGrave === true ? "grave" : undefined}
      onCancel={() => onEnd(null)}
      aria-label={step.name}
      aria-describedby={question}
    >
      <h2>{step.name}</h2>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onEnd({
            ...{ fd: Number(fd), checked, day: day === "" ? null : day, reason: reason.trim() },
            returned: wantedOf(typed),
          });
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
        {step.asksDay !== true ? null : (
          <label>
            {words.askPaidDay}
            <input type="date" required value={day} onInput={(event) => setDay(event.currentTarget.value)} />
          </label>
        )}
        {step.asksReason === true ? (
          <label>
            {words.askReason}
            <input maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
        ) : null}
        {step.lines === undefined ? null : <ReturnedLines {...{ lines: step.lines, typed, onType: setTyped }} />}
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
