/** The set-up page changes these fields of a config. The result is checked as at a start of the daemon. */
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { configFault, problemPath } from "../config/config-problem.js";
import { findUnusableRegisters } from "../config/cross-checks.js";
import { parseConfig, parseConfigJson, readUtf8 } from "../config/load-config.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { configSections, registersIn, type SetupField, withValue } from "./config-fields.js";
import { entryOf, type RegisterAnswer } from "./setup-answers.js";
import { freeName, type SecretFile } from "./write-config.js";

export interface ConfigFile {
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A secret is never shown, so both its values are empty. An added or removed register has the path of its entry. */
export interface ConfigChange extends Pick<SetupField, "path" | "kind"> {
  readonly section: string;
  readonly old: string;
  readonly new: string;
}

export type PlannedChange = ReturnType<typeof planChange>;

/** Throws `config.invalid` when a person has broken the file by hand since the start. */
export function readConfig({ path, env }: ConfigFile) {
  const text = readUtf8(path);
  const { registers } = parseConfig(text, path, { folder: dirname(path), env, readFile: readUtf8 });
  /** Another version: the file has changed since the page showed it. */
  const version = createHash("sha256").update(text).digest("base64url");
  const config = parseConfigJson(text, path);
  return { config, version, sections: configSections(config), registers };
}

export interface WantedChange {
  readonly values: Readonly<Record<string, string>>;
  /** A new register gets the sites, the cashier, the time zone and the closing time of the first register. */
  readonly add: readonly RegisterAnswer[];
  readonly remove: readonly string[];
}

/** Throws `config.invalid`, which names every wrong value. */
export function planChange(
  { path, env }: ConfigFile,
  read: ReturnType<typeof readConfig>,
  { values, add, remove }: WantedChange,
) {
  const folder = dirname(path);
  const known = read.sections.flatMap(({ id, fields }) => fields.map((field) => ({ section: id, field })));
  const strange = Object.keys(values).find((name) => !known.some(({ field }) => field.path === name));
  if (strange !== undefined) throw new Fault("usage.wrong", { message: commandReasons.notChanged({ name: strange }) });
  const wanted = known.map((it) => ({ ...it, value: values[it.field.path] ?? it.field.value }));
  const changed = wanted.filter(({ field, value }) => value !== field.value);
  let changedConfig = read.config;
  const secrets: SecretFile[] = [];
  for (const { section, field, value } of changed) {
    if (field.kind === "password") {
      const file = freeName(folder, `${section}-secret`);
      secrets.push({ file, value });
      changedConfig = withValue(changedConfig, field.place, { fromFile: file });
    } else changedConfig = field.write(changedConfig, value);
  }
  const removed = registersIn(changedConfig).flatMap(({ id }, index) => (remove.includes(id) ? { id, index } : []));
  const fresh = newEntries(changedConfig, add, folder);
  const added = fresh.map(({ entry }) => entry);
  secrets.push(...fresh.flatMap((register) => register.secrets));
  const kept = registerList
    .parse(changedConfig)
    .registers.filter((_, index) => !removed.some((it) => it.index === index));
  const text = `${JSON.stringify(withValue(changedConfig, ["registers"], [...kept, ...added]), null, 2)}\n`;
  const unwritten = new Map(secrets.map(({ file, value }) => [resolve(folder, file), value]));
  const config = parseConfig(text, path, { folder, env, readFile: (name) => unwritten.get(name) ?? readUtf8(name) });
  // New registers have the first register's cashier, so a missing cashier is entered there.
  const [lacking] = findUnusableRegisters({
    registers: added.length === 0 ? [] : config.registers.slice(-added.length),
  });
  if (lacking !== undefined) throw configFault(path, [{ ...lacking, path: "registers[0].cashier.name" }]);
  const count = registersIn(read.config).length;
  return {
    ...{ text, secrets, removed: removed.map(({ id }) => toRegisterId(id)) },
    /**
     * A site is not tried when it gets its lists of registers at another address than its orders, because it may answer
     * any call with an order, or when it has certificates of its own.
     */
    toTry: config.sites.filter(
      ({ urls, tls }, index) =>
        urls.sync === urls.orders &&
        tls.caFile === null &&
        tls.certFile === null &&
        changed.some(({ field: { place } }) => place[0] === "sites" && place[1] === index),
    ),
    changes: [
      ...changed.map(({ section, field, value }) => changeOf(section, field, value)),
      ...removed.map(({ id, index }) => changeOfEntry(index, id, { old: id, new: "" })),
      ...added.map(({ id, title }, index) => changeOfEntry(count + index, id, { old: "", new: String(title) })),
    ],
  };
}

function changeOf(section: string, { path, kind, value: old }: SetupField, value: string): ConfigChange {
  return { path, kind, section, old, new: kind === "password" ? "" : value };
}

function changeOfEntry(index: number, section: string, values: Pick<ConfigChange, "old" | "new">): ConfigChange {
  return { path: problemPath(["registers", index]), kind: "text", section, ...values };
}

const registerList = z.looseObject({ registers: z.array(z.unknown()) });

function newEntries(config: unknown, answers: readonly RegisterAnswer[], folder: string) {
  const known = registersIn(config);
  const [first] = known;
  if (first === undefined) throw new Fault("internal", { message: "a config without a register" });
  const ids = known.map(({ id }) => id);
  return answers.map((answer) => {
    const id = freeId(ids);
    ids.push(id);
    return entryOf(answer, id, { ...first, folder });
  });
}

function freeId(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number += 1) {
    if (!taken.includes(`till-${number}`)) return `till-${number}`;
  }
}
