/** Every text that the source gives to the journal or the log, found by the compiler, has its words in the catalogues. */
import { join } from "node:path";
import { formatLine } from "@fiscald/daemon/logging/line-format.js";
import { readLine } from "@fiscald/daemon/logging/read-line.js";
import { languages, messagesIn } from "@fiscald/daemon/messages/messages.js";
import { russianLogTexts } from "@fiscald/daemon/messages/russian/log.js";
import ts from "typescript";
import { root } from "../support/read-imports.js";
import { SourceTexts, type TextNode } from "../support/source-texts.js";

const source = new SourceTexts(["daemon", "drivers", "shared"].map((name) => join(root, name, "tsconfig.json")));
const journal = source.find({ methods: ["add"], typeOf: /Journal/, textIn: whatOf });
// Frames are no sentences: `wire` is not among them.
const log = source.find({
  methods: ["error", "warn", "info", "debug"],
  typeOf: /^Logger$/,
  textIn: ([first]) => first ?? null,
});

function whatOf([entry]: readonly ts.Expression[]): TextNode | null {
  if (entry === undefined || !ts.isObjectLiteralExpression(entry)) return null;
  const what = entry.properties.find(({ name }) => name?.getText() === "what");
  if (what === undefined) return null;
  if (ts.isPropertyAssignment(what)) return what.initializer;
  return ts.isShorthandPropertyAssignment(what) ? what : null;
}

test("the compiler finds the words of every line of the journal and the log", () => {
  expect([...journal.unclear, ...log.unclear]).toEqual([]);
  expect(journal.texts.size).toBeGreaterThan(30);
  expect(log.texts.size).toBeGreaterThan(60);
});

test.each(languages)("every word of a journal line is in the catalogue %s", (language) => {
  const words = messagesIn(language).journal;
  expect([...journal.texts].filter((word) => !Object.hasOwn(words, word))).toEqual([]);
});

test("every text of the log has a Russian one, and the catalogue no text that the code does not use", () => {
  expect([...log.texts].toSorted()).toEqual(Object.keys(russianLogTexts).toSorted());
});

test("every Russian text of the log is Russian, leads back to one English text, and reads as the message of its line", () => {
  for (const [english, russian] of Object.entries(russianLogTexts)) {
    expect(russian).toMatch(/[а-яё]/i);
    const event = {
      at: 0,
      level: "info",
      namespace: "x",
      context: { a: "b c" },
      message: english,
      fields: { d: 1 },
    } as const;
    expect(readLine(formatLine(event, "ru"))).toMatchObject({
      message: russian,
      english,
      fields: { a: "b c", d: "1" },
    });
  }
});
