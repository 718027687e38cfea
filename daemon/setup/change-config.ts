/** Changes a config by the fields of the set-up page (config-fields.ts), checked as the daemon checks it at its start. */
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { Fault } from "@fiscald/shared/fault.js";
import { parseConfig, readUtf8 } from "../config/load-config.js";
import { type ConfigField, configSections, type SetupField, type SetupSection } from "./config-fields.js";
import { setInJson } from "./edit-json.js";
import { freeName, type SecretFile } from "./write-config.js";

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ReadConfig {
  readonly text: string;
  /** Tells whether the file is still the one that was shown. */
  readonly version: string;
  readonly sections: readonly SetupSection<ConfigField>[];
}

/** One line of the difference. A secret is never told: both are empty. */
export interface ConfigChange extends Pick<SetupField, "path" | "label" | "kind"> {
  readonly section: string;
  readonly old: string;
  readonly new: string;
}

export interface PlannedChange {
  readonly text: string;
  readonly secrets: readonly SecretFile[];
  readonly changes: readonly ConfigChange[];
}

/** Fault `config.invalid`: somebody has broken it by hand since the start. */
export function readConfig({ path, env }: ConfigFile): ReadConfig {
  const text = readUtf8(path);
  parseConfig(text, path, { folder: dirname(path), env, readFile: readUtf8 });
  const version = createHash("sha256").update(text).digest("base64url");
  return { text, version, sections: configSections(JSON.parse(text.replace(/^\uFEFF/, ""))) };
}

/** `values` by the fields' paths. Fault `config.invalid` names all that is wrong with them. */
export function planChange(
  { path, env }: ConfigFile,
  read: ReadConfig,
  values: Readonly<Record<string, string>>,
): PlannedChange {
  const folder = dirname(path);
  const known = read.sections.flatMap(({ id, fields }) => fields.map((field) => ({ section: id, field })));
  const strange = Object.keys(values).find((name) => !known.some(({ field }) => field.path === name));
  if (strange !== undefined) throw new Fault("usage.wrong", { message: `${strange} is not changed here` });
  const wanted = known.map((it) => ({ ...it, value: values[it.field.path] ?? it.field.value }));
  const changed = wanted.filter(({ field, value }) => value !== field.value);
  let { text } = read;
  const secrets: SecretFile[] = [];
  for (const { section, field, value } of changed) {
    if (field.kind === "password") {
      const file = freeName(folder, `${section}-secret`);
      secrets.push({ file, value });
      text = setInJson(text, field.place, { fromFile: file });
    } else text = field.write(text, value);
  }
  const fresh = new Map(secrets.map(({ file, value }) => [resolve(folder, file), value]));
  parseConfig(text, path, { folder, env, readFile: (name) => fresh.get(name) ?? readUtf8(name) });
  return { text, secrets, changes: changed.map(({ section, field, value }) => changeOf(section, field, value)) };
}

function changeOf(section: string, { path, label, kind, value: old }: SetupField, value: string): ConfigChange {
  return { path, label, kind, section, old, new: kind === "password" ? "" : value };
}
