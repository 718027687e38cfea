import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createImageLoader } from "@fiscald/daemon/registers/printing/load-images.js";
import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import type { ImageLine } from "@fiscald/shared/receipt/receipt.js";
import sharp from "sharp";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { createTestLogger } from "../../../support/test-logger.js";

let root: string;
let folder: string;
let warnings: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "fiscald-images-"));
  folder = join(root, "images");
  mkdirSync(folder);
  warnings = [];
  const half = { create: { width: 10, height: 2, channels: 3, background: "white" } } as const;
  const black = await sharp({ create: { width: 4, height: 2, channels: 3, background: "black" } })
    .png()
    .toBuffer();
  await sharp(half)
    .composite([{ input: black, left: 0, top: 0 }])
    .png()
    .toFile(join(folder, "logo.png"));
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
])("reads a picture inside the folder by %s", async (_how, source) => {
  const bitmap = (await load(source())).get(source());
  expect(bitmap).toMatchObject({ width: 10, height: 2 });
  expect([...(bitmap?.rows ?? [])]).toEqual([0xf0, 0, 0xf0, 0]);
});

test("scales a picture down to the paper, never up", async () => {
  const bitmap = (await load("logo.png", { maxWidth: 5, maxHeight: 200 })).get("logo.png");
  expect(bitmap).toMatchObject({ width: 5, height: 1 });
});

test.each([
  ["an http address", () => "https://shop.example/logo.png"],
  ["a path that leads out of the folder", () => "../secret.png"],
  ["an absolute path outside the folder", () => "/etc/hostname"],
  ["a file address with a host", () => "file://server/share/logo.png"],
  ["the folder itself", () => "."],
])("leaves out %s with a warning: nothing is fetched or read outside the folder", async (_what, source) => {
  expect((await load(source())).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("a picture is left out")]);
});

test("leaves out a symbolic link that leads out of the folder", async () => {
  writeFileSync(join(root, "secret.png"), "x");
  symlinkSync(join(root, "secret.png"), join(folder, "link.png"));
  expect((await load("link.png")).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("outside the pictures folder")]);
});

test.each([
  ["is missing", () => {}],
  ["is no picture", () => writeFileSync(join(folder, "x.png"), "not a picture")],
  [
    "has 30 MB",
    () => {
      writeFileSync(join(folder, "x.png"), "");
      truncateSync(join(folder, "x.png"), 30_000_000);
    },
  ],
])("leaves a picture out with a warning when it %s", async (_what, prepare) => {
  prepare();
  expect((await load("x.png")).size).toBe(0);
  expect(warnings).toEqual([expect.stringContaining("a picture is left out")]);
});
