import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { PaperRow } from "./layout.js";
import { PAPER_FONT, type RenderOptions, renderSvg } from "./render.js";

const FONT_FILE = "@expo-google-fonts/pt-mono/400Regular/PTMono_400Regular.ttf";

/** Draws an SVG with the paper's font. The same SVG gives the same dots on every machine. */
export interface Rasterizer {
  png(svg: string): Uint8Array;
  pixels(svg: string): Pixels;
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, opacity. */
  readonly rgba: Uint8Array;
}

let loading: Promise<Rasterizer> | null = null;

/** Loads renderer and font (2 MB) on first use; what failed is tried again by the next call. */
export function loadRasterizer(): Promise<Rasterizer> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Rasterizer> {
  const { resolve } = createRequire(import.meta.url);
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fontBuffers = [await readFile(resolve(FONT_FILE))];
  type Image = ReturnType<InstanceType<typeof Resvg>["render"]>;
  const draw = <T>(svg: string, take: (image: Image) => T): T => {
    const picture = new Resvg(svg, {
      font: { fontBuffers, defaultFontFamily: PAPER_FONT, monospaceFamily: PAPER_FONT },
    });
    const image = picture.render();
    try {
      return take(image);
    } finally {
      // Memory of the renderer is not the garbage collector's.
      image.free();
      picture.free();
    }
  };
  return {
    png: (svg) => draw(svg, (image) => image.asPng()),
    pixels: (svg) => draw(svg, (image) => ({ width: image.width, height: image.height, rgba: image.pixels })),
  };
}

/** The paper as a PNG, one dot per pixel. Loads the renderer (2 MB) on first use. */
export async function renderPng(rows: readonly PaperRow[], options: RenderOptions): Promise<Uint8Array> {
  const rasterizer = await loadRasterizer();
  return rasterizer.png(renderSvg(rows, options));
}
