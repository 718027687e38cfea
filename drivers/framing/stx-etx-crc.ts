/** Frames of PIRIT (PIRIT protocol, 2): `STX BODY ETX` and the exclusive or of BODY and ETX as two hex digits. */
import { ACK, type FrameDecoder, type FramingTrouble, STX, xorOf } from "./framing.js";

const ETX = 0x03;
/** The longest known answer has a few hundred bytes; the maker's own library takes at most 2048. */
const MAX_BODY = 8 * 1024;

export type StxEtxEvent =
  | { readonly kind: "control"; readonly byte: number }
  | { readonly kind: "frame"; readonly payload: Uint8Array }
  | FramingTrouble;

export function encodeStxEtx(body: Uint8Array): Uint8Array {
  if (body.length === 0 || body.includes(STX) || body.includes(ETX)) {
    throw new RangeError("a frame needs a body without STX and ETX");
  }
  return Uint8Array.of(STX, ...body, ETX, ...checksumOf(body));
}

export function createStxEtxDecoder(emit: (event: StxEtxEvent) => void): FrameDecoder {
  let body: number[] | null = null;
  let digits: number[] | null = null;

  function damaged(reason: string): void {
    body = null;
    digits = null;
    emit({ kind: "damaged", reason });
  }

  function outside(byte: number): void {
    if (byte === ACK) emit({ kind: "control", byte });
    else emit({ kind: "noise", bytes: Uint8Array.of(byte) });
  }

  function inside(collected: number[], byte: number): void {
    if (digits === null) {
      if (byte === ETX) digits = [];
      else if (collected.push(byte) > MAX_BODY) damaged(`longer than ${MAX_BODY} bytes`);
      return;
    }
    digits.push(byte);
    if (digits.length === 2) endFrame(Uint8Array.from(collected), digits);
  }

  function endFrame(payload: Uint8Array, given: readonly number[]): void {
    const wanted = Buffer.from(checksumOf(payload)).toString("latin1");
    if (payload.length === 0) damaged("empty");
    else if (Buffer.from(given).toString("latin1").toUpperCase() !== wanted) damaged("checksum");
    else {
      body = null;
      digits = null;
      emit({ kind: "frame", payload });
    }
  }

  return {
    push(bytes) {
      for (const byte of bytes) {
        if (byte === STX) {
          if (body !== null) damaged("cut short by the next frame");
          body = [];
          digits = null;
        } else if (body === null) outside(byte);
        else inside(body, byte);
      }
    },
    reset() {
      body = null;
      digits = null;
    },
    get midFrame() {
      return body !== null;
    },
  };
}

function checksumOf(body: Uint8Array): Uint8Array {
  const sum = xorOf([...body, ETX]);
  return Buffer.from(sum.toString(16).toUpperCase().padStart(2, "0"), "latin1");
}
