import type { Direction } from "./behaviour.js";

export interface WireRecord {
  /** Wall clock, in ms. */
  readonly at: number;
  readonly direction: Direction;
  readonly hex: string;
}

const KEPT = 1000;

/** The last bytes on the wire as records, newest last; single bytes are joined to one record. */
export class WireLog {
  readonly counts: Record<Direction, number> = { in: 0, out: 0 };
  private readonly records: { at: number; direction: Direction; bytes: number[] }[] = [];

  begin(at: number, direction: Direction): (passed: Iterable<number>) => void {
    const bytes: number[] = [];
    return (passed) => {
      if (bytes.length === 0) {
        this.records.push({ at, direction, bytes });
        if (this.records.length > KEPT) this.records.shift();
      }
      for (const byte of passed) {
        bytes.push(byte);
        this.counts[direction] += 1;
      }
    };
  }

  last(count: number): readonly WireRecord[] {
    return this.records
      .slice(-count)
      .map(({ at, direction, bytes }) => ({ at, direction, hex: Buffer.from(bytes).toString("hex") }));
  }
}
