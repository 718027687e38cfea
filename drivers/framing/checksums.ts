/** Exclusive or of all bytes: LRC of the Shtrih-M link protocol 1, CRC of PIRIT. */
export function xorOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}

/** CRC-16/CCITT-FALSE: polynomial 1021, initial FFFF, not reflected, no final xor. Shtrih-M link protocol 2. */
export function crc16Ccitt(bytes: Iterable<number>): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
}
