import { useContext, useState } from "preact/hooks";
import { mayAct } from "../../access/roles.js";
import type { OrderOffer } from "../../troubles/trouble.js";
import { Administrator, doneButFor, Rights, type Step, Steps } from "../confirm.js";
import { words } from "../words.js";

interface TickedOrder {
  readonly job: number;
  readonly order: string;
  /** What the order's job prints, such as `sale` or `sale-correction`. */
  readonly what: string;
  /** The day on which the order was paid; null: the order does not say. */
  readonly paidOn: string | null;
  /** The words beside the order: its sum, its document, why it waits. */
  readonly about: readonly string[];
  readonly mayTick: boolean;
}

interface TickedOrdersProps {
  readonly orders: readonly TickedOrder[];
  readonly offers: readonly OrderOffer[];
}

export function TickedOrders({ orders, offers }: TickedOrdersProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { role } = useContext(Rights);
  const isAllowed = offers.some((offer) => mayAct(role, pathOf(offer)));
  const undecided = orders.filter(({ mayTick }) => mayTick);
  const tickable = isAllowed ? undecided.map(({ job }) => job) : [];
  // Orders that were decided meanwhile are no longer in the list.
  const ticked = chosen.filter((job) => tickable.includes(job));
  const tick = (jobs: readonly number[], isTicked: boolean) =>
    setChosen([...ticked.filter((job) => !jobs.includes(job)), ...(isTicked ? jobs : [])]);
  const isCorrection = ({ what }: TickedOrder) => what.endsWith("-correction");
  const stepsOf = () => {
    const wanted = orders.filter(({ job }) => ticked.includes(job));
    const ordinary = wanted.filter((one) => !isCorrection(one));
    const given = { jobs: ticked, ordinary };
    const isOffered = (offer: OrderOffer) => offer !== "as-correction" || ordinary.length > 0;
    const mayChoose = offers.includes("as-correction") && ordinary.length > 0;
    return offers.filter(isOffered).map((offer) => stepOf(offer, { ...given, mayChoose }));
  };
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
            {mayTick && isAllowed ? (
              <Box isTicked={ticked.includes(job)} name={order} onTick={(isTicked) => tick([job], isTicked)} />
            ) : null}
            <a href={`#order/${job}`}>{order}</a>
            <span class="detail">{about.filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ul>
      {isAllowed || undecided.length === 0 ? null : <Administrator />}
      {ticked.length === 0 ? null : <Steps steps={stepsOf()} />}
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

const pathOf = (offer: OrderOffer) => `/api/${offer}`;

interface Ticked {
  readonly jobs: readonly number[];
  readonly ordinary: readonly TickedOrder[];
  readonly mayChoose: boolean;
}

function stepOf(offer: OrderOffer, { jobs, ordinary, mayChoose }: Ticked): Step {
  const common = { path: pathOf(offer), told: doneButFor, asksReason: true, body: () => ({ jobs }) } as const;
  const { printOrdinary, actionNames } = words;
  switch (offer) {
    case "print": {
      const corrections = jobs.length - ordinary.length;
      const question = words.askPrintThose({ ordinary: ordinary.length, corrections });
      return { ...common, name: mayChoose ? printOrdinary : actionNames.approve, question };
    }
    case "set-aside":
      return { ...common, name: actionNames.cancel, question: words.askSetThoseAside({ count: jobs.length }) };
    case "as-correction": {
      const isAnyUndated = ordinary.some(({ paidOn }) => paidOn === null);
      const question = words.askAsCorrection({ count: ordinary.length });
      return {
        ...{ ...common, name: actionNames.asCorrection, question, asksDay: isAnyUndated, isGrave: true },
        body: ({ day: date }) => ({ jobs: ordinary.map(({ job }) => job), date }),
      };
    }
  }
}
