import type { ComponentChildren } from "preact";
import type { SetRow } from "../how-set/state-rows.js";
import type { RegisterCard, RegisterFigures, SiteCard, Tone } from "../now-view.js";
import type { Trouble } from "../troubles/trouble.js";
import { type Step, Steps } from "./confirm.js";
import { ToGuide } from "./help/to-guide.js";
import { ToDecisions } from "./light.js";
import { Ago, AsOf, Heads, Sentence } from "./text.js";
import { language, words } from "./words.js";

export const shapes: Readonly<Record<Tone, string>> = { green: "●", yellow: "▲", red: "■", grey: "○" };
const DAY_HOURS = 24;
/** Minutes. A larger difference of the clocks is shown to the operator. */
const CLOCK_MINUTES = 5;

export function RegisterTile({ card, at }: { readonly card: RegisterCard; readonly at: string }) {
  const { id, title, model, kkm, tone, state, troubles, pausedSince, printing, waiting, figures, howSet } = card;
  const steps = actions(card);
  // A person works as ever with a register that still prints, so its actions stay in sight.
  const isFolded = ({ endsTrouble = false }: Step) => tone === "red" && !endsTrouble;
  const facts = (
    <>
      <p class="names">
        {[model === "" ? words.neverConnected : model, title === id ? "" : id].filter(Boolean).join(" · ")}
        {kkm === "" ? null : <span> · {words.registration({ kkm })}</span>}
      </p>
      <dl>
        {pausedSince === null ? null : (
          <Row name={words.pausedFor} value={<Ago {...{ since: pausedSince, now: at }} />} />
        )}
        <Row name={words.inHand} value={printing ?? words.nothing} />
        <Row name={words.queue} value={String(waiting)} isBad={waiting > 20} />
        {figures === null ? null : <Figures figures={figures} />}
      </dl>
      {figures === null ? null : <AsOf at={figures.readAt} />}
      {figures?.isPresent === false ? <p class="old">{words.oldFigures}</p> : null}
      {howSet.length === 0 ? null : <HowSet rows={howSet} />}
    </>
  );
  return (
    <Card {...{ tone, title, state: state[language] }}>
      <CardCauses {...{ troubles, at }} />
      {troubles.length === 0 ? (
        <>
          {facts}
          <Steps steps={steps} />
        </>
      ) : (
        <>
          <Steps steps={steps.filter((step) => !isFolded(step))} />
          <details class="more">
            <summary>{`${words.details}${waiting === 0 ? "" : ` · ${words.queue}: ${waiting}`}`}</summary>
            {facts}
            <Steps steps={steps.filter(isFolded)} />
          </details>
        </>
      )}
    </Card>
  );
}

const tones: Readonly<Record<SetRow["level"], string>> = {
  ok: "",
  note: "",
  unproven: "yellow",
  look: "yellow",
  wrong: "red",
};

/** The list is closed at first, because what a person must act on is also shown above the list. */
function HowSet({ rows }: { readonly rows: readonly SetRow[] }) {
  return (
    <details class="set">
      <summary>{words.howSet}</summary>
      <table class="folds">
        <Heads names={[words.setPlace, words.setValue, words.setRight, words.setEffect]} />
        <tbody>
          {rows.map(({ place, value, right, level, effect }) => (
            <tr key={place.en + value.en} class={tones[level]}>
              <td>{place[language]}</td>
              <td data-name={words.setValue}>{value[language]}</td>
              <td data-name={words.setRight}>{right?.[language]}</td>
              <td data-name={words.setEffect}>{effect === null ? null : <Sentence text={effect[language]} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function actions({
  id,
  title: register,
  hasPrinter,
  pausedSince,
  tone,
  figures,
  troubles,
}: RegisterCard): readonly Step[] {
  // A paused register still prints what a person orders on the page.
  const away = tone === "green" || pausedSince !== null ? "" : `${words.awayNow} `;
  const step = (action: string, name: string, question: string): Step => ({
    ...{ name, question, path: `/api/registers/${id}/${action}` },
    showsJob: true,
  });
  const resume = { ...step("resume", words.resume, words.askResume({ register })), endsTrouble: true };
  // A register without a connection would print reports at some later time, when nobody expects them.
  const isHere = figures?.isPresent === true;
  const close: Step = {
    ...step("z-report", words.zReport, `${away}${words.askZ({ register })}`),
    isGrave: true,
    endsTrouble: troubles.some(({ kind }) => kind === "shift-expired"),
  };
  return [
    ...(pausedSince === null ? [] : [resume]),
    ...(hasPrinter && isHere ? [step("test-slip", words.testSlip, `${away}${words.askTestSlip({ register })}`)] : []),
    ...(isHere ? [step("x-report", words.xReport, `${away}${words.askX({ register })}`)] : []),
    ...(pausedSince === null ? [step("pause", words.pause, words.askPause({ register }))] : []),
    ...(isHere ? [close] : []),
  ];
}

function Figures({ figures }: { readonly figures: RegisterFigures }) {
  const { shift, paper, unsent, driveDaysLeft, clockMinutes } = figures;
  const hours = shift.hours ?? 0;
  const age = shift.state !== "open" || shift.hours === null ? "" : `, ${words.ofDay({ hours })}`;
  return (
    <>
      <Row
        name={words.shift}
        value={`${shift.number === 0 ? "" : `№ ${shift.number} `}${words.shiftStates[shift.state]}${age}`}
        isBad={shift.state === "expired" || hours >= DAY_HOURS - 1}
      />
      <Row name={words.paper} value={words.papers[paper]} isBad={paper === "out" || paper === "low"} />
      {unsent === null ? null : <Row name={words.ofdQueue} value={words.documents({ count: unsent })} />}
      {driveDaysLeft === null ? null : (
        <Row name={words.drive} value={words.daysLeft({ count: driveDaysLeft })} isBad={driveDaysLeft < 30} />
      )}
      {clockMinutes === null ? null : (
        <Row
          name={words.clock}
          value={words.clockDifference({ minutes: clockMinutes })}
          isBad={Math.abs(clockMinutes) > CLOCK_MINUTES}
        />
      )}
    </>
  );
}

export function SiteTile({ card, at }: { readonly card: SiteCard; readonly at: string }) {
  const { id, tone, troubles, polledAt, orderAt, undelivered } = card;
  const ago = (since: string | null) => (since === null ? words.never : <Ago {...{ since, now: at }} />);
  return (
    <Card {...{ tone, title: id, state: words.siteStates[tone] }}>
      <CardCauses {...{ troubles, at }} />
      <dl>
        <Row name={words.polled} value={ago(polledAt)} />
        <Row name={words.lastOrder} value={ago(orderAt)} />
        <Row name={words.undelivered} value={String(undelivered)} isBad={undelivered > 20} />
      </dl>
      <Steps steps={[poll(id), sync(id)]} />
    </Card>
  );
}

function poll(site: string): Step {
  return { name: words.poll, question: words.askPoll({ site }), path: `/api/sites/${site}/poll` };
}

function sync(site: string): Step {
  return { name: words.sync, question: words.askSync({ site }), path: `/api/sites/${site}/sync` };
}

interface CardProps {
  readonly tone: Tone;
  readonly title: string;
  readonly state: string;
  readonly children: ComponentChildren;
}

export function Card({ tone, title, state, children }: CardProps) {
  return (
    <article class={`card ${tone}`}>
      <header>
        <h3>{title}</h3>
        <span class="state">
          <span aria-hidden="true">{shapes[tone]}</span> {state}
        </span>
      </header>
      {children}
    </article>
  );
}

export function CardCauses({ troubles, at }: { readonly troubles: readonly Trouble[]; readonly at: string }) {
  return troubles.map((trouble) => (
    <p key={trouble.key} class="cause">
      <Sentence text={trouble.text[language]} />{" "}
      <strong>
        <Sentence text={trouble.next[language]} />
      </strong>{" "}
      ·{"\u00A0"}
      <Ago {...{ since: trouble.since, now: at }} />
      <ToDecisions trouble={trouble} />
      <ToGuide trouble={trouble} />
    </p>
  ));
}

function Row({ name, value, isBad = false }: { name: string; value: ComponentChildren; isBad?: boolean }) {
  return (
    <div class={isBad ? "bad" : ""}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
