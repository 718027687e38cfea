import { type PaperRow, plainSpan, wrapText } from "@fiscald/shared/paper/layout.js";
import type { BarcodeLine } from "@fiscald/shared/receipt/receipt.js";
import type { FiscalCore } from "../../emulator/memory/fiscal-core.js";
import { textRow } from "../../emulator/paper/tape.js";
import type { PaperItem } from "./task-schemas.js";

const symbologies: Readonly<Record<string, BarcodeLine["symbology"]>> = { EAN13: "ean13", CODE39: "code39", QR: "qr" };

/** The tape's rows for a paper item; a symbology that our tape cannot draw is written as text. */
export function paperRows(item: PaperItem, { tape }: FiscalCore): readonly PaperRow[] {
  switch (item.type) {
    case "text": {
      const style = { ...plainSpan, doubleHeight: item.doubleHeight, doubleWidth: item.doubleWidth };
      const columns = item.doubleWidth ? Math.floor(tape.columns / 2) : tape.columns;
      const rows = wrapText(item.text, columns, { wrap: item.wrap !== "none", alignment: item.alignment });
      return rows.map((text) => ({ type: "text", columns: tape.columns, spans: [{ text, style }] }));
    }
    case "barcode": {
      const symbology = symbologies[item.barcodeType];
      if (symbology === undefined) return [textRow(`[${item.barcodeType} ${item.barcode}]`, tape.columns)];
      const { barcode: data, printText, alignment } = item;
      return [{ type: "barcode", symbology, data, heightMm: 20, printText, alignment }];
    }
    case "pixels":
      return [{ type: "image", alignment: item.alignment, bitmap: bitmapOf(item) }];
    default:
      return item satisfies never;
  }
}

/** One byte for each dot, 0 = white. */
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
