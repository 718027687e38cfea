import type { FaultText } from "../fault-codes/fault-row.js";
import type { BarcodeLine } from "./receipt.js";
import { refusalTexts } from "./texts/refusal-texts.js";

const MAX_CODE39 = 48;
const MAX_QR = 1024;

/** Returns null when the data fits the symbology. */
export function barcodeFlaw(symbology: BarcodeLine["symbology"], data: string): FaultText | null {
  switch (symbology) {
    case "ean13":
      if (!/^\d{12,13}$/.test(data)) return refusalTexts.ean13Digits;
      return data.length === 13 && data[12] !== ean13CheckDigit(data.slice(0, 12))
        ? refusalTexts.ean13Check(ean13CheckDigit(data.slice(0, 12)))
        : null;
    case "code39":
      return new RegExp(`^[0-9A-Z. $/+%-]{1,${MAX_CODE39}}$`).test(data) ? null : refusalTexts.code39(MAX_CODE39);
    case "qr":
      return data !== "" && Buffer.byteLength(data) <= MAX_QR ? null : refusalTexts.qrBytes(MAX_QR);
  }
}

/** The text under the bars; for an EAN-13 it always has the check digit. */
export function barcodeText({ symbology, data }: Pick<BarcodeLine, "symbology" | "data">): string {
  return symbology === "ean13" && data.length === 12 ? data + ean13CheckDigit(data) : data;
}

function ean13CheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}
