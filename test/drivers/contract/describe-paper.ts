import { createHash } from "node:crypto";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { loadRasterizer, type Pixels } from "@fiscald/shared/paper/rasterizer.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import type { BarcodeLine, PaperLine, TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { makeService } from "../../support/make-job.js";
import type { Skip } from "../skips.js";
import { item, sale, text } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld, testsOn } from "./world.js";

const looks: readonly (readonly [string, Partial<TextStyle>])[] = [
  ["bold", { bold: true }],
  ["italic", { italic: true }],
  ["doubleHeight", { doubleHeight: true }],
  ["underline", { underline: true }],
  ["overline", { overline: true }],
  ["negative", { negative: true }],
  ["rotation", { rotation: 1 }],
] as const;

const barcodes: readonly BarcodeLine[] = [
  barcode("ean13", "4601234567893"),
  barcode("code39", "ABC-123"),
  barcode("qr", "https://example.com/?a=1&b=привет"),
];

export function describePaper(subject: ContractSubject, lacks: readonly Skip[]): void {
  const missing = new Set<string>(lacks.map(({ feature }) => feature));
  const check = testsOn(subject);
  const where = (able: boolean) => testsOn(subject, able);

  where(!missing.has("copies"))(
    "a copy of the last receipt is printed on paper, and is no fiscal document",
    async (world) => {
      const lines = [item({ name: "КОПИРУЕМЫЙ" })];
      await world.print(sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }));
      const { fd } = world.lastReceipt;
      const documents = world.register.core.documents.length;
      const before = tapeText(world).split("КОПИРУЕМЫЙ").length;
      await world.live(world.driver.printCopy?.(fd, world.signal) ?? Promise.resolve());
      expect(tapeText(world).split("КОПИРУЕМЫЙ").length).toBe(before + 1);
      expect(world.register.core.documents).toHaveLength(documents);
    },
  );
  where(missing.has("copies"))(
    "the driver of a register that prints no copies has no printCopy",
    async ({ driver }) => {
      expect(driver.printCopy).toBeUndefined();
    },
  );

  check("a text in Russian and Latin letters is printed on paper as sent", async (world) => {
    const paper = await printed(world, [text("Спасибо за покупку № 5"), text("Thank you, «друг»!")]);
    expect(paper).toContain(world.spell("Спасибо за покупку № 5"));
    expect(paper).toContain("Thank you");
  });

  for (const [look, style] of looks) {
    where(!missing.has(`style ${look}`))(`a text with ${look} looks different from a plain one`, async (world) => {
      expect(await picture(world, [text("Проба", style)])).not.toBe(await picture(world, [text("Проба")]));
    });
    where(missing.has(`style ${look}`))(
      `a text is printed without ${look}, with a warning, by a register that lacks this look`,
      async (world) => {
        const outcome = await world.print(makeService([text("Проба", style)]));
        expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "receipt.unsupported" }] });
        expect(tapeText(world)).toContain("Проба");
      },
    );
  }

  const all = where(looks.every(([look]) => !missing.has(`style ${look}`)));
  all("a text printed in each style and at each quarter turn gives a different picture each time", async (world) => {
    const turns = ([2, 3] as const).map((rotation) => ["turned", { rotation }] as const);
    const pictures: string[] = [];
    for (const [, look] of [["plain", {}] as const, ...looks, ...turns]) {
      pictures.push(await picture(world, [text("Проба", look)]));
    }
    expect(new Set(pictures).size).toBe(pictures.length);
  });

  // A register may print a plain text by its font and draw the others: only two drawn pictures can be compared.
  all("each further style of an italic text gives a different picture", async (world) => {
    const pictures: string[] = [];
    for (const [, look] of looks) pictures.push(await picture(world, [text("Проба", { italic: true, ...look })]));
    expect(new Set(pictures).size).toBe(looks.length);
  });

  all("a text of any style that is aligned to the right ends at the right edge", async (world) => {
    const right = { alignment: "right" } as const;
    const plain = await rightEdge(world, [text("Проба", right)]);
    for (const [, look] of looks) {
      const styled = await rightEdge(world, [text("Проба", { ...right, ...look })]);
      expect(Math.abs(styled - plain)).toBeLessThanOrEqual(12);
    }
  });

  all("a bold text differs from a plain one in every font", async (world) => {
    const fonts = world.driver.capabilities.paper?.columns ?? [];
    const bold = new Map<number, string>();
    for (const font of ([0, 1, 2, 3] as const).slice(0, fonts.length)) {
      const [plain, thick] = [{ font }, { font, bold: true }];
      const made = await picture(world, [text("Проба", thick)]);
      expect(made).not.toBe(await picture(world, [text("Проба", plain)]));
      bold.set(fonts[font] ?? 0, made);
    }
    expect(new Set(bold.values()).size).toBe(bold.size);
  });

  all("texts that share a row are each printed in their own font and style", async (world) => {
    const [small, large] = [text("Итог ", { newLine: false }), text("1.50", { font: 3, bold: true })];
    const pictures: string[] = [];
    for (const lines of [
      [small, large],
      [small, { ...large, style: small.style }],
      [{ ...small, style: { ...large.style, newLine: false } }, large],
    ]) {
      pictures.push(await picture(world, lines));
    }
    expect(new Set(pictures).size).toBe(pictures.length);
  });

  check("a text with the largest line spacing is printed further from the next row", async (world) => {
    const height = async (style: Partial<TextStyle>) =>
      (await pixelsOf(world, [text("первая", style), text("вторая")])).height;
    expect(await height({ maxLineSpacing: true })).toBeGreaterThan(await height({}));
  });

  test.each([true, false])(
    "the receipt's sum is printed after a position of a return only if the position asks for it (%s)",
    (printSum) =>
      inWorld(subject, async (world) => {
        const lines = [item({ name: "ПЕРВЫЙ", printSum }), item({ name: "ВТОРОЙ" })];
        const payments = [{ typeClose: 1, sum: world.sum(lines) }];
        const outcome = await world.print(sale({ operation: "return", lines, payments }));
        expect(outcome).toMatchObject({ kind: "printed", warnings: [] });
        const paper = tapeText(world);
        expect(paper.includes("СУММА ЧЕКА")).toBe(printSum);
        if (!printSum) return;
        expect(paper).toMatch(/СУММА ЧЕКА +=200\.00\n/);
        expect(paper.indexOf("СУММА ЧЕКА")).toBeGreaterThan(paper.indexOf("ПЕРВЫЙ"));
        expect(paper.indexOf("СУММА ЧЕКА")).toBeLessThan(paper.indexOf("ВТОРОЙ"));
      }),
  );

  check("a text has another width in each font that the register has", async (world) => {
    const columns = world.driver.capabilities.paper?.columns ?? [];
    const pictures = new Map<number, string>();
    for (const [font, width] of columns.entries()) {
      const number = ([0, 1, 2, 3] as const).find((candidate) => candidate === font);
      if (number !== undefined) pictures.set(width, await picture(world, [text("Проба", { font: number })]));
    }
    expect(new Set(pictures.values()).size).toBe(pictures.size);
  });

  check("a long text wraps between words and loses no word", async (world) => {
    const words = Array.from({ length: 40 }, (_, index) => `слово${index}`);
    const paper = await printed(world, [text(words.join(" "))]);
    expect(paper.split(/\s+/).filter((word) => word.startsWith("слово"))).toEqual(words);
  });

  check("a text with wrapping off is cut at the paper's edge", async (world) => {
    const width = world.driver.capabilities.paper?.columns[0] ?? 0;
    const paper = await printed(world, [text(`${"я".repeat(width)}КОНЕЦ`, { wrap: false })]);
    expect(paper).toContain("я".repeat(width));
    expect(paper).not.toContain("КОНЕЦ");
  });

  check("a text aligned to the right or to the middle is printed there in its row", async (world) => {
    const width = world.driver.capabilities.paper?.columns[0] ?? 0;
    const rows = (
      await printed(world, [text("край", { alignment: "right" }), text("мид", { alignment: "center" })])
    ).split("\n");
    expect(rows.find((row) => row.includes("край"))).toBe("край".padStart(width));
    expect(rows.find((row) => row.includes("мид"))).toBe(`${" ".repeat(Math.floor((width - 3) / 2))}мид`);
  });

  check("a full line of = or - fills a whole row", async (world) => {
    const width = world.driver.capabilities.paper?.columns[0] ?? 0;
    const paper = await printed(world, [
      { ...text(""), content: { kind: "trait" } },
      { ...text(""), content: { kind: "dash" } },
    ]);
    expect(paper).toContain(`${"=".repeat(width)}\n${"-".repeat(width)}`);
  });

  check("a text without a line feed is continued in the same row by the next text", async (world) => {
    expect(await printed(world, [text("Итого: ", { newLine: false }), text("100.00")])).toContain("Итого: 100.00");
  });

  check("texts are printed between the positions in the sequence of the order", async (world) => {
    const lines = [item({ name: "ПЕРВЫЙ" }), text("между ними"), item({ name: "ВТОРОЙ" }), text("в конце")];
    expect((await world.print(sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }))).kind).toBe(
      "printed",
    );
    const paper = tapeText(world);
    const places = ["ПЕРВЫЙ", "между ними", "ВТОРОЙ", "в конце"].map((part) => paper.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  for (const line of barcodes) {
    where(!missing.has(`barcode ${line.symbology}`))(
      `a receipt with a ${line.symbology} barcode has the barcode on the paper`,
      async (world) => {
        const rows = await rowsOf(world, [line]);
        const drawn = rows.filter((row) => row.type === "barcode" || row.type === "image");
        expect(drawn).toHaveLength(1);
        const [only] = drawn;
        if (only?.type === "barcode") {
          expect(only.symbology).toBe(line.symbology);
          // Some registers take an EAN-13 without its check digit and add the digit themselves.
          expect(line.data.startsWith(only.data.slice(0, 12))).toBe(true);
        }
      },
    );
    where(missing.has(`barcode ${line.symbology}`))(
      `a receipt is printed without its ${line.symbology} barcode, with a warning, by a register that lacks it`,
      (world) => expectDegraded(world, line),
    );
  }

  test.each([
    ["letters in an EAN-13", barcode("ean13", "46012345678AB")],
    ["a wrong check digit", barcode("ean13", "4601234567890")],
    ["small letters in a Code39", barcode("code39", "abc~")],
  ])("a receipt is printed without its bar code, with a warning, for %s", (_title, line) =>
    inWorld(subject, (world) => expectDegraded(world, line)),
  );

  const image = { type: "image", source: "logo.png", alignment: "center" } as const;
  where(!missing.has("image"))("a picture of the order is drawn on the paper", async (world) => {
    const rows = await rowsOf(world, [image]);
    expect(rows.some((row) => row.type === "image")).toBe(true);
  });
  where(missing.has("image"))(
    "a register that prints no pictures prints a receipt without its picture, with a warning",
    (world) => expectDegraded(world, image),
  );
  where(!missing.has("image"))(
    "a receipt is printed without a picture whose file is missing, with a warning for its site too",
    (world) => expectDegraded(world, { ...image, source: "lost.png" }, { ru: "картинки «lost.png» нет: пропущена" }),
  );

  for (const type of ["header", "footer", "cut"] as const) {
    where(!missing.has(type))(`the paper line ${type} is taken without a warning`, async (world) => {
      const made = await picture(world, [text("а"), { type }]);
      // A footer is whatever the shop has set in the register, perhaps nothing.
      if (type !== "footer") expect(made).not.toBe(await picture(world, [text("а")]));
    });
    where(missing.has(type))(
      `a receipt is printed without its ${type}, with a warning, by a register that lacks one`,
      (world) => expectDegraded(world, { type }),
    );
  }
}

/** The receipt is printed although the line cannot be. */
async function expectDegraded(world: ContractWorld, line: PaperLine, warning: object = {}): Promise<void> {
  const lines = [item(), line];
  const outcome = await world.print(sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }));
  const warnings = outcome.kind === "printed" ? outcome.warnings : [];
  expect(warnings).toContainEqual(expect.objectContaining(warning));
  expect(world.receipts).toHaveLength(1);
}

async function rowsOf(world: ContractWorld, lines: readonly PaperLine[]): Promise<readonly PaperRow[]> {
  const { rows } = world.register.core.tape;
  const before = rows.length;
  expect(await world.print(makeService(lines))).toMatchObject({ kind: "printed", warnings: [] });
  return rows.slice(before);
}

async function printed(world: ContractWorld, lines: readonly PaperLine[]): Promise<string> {
  const { columns } = world.register.core.tape;
  return renderText(await rowsOf(world, lines), { columns });
}

function tapeText(world: ContractWorld): string {
  const { rows, columns } = world.register.core.tape;
  return renderText(rows, { columns });
}

/** The dots of a plain print: a style must be visible there. */
async function picture(world: ContractWorld, lines: readonly PaperLine[]): Promise<string> {
  const { width, height, rgba } = await pixelsOf(world, lines);
  return `${width}x${height} ${createHash("sha256").update(rgba).digest("hex")}`;
}

async function pixelsOf(world: ContractWorld, lines: readonly PaperLine[]): Promise<Pixels> {
  const rows = await rowsOf(world, lines);
  const rasterizer = await loadRasterizer();
  return rasterizer.pixels(renderSvg(rows, { columns: world.register.core.tape.columns }));
}

/** Number of the last column with a black dot. */
async function rightEdge(world: ContractWorld, lines: readonly PaperLine[]): Promise<number> {
  const { width, rgba } = await pixelsOf(world, lines);
  let edge = -1;
  for (let at = 0; at < rgba.length; at += 4) {
    if ((rgba[at] ?? 255) < 128) edge = Math.max(edge, (at / 4) % width);
  }
  return edge;
}

function barcode(symbology: BarcodeLine["symbology"], data: string): BarcodeLine {
  return { type: "barcode", symbology, data, heightMm: 20, printText: false, alignment: "center" };
}
