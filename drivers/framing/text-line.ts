/** Lines of text in UTF-8, each ended by LF (a CR before it is dropped): the framing of the reference register. */
import { ReadlineParser } from "@serialport/parser-readline";
import type { FrameDecoder, FramingTrouble } from "./framing.js";

const LF = 0x0a;

export type TextLineEvent = { readonly kind: "frame"; readonly payload: Uint8Array } | FramingTrouble;

export function encodeTextLine(text: string): Uint8Array {
  if (/[\r\n]/.test(text)) throw new RangeError("a line cannot hold a line end");
  return Uint8Array.from(Buffer.from(`${text}\n`, "utf8"));
}

export function createTextLineDecoder(
  emit: (event: TextLineEvent) => void,
  { maxBytes = 64 * 1024 }: { readonly maxBytes?: number } = {},
): FrameDecoder {
  let parser = newParser();
  let begun = 0;
  let overlong = false;

  function newParser(): ReadlineParser {
    const fresh = new ReadlineParser({ delimiter: "\n", encoding: "utf8" });
    fresh.on("data", (line: string) => {
      emit({ kind: "frame", payload: Uint8Array.from(Buffer.from(line.replace(/\r$/, ""), "utf8")) });
    });
    return fresh;
  }

  function forget(): void {
    parser.destroy();
    parser = newParser();
    begun = 0;
  }

  /** The piece has at most one line end, as its last byte. */
  function pushPiece(piece: Uint8Array): void {
    const ends = piece.at(-1) === LF;
    if (overlong) {
      overlong = !ends;
      return;
    }
    begun += piece.length;
    if (begun > maxBytes) {
      forget();
      overlong = !ends;
      emit({ kind: "damaged", reason: `line over ${maxBytes} bytes` });
      return;
    }
    if (ends) begun = 0;
    parser.write(Buffer.from(piece));
  }

  return {
    push(bytes) {
      for (let start = 0; start < bytes.length; ) {
        const lineEnd = bytes.indexOf(LF, start);
        const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
        pushPiece(bytes.subarray(start, end));
        start = end;
      }
    },
    reset() {
      forget();
      overlong = false;
    },
    get midFrame() {
      return begun > 0 || overlong;
    },
  };
}
