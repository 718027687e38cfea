import type { Direction } from "../faults/behaviour.js";

export interface WireRecord {
  /** Wall clock, ms. */
  readonly at: number;
  readonly direction: Direction;
  readonly hex: string;
}

const KEPT = 1000;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** What passed over the wire last, newest at the end; a piece that grows byte by byte stays one record. */
export class WireLog {
  /** Bytes that have passed so far. */
  readonly counts: Record<Direction, number> = { in: 0, out: 0 };
  private readonly records: { at: number; direction: Direction; hex: string }[] = [];

  /** Returns what takes the bytes of one piece as they pass. */
  begin(at: number, direction: Direction): (bytes: Uint8Array) => void {
    let record: { at: number; direction: Direction; hex: string } | null = null;
    return (bytes) => {
      if (record === null) {
        record = { at, direction, hex: "" };
        this.records.push(record);
        if (this.records.length > KEPT) this.records.shift();
      }
      this.counts[direction] += bytes.length;
      for (const byte of bytes) record.hex += HEX[byte];
    };
  }

  last(count: number): readonly WireRecord[] {
    return this.records.slice(-count);
  }
}
