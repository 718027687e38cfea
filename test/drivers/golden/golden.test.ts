/**
 * Compares each maker's compiled orders with `fixtures/MAKER.txt`: every step with its bytes (Shtrih-M), fields (PIRIT)
 * or JSON (ATOL), in order. `= a, b` are the steps a and b as in the plain sale; `AA*9` is nine times AA. A change of
 * these files is a change of what a register gets. `FISCALD_GOLDEN=write` writes the files from the present compilers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/read-imports.js";
import { linesOf, makers } from "./makers.js";
import { manyDrawn, orders, plainSale } from "./orders.js";

const pathOf = (maker: string) => join(root, "test/drivers/golden/fixtures", `${maker}.txt`);

describe.each(makers)("the golden frames of %s", (maker) => {
  const plain = new Set(linesOf(maker, plainSale));
  const mine = orders.filter(({ only = makers }) => only.includes(maker));
  const made = new Map(
    mine.map(({ title, order, over }) => {
      const lines = linesOf(maker, order, over);
      return [title, title === mine[0]?.title ? lines : joined(lines, plain)];
    }),
  );
  if (process.env.FISCALD_GOLDEN === "write") {
    const blocks = [...made].map(([title, lines]) => `# ${title}\n${lines.join("\n")}\n`);
    writeFileSync(pathOf(maker), blocks.join("\n"));
  }
  const golden = new Map(
    readFileSync(pathOf(maker), "utf8")
      .split(/^# /m)
      .slice(1)
      .map((block) => {
        const [title = "", ...lines] = block.trimEnd().split("\n");
        return [title, lines];
      }),
  );

  test(`the golden frames of ${maker} are those of the orders that are compiled for it`, () => {
    expect([...golden.keys()]).toEqual([...made.keys()]);
  });

  test.each([...made])(`an order for ${maker} is compiled into its golden frames: %s`, (title, lines) => {
    expect(lines).toEqual(golden.get(title));
  });
});

test.each([
  ["shtrih", {}, / \(optional, group .*\): C3 /, / row \d+ .*: 2F /],
  ["atol", { pictures: true }, /"type":"pixels"/, /"type":"text"/],
] as const)(
  "for %s a hundred rows of one document are drawn as pictures, and further rows are printed plain with a warning",
  (...row) => {
    const [maker, options, isDrawn, isPlain] = row;
    for (const order of manyDrawn.orders) {
      const lines = linesOf(maker, order, { ...manyDrawn.over, options });
      expect(lines.filter((line) => isDrawn.test(line))).toHaveLength(100);
      expect(lines.filter((line) => isPlain.test(line))).toHaveLength(2);
      expect(lines.filter((line) => line.startsWith("warning: "))).toEqual([
        "warning: more than 100 rows of drawn text in one document: the rest is printed plain",
      ]);
    }
  },
);

/** Neighbouring steps that are the same in the plain sale become one line of their names. */
function joined(lines: readonly string[], plain: ReadonlySet<string>): readonly string[] {
  const short: string[] = [];
  for (const line of lines) {
    const last = short.at(-1);
    const name = line.split(/[:({]/, 1)[0]?.trim() ?? "";
    if (!plain.has(line)) short.push(line);
    else if (last?.startsWith("= ")) short[short.length - 1] = `${last}, ${name}`;
    else short.push(`= ${name}`);
  }
  return short;
}
