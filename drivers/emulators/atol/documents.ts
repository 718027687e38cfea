/** A document as the task `getFnDocument` shows it: tags by number, money in roubles, times with offset. */
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { operations, type StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { FiscalTag } from "../memory/fiscal-tag.js";
import { isoTime, roublesOf } from "./answers.js";

const documentTypes: Readonly<Record<StoredDocument["type"], string>> = {
  registration: "registration",
  "shift-open": "openShift",
  receipt: "receipt",
  "shift-close": "closeShift",
  correction: "receiptCorrection",
};

const money = new Set([
  1020, 1031, 1043, 1079, 1081, 1102, 1103, 1104, 1105, 1106, 1107, 1120, 1136, 1138, 1198, 1200, 1201, 1215, 1216,
  1217, 1218, 1219, 1220, 1229,
]);
/** Tags that may occur several times. Their values are always lists. */
const repeated = new Set([1059, 1073, 1074, 1075, 1119, 1171]);

export function documentResult(document: StoredDocument, core: FiscalCore): object {
  return {
    documentTLV: {
      fiscalDocumentType: documentTypes[document.type],
      short: false,
      qr: qrOf(document),
      ...tagsOnWire(core.bodyOf(document)),
    },
  };
}

function tagsOnWire(tags: readonly FiscalTag[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const tag of tags) {
    if (!repeated.has(tag.tag)) shown[tag.tag] = wireValue(tag);
    else {
      const before = shown[tag.tag];
      shown[tag.tag] = [...(Array.isArray(before) ? before : []), wireValue(tag)];
    }
  }
  return shown;
}

function wireValue(tag: FiscalTag): unknown {
  if ("items" in tag) return tagsOnWire(tag.items);
  if ("text" in tag) return tag.text;
  if ("decimals" in tag) return tag.value / 10 ** tag.decimals;
  if (tag.tag === 1077 && "hex" in tag) return String(Number.parseInt(tag.hex.slice(4), 16)).padStart(10, "0");
  if ("hex" in tag) return Buffer.from(tag.hex, "hex").toString("base64");
  if (tag.tag === 1012 || tag.tag === 1178)
    return isoTime(parseLocalTime(new Date(tag.number * 1000).toISOString().slice(0, 19)));
  return money.has(tag.tag) ? roublesOf(tag.number) : tag.number;
}

function qrOf({ time, total, fn, fd, fiscalSign, operation }: StoredDocument): string {
  if (total === null || operation === null) return "";
  const moment = time.slice(0, 16).replaceAll("-", "").replace(":", "");
  return `t=${moment}&s=${roublesOf(total).toFixed(2)}&fn=${fn}&i=${fd}&fp=${fiscalSign}&n=${operations.indexOf(operation) + 1}`;
}
