export const STX = 0x02;
export const ENQ = 0x05;
export const ACK = 0x06;
export const NAK = 0x15;

export interface FrameDecoder {
  /** Calls the listener for each complete frame or control byte. Bytes may come in pieces of any size. */
  push(bytes: Uint8Array): void;
  /** Drops an unfinished frame whose rest did not come in time. */
  reset(): void;
  readonly midFrame: boolean;
}

/** Events of every framing beside its own frames. */
export type FramingTrouble =
  | { readonly kind: "damaged"; readonly reason: string }
  | { readonly kind: "noise"; readonly bytes: Uint8Array };

export type CreateDecoder<Event> = (emit: (event: Event) => void) => FrameDecoder;

/** Exclusive or of all bytes: the checksum of the Shtrih-M link protocol 1 (LRC) and of PIRIT (CRC). */
export function xorOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}

/** CRC-16/CCITT-FALSE of the Shtrih-M link protocol 2: polynomial 1021, initial FFFF, no final xor. */
export function crc16Ccitt(bytes: Iterable<number>): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
}
