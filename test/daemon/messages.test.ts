/** Every catalogue says everything: the compiler checks the keys, this file what is in them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { languages, messagesIn } from "@fiscald/daemon/messages/messages.js";
import { eventStates } from "@fiscald/daemon/store/outbox-store.js";
import { jobStates } from "@fiscald/daemon/store/rows/job-row.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { latinWords } from "../support/latin-words.js";
import { root } from "../support/read-imports.js";

interface Leaf {
  readonly path: string;
  readonly value: string | ((given: unknown) => unknown);
}

function leavesOf(part: object, path: string): readonly Leaf[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]): readonly Leaf[] => {
    const place = path === "" ? key : `${path}.${key}`;
    if (typeof value === "string") return [{ path: place, value }];
    if (typeof value === "function") return [{ path: place, value: (given) => Reflect.apply(value, null, [given]) }];
    return typeof value === "object" && value !== null ? leavesOf(value, place) : [];
  });
}

/** The text with `<name>` for each parameter. */
function textOf({ value }: Leaf): string {
  if (typeof value === "string") return value;
  return String(value(new Proxy({}, { get: (_target, name) => `<${String(name)}>` })));
}

function parametersOf(text: string): readonly string[] {
  return [...new Set(text.match(/<\w+>/g))].sort();
}

const english = leavesOf(messagesIn("en"), "");

test.each(languages)("the catalogue %s has exactly the keys and parameters of the English catalogue", (language) => {
  const leaves = leavesOf(messagesIn(language), "");
  const shape = (list: readonly Leaf[]) => list.map((leaf) => [leaf.path, ...parametersOf(textOf(leaf))]);
  expect(shape(leaves).toSorted()).toEqual(shape(english).toSorted());
  // Columns without a heading have a number at the end.
  const empty = leaves.filter((leaf) => textOf(leaf) === "" && !/\.\d+$/.test(leaf.path));
  expect(empty.map(({ path }) => path)).toEqual([]);
});

test("every Russian text is Russian except for codes, commands and names", () => {
  const leaves = leavesOf(messagesIn("ru"), "").map((leaf) => [leaf.path, textOf(leaf)] as const);
  const faults = Object.entries(faultCodes).flatMap(([code, { text, hint }]) => [
    [code, `${text.ru} ${hint.ru}`] as const,
  ]);
  const found = [...leaves, ...faults].flatMap(([path, text]) => {
    const left = latinWords(text, jobStates);
    return left.length === 0 ? [] : [`${path}: ${left.join(" ")}`];
  });
  expect(found).toEqual([]);
});

test("what a person fills in within a Russian command is named in Russian", () => {
  const texts = [
    ...leavesOf(messagesIn("ru"), "").map((leaf) => [leaf.path, textOf(leaf)] as const),
    ...Object.entries(faultCodes).map(([code, { text, hint }]) => [code, `${text.ru} ${hint.ru}`] as const),
  ];
  const found = texts.flatMap(([path, text]) => {
    const commands = text.match(/`(?:fiscald|--)[^`]*`/g) ?? [];
    return commands.some((command) => /(?<![A-Z_])[A-Z]{2,}(?![A-Z_])/.test(command)) ? [`${path}: ${commands}`] : [];
  });
  expect(found).toEqual([]);
});

test.each(languages)("every state that commands and the page show has a word in %s", (language) => {
  const { page } = messagesIn(language);
  const without = (names: readonly string[], words: object) => names.filter((name) => !Object.hasOwn(words, name));
  expect([...without(jobStates, page.jobStates), ...without(eventStates, page.deliveryStates)]).toEqual([]);
});

test("the Russian guide names states of registers by the words that the commands print", () => {
  const guide = readFileSync(join(root, "daemon", "docs", "support.ru.md"), "utf8");
  const { recovering, finishing, blocked, offline } = messagesIn("ru").phases;
  expect([recovering, finishing, blocked, offline].filter((word) => !guide.includes(`«${word}»`))).toEqual([]);
});
