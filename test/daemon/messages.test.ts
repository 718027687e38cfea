/** Every catalogue says everything: the compiler checks the keys, this file what is in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languages, messagesIn, reasonIn } from "@fiscald/daemon/messages/messages.js";
import { russianReasons } from "@fiscald/daemon/messages/russian/reasons.js";
import { faultInRussian } from "@fiscald/daemon/sites/result-body.js";
import { eventStates } from "@fiscald/daemon/store/outbox-store.js";
import { jobStates } from "@fiscald/daemon/store/rows/job-row.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { rateFlaw } from "@fiscald/shared/receipt/vat.js";
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

test.each(languages)("the catalogue %s has every key, no text more, and uses the same parameters", (language) => {
  const leaves = leavesOf(messagesIn(language), "");
  const shape = (list: readonly Leaf[]) => list.map((leaf) => [leaf.path, ...parametersOf(textOf(leaf))]);
  expect(shape(leaves).toSorted()).toEqual(shape(english).toSorted());
  // Columns without a heading have a number at the end.
  const empty = leaves.filter((leaf) => textOf(leaf) === "" && !/\.\d+$/.test(leaf.path));
  expect(empty.map(({ path }) => path)).toEqual([]);
});

test("every Russian text is Russian: only codes, commands and names of fields are Latin", () => {
  const withoutCyrillic = leavesOf(messagesIn("ru"), "").filter((leaf) => !/[а-яё]/i.test(textOf(leaf)));
  expect(withoutCyrillic.map(({ path }) => path)).toEqual([
    // The name of the other language, as its readers write it.
    "page.otherLanguage",
    "status.registers.2",
    "status.registers.7",
    ...["commands.jobColumns.9", "init.register.kkm", "discover.found.2", "discover.found.6"],
    ...["discover.others.1", "discover.others.2"],
  ]);
});

test.each(languages)("every state that commands and the page show has a word in %s", (language) => {
  const { states, eventStates: ofEvents, page } = messagesIn(language);
  const without = (names: readonly string[], words: object) => names.filter((name) => !Object.hasOwn(words, name));
  expect([...without(jobStates, states), ...without(jobStates, page.jobStates)]).toEqual([]);
  expect([...without(eventStates, ofEvents), ...without(eventStates, page.deliveryStates)]).toEqual([]);
});

test("every fault says its cause and what to do in Russian", () => {
  const isRussian = (text: string) => /[а-яё]/i.test(text);
  const silent = Object.entries(faultCodes).filter(([, { text, hint }]) => !isRussian(text.ru) || !isRussian(hint.ru));
  expect(silent.map(([code]) => code)).toEqual([]);
});

/** The literal reasons in the sources of a folder, each value as `*`. */
function reasonsIn(folder: string, before: RegExp): readonly string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !file.includes("dist"))
    .flatMap((file) => {
      const text = readFileSync(join(root, folder, file), "utf8");
      const literal = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/y;
      return [...text.matchAll(before)].flatMap(({ index, 0: { length } }) => {
        literal.lastIndex = index + length;
        const [, , found] = literal.exec(text) ?? [];
        return found === undefined ? [] : [found.replace(/\$\{[^}]*\}/g, "*").replace(/\\([\\`])/g, "$1")];
      });
    });
}

test("what is wrong with a config or a command is said in Russian, with the values that the English text has", () => {
  const found = [
    ...reasonsIn(
      "daemon/config",
      /(?:message(?: =|:)|error:|reason:|wrong\(|fail\(|note\("[\w.]+",|\/u?,)\s*(?=["'`])/g,
    ),
    ...reasonsIn("daemon/store", /"(?:store|job|config)\.[\w-]+", \{ message: (?=["'`])|\bmessage = (?=["'`])/g),
    ...reasonsIn("daemon/cli", /"usage\.wrong", \{\s*message:\s*(?=["'`])/g),
  ];
  expect(found.length).toBeGreaterThan(50);
  const english = found.filter((text) => !/[а-яё]/i.test(reasonIn("ru", text.replaceAll("*", "A1"))));
  // Words stand in the place of a value: the test below has them.
  const composed = ["* in *:\\n*", "there is no * *; there are: *", "there is no such key*"];
  expect([...new Set(english)].filter((text) => /[a-z]{2}/.test(text)).toSorted()).toEqual(composed);
  for (const [text, russian] of Object.entries(russianReasons)) {
    const values = text.split("*").length - 1;
    const used = [...russian.matchAll(/\$(\d)/g)].map(([, number]) => Number(number));
    expect(used.every((number) => number >= 1 && number <= values)).toBe(true);
  }
});

test("why an order is not printed is said in Russian in the result of the order", () => {
  const ofFault = /"(?:order|receipt|register)\.[\w-]+", \{\s*message:\s*(?=["'`])/g;
  const ofMessage = /\bmessage =\s*(?=["'`])/g;
  const found = [
    ...reasonsIn("drivers", ofFault),
    ...reasonsIn("drivers", /\b(?:refuse|unsupported)\((?=["'`])/g),
    ...reasonsIn("drivers/compile", ofMessage),
    ...reasonsIn("daemon/registers", ofFault),
    ...["intake", "registers/printing"].flatMap((folder) => reasonsIn(`daemon/${folder}`, ofMessage)),
    ...reasonsIn("daemon/registers/printing", /\bmissing\((?=["'`])/g),
  ];
  expect(found.length).toBeGreaterThan(40);
  const message = (text: string) => text.replaceAll("*", "A1");
  const told = found.map((text) => faultInRussian({ code: "receipt.unsupported", message: message(text) }));
  const english = found.filter((_text, at) => !/\(.*[а-яё].*\)$/is.test(told[at] ?? ""));
  // Names and values, a state, and what other rows or the log say.
  const others = ["* is *", "* is above *", "*: *", "defaultTax * is *: *", "mark-unchecked"];
  const compared = "tag *: the register was sent * and * (document *)";
  expect(english.filter((text) => ![...others, compared].includes(text))).toEqual([]);
});

test("each line of a list of problems is said in Russian, behind its place", () => {
  const text =
    "2 problems in a.json:\n  sites[0].id: is the same as in sites[1]\n  x.y: there is no such key; known keys: a, b";
  expect(reasonIn("ru", text)).toBe(
    "Ошибок: 2, файл a.json:\n  sites[0].id: то же, что и в sites[1]\n  x.y: такого ключа нет; известные ключи: a, b",
  );
  expect(reasonIn("ru", "  is no JSON: line 3, column 4: the file ends too early")).toBe(
    "  это не JSON: строка 3, столбец 4: файл обрывается",
  );
  expect(reasonIn("ru", "there is no register till-2; there are: till-1")).toBe("кассы till-2 нет; есть: till-1");
  expect(reasonIn("ru", "the database /x has version 3, this program knows versions up to 1")).toMatch(/^у базы \/x/);
  expect(reasonIn("ru", "ECONNREFUSED")).toBe("ECONNREFUSED");
  expect(reasonIn("ru", "timeout; driver 10.10.8.0 works only while the service ATOL Connect (UEM) runs")).toBe(
    "timeout; драйвер 10.10.8.0 работает, только пока работает служба ATOL Connect (UEM)",
  );
  expect(reasonIn("ru", `defaultTax 1 is НДС 20%: ${rateFlaw(1, "2026-11-20", false)}`)).toBe(
    "defaultTax 1 — это НДС 20%: 20 % действует только для возвратов и последующих оплат проданного до 2026-01-01",
  );
  expect(reasonIn("ru", "table 17, field 71 is 1: with value 2 the receipt is printed as it was sent")).toBe(
    "таблица 17, поле 71 сейчас 1: при значении 2 чек печатается таким, как передан",
  );
});

test("the Russian guide's tables use the words that the commands print", () => {
  const guide = readFileSync(join(root, "daemon", "docs", "operator.ru.md"), "utf8");
  const wordsUnder = (title: string) => {
    const [, section = ""] = guide.split(title);
    const [table = ""] = /(^\|.*\n)+/m.exec(section) ?? [];
    // Without the heading and the line below it.
    return table
      .trimEnd()
      .split("\n")
      .slice(2)
      .map((row) => row.split("|")[1]?.trim() ?? "");
  };
  const { phases, states, journal, explain } = messagesIn("ru");
  const without = (title: string, known: readonly string[]) => {
    const words = wordsUnder(title);
    expect(words.length).toBeGreaterThan(5);
    return words.filter((word) => !known.includes(word));
  };
  const { unknown: _, ...known } = phases;
  expect(wordsUnder("**Состояние кассы**").toSorted()).toEqual(Object.values(known).toSorted());
  expect(without("**Состояние задания**", Object.values(states))).toEqual([]);
  const polled = explain.polledFor({ kkm: "" }).trim();
  expect(without("## Что было с заказом", [polled, ...Object.values(journal)])).toEqual([]);
});
