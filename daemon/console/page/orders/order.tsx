import { useContext, useState } from "preact/hooks";
import { mayAct } from "../../access/roles.js";
import type { OrderStory } from "../../order-views.js";
import type { ReturnView } from "../../returns/return-api.js";
import { useView } from "../api.js";
import { Rights, type Step, Steps, useOffered } from "../confirm.js";
import { AsOf, Badges, Causes, jobKind, minuteOf, money, paidOnDay, Sentence, signedSum } from "../text.js";
import { language, words } from "../words.js";
import { ForBuyer } from "./for-buyer.js";
import { RepairButton } from "./repair.js";

/** The number of the dialog's box that asks for tag 1192. No document has this number. */
const FIXES = 0;

export function Order({ job, changed }: { readonly job: number; readonly changed: number }) {
  const [isMissing, setMissing] = useState(false);
  const story = useView<OrderStory>(`/api/orders/${job}`, changed, setMissing);
  if (story === null) {
    return (
      <p>
        <a href="#orders">{words.back}</a>
        {isMissing ? ` · ${words.nothingFound}` : null}
      </p>
    );
  }
  const { row, why, entries, deliveries, candidates, actions, hasPaper, forBuyer, repair } = story;
  // The command is left out when the buttons below show what to do. No button shows what a failed order lacks.
  const isDecided = actions.includes("resolve");
  return (
    <article class="order">
      <p>
        <a href="#orders">{words.back}</a>
      </p>
      <h2>
        {row.order === "" ? jobKind(row.what, words) : `${words.order} ${row.order}`}
        <Badges row={row} />
      </h2>
      <p>
        {[
          row.order === "" || row.what === "sale" ? "" : jobKind(row.what, words),
          signedSum(row),
          row.register,
          row.site,
          row.fd === null ? "" : `${words.document} ${row.fd}`,
          minuteOf(row.at),
          paidOnDay(story.paidOn),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <AsOf at={story.at} />
      {why.length === 0 ? null : (
        <section aria-labelledby="why">
          <h3 id="why">{words.why}</h3>
          <Causes {...{ why, next: isDecided ? words.decideBelow : null }} />
        </section>
      )}
      <Candidates candidates={candidates} />
      <Actions {...{ story, changed }} />
      <Repaired repair={repair} />
      {forBuyer === null ? null : <ForBuyer {...{ row, forBuyer }} />}
      <Happened entries={entries} />
      {deliveries.length === 0 ? null : (
        <section aria-labelledby="results">
          <h3 id="results">{words.results}</h3>
          <ul>
            {deliveries.map(({ kind, state, tries }, index) => (
              <li key={`${kind} ${index}`}>
                {isDecided && kind === "result" ? words.unsureNotice : words.eventKinds[kind]}:{" "}
                {words.deliveryStates[state]}, {words.tries({ count: tries })}
              </li>
            ))}
          </ul>
          <Steps steps={resends(deliveries, row.order)} />
        </section>
      )}
      {/* A printed receipt has another picture, with number and QR code, so the address names the state. */}
      {hasPaper ? (
        <img class="paper" src={`/api/jobs/${row.job}/paper.png?state=${row.state.en}`} alt={words.receipt} />
      ) : null}
    </article>
  );
}

function Repaired({ repair }: Pick<OrderStory, "repair">) {
  if (repair === null) return null;
  return (
    <section aria-labelledby="repaired">
      <h3 id="repaired">{words.repair.story}</h3>
      <p>{words.repair.why({ reason: repair.reason })}</p>
      <ol>
        {repair.rows.map((row) => (
          <li key={row.job}>
            <a href={`#order/${row.job}`}>{jobKind(row.what, words)}</a>
            {row.total === null ? "" : ` · ${signedSum(row)}`}
            {row.fd === null ? "" : ` · ${words.document} ${row.fd}`}
            <Badges row={row} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Only support reads the device's own words, so they are folded away. */
function Happened({ entries }: Pick<OrderStory, "entries">) {
  const technical = entries.filter((entry) => entry.technical !== "");
  return (
    <section aria-labelledby="story">
      <h3 id="story">{words.story}</h3>
      <ol class="story">
        {entries.map(({ at, text, detail }, index) => (
          <li key={`${at} ${index}`}>
            <time dateTime={at}>{minuteOf(at)}</time> {text[language]}
            {detail.en === "" ? null : (
              <span class="detail">
                {" "}
                <Sentence text={detail[language]} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {technical.length === 0 ? null : (
        <details>
          <summary>{words.technical}</summary>
          <ul class="detail">
            {technical.map(({ at, technical }, index) => (
              <li key={`${at} ${index}`}>
                {new Date(at).toLocaleTimeString(language)} {technical}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Candidates({ candidates }: Pick<OrderStory, "candidates">) {
  if (candidates.length === 0) return null;
  return (
    <section aria-labelledby="candidates">
      <h3 id="candidates">{words.candidates}</h3>
      <ul class="troubles">
        {candidates.map(({ fd, at, operation, total, items }, index) => (
          <li key={`${fd} ${index}`} class="grey">
            <strong>
              {words.document} {fd}
            </strong>
            {[
              at === null ? words.unreadDocument : minuteOf(at),
              operation === null ? "" : words.jobKinds[operation],
              total === null ? "" : money(total),
              items.join(", "),
            ].map((part) => (part === "" ? "" : ` · ${part}`))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({
  story: { row, candidates, actions, movesTo, cases, paidOn },
  changed,
}: {
  readonly story: OrderStory;
  readonly changed: number;
}) {
  const path = `/api/jobs/${row.job}`;
  const left = useView<ReturnView>(`${path}/returnable`, changed)?.lines ?? [];
  const takeBack: Step = {
    ...{ name: words.actionNames.return, question: words.askReturn({ order: row.order }), path: `${path}/return` },
    ...{ lines: left, checks: [{ fd: FIXES, name: words.returnFixes }] },
    ...{ isGrave: true, isOptional: true, showsJob: true },
    body: ({ returned, checked }) => ({ lines: returned, fixes: checked.includes(FIXES) }),
  };
  const steps = useOffered([
    ...actions.flatMap((action) => stepsOf(action, row, { actions, candidates, paidOn })),
    ...movesTo.map(({ register, title }) => ({
      ...{ name: words.move({ register: title }), question: words.askMove({ order: row.order, register: title }) },
      ...{ path: `${path}/move`, body: () => ({ register }), isOptional: true },
    })),
    ...(left.length === 0 ? [] : [takeBack]),
  ]);
  const repair = cases.includes("missed") ? words.repair.openMissed : words.repair.open;
  const mayRepair = cases.length > 0 && mayAct(useContext(Rights).role, "/api/repairs");
  return (
    <section aria-label={words.actions}>
      {steps.length === 0 && !mayRepair ? null : <h3>{words.actions}</h3>}
      <Steps steps={steps}>{!mayRepair ? null : <RepairButton {...{ job: row.job, name: repair }} />}</Steps>
    </section>
  );
}

function resends(deliveries: OrderStory["deliveries"], order: string): readonly Step[] {
  return deliveries
    .filter(({ kind }) => kind === "result")
    .map(({ event, state }) => ({
      ...{ name: words.resend, question: words.askResendResult({ order }), isOptional: state === "delivered" },
      ...{ path: `/api/events/${event}/resend` },
    }));
}

function stepsOf(
  action: OrderStory["actions"][number],
  { job, order }: OrderStory["row"],
  { actions, candidates, paidOn }: Pick<OrderStory, "actions" | "candidates" | "paidOn">,
): readonly Step[] {
  const { actionNames } = words;
  const path = `/api/jobs/${job}/${action}`;
  switch (action) {
    case "retry":
      return [{ name: actionNames.retry, question: words.askRetry({ order }), path }];
    case "approve": {
      const name = actions.includes("as-correction") ? words.printOrdinary : actionNames.approve;
      return [{ name, question: words.askApprove({ order }), path, isMain: true }];
    }
    case "as-correction":
      return [
        {
          ...{ name: actionNames.asCorrection, question: words.askAsCorrection({ count: 1 }), path },
          ...{ asksDay: paidOn === null, asksReason: true, body: ({ day: date }) => ({ date }) },
          ...{ isGrave: true, isOptional: true },
        },
      ];
    case "set-aside":
      // Setting a held order aside cancels it, and the site is told.
      if (actions.includes("approve"))
        return [{ name: actionNames.cancel, question: words.askCancel({ order }), path }];
      return [{ name: actionNames.setAside, question: words.askSetAside({ order }), path, isOptional: true }];
    case "print-anyway":
      return [{ name: actionNames.printAnother, question: words.askPrintAnother({ order }), path }];
    case "same-receipt":
      return [{ name: actionNames.sameReceipt, question: words.askSameReceipt({ order }), path }];
    case "cancel":
      return [{ name: actionNames.cancel, question: words.askCancel({ order }), path }];
    case "copy":
      // The button for a copy stands beside what the buyer gets.
      return [];
    case "resolve": {
      const fds = [...new Set(candidates.map(({ fd }) => fd))];
      const unread = fds.filter((fd) => candidates.some((one) => one.fd === fd && one.at === null));
      return [
        ...fds.map((fd) => ({
          ...{ name: words.isDocument({ fd }), question: words.askIsDocument({ order, fd }), path },
          body: () => ({ printed: fd }),
        })),
        {
          name: fds.length === 0 ? actionNames.printed : actionNames.printedAsOther,
          question: words.askPrinted,
          asksNumber: true,
          path,
          body: ({ fd }) => ({ printed: fd }),
        },
        {
          name: actionNames.notPrinted,
          question: words.askNotPrinted({ order, unread: unread.length }),
          // Only unreadable documents get a box, because the daemon reads the other documents itself.
          checks: unread.map((fd) => ({ fd, name: words.checkedDocument({ fd }) })),
          path,
          body: ({ checked }) => ({ notPrinted: true, checked }),
          refusals: words.notPrintedRefusals,
        },
      ];
    }
  }
}
