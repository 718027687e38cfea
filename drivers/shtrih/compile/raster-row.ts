import type { Alignment } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterFacts } from "../protocol/models.js";

/** One row of dots, most significant bit first. */
export class DotRow {
  readonly bytes: Uint8Array;

  constructor(width: number) {
    this.bytes = new Uint8Array(Math.ceil(width / 8));
  }

  fill(start: number, count: number): void {
    for (let x = start; x < start + count; x += 1) {
      this.bytes[x >> 3] = (this.bytes[x >> 3] ?? 0) | (0x80 >> (x & 7));
    }
  }
}

/** Left edge, in dots, of a picture of `width` dots on paper of `paper` dots. */
export function offsetOf(alignment: Alignment, paper: number, width: number): number {
  const free = Math.max(0, paper - width);
  return alignment === "left" ? 0 : alignment === "right" ? free : Math.floor(free / 2);
}

/** The dots as this model wants them: by flag 26 of F7h the bits of each byte are in reverse order. */
export function registerDots(dots: Uint8Array, { parameters }: RegisterFacts): Uint8Array {
  return parameters.has("swapGraphicsBits") ? dots.map(reverseBits) : dots;
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) reversed |= 0x80 >> bit;
  return reversed;
}
