import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
/** Where a text stops being JSON, and the probable intention. V8's own error does not always name the place. */
export interface JsonError {
  /** The index of the first wrong character, or the length of a text that breaks off. */
  readonly at: number;
  readonly reason: FaultText;
}

const space = /[ \t\r\n]*/y;
const inString = /(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Null: JSON without a doubled key. Such a key is an error, because its last value would hide the others. */
export function findJsonError(text: string): JsonError | null {
  let at = 0;

  function skip(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length ?? 0;
    at += length;
    return length > 0;
  }

  function next(): string {
    skip(space);
    return text[at] ?? "";
  }

  function wrong(otherwise: FaultText): JsonError {
    return { at, reason: likelyReason(text.slice(at, at + 2)) ?? otherwise };
  }

  function readString(): JsonError | null {
    if (next() !== '"') return wrong(configReasons.jsonText);
    at += 1;
    skip(inString);
    if (text[at] === "\\") return { at, reason: configReasons.jsonBackslash };
    if (text[at] !== '"') return { at, reason: configReasons.jsonUnclosed };
    at += 1;
    return null;
  }

  function readEntry(known: Set<string>): JsonError | null {
    next();
    const start = at;
    const error = readString();
    if (error !== null) return error;
    const name = text.slice(start, at);
    if (known.has(name)) return { at: start, reason: configReasons.jsonTwice };
    known.add(name);
    if (next() !== ":") return wrong(configReasons.jsonColon);
    at += 1;
    return readValue();
  }

  function readList(end: string, readOne: () => JsonError | null): JsonError | null {
    at += 1;
    if (next() === end) {
      at += 1;
      return null;
    }
    for (;;) {
      const error = readOne();
      if (error !== null) return error;
      const separator = next();
      if (separator !== "," && separator !== end) return wrong(configReasons.jsonComma({ end }));
      at += 1;
      if (separator === end) return null;
      if (next() === end) return { at, reason: configReasons.jsonExtraComma };
    }
  }

  function readValue(): JsonError | null {
    const first = next();
    const keys = new Set<string>();
    if (first === "{") return readList("}", () => readEntry(keys));
    if (first === "[") return readList("]", readValue);
    if (first === '"') return readString();
    return skip(scalar) ? null : wrong(configReasons.jsonValue);
  }

  const error = readValue();
  if (error !== null) return error;
  return next() === "" ? null : wrong(configReasons.jsonEnd);
}

function likelyReason(text: string): FaultText | null {
  if (text === "") return configReasons.jsonTooEarly;
  if (text === "//" || text === "/*" || text[0] === "#") return configReasons.jsonComment;
  return text[0] === "'" ? configReasons.jsonSingleQuotes : null;
}

/** Line and column, counted from 1. The line's text is not shown, because it may hold a secret. */
export function describeJsonError(text: string, { at, reason }: JsonError): FaultText {
  const before = text.slice(0, at).split(/\r?\n/);
  const column = (before.at(-1) ?? "").length + 1;
  return configReasons.noJson({ line: before.length, column, reason });
}
