import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { type ConfigProblem, configProblem } from "./config-problem.js";

const prefix = /^FISCALD__/i;

/**
 * `FISCALD__console__port=5481` sets `console.port`; `FISCALD__sites__shop__pollEverySeconds=2` or
 * `FISCALD__sites__0__pollEverySeconds=2` sets a key of one site. `__` stands between the parts, letter case does not
 * matter, and entries of lists are named by their `id` or number. The value is read as JSON where it is JSON (`5481`,
 * `true`, `null`, `["a"]`), else as text.
 */
export function applyEnvOverrides(
  config: unknown,
  env: Readonly<Record<string, string | undefined>>,
  keysAt: (path: readonly (string | number)[]) => readonly string[],
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !prefix.test(name)) continue;
    const parts = name.replace(prefix, "").split("__");
    const fault = assign(config, parts, toValue(value), keysAt);
    if (fault !== null) problems.push(configProblem(name, fault));
  }
  return problems;
}

function assign(
  root: unknown,
  parts: readonly string[],
  value: unknown,
  keysAt: (path: readonly (string | number)[]) => readonly string[],
): FaultText | null {
  let place: unknown = root;
  const path: (string | number)[] = [];
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    if (Array.isArray(place)) {
      const entry = findEntry(place, part);
      if (entry === null) return configReasons.noPlace(part, parts.slice(0, index).join("."));
      if (last) place[entry] = value;
      place = place[entry];
      path.push(entry);
    } else if (isObject(place)) {
      const key = [...Object.keys(place), ...keysAt(path)].find((known) => sameWord(known, part)) ?? part;
      if (last) place[key] = value;
      else place[key] ??= {};
      place = place[key];
      path.push(key);
    } else {
      return configReasons.noParts(parts.slice(0, index).join("."));
    }
  }
  return null;
}

function sameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function findEntry(list: readonly unknown[], part: string): number | null {
  const byId = list.findIndex((entry) => isObject(entry) && sameWord(String(entry.id), part));
  if (byId !== -1) return byId;
  return /^\d+$/.test(part) && Number(part) < list.length ? Number(part) : null;
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
