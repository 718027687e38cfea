import type { RunOutcome } from "@fiscald/drivers/fiscal-driver.js";
import { layoutTexts, type PaperBitmap, type PaperRow } from "@fiscald/shared/paper/layout.js";
import { loadTextPainter } from "@fiscald/shared/paper/paint-text.js";
import type { PaperLine, TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { makeService as printing } from "../../support/make-job.js";
import { item, sale, text } from "../contract/receipts.js";
import { shtrihSubject } from "../contract/shtrih-subject.js";
import { type ContractWorld, inWorld } from "../contract/world.js";

const models = { desktop: { link: "v1", dots: 576 }, smartpos: { link: "v2", dots: 384 } } as const;

/** Every black dot of the pictures on the tape, one picture below the other. */
function dotsOn(rows: readonly PaperRow[]): ReadonlySet<string> {
  const dots = new Set<string>();
  let top = 0;
  for (const row of rows) {
    if (row.type !== "image") continue;
    for (const [x, y] of blackOf(row.bitmap)) dots.add(`${x} ${top + y}`);
    top += row.bitmap.height;
  }
  return dots;
}

function* blackOf({ width, height, rows }: PaperBitmap): Iterable<readonly [number, number]> {
  const stride = Math.ceil(width / 8);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (((rows[y * stride + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0) yield [x, y];
}

async function printed(world: ContractWorld, lines: readonly PaperLine[]): Promise<readonly PaperRow[]> {
  const { rows } = world.register.core.tape;
  const before = rows.length;
  expect(await world.print(printing(lines))).toMatchObject({ kind: "printed", warnings: [] });
  return rows.slice(before);
}

const looks: readonly (readonly [string, Partial<TextStyle>])[] = [
  ["italic", { italic: true }],
  ["double height", { doubleHeight: true }],
  ["underlined", { underline: true }],
  ["overlined", { overline: true }],
  ["negative", { negative: true }],
  ["turned", { rotation: 3 }],
  ["bold and large", { bold: true, font: 3 }],
  ["in the middle", { italic: true, alignment: "center" }],
  ["at the right edge", { negative: true, alignment: "right" }],
];

describe.each(["desktop", "smartpos"] as const)("a text that is drawn on %s", (model) => {
  test.each(looks)("a drawn text reaches the paper of a Shtrih-M dot for dot: %s", (_title, look) =>
    inWorld(shtrihSubject({ model, link: models[model].link }), async (world) => {
      const line = text("Спасибо, щука № 5", look);
      const { columns } = world.driver.capabilities.paper ?? { columns: [] };
      const paint = await loadTextPainter();
      const painted = paint(
        layoutTexts([line], (font) => columns[font] ?? 1),
        models[model].dots,
      );
      const wanted = new Set([...blackOf(painted)].map(([x, y]) => `${x} ${y}`));
      expect(wanted.size).toBeGreaterThan(200);
      expect(dotsOn(await printed(world, [line]))).toEqual(wanted);
    }),
  );

  test("a drawn text is printed between the positions of a Shtrih-M receipt", () =>
    inWorld(shtrihSubject({ model, link: models[model].link }), async (world) => {
      const lines = [item({ name: "ПЕРВЫЙ" }), text("Акция", { negative: true }), item({ name: "ВТОРОЙ" })];
      const outcome: RunOutcome = await world.print(
        sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }),
      );
      expect(outcome).toMatchObject({ kind: "printed", warnings: [] });
      const order = world.register.core.tape.rows.flatMap((row) => {
        if (row.type === "image") return ["picture"];
        const words = row.type === "text" ? row.spans.map((span) => span.text).join("") : "";
        return ["ПЕРВЫЙ", "ВТОРОЙ"].filter((name) => words.includes(name));
      });
      expect(order).toEqual(["ПЕРВЫЙ", "picture", "ВТОРОЙ"]);
      expect(world.receipts).toHaveLength(1);
    }));
});
