import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { PaperRow } from "./layout.js";
import { PAPER_FONT, type RenderOptions, renderSvg } from "./render.js";
import { fontFromWoff } from "./woff.js";

/** Latin and Cyrillic come as separate files; the renderer takes a missing letter from the other one. */
const fontFiles = ["latin", "cyrillic", "latin-ext", "cyrillic-ext"].map(
  (subset) => `@fontsource/pt-mono/files/pt-mono-${subset}-400-normal.woff`,
);

type Rasterize = (svg: string) => Uint8Array;

let loading: Promise<Rasterize> | null = null;

/** The paper as a PNG, one dot per pixel. Loads the renderer (2 MB) on first use. */
export async function renderPng(rows: readonly PaperRow[], options: RenderOptions): Promise<Uint8Array> {
  loading ??= loadRasterizer();
  const rasterize = await loading;
  return rasterize(renderSvg(rows, options));
}

async function loadRasterizer(): Promise<Rasterize> {
  const { resolve } = createRequire(import.meta.url);
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fontBuffers = await Promise.all(fontFiles.map(async (file) => fontFromWoff(await readFile(resolve(file)))));
  return (svg) => {
    const picture = new Resvg(svg, {
      font: { fontBuffers, defaultFontFamily: PAPER_FONT, monospaceFamily: PAPER_FONT },
    });
    const image = picture.render();
    const png = image.asPng();
    // Memory of the renderer is not the garbage collector's.
    image.free();
    picture.free();
    return png;
  };
}
