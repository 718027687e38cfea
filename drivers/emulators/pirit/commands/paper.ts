import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import type { BarcodeLine } from "@fiscald/shared/receipt/receipt.js";
import { done } from "../../memory/refusals.js";
import { textRow } from "../../paper/tape.js";
import { type CommandRow, command } from "../command-table.js";
import { documentTypes, type OpenDocument, type PiritDevice } from "../device.js";
import type { Fields } from "../fields.js";
import { badFormat, type Outcome, ok, wrongState } from "../outcomes.js";

const inDocument = { needs: "work", ms: 10 } as const;

export const paperCommands: readonly CommandRow[] = [
  command({ ...inDocument, code: "40", name: "text", read: readText, run: printServiceText }),
  command({ ...inDocument, code: "49", name: "text", read: readRequisite, run: printRequisite }),
  command({ ...inDocument, code: "41", name: "barcode", read: readBarcode, run: printBarcode }),
];

function readText(fields: Fields) {
  return { text: fields.text(72), attributes: fields.integer() };
}

function printServiceText(device: PiritDevice, { text, attributes }: ReturnType<typeof readText>): Outcome {
  const { document } = device;
  if (document === null) return wrongState(8);
  if (document.type !== documentTypes.service) return wrongState(18);
  if (text === "") return badFormat(57);
  return printRows(device, document, styledRows(device, [text], attributes));
}

function readRequisite(fields: Fields) {
  const [code, attributes] = [fields.integer(), fields.integer()];
  return { code, attributes, lines: [fields.text(72), fields.text(72), fields.text(72), fields.text(72)] };
}

function printRequisite(device: PiritDevice, { code, attributes, lines }: ReturnType<typeof readRequisite>): Outcome {
  const { document } = device;
  if (document === null) return wrongState(8);
  if (document.type === documentTypes.service) return wrongState(19);
  const texts = lines.filter((line) => line !== "");
  const [first = ""] = texts;
  if (first === "" || code > 5) return badFormat(57);
  if (texts.length === 1 && first.startsWith("&")) {
    device.unfinishedRow += first.slice(1);
    return ok();
  }
  const joined = [device.unfinishedRow + first, ...texts.slice(1)];
  device.unfinishedRow = "";
  return printRows(device, document, styledRows(device, joined, attributes));
}

/** Attributes: bits 0 to 3 font, 4 double height, 5 double width. Null: there is no such font. */
function styledRows({ model }: PiritDevice, texts: readonly string[], attributes: number): readonly PaperRow[] | null {
  const columns = model.fonts[attributes & 0x0f];
  if (columns === undefined) return null;
  const style = { doubleHeight: (attributes & 0x10) !== 0, doubleWidth: (attributes & 0x20) !== 0 };
  return texts.map((text) => textRow(text, columns, style));
}

function readBarcode(fields: Fields) {
  return {
    textPlace: fields.integer(),
    width: fields.integer(),
    height: fields.integer(),
    type: fields.integer(),
    data: Buffer.from(fields.raw()),
  };
}

const symbologies: ReadonlyMap<number, BarcodeLine["symbology"]> = new Map([
  [2, "ean13"],
  [4, "code39"],
  [8, "qr"],
]);

function printBarcode(device: PiritDevice, input: ReturnType<typeof readBarcode>): Outcome {
  const { document } = device;
  if (document === null) return wrongState(8);
  const symbology = symbologies.get(input.type);
  const badSize = input.width < 2 || input.width > 8 || input.height < 1 || input.height > 255;
  if (symbology === undefined || badSize || input.data.length === 0) return badFormat();
  const line: BarcodeLine = {
    type: "barcode",
    symbology,
    data: input.data.toString("utf8"),
    heightMm: Math.max(1, Math.round(input.height / 8)),
    printText: input.textPlace > 0,
    alignment: "center",
  };
  return printRows(device, document, [line]);
}

function printRows(device: PiritDevice, document: OpenDocument, rows: readonly PaperRow[] | null): Outcome {
  if (rows === null) return badFormat();
  if (!document.paper) return ok();
  const refusal = device.printerRefusal;
  if (refusal !== null) return refusal;
  device.core.printRows(rows);
  return device.afterPrint(done(null));
}
