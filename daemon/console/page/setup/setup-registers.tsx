import { useState } from "preact/hooks";
import { messagesIn } from "../../../messages/messages.js";
import type { DriverView, FoundView, SearchView } from "../../setup/setup-api.js";
import { isRefused, type Refused, request } from "../api.js";
import { language } from "../words.js";
import { Field, Select } from "./setup-fields.js";
import { choiceIn, innDoubt, inWords, setupWords as words } from "./setup-words.js";

export interface RegisterRow {
  readonly key: number;
  readonly needsCashier: boolean;
  readonly taxSystems: readonly string[];
  readonly title: string;
  readonly driver: string;
  readonly connection: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly group: string;
  readonly taxSystem: string;
  /** The options for users and passwords to ask for. `login` has their values. */
  readonly logins: readonly string[];
  readonly login: Readonly<Record<string, string>>;
}

interface RegistersProps {
  readonly registers: readonly RegisterRow[];
  readonly drivers: readonly DriverView[];
  /** A search takes half a minute while the person types on, so the argument is a function of the present rows. */
  onChange(change: (registers: readonly RegisterRow[]) => readonly RegisterRow[]): void;
  /** The heading; absent for the shop's first registers. */
  readonly children?: string;
}

export function toAnswer({ title, driver, connection, options, group, taxSystem, login }: RegisterRow): object {
  return { title, driver, connection, options, group, taxSystem, login };
}

export function Registers({ registers, drivers, onChange, children }: RegistersProps) {
  const [host, setHost] = useState("");
  const [search, setSearch] = useState<SearchView | Refused | "searching" | null>(null);
  async function look(): Promise<void> {
    setSearch("searching");
    const answer = await request<SearchView>("/api/setup/search", { host });
    setSearch(answer);
    if (isRefused(answer)) return;
    onChange((before) => {
      const known = new Set(before.map(({ connection }) => JSON.stringify(connection)));
      const fresh = answer.found.filter(({ connection }) => !known.has(JSON.stringify(connection)));
      return [...before, ...fresh.map((found, index) => answerOf(found, nextKey(before) + index))];
    });
  }
  const change = (key: number, part: Partial<RegisterRow>) =>
    onChange((before) => before.map((register) => (register.key === key ? { ...register, ...part } : register)));
  return (
    <section aria-labelledby="registers">
      <h2 id="registers" tabIndex={-1}>
        {children ?? words.registers}
      </h2>
      <Field label={words.host} value={host} onChange={setHost} />
      <p class="pages">
        <button
          type="button"
          class={registers.length === 0 ? "main" : undefined}
          disabled={search === "searching"}
          onClick={() => void look()}
        >
          {search === "searching" ? words.searching : words.search}
        </button>
        <button type="button" onClick={() => onChange((before) => [...before, byHand(drivers, nextKey(before))])}>
          {words.addByHand}
        </button>
      </p>
      <div role="status">{search === null || search === "searching" ? null : <Outcome search={search} />}</div>
      {registers.map((register) => (
        <Register
          key={register.key}
          {...{ register, drivers }}
          isAlone={registers.length === 1 && children === undefined}
          onChange={(part) => change(register.key, part)}
          onRemove={() => onChange((before) => before.filter(({ key }) => key !== register.key))}
        />
      ))}
    </section>
  );
}

function nextKey(registers: readonly RegisterRow[]): number {
  return Math.max(0, ...registers.map(({ key }) => key)) + 1;
}

function Outcome({ search }: { readonly search: SearchView | Refused }) {
  if (isRefused(search)) return <p>{inWords(search)}</p>;
  const { found, notThere, advice } = search;
  return (
    <ul>
      {found.length > 0 ? null : <li>{words.nothingFound}</li>}
      {found.map(({ place, model, kkm, inn, fault }) => (
        <li key={`${place} ${kkm}`}>
          {kkm === "" ? `${model} ${place}` : words.found({ model, kkm, inn, place })}{" "}
          {fault === null ? "" : `${fault.text[language]} ${fault.hint[language]}`} {innDoubt(inn)}
        </li>
      ))}
      {[...notThere, ...advice].map((text) => (
        <li key={text.en}>{text[language]}</li>
      ))}
    </ul>
  );
}

function answerOf(
  { model, driver, connection, options, needsCashier, taxSystems, logins }: FoundView,
  key: number,
): RegisterRow {
  return {
    ...{ key, needsCashier, taxSystems, title: model, driver, connection, options, group: "" },
    taxSystem: taxSystems.length > 1 ? (taxSystems[0] ?? "") : "",
    ...{ logins, login: {} },
  };
}

/** The values to begin with for each kind of connection. A person is asked for each of them. */
const firstConnections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  serial: { kind: "serial", path: "", baudRate: 115_200 },
  tcp: { kind: "tcp", host: "", port: 7778 },
  http: { kind: "http", url: "http://127.0.0.1:16732" },
};

/** A register that a person enters. `kind` is the kind of connection; empty: the person has not chosen it yet. */
function byHand(drivers: readonly DriverView[], key: number, kind = ""): RegisterRow {
  const [only, ...others] = drivers.filter(({ connections }) => connections.includes(kind));
  const driver = others.length === 0 ? only : undefined;
  return {
    ...{ key, needsCashier: driver?.needsCashier ?? false, taxSystems: [], title: `Касса ${key}` },
    ...{ driver: driver?.name ?? "", connection: firstConnections[kind] ?? {}, options: {}, group: "" },
    ...{ taxSystem: "", logins: [], login: {} },
  };
}

interface RegisterProps {
  readonly register: RegisterRow;
  readonly drivers: readonly DriverView[];
  /** The shop has no other register, so no group is asked for. */
  readonly isAlone: boolean;
  onChange(part: Partial<RegisterRow>): void;
  onRemove(): void;
}

function Register({ register, drivers, isAlone, onChange, onRemove }: RegisterProps) {
  const { key, title, driver, connection, taxSystems, taxSystem, group, logins, login } = register;
  const loginNames: Readonly<Record<string, string>> = messagesIn(language).init.register.logins;
  const kind = String(connection["kind"] ?? "");
  const fitting = drivers.filter(({ connections }) => connections.includes(kind));
  const { kind: _, ...asked } = firstConnections[kind] ?? {};
  const { path, baudRate, address: host, port, url } = words;
  const questions: Readonly<Record<string, string>> = { path, baudRate, host, port, url };
  const connect = (name: string, value: unknown) => onChange({ connection: { ...connection, [name]: value } });
  return (
    <fieldset class="card">
      <legend>{title}</legend>
      <Field label={words.registerTitle} value={title} isRequired onChange={(text) => onChange({ title: text })} />
      <Select
        label={words.kind}
        value={kind}
        choices={[...(kind === "" ? [["", words.choose] as const] : []), ...Object.entries(words.kinds)]}
        isRequired
        onChange={(wanted) => onChange({ ...byHand(drivers, key, wanted), title, group })}
      />
      {kind === "" ? null : (
        <Select
          label={words.driver}
          value={driver}
          choices={[
            ...(driver === "" ? [["", words.choose] as const] : []),
            ...fitting.map(({ name }) => [name, choiceIn(name)] as const),
          ]}
          isRequired
          onChange={(name) => {
            const needs = drivers.find((known) => known.name === name)?.needsCashier === true;
            onChange({ driver: name, options: {}, needsCashier: needs });
          }}
        />
      )}
      {Object.entries(asked).map(([name, first]) => (
        <Field
          key={name}
          {...{ label: questions[name] ?? name, value: String(connection[name] ?? ""), isRequired: true }}
          type={typeof first === "number" ? "number" : "text"}
          onChange={(text) => connect(name, typeof first === "number" && /^\d+$/.test(text) ? Number(text) : text)}
        />
      ))}
      {logins.map((name) => (
        <Field
          key={name}
          label={loginNames[name] ?? name}
          value={login[name] ?? ""}
          type={/password/i.test(name) ? "password" : "text"}
          onChange={(value) => onChange({ login: { ...login, [name]: value } })}
        />
      ))}
      {taxSystems.length < 2 ? null : (
        <Select
          label={words.taxSystem}
          value={taxSystem}
          choices={taxSystems.map((name) => [name, choiceIn(name)])}
          onChange={(name) => onChange({ taxSystem: name })}
        />
      )}
      {isAlone ? null : <Field label={words.group} value={group} onChange={(name) => onChange({ group: name })} />}
      <p>
        <button type="button" onClick={onRemove}>
          {words.remove}
        </button>
      </p>
    </fieldset>
  );
}
