/** Lines of text in UTF-8, each ended by LF (a CR before it is dropped): the framing of the reference register. */
import type { FrameDecoder, FramingTrouble } from "./framing.js";

const LF = 0x0a;
const CR = 0x0d;

export type TextLineEvent = { readonly kind: "frame"; readonly payload: Uint8Array } | FramingTrouble;

/** RangeError when the text holds a line end. */
export function encodeTextLine(text: string): Uint8Array {
  if (/[\r\n]/.test(text)) throw new RangeError("a line cannot hold a line end");
  return Uint8Array.from(Buffer.from(`${text}\n`, "utf8"));
}

export function createTextLineDecoder(
  emit: (event: TextLineEvent) => void,
  { maxBytes = 64 * 1024 }: { readonly maxBytes?: number } = {},
): FrameDecoder {
  let line: number[] = [];
  let overlong = false;

  function take(byte: number): void {
    if (!overlong && line.push(byte) > maxBytes) {
      emit({ kind: "damaged", reason: `line over ${maxBytes} bytes` });
      overlong = true;
    }
    if (byte !== LF) return;
    if (!overlong) emit({ kind: "frame", payload: Uint8Array.from(line.slice(0, line.at(-2) === CR ? -2 : -1)) });
    forget();
  }

  function forget(): void {
    line = [];
    overlong = false;
  }

  return {
    push: (bytes) => bytes.forEach(take),
    reset: forget,
    get midFrame() {
      return line.length > 0 || overlong;
    },
  };
}
