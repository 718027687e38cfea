import type { PaperBitmap } from "./layout.js";

/** White paper to set dots on. What lies outside of it is cut off. */
export class DotCanvas {
  private readonly stride: number;
  private readonly rows: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.stride = Math.ceil(width / 8);
    this.rows = new Uint8Array(this.stride * height);
  }

  fill(left: number, top: number, width: number, height: number, black: boolean): void {
    const [right, bottom] = [Math.min(left + width, this.width), Math.min(top + height, this.height)];
    for (let y = Math.max(top, 0); y < bottom; y += 1) {
      for (let x = Math.max(left, 0); x < right; x += 1) this.set(x, y, black);
    }
  }

  bitmap(): PaperBitmap {
    return { width: this.width, height: this.height, rows: this.rows };
  }

  private set(x: number, y: number, black: boolean): void {
    const at = y * this.stride + (x >> 3);
    const bit = 0x80 >> (x & 7);
    const byte = this.rows[at] ?? 0;
    this.rows[at] = black ? byte | bit : byte & ~bit;
  }
}
