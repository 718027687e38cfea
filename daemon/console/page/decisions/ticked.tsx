/** Orders with a box each, and buttons for those that are ticked: print them, correct them, or leave them. */
import { useState } from "preact/hooks";
import type { OrderOffer } from "../../troubles/trouble.js";
import type { ActionAnswer } from "../api.js";
import { doneButFor, type Step, Steps } from "../confirm.js";
import type { Spoken, Words } from "../words.js";

interface TickedOrder {
  readonly job: number;
  readonly order: string;
  /** What is said beside the order: its sum, its document, why it waits. */
  readonly about: readonly string[];
  /** False: nothing is to be decided about it, and it has no box. */
  readonly mayTick: boolean;
}

interface TickedOrdersProps extends Spoken {
  readonly orders: readonly TickedOrder[];
  readonly offers: readonly OrderOffer[];
  /** The day that is meant where an order does not say when it was paid, as `2026-07-14`; "" = the person names it. */
  readonly day: string;
}

export function TickedOrders({ orders, offers, day, language, words }: TickedOrdersProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const tickable = orders.filter(({ mayTick }) => mayTick).map(({ job }) => job);
  // What was decided meanwhile has left the list.
  const ticked = chosen.filter((job) => tickable.includes(job));
  const tick = (jobs: readonly number[], isTicked: boolean) =>
    setChosen([...ticked.filter((job) => !jobs.includes(job)), ...(isTicked ? jobs : [])]);
  return (
    <>
      {tickable.length < 2 ? null : (
        <Box
          isTicked={ticked.length === tickable.length}
          name={words.tickAll}
          onTick={(isTicked) => tick(tickable, isTicked)}
        >
          {words.tickAll}
        </Box>
      )}
      <ul class="troubles">
        {orders.map(({ job, order, about, mayTick }) => (
          <li key={job} class="ticked">
            {mayTick ? (
              <Box isTicked={ticked.includes(job)} name={order} onTick={(isTicked) => tick([job], isTicked)} />
            ) : null}
            <a href={`#order/${job}`}>{order}</a>
            <span class="detail">{about.filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ul>
      {ticked.length === 0 ? null : (
        <Steps {...{ steps: offers.map((offer) => stepOf(offer, ticked, { day, words })), language, words }} />
      )}
    </>
  );
}

interface BoxProps {
  readonly isTicked: boolean;
  readonly name: string;
  readonly children?: string;
  onTick(isTicked: boolean): void;
}

function Box({ isTicked, name, children, onTick }: BoxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isTicked}
        aria-label={name}
        onChange={({ currentTarget: { checked } }) => onTick(checked)}
      />
      {children}
    </label>
  );
}

function stepOf(
  offer: OrderOffer,
  jobs: readonly number[],
  { day, words }: { readonly day: string; readonly words: Words },
): Step {
  const count = jobs.length;
  const told = (answer: ActionAnswer) => doneButFor(answer, words);
  const common = { path: `/api/${offer}`, told, asksReason: true } as const;
  const { printThose, actionNames } = words;
  switch (offer) {
    case "print":
      return { ...common, name: printThose, question: words.askPrintThose({ count }), body: () => ({ jobs }) };
    case "set-aside":
      return {
        ...common,
        name: actionNames.cancel,
        question: words.askSetThoseAside({ count }),
        body: () => ({ jobs }),
      };
    case "as-correction":
      return {
        ...common,
        ...{ name: actionNames.asCorrection, question: words.askAsCorrection({ count }), asksDay: day, isGrave: true },
        body: ({ day: date }) => ({ jobs, date }),
      };
  }
}
