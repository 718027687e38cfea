/** Every catalogue says everything: the compiler checks the keys, this file what is in them. */
import { languages, messagesIn } from "@fiscald/daemon/messages/messages.js";

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

test.each(languages)("the catalogue %s has every key, no text more, and uses the same parameters", (language) => {
  const leaves = leavesOf(messagesIn(language), "");
  const shape = (list: readonly Leaf[]) => list.map((leaf) => [leaf.path, ...parametersOf(textOf(leaf))]);
  expect(shape(leaves).toSorted()).toEqual(shape(english).toSorted());
  const empty = leaves.filter((leaf) => textOf(leaf) === "" && !leaf.path.startsWith("status.registers."));
  expect(empty.map(({ path }) => path)).toEqual([]);
});

test("every Russian text is Russian: only codes, commands and names of fields are Latin", () => {
  const withoutCyrillic = leavesOf(messagesIn("ru"), "").filter((leaf) => !/[а-яё]/i.test(textOf(leaf)));
  expect(withoutCyrillic.map(({ path }) => path)).toEqual([
    // The name of the other language, as its readers write it.
    "page.otherLanguage",
    "status.registers.2",
    "status.registers.7",
  ]);
});
