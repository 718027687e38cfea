/** Frames of the Shtrih-M link protocol 1 (protocol, 2.1): `STX N DATA LRC`, and control bytes between them. */
import { ACK, ENQ, type FrameDecoder, type FramingTrouble, NAK, STX, xorOf } from "./framing.js";

const MAX_DATA = 255;
/** After the host's ACK some registers send this byte on TCP; the byte means nothing. */
const FILLER = 0xff;

export type StxLrcEvent =
  | { readonly kind: "control"; readonly byte: number }
  | { readonly kind: "frame"; readonly payload: Uint8Array }
  | FramingTrouble;

export function encodeStxLrc(data: Uint8Array): Uint8Array {
  if (data.length === 0 || data.length > MAX_DATA) throw new RangeError(`a frame cannot carry ${data.length} bytes`);
  return Uint8Array.of(STX, data.length, ...data, xorOf([data.length, ...data]));
}

export function createStxLrcDecoder(emit: (event: StxLrcEvent) => void): FrameDecoder {
  let frame: number[] | null = null;

  function betweenFrames(byte: number): void {
    if (byte === STX) frame = [];
    else if (byte === ENQ || byte === ACK || byte === NAK) emit({ kind: "control", byte });
    else if (byte !== FILLER) emit({ kind: "noise", bytes: Uint8Array.of(byte) });
  }

  function insideFrame(collected: number[], byte: number): void {
    collected.push(byte);
    const [length = 0] = collected;
    if (length === 0) {
      frame = null;
      emit({ kind: "damaged", reason: "length zero" });
    } else if (collected.length === length + 2) {
      frame = null;
      if (xorOf(collected) === 0) emit({ kind: "frame", payload: Uint8Array.from(collected.slice(1, -1)) });
      else emit({ kind: "damaged", reason: "LRC" });
    }
  }

  return {
    push(bytes) {
      for (const byte of bytes) {
        if (frame === null) betweenFrames(byte);
        else insideFrame(frame, byte);
      }
    },
    reset() {
      frame = null;
    },
    get midFrame() {
      return frame !== null;
    },
  };
}
