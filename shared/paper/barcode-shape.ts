import { createRequire } from "node:module";
import type BwipJs from "bwip-js";
import { explainMissing } from "../optional-package.js";
import { barcodeFlaw } from "../receipt/barcode-data.js";
import type { BarcodeLine } from "../receipt/receipt.js";

/** Black rectangles, measured in modules (the narrowest bar is one wide). A bar of a linear code has `height` 1. */
export interface BarcodeShape {
  readonly width: number;
  readonly height: number;
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number }[];
}

type Library = typeof BwipJs;

const require = createRequire(import.meta.url);
let loaded: Library | null = null;

/** Returns null for data that does not fit. Fault `usage.package-missing` without the library. */
export function barcodeShape({ symbology, data }: Pick<BarcodeLine, "symbology" | "data">): BarcodeShape | null {
  if (barcodeFlaw(symbology, data) !== null) return null;
  const library = load();
  try {
    return symbology === "qr" ? qrShape(library, data) : linearShape(library, symbology, data);
  } catch {
    // The library throws plain errors on bad data; whatever the reason, nothing can be drawn.
    return null;
  }
}

function load(): Library {
  try {
    const library: Library = loaded ?? require("bwip-js");
    loaded = library;
    return library;
  } catch (error) {
    throw explainMissing("bwip-js", error);
  }
}

function qrShape(library: Library, data: string): BarcodeShape | null {
  const [code] = library.raw("qrcode", data, "eclevel=M");
  if (code === undefined || !("pixs" in code)) return null;
  const { pixs, pixx: width, pixy: height } = code;
  const bars = [...pixs].flatMap((black, index) =>
    black === 1 ? [{ x: index % width, y: Math.floor(index / width), width: 1 }] : [],
  );
  return { width, height, bars };
}

function linearShape(library: Library, symbology: "ean13" | "code39", data: string): BarcodeShape | null {
  const [shape] = library.raw({ bcid: symbology, text: data });
  if (shape === undefined || !("sbs" in shape)) return null;
  const bars: { x: number; y: number; width: number }[] = [];
  let x = 0;
  // The widths are those of bar, space, bar, and so on.
  for (const [index, width] of shape.sbs.entries()) {
    if (index % 2 === 0) bars.push({ x, y: 0, width });
    x += width;
  }
  return { width: x, height: 1, bars };
}
