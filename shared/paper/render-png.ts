import type { PaperRow } from "./layout.js";
import { loadRasterizer } from "./rasterizer.js";
import { type RenderOptions, renderSvg } from "./render.js";

/** The paper as a PNG, one dot per pixel. Loads the renderer (2 MB) on first use. */
export async function renderPng(rows: readonly PaperRow[], options: RenderOptions): Promise<Uint8Array> {
  const rasterizer = await loadRasterizer();
  return rasterizer.png(renderSvg(rows, options));
}
