import { isFault } from "@fiscald/shared/fault.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import type { BarcodeLine, PaperLine, TextStyle } from "@fiscald/shared/receipt/receipt.js";
import type { Skip } from "../skips.js";
import { printing } from "./jobs.js";
import { item, sale, text } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld } from "./world.js";

const looks: readonly (readonly [string, Partial<TextStyle>])[] = [
  ["bold", { bold: true }],
  ["italic", { italic: true }],
  ["doubleHeight", { doubleHeight: true }],
  ["underline", { underline: true }],
  ["overline", { overline: true }],
  ["negative", { negative: true }],
  ["rotation", { rotation: 1 }],
];

const barcodes: readonly BarcodeLine[] = [
  barcode("ean13", "4601234567893"),
  barcode("code39", "ABC-123"),
  barcode("qr", "https://example.com/?a=1&b=привет"),
];

export function describePaper(subject: ContractSubject, lacks: readonly Skip[]): void {
  const missing = new Set<string>(lacks.map(({ feature }) => feature));

  describe("text on paper", () => {
    test("comes out as it was sent, in both alphabets", () =>
      inWorld(subject, async (world) => {
        const paper = await printed(world, [text("Спасибо за покупку № 5"), text("Thank you, «друг»!")]);
        expect(paper).toContain(world.spell("Спасибо за покупку № 5"));
        expect(paper).toContain("Thank you");
      }));

    for (const [look, style] of looks) {
      const claimed = missing.has(`style ${look}`) ? test.skip : test;
      claimed(`looks different with ${look}`, () =>
        inWorld(subject, async (world) => {
          const [plain, styled] = [await rowsOf(world, [text("Проба")]), await rowsOf(world, [text("Проба", style)])];
          expect(picture(styled)).not.toBe(picture(plain));
        }),
      );
      const degraded = missing.has(`style ${look}`) ? test : test.skip;
      degraded(`is printed all the same without ${look}, with a warning`, () =>
        inWorld(subject, async (world) => {
          const outcome = await world.print(printing([text("Проба", style)]));
          expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "receipt.unsupported" }] });
          expect(tapeText(world)).toContain("Проба");
        }),
      );
    }

    test("each font that the register has differs from the others in width", () =>
      inWorld(subject, async (world) => {
        const columns = world.driver.capabilities.paper?.columns ?? [];
        const pictures = new Map<number, string>();
        for (const [font, width] of columns.entries()) {
          const number = ([0, 1, 2, 3] as const).find((candidate) => candidate === font);
          if (number !== undefined)
            pictures.set(width, picture(await rowsOf(world, [text("Проба", { font: number })])));
        }
        expect(new Set(pictures.values()).size).toBe(pictures.size);
      }));

    test("wraps between words and loses none of them", () =>
      inWorld(subject, async (world) => {
        const words = Array.from({ length: 40 }, (_, index) => `слово${index}`);
        const paper = await printed(world, [text(words.join(" "))]);
        expect(paper.split(/\s+/).filter((word) => word.startsWith("слово"))).toEqual(words);
      }));

    test("is cut at the edge where wrapping is off", () =>
      inWorld(subject, async (world) => {
        const width = world.driver.capabilities.paper?.columns[0] ?? 0;
        const paper = await printed(world, [text(`${"я".repeat(width)}КОНЕЦ`, { wrap: false })]);
        expect(paper).toContain("я".repeat(width));
        expect(paper).not.toContain("КОНЕЦ");
      }));

    test("is aligned to the right edge and to the middle", () =>
      inWorld(subject, async (world) => {
        const width = world.driver.capabilities.paper?.columns[0] ?? 0;
        const rows = (
          await printed(world, [text("край", { alignment: "right" }), text("мид", { alignment: "center" })])
        ).split("\n");
        expect(rows.find((row) => row.includes("край"))).toBe("край".padStart(width));
        expect(rows.find((row) => row.includes("мид"))).toBe(`${" ".repeat(Math.floor((width - 3) / 2))}мид`);
      }));

    test("has full lines of = and -", () =>
      inWorld(subject, async (world) => {
        const width = world.driver.capabilities.paper?.columns[0] ?? 0;
        const paper = await printed(world, [
          { ...text(""), content: { kind: "trait" } },
          { ...text(""), content: { kind: "dash" } },
        ]);
        expect(paper).toContain(`${"=".repeat(width)}\n${"-".repeat(width)}`);
      }));

    test("goes on in the same row without a line feed", () =>
      inWorld(subject, async (world) => {
        expect(await printed(world, [text("Итого: ", { newLine: false }), text("100.00")])).toContain("Итого: 100.00");
      }));

    test("stands between the positions in the order's order", () =>
      inWorld(subject, async (world) => {
        const lines = [item({ name: "ПЕРВЫЙ" }), text("между ними"), item({ name: "ВТОРОЙ" }), text("в конце")];
        expect((await world.print(sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }))).kind).toBe(
          "printed",
        );
        const paper = tapeText(world);
        const places = ["ПЕРВЫЙ", "между ними", "ВТОРОЙ", "в конце"].map((part) => paper.indexOf(part));
        expect(places).not.toContain(-1);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }));
  });

  describe("what is no text", () => {
    for (const line of barcodes) {
      const claimed = missing.has(`barcode ${line.symbology}`) ? test.skip : test;
      claimed(`a ${line.symbology} barcode is on the paper`, () =>
        inWorld(subject, async (world) => {
          const rows = await rowsOf(world, [line]);
          const drawn = rows.filter((row) => row.type === "barcode" || row.type === "image");
          expect(drawn).toHaveLength(1);
          const [only] = drawn;
          if (only?.type === "barcode") {
            expect(only.symbology).toBe(line.symbology);
            // Some registers take an EAN-13 without its check digit and add it themselves.
            expect(line.data.startsWith(only.data.slice(0, 12))).toBe(true);
          }
        }),
      );
      const degraded = missing.has(`barcode ${line.symbology}`) ? test : test.skip;
      degraded(`a receipt is printed without its ${line.symbology} barcode, with a warning`, () =>
        inWorld(subject, (world) => expectDegraded(world, line)),
      );
    }

    test.each([
      ["letters in an EAN-13", barcode("ean13", "46012345678AB")],
      ["a wrong check digit", barcode("ean13", "4601234567890")],
      ["small letters in a Code39", barcode("code39", "abc~")],
    ])("%s are refused before the first byte", (_title, line) =>
      inWorld(subject, async (world) => {
        if (missing.has(`barcode ${line.symbology}`)) return;
        const context = await world.context();
        let code = "";
        try {
          world.driver.compile(printing([line]), context);
        } catch (error) {
          code = isFault(error) ? error.code : String(error);
        }
        expect(code).toBe("receipt.barcode");
      }),
    );

    const image = { type: "image", source: "logo.png", alignment: "center" } as const;
    (missing.has("image") ? test.skip : test)("a picture is drawn", () =>
      inWorld(subject, async (world) => {
        const rows = await rowsOf(world, [image]);
        expect(rows.some((row) => row.type === "image")).toBe(true);
      }),
    );
    (missing.has("image") ? test : test.skip)("a receipt is printed without its picture, with a warning", () =>
      inWorld(subject, (world) => expectDegraded(world, image)),
    );
    test("a picture that is not there is left out with a warning", () =>
      inWorld(subject, (world) => expectDegraded(world, { ...image, source: "lost.png" })));

    for (const type of ["header", "footer", "cut"] as const) {
      (missing.has(type) ? test.skip : test)(`${type} is taken without a warning`, () =>
        inWorld(subject, async (world) => {
          const rows = await rowsOf(world, [text("а"), { type }]);
          // A footer is whatever the shop has set in the register, perhaps nothing.
          if (type !== "footer") expect(picture(rows)).not.toBe(picture(await rowsOf(world, [text("а")])));
        }),
      );
      (missing.has(type) ? test : test.skip)(`a receipt is printed without ${type}, with a warning`, () =>
        inWorld(subject, (world) => expectDegraded(world, { type })),
      );
    }
  });
}

/** A paid receipt is never stopped by something cosmetic. */
async function expectDegraded(world: ContractWorld, line: PaperLine): Promise<void> {
  const lines = [item(), line];
  const outcome = await world.print(sale({ lines, payments: [{ typeClose: 1, sum: world.sum(lines) }] }));
  expect(outcome.kind).toBe("printed");
  expect(outcome.kind === "printed" ? outcome.warnings.length : 0).toBeGreaterThan(0);
  expect(world.receipts).toHaveLength(1);
}

/** The rows that a plain print adds to the tape. */
async function rowsOf(world: ContractWorld, lines: readonly PaperLine[]): Promise<readonly PaperRow[]> {
  const { rows } = world.register.core.tape;
  const before = rows.length;
  expect(await world.print(printing(lines))).toMatchObject({ kind: "printed", warnings: [] });
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

function picture(rows: readonly PaperRow[]): string {
  return renderSvg(rows, { columns: 48 });
}

function barcode(symbology: BarcodeLine["symbology"], data: string): BarcodeLine {
  return { type: "barcode", symbology, data, heightMm: 20, printText: false, alignment: "center" };
}
