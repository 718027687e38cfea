import { useEffect, useRef, useState } from "preact/hooks";
import type { ChangeView, CheckedView, ConfigProblemView } from "../../setup/change-api.js";
import { isRefused, type Refused, request } from "../api.js";
import { language } from "../words.js";
import { Field, Select } from "./setup-fields.js";
import { type RegisterRow, Registers, toAnswer } from "./setup-registers.js";
import { Findings } from "./setup-site.js";
import { Start } from "./setup-start.js";
import { choiceIn, innDoubt, inWords, setupWords as words } from "./setup-words.js";

type SetupSection = ChangeView["sections"][number];
type Values = Readonly<Record<string, string>>;
/** `body` is what was checked. A person may have changed the fields later. */
type Checked = CheckedView & { readonly body: object };
/** `back`: the person returned from the difference. `written`: the config is written, and fiscald starts again. */
type Step = "asking" | "back" | "checking" | "written" | Checked | Refused;

export function Change({ view }: { readonly view: ChangeView }) {
  const [values, setValues] = useState<Values>({});
  const [added, setAdded] = useState<readonly RegisterRow[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [step, setStep] = useState<Step>("asking");
  async function check(): Promise<void> {
    setStep("checking");
    const body = { version: view.version, values, add: added.map(toAnswer), remove: removed };
    const answer = await request<CheckedView>("/api/setup/check", body);
    setStep(isRefused(answer) ? answer : { ...answer, body });
  }
  async function apply({ body }: Checked): Promise<void> {
    const answer = await request<CheckedView>("/api/setup/apply", body);
    setStep(isRefused(answer) ? answer : answer.changes.length === 0 ? { ...answer, body } : "written");
  }
  const submit = useRef<HTMLButtonElement>(null);
  // The button that led here disappears with the difference, and would take the focus away.
  useEffect(() => {
    if (step === "back") submit.current?.focus();
  }, [step]);
  if (step === "written") return <Start before={view.startedAt} />;
  if (typeof step === "object" && !isRefused(step) && step.changes.length > 0) {
    return <Difference {...{ checked: step, view }} onApply={() => apply(step)} onBack={() => setStep("back")} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      {view.notStarted === null ? null : (
        <p class="band">
          <strong>{words.change.givenBack}</strong> {view.notStarted.text[language]} {view.notStarted.detail[language]}
        </p>
      )}
      <p class="pages">
        <a href="/">{words.change.toPage}</a>
        <a href="#proof">{words.proof.link}</a>
      </p>
      <p>{(view.isWritable ? words.change.intro : words.change.readOnly)({ path: view.configPath })}</p>
      {view.sections.map((section) => (
        <Section
          key={`${section.kind} ${section.id}`}
          {...{ section, values, isRemoved: removed.includes(section.id) && section.kind === "register" }}
          onChange={(path, value) => setValues({ ...values, [path]: value })}
          onRemove={(is) => setRemoved([...removed.filter((id) => id !== section.id), ...(is ? [section.id] : [])])}
        />
      ))}
      <Registers {...{ registers: added, drivers: view.drivers }} onChange={setAdded}>
        {words.change.more}
      </Registers>
      <div role="status">
        {typeof step === "string" ? null : isRefused(step) ? (
          <p>{inWords(step)}</p>
        ) : (
          <Nothing {...{ checked: step, view }} />
        )}
      </div>
      <p class="pages">
        <button ref={submit} type="submit" disabled={step === "checking" || !view.isWritable}>
          {step === "checking" ? words.testing : words.change.check}
        </button>
      </p>
    </form>
  );
}

interface SectionProps {
  readonly section: SetupSection;
  readonly values: Values;
  readonly isRemoved: boolean;
  onChange(path: string, value: string): void;
  onRemove(isRemoved: boolean): void;
}

function Section({ section, values, isRemoved, onChange, onRemove }: SectionProps) {
  const fields = isRemoved ? [] : section.fields;
  return (
    <fieldset class="card">
      <legend>{titleOf(section)}</legend>
      {fields.map(({ path, label, kind, choices, value }) => {
        const common = {
          ...{ key: path, label: words[label], value: values[path] ?? value },
          onChange: (wanted: string) => onChange(path, wanted),
        };
        if (label === "cashierInn")
          return (
            <>
              <Field {...common} />
              <p role="status">{innDoubt(common.value)}</p>
            </>
          );
        if (kind !== "choice") return <Field {...common} type={kind} />;
        const all = new Set([...(label === "timeZone" ? [] : [""]), ...choices, value]);
        const named = [...all].map((name) => [name, name === "" ? words.change.none : choiceIn(name)] as const);
        return <Select {...common} choices={named} />;
      })}
      {section.kind === "site" ? null : (
        <p>
          <button type="button" onClick={() => onRemove(!isRemoved)}>
            {isRemoved ? words.change.keep : words.remove}
          </button>
        </p>
      )}
    </fieldset>
  );
}

function titleOf({ kind, id, fields }: SetupSection): string {
  const { change } = words;
  if (kind === "site") return change.siteTitle({ id });
  const { value: title = id } = fields.find(({ label }) => label === "registerTitle") ?? {};
  return title === id || title === "" ? change.registerTitle({ id }) : `${title} (${id})`;
}

interface CheckedProps {
  readonly checked: CheckedView;
  readonly view: ChangeView;
}

function Nothing({ checked: { isStale, problems }, view }: CheckedProps) {
  if (isStale) return <p>{words.change.stale}</p>;
  if (problems.length === 0) return <p>{words.change.noChanges}</p>;
  return (
    <>
      <p>{words.change.problems}</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem.path}>
            <strong>{placeOf(problem.path, view)}</strong>: {wrongIn(problem, view) ?? problem.text[language]}
          </li>
        ))}
      </ul>
    </>
  );
}

interface DifferenceProps extends CheckedProps {
  onApply(): Promise<void>;
  onBack(): void;
}

function Difference({ checked, view, onApply, onBack }: DifferenceProps) {
  const [isApplying, setApplying] = useState(false);
  const { change } = words;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here has disappeared, and would take the focus away.
  useEffect(() => heading.current?.focus(), []);
  const shown = (kind: string, value: string) => (kind === "choice" ? choiceIn(value) : value);
  const isBad = checked.findings.some(({ level }) => level === "bad");
  const back = (
    <button type="button" disabled={isApplying} onClick={onBack}>
      {words.back}
    </button>
  );
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {change.changes}
      </h2>
      <ul class="difference">
        {checked.changes.map(({ path, kind, section, ...values }) =>
          path.endsWith("]") ? (
            <li key={path}>
              {values.new === "" ? change.removed({ name: section }) : change.added({ name: values.new })}
            </li>
          ) : (
            <li key={path}>
              {placeOf(path, view)}:{" "}
              <del>{kind === "password" ? change.secretAsBefore : shown(kind, values.old) || change.none}</del> →{" "}
              <ins>{kind === "password" ? change.secretNew : shown(kind, values.new) || change.none}</ins>
            </li>
          ),
        )}
      </ul>
      <Findings findings={checked.findings} />
      <p>{change.restarts}</p>
      <p class="pages">
        {isBad ? back : null}
        <button
          type="button"
          class={isBad ? "grave" : undefined}
          disabled={isApplying}
          onClick={() => {
            setApplying(true);
            void onApply();
          }}
        >
          {isBad ? change.applyAnyway : change.apply}
        </button>
        {isBad ? null : back}
      </p>
    </>
  );
}

/** Such as `Касса till-1, Часовой пояс касс`. A place without a field is named by its config path. */
function placeOf(path: string, { sections }: ChangeView): string {
  const section = sections.find(({ fields }) => fields.some((field) => field.path === path));
  const field = section?.fields.find((known) => known.path === path);
  if (section === undefined || field === undefined) return path;
  // The explanation behind the question's name is cut off.
  const [name = ""] = words[field.label].split(/[:;(]/);
  return `${titleOf(section)}, ${name.trim()}`;
}

/** What the field needs, in the words of its question; undefined: no question matches. */
function wrongIn({ path }: ConfigProblemView, { sections }: ChangeView): string | undefined {
  const field = sections.flatMap(({ fields }) => fields).find((known) => known.path === path);
  const texts: Readonly<Record<string, string>> = words.change.wrong;
  return texts[field?.label ?? ""] ?? texts[field?.kind ?? ""];
}
