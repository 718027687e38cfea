import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createImageLoader } from "@fiscald/daemon/registers/printing/load-images.js";
import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import type { ImageLine } from "@fiscald/shared/receipt/receipt.js";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { createTestLogger } from "../../../support/test-logger.js";

const logo = pictureOf(10, 2, (x) => (x < 4 ? [0, 0, 0, 255] : [255, 255, 255, 255]));

function pictureOf(width: number, height: number, dot: (x: number, y: number) => readonly number[]) {
  const dots = Array.from({ length: width * height }, (_, at) => dot(at % width, Math.floor(at / width)));
  return { width, height, data: Buffer.from(dots.flat()) };
}

function pngOf({ width, height, data }: ReturnType<typeof pictureOf>): Buffer {
  const png = new PNG({ width, height });
  data.copy(png.data);
  return PNG.sync.write(png);
}

let root: string;
let folder: string;
let warnings: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-images-"));
  folder = join(root, "images");
  mkdirSync(folder);
  warnings = [];
  for (const path of [join(folder, "logo.png"), join(root, "secret.png")]) writeFileSync(path, pngOf(logo));
  writeFileSync(join(folder, "logo.jpg"), jpeg.encode(logo, 100).data);
});

afterEach(() => rmSync(root, { recursive: true }));

const image = (source: string): ImageLine => ({ type: "image", source, alignment: "left" });

function load(source: string, limits = { maxWidth: 320, maxHeight: 200 }) {
  const paper = { columns: [48], styles: [], barcodes: [], image: limits, cut: true, header: true, footer: true };
  const capabilities: Pick<Capabilities, "paper"> = { paper };
  const loadImages = createImageLoader({ folder, log: createTestLogger((line) => warnings.push(line)) });
  return loadImages(makeReceipt({ lines: [image(source), makeItem()] }), capabilities);
}

test.each([
  ["a plain path", () => "logo.png"],
  ["an absolute path", () => join(folder, "logo.png")],
  ["a file address", () => pathToFileURL(join(folder, "logo.png")).href],
  ["the name of a JPEG file", () => "logo.jpg"],
])("a picture inside the folder is read by %s", async (_how, source) => {
  const bitmap = (await load(source())).get(source());
  expect(bitmap).toMatchObject({ width: 10, height: 2 });
  expect([...(bitmap?.rows ?? [])]).toEqual([0xf0, 0, 0xf0, 0]);
});

test("a picture is scaled down to the paper, never up", async () => {
  const bitmap = (await load("logo.png", { maxWidth: 5, maxHeight: 200 })).get("logo.png");
  expect(bitmap).toMatchObject({ width: 5, height: 1 });
  expect([...(bitmap?.rows ?? [])]).toEqual([0xc0]);
});

test("each dot of a scaled-down picture is the mean of the dots that it replaces, on white paper", async () => {
  // In the first square three of four dots are black, in the second one; the third is black and transparent.
  const squares = pictureOf(6, 2, (x, y) => {
    if (x >= 4) return [0, 0, 0, 0];
    const isBlack = x < 2 ? x + y > 0 : x + y === 2;
    return isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255];
  });
  writeFileSync(join(folder, "squares.png"), pngOf(squares));
  const bitmap = (await load("squares.png", { maxWidth: 3, maxHeight: 200 })).get("squares.png");
  expect(bitmap).toMatchObject({ width: 3, height: 1 });
  expect([...(bitmap?.rows ?? [])]).toEqual([0x80]);
});

test.each([
  ["an http address", () => "https://shop.example/logo.png"],
  ["a path that leads out of the folder", () => "../secret.png"],
  ["an absolute path outside the folder", () => join(root, "secret.png")],
  ["a file address with a host", () => "file://server/share/logo.png"],
  ["the folder itself", () => "."],
])(
  "the picture at %s is left out with a warning, because nothing outside the folder is read",
  async (_what, source) => {
    expect((await load(source())).size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining("a picture is left out")]);
  },
);

test("a path outside the folder is refused by its text alone, without access to the file", async () => {
  expect((await load(join(root, "absent.png"))).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("outside the pictures folder")]);
});

test("a picture behind a symbolic link that leads out of the folder is left out", async () => {
  symlinkSync(join(root, "secret.png"), join(folder, "link.png"));
  expect((await load("link.png")).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("outside the pictures folder")]);
});

test.each([
  ["is missing", () => {}],
  ["is no picture", () => writeFileSync(join(folder, "x.png"), "not a picture")],
  ["is empty", () => writeFileSync(join(folder, "x.png"), "")],
  ["breaks off", () => writeFileSync(join(folder, "x.png"), pngOf(logo).subarray(0, 60))],
  ["is a GIF file", () => writeFileSync(join(folder, "x.png"), "GIF89a")],
  [
    "says that it has 10 000 by 10 000 dots",
    () => {
      const png = pngOf(logo);
      png.writeUInt32BE(10_000, 16);
      png.writeUInt32BE(10_000, 20);
      writeFileSync(join(folder, "x.png"), png);
    },
  ],
  [
    "has 30 MB",
    () => {
      writeFileSync(join(folder, "x.png"), "");
      truncateSync(join(folder, "x.png"), 30_000_000);
    },
  ],
])("a picture is left out with a warning when it %s", async (_what, prepare) => {
  prepare();
  expect((await load("x.png")).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("a picture is left out")]);
});
