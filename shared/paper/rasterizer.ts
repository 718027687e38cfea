import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { explainMissing } from "../optional-package.js";
import type { PaperRow } from "./layout.js";
import { PAPER_FONT, type RenderOptions, renderSvg } from "./render.js";

const RENDERER = "@resvg/resvg-wasm";
const FONT = "@expo-google-fonts/pt-mono";
const FONT_FILE = `${FONT}/400Regular/PTMono_400Regular.ttf`;

/** Draws an SVG with the paper's font. The same SVG gives the same dots on every machine. */
export interface Rasterizer {
  png(svg: string): Uint8Array;
  pixels(svg: string): Pixels;
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Pixels of four bytes: red, green, blue, opacity. */
  readonly rgba: Uint8Array;
}

let loading: Promise<Rasterizer> | null = null;

/** Loads the renderer and its font (2 MB) on first use. Fault `usage.package-missing`. */
export function loadRasterizer(): Promise<Rasterizer> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Rasterizer> {
  const font = resolveIn(FONT, FONT_FILE);
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm").catch((error: unknown) => {
    throw explainMissing(RENDERER, error);
  });
  await initWasm(await readFile(resolveIn(RENDERER, `${RENDERER}/index_bg.wasm`)));
  const fontBuffers = [await readFile(font)];
  type Image = ReturnType<InstanceType<typeof Resvg>["render"]>;
  const draw = <T>(svg: string, take: (image: Image) => T): T => {
    const picture = new Resvg(svg, {
      font: { fontBuffers, defaultFontFamily: PAPER_FONT, monospaceFamily: PAPER_FONT },
    });
    const image = picture.render();
    try {
      return take(image);
    } finally {
      // The garbage collector does not free the renderer's memory.
      image.free();
      picture.free();
    }
  };
  return {
    png: (svg) => draw(svg, (image) => image.asPng()),
    pixels: (svg) => draw(svg, (image) => ({ width: image.width, height: image.height, rgba: image.pixels })),
  };
}

function resolveIn(name: string, file: string): string {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (error) {
    throw explainMissing(name, error);
  }
}

export async function renderPng(rows: readonly PaperRow[], options: RenderOptions): Promise<Uint8Array> {
  const rasterizer = await loadRasterizer();
  return rasterizer.png(renderSvg(rows, options));
}
