import { type PaperRow, plainSpan, type SpanStyle } from "@fiscald/shared/paper/layout.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { centredRow } from "../paper/tape.js";
import type { PrintCommand } from "./commands.js";

export function paperRows(command: PrintCommand, { registration, tape }: FiscalCore): readonly PaperRow[] {
  switch (command.kind) {
    case "text": {
      const spans = command.spans.map(({ text, looks, rotation, columns }) => ({
        text,
        style: styleOf(looks, rotation),
        ...(columns === undefined ? {} : { columns }),
      }));
      return [{ type: "text", columns: command.columns, spans }];
    }
    case "barcode": {
      const { kind: _kind, ...line } = command;
      return [{ type: "barcode", ...line }];
    }
    case "image": {
      const { width, height, rows, alignment } = command;
      return [
        { type: "image", alignment, bitmap: { width, height, rows: Uint8Array.from(Buffer.from(rows, "base64")) } },
      ];
    }
    case "header":
      return [centredRow(registration.user, tape.columns), centredRow(registration.address, tape.columns)];
    case "footer":
      return [centredRow("СПАСИБО ЗА ПОКУПКУ", tape.columns)];
    case "cut":
      return [{ type: "cut" }];
    default:
      return command satisfies never;
  }
}

function styleOf(looks: readonly string[], rotation: number): SpanStyle {
  const turn = ([0, 1, 2, 3] as const).find((quarter) => quarter === rotation) ?? 0;
  const has = (look: string) => looks.includes(look);
  return {
    ...plainSpan,
    bold: has("bold"),
    italic: has("italic"),
    underline: has("underline"),
    overline: has("overline"),
    negative: has("negative"),
    doubleHeight: has("doubleHeight"),
    rotation: turn,
  };
}
