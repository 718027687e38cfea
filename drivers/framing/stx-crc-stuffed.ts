/** Frames of the Shtrih-M link protocol 2 (protocol, 3): `8F LEN16 NUM16 DATA CRC16`, stuffed, little-endian. */
import { crc16Ccitt, type FrameDecoder, type FramingTrouble } from "./framing.js";

const STX = 0x8f;
const ESCAPE = 0x9f;
const STUFFED_STX = 0x81;
const STUFFED_ESCAPE = 0x83;

export type StxCrcEvent =
  | { readonly kind: "frame"; readonly number: number; readonly payload: Uint8Array }
  /** LEN = 0 asks for the last reply. Only hosts send it. */
  | { readonly kind: "sync" }
  | FramingTrouble;

export function encodeStxCrc(number: number, data: Uint8Array): Uint8Array {
  return seal([...u16(data.length + 2), ...u16(number), ...data]);
}

export function encodeStxCrcSync(): Uint8Array {
  return seal(u16(0));
}

export function createStxCrcDecoder(emit: (event: StxCrcEvent) => void): FrameDecoder {
  /** The bytes after STX with the stuffing undone; null outside a frame. */
  let frame: number[] | null = null;
  let escaped = false;

  function damaged(reason: string): void {
    frame = null;
    escaped = false;
    emit({ kind: "damaged", reason });
  }

  function plainByte(collected: number[], byte: number): void {
    collected.push(byte);
    if (collected.length < 2) return;
    const length = (collected[0] ?? 0) | ((collected[1] ?? 0) << 8);
    if (length === 1) {
      damaged("length 1");
      return;
    }
    if (collected.length < length + 4) return;
    const body = collected.slice(0, length + 2);
    const crc = (collected[length + 2] ?? 0) | ((collected[length + 3] ?? 0) << 8);
    if (crc16Ccitt(body) !== crc) {
      damaged("CRC");
      return;
    }
    frame = null;
    if (length === 0) emit({ kind: "sync" });
    else {
      const number = (body[2] ?? 0) | ((body[3] ?? 0) << 8);
      emit({ kind: "frame", number, payload: Uint8Array.from(body.slice(4)) });
    }
  }

  return {
    push(bytes) {
      for (const byte of bytes) {
        if (byte === STX) {
          if (frame !== null) damaged("cut short by the next frame");
          frame = [];
        } else if (frame === null) {
          emit({ kind: "noise", bytes: Uint8Array.of(byte) });
        } else if (escaped) {
          escaped = false;
          if (byte === STUFFED_STX) plainByte(frame, STX);
          else if (byte === STUFFED_ESCAPE) plainByte(frame, ESCAPE);
          else damaged("broken stuffing");
        } else if (byte === ESCAPE) {
          escaped = true;
        } else {
          plainByte(frame, byte);
        }
      }
    },
    reset() {
      frame = null;
      escaped = false;
    },
    get midFrame() {
      return frame !== null;
    },
  };
}

function seal(body: readonly number[]): Uint8Array {
  const stuffed = [...body, ...u16(crc16Ccitt(body))].flatMap((byte) =>
    byte === STX ? [ESCAPE, STUFFED_STX] : byte === ESCAPE ? [ESCAPE, STUFFED_ESCAPE] : [byte],
  );
  return Uint8Array.of(STX, ...stuffed);
}

function u16(value: number): readonly number[] {
  return [value & 0xff, (value >> 8) & 0xff];
}
