import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { textRow } from "../paper/tape.js";
import type { PaperItem } from "./task-schemas.js";

const symbologies = { EAN13: "ean13", CODE39: "code39", QR: "qr" } as const;

export function paperRows(item: PaperItem, { tape }: FiscalCore): readonly PaperRow[] {
  switch (item.type) {
    case "text":
      return [textRow(item.text, tape.columns, { doubleHeight: item.doubleHeight })];
    case "barcode": {
      const { barcode: data, barcodeType, printText, alignment } = item;
      const symbology = symbologies[barcodeType];
      return [{ type: "barcode", symbology, data, heightMm: 20, printText, alignment }];
    }
    case "pixels":
      return [{ type: "image", alignment: item.alignment, bitmap: bitmapOf(item) }];
  }
}

/** An item `pixels` has one byte for each dot, 0 = white. */
function bitmapOf({ pixels, width }: Extract<PaperItem, { type: "pixels" }>) {
  const dots = Buffer.from(pixels, "base64");
  const height = Math.floor(dots.length / width);
  const stride = Math.ceil(width / 8);
  const rows = new Uint8Array(stride * height);
  for (let place = 0; place < width * height; place += 1) {
    if (dots[place] === 0) continue;
    const [x, y] = [place % width, Math.floor(place / width)];
    const at = y * stride + (x >> 3);
    rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7));
  }
  return { width, height, rows };
}
