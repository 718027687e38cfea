/** Changes one value in a JSON file that a person wrote, adds one or removes one: every other byte stays as it is. */
import { Fault } from "@fiscald/shared/fault.js";

export type JsonPath = readonly (string | number)[];

interface Node {
  readonly start: number;
  readonly end: number;
  /** The entries of an object or a list, by key or index. */
  readonly children: readonly { readonly key: string | number; readonly keyStart: number; readonly node: Node }[];
}

/**
 * `text` must be JSON with all of `path` but its last key. A value that does not exist is added, at the end of a list.
 */
export function setInJson(text: string, path: JsonPath, value: unknown): string {
  const { parent, key } = findPlace(text, path);
  const written = JSON.stringify(value);
  const old = childOf(parent, key);
  if (old !== undefined) return text.slice(0, old.start) + written + text.slice(old.end);
  return addTo(text, parent, typeof key === "number" ? written : `${JSON.stringify(key)}: ${written}`);
}

/** The text without one entry of a list. The comma behind it goes too, or the comma before it where it is the last. */
export function removeFromJson(text: string, path: JsonPath): string {
  const { children } = findPlace(text, path).parent;
  const at = children.findIndex(({ key }) => key === path.at(-1));
  const [before, entry, next] = [children[at - 1], children[at], children[at + 1]];
  if (entry === undefined) throw new Fault("internal", { message: `no ${path.join(".")} in it` });
  const [from, to] =
    next === undefined ? [before?.node.end ?? entry.keyStart, entry.node.end] : [entry.keyStart, next.keyStart];
  return text.slice(0, from) + text.slice(to);
}

function findPlace(text: string, path: JsonPath) {
  const parents = path.slice(0, -1);
  const key = path.at(-1);
  const parent = parents.reduce<Node | undefined>(childOf, readNode(text, text.startsWith("\uFEFF") ? 1 : 0));
  if (parent === undefined || key === undefined) throw new Fault("internal", { message: `no ${path.join(".")} in it` });
  return { parent, key };
}

/** The child with this key. Where an object has the key twice, the last one counts, as in `JSON.parse`. */
function childOf(parent: Node | undefined, key: string | number): Node | undefined {
  return parent?.children.findLast((child) => child.key === key)?.node;
}

/** Adds an entry behind the last one, with the same white space as before the first one. */
function addTo(text: string, { start, end, children }: Node, entry: string): string {
  const [first] = children;
  const last = children.at(-1);
  if (first === undefined || last === undefined) return `${text.slice(0, start + 1)} ${entry} ${text.slice(end - 1)}`;
  const gap = text.slice(start + 1, first.keyStart);
  return `${text.slice(0, last.node.end)},${gap === "" ? " " : gap}${entry}${text.slice(last.node.end)}`;
}

const space = /[ \t\r\n]*/y;
/** A string, number or word between brackets, commas and colons. */
const scalar = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

function readNode(text: string, from: number): Node {
  const start = skip(text, space, from);
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return { start, end: skip(text, scalar, start), children: [] };
  const children: Node["children"][number][] = [];
  let at = skip(text, space, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const keyStart = at;
    let key: string | number = children.length;
    if (isObject) {
      const keyEnd = skip(text, scalar, at);
      key = String(JSON.parse(text.slice(at, keyEnd)));
      at = skip(text, space, keyEnd) + 1;
    }
    const node = readNode(text, at);
    children.push({ key, keyStart, node });
    at = skip(text, space, node.end);
    if (text[at] === ",") at = skip(text, space, at + 1);
  }
  return { start, end: at + 1, children };
}

function skip(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
