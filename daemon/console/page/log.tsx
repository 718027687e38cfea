/**
 * The page of the log: its last lines, newest first, by register, order and level.
 */
import { useState } from "preact/hooks";
import type { RegisterCard } from "../now-view.js";
import type { LogView } from "../views.js";
import { useCount, useView } from "./api.js";
import { AsOf } from "./text.js";
import type { Spoken } from "./words.js";

const REFRESH_MS = 3_000;
const levels = ["error", "warn", "info", "debug"] as const;

export function Log({ registers, words }: Pick<Spoken, "words"> & { readonly registers: readonly RegisterCard[] }) {
  const [filter, setFilter] = useState({ level: "info", register: "", order: "" });
  const readings = useCount(REFRESH_MS);
  const wanted = Object.entries(filter).filter(([, value]) => value.trim() !== "");
  const view = useView<LogView>(`/api/log?${new URLSearchParams(wanted)}`, readings);
  return (
    <section aria-labelledby="log">
      <h2 id="log">{words.log}</h2>
      <p class="names">{words.logReader}</p>
      <div class="search">
        <label>
          {words.logLevel}
          <select
            value={filter.level}
            onChange={({ currentTarget: { value } }) => setFilter({ ...filter, level: value })}
          >
            {levels.map((level) => (
              <option key={level} value={level}>
                {words.logLevels[level]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.register}
          <select
            value={filter.register}
            onChange={({ currentTarget: { value } }) => setFilter({ ...filter, register: value })}
          >
            <option value="">{words.logAll}</option>
            {registers.map(({ id, title }) => (
              <option key={id} value={id}>
                {title === id ? id : `${title} (${id})`}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.logOrder}
          <input
            type="search"
            maxLength={128}
            value={filter.order}
            onInput={({ currentTarget: { value } }) => setFilter({ ...filter, order: value })}
          />
        </label>
      </div>
      {view === null ? <p>{words.connection.loading}</p> : <Lines {...{ view, words }} />}
    </section>
  );
}

const tones: Readonly<Record<string, string>> = { ERROR: "red", WARN: "yellow" };

function Lines({ view: { at, entries }, words }: { readonly view: LogView } & Pick<Spoken, "words">) {
  if (entries.length === 0) return <p>{words.logEmpty}</p>;
  return (
    <>
      <AsOf {...{ at, words }} />
      <div class="wide">
        <table class="log">
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.logLevel}</th>
              <th scope="col">{words.logText}</th>
            </tr>
          </thead>
          <tbody>
            {[...entries].reverse().map(({ at, level, namespace, message, fields }, index) => (
              <tr key={`${at} ${index}`}>
                <td>
                  <time dateTime={at}>{at.replace("T", " ").replace(/\.\d+/, " ")}</time>
                </td>
                <td class={`state ${tones[level] ?? ""}`}>{level}</td>
                <td>
                  <strong>{message}</strong> <span class="detail">{namespace}</span>
                  {Object.entries(fields).map(([key, value]) => (
                    <span key={key} class="detail">
                      {` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
