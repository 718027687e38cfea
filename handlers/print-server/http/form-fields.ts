/**
 * Form fields in PHP's bracket spelling (`data[0][name]=x`, `list[]=y`) to nested values. Pure.
 * All leaves are text; the schemas read numbers and flags from text.
 */
import { Fault } from "@fiscald/shared/fault.js";

export interface FormLimits {
  readonly maxFields: number;
  readonly maxDepth: number;
}

const defaultLimits: FormLimits = { maxFields: 10_000, maxDepth: 8 };

/** Parses an urlencoded body. Fault `call.unreadable` when it has more fields or deeper nesting than allowed. */
export function parseForm(text: string, limits: FormLimits = defaultLimits): unknown {
  return nestFields(new URLSearchParams(text), limits);
}

/** Nests fields that somebody else has already split; values that are nested already stay so. */
export function nestFields(fields: Iterable<readonly [string, unknown]>, limits: FormLimits = defaultLimits): unknown {
  const root = new Branch();
  let count = 0;
  for (const [name, value] of fields) {
    count += 1;
    if (count > limits.maxFields) throw new Fault("call.unreadable", { message: "The form has too many fields." });
    const path = pathOf(name);
    if (path.length > limits.maxDepth) {
      throw new Fault("call.unreadable", { message: "The form is nested too deeply.", place: name.slice(0, 100) });
    }
    root.put(path, value);
  }
  return root.toValue();
}

/** `a[b][]` is `["a", "b", ""]`; a name whose brackets do not pair is taken as it stands. */
function pathOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  if (match === null) return [name];
  const [, head = "", brackets = ""] = match;
  return [head, ...brackets.slice(1, -1).split("][")];
}

class Branch {
  // A Map, not an object: a field named __proto__ is a field like any other.
  readonly #children = new Map<string, Branch | Leaf>();

  put(path: readonly string[], value: unknown): void {
    const [head = "", ...rest] = path;
    const key = head === "" ? String(this.#children.size) : head;
    if (rest.length === 0) {
      this.#children.set(key, new Leaf(value));
      return;
    }
    const child = this.#children.get(key);
    const branch = child instanceof Branch ? child : new Branch();
    this.#children.set(key, branch);
    branch.put(rest, value);
  }

  /** Keys 0, 1, 2 ... without a gap make an array, as PHP would print it. */
  toValue(): unknown {
    const entries = [...this.#children].map(([key, child]) => [key, child.toValue()] as const);
    const isList = entries.length > 0 && entries.every(([key], position) => key === String(position));
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  }
}

class Leaf {
  readonly #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
  }
  toValue(): unknown {
    return this.#value;
  }
}
