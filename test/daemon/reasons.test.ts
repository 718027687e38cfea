/** The rows that people read: the compiler asks for both languages, this file for what is in them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { latinWords } from "../support/latin-words.js";
import { root } from "../support/read-imports.js";

interface Row {
  readonly name: string;
  readonly value: unknown;
}

const textSchema = z.object({ en: z.string(), ru: z.string() });

/** Every table of rows: the modules whose name says so, and what they export. */
async function findRows(): Promise<readonly Row[]> {
  const files = ["shared", "daemon/messages/reasons"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /^(?!dist).*-(?:texts|reasons)\.ts$/.test(file))
      .map((file) => (folder === "shared" ? `@fiscald/shared/${file}` : `@fiscald/${folder}/${file}`)),
  );
  const tables = await Promise.all(files.map((file) => import(file.replace(/\.ts$/, ".js"))));
  return tables.flatMap((module: object) =>
    Object.entries(module).flatMap(([table, rows]) =>
      typeof rows === "object" ? Object.entries(rows).map(([key, value]) => ({ name: `${table}.${key}`, value })) : [],
    ),
  );
}

/** A parameter of any kind: a value, a sentence, a list, or an object with named parameters. */
function given(name: string): unknown {
  const shown = `<${name}>`;
  const say = () => shown;
  const own = { en: shown, ru: shown, path: shown, message: shown, toString: say, join: say };
  const isOwn = (key: string | symbol) => typeof key === "symbol" || Object.hasOwn(own, key);
  return new Proxy(own, { get: (_, key) => (isOwn(key) ? Reflect.get(own, key) : given(String(key))) });
}

function textOf(value: unknown): z.output<typeof textSchema> {
  if (typeof value !== "function") return textSchema.parse(value);
  const parameters = Array.from({ length: value.length }, (_, index) => given(String(index)));
  return textSchema.parse(Reflect.apply(value, null, parameters));
}

function parametersIn(text: string): readonly string[] {
  return [...new Set(text.match(/<\w+>/g))].sort();
}

/** Names of settings and fields that are plain words, as a config or an order has them. */
const names = (
  "sell tax id false kkm action user password items payments total measure basic signature bearer header none temp " +
  "Content-Encoding Content-Type whsec_ Return A-Z e-mail x"
).split(" ");

test("every reason has the same parameters in both languages", async () => {
  const rows = await findRows();
  expect(rows.length).toBeGreaterThan(250);
  const differing = rows.filter(({ value }) => {
    const { en, ru } = textOf(value);
    return en === "" || JSON.stringify(parametersIn(en)) !== JSON.stringify(parametersIn(ru));
  });
  expect(differing.map(({ name }) => name)).toEqual([]);
});

test("every Russian reason is Russian except for codes, commands and names of fields", async () => {
  const english = (await findRows()).flatMap(({ name, value }) => {
    const left = latinWords(textOf(value).ru, names);
    return left.length === 0 ? [] : [`${name}: ${left.join(" ")}`];
  });
  expect(english).toEqual([]);
});
