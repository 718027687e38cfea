import type { Direction } from "./behaviour.js";

export interface WireRecord {
  /** The time by the wall clock, in ms. */
  readonly at: number;
  readonly direction: Direction;
  readonly hex: string;
}

const KEPT = 1000;

/** The last bytes that passed over the wire, as records, newest last; bytes that pass one by one are one record. */
export class WireLog {
  readonly counts: Record<Direction, number> = { in: 0, out: 0 };
  private readonly records: { at: number; direction: Direction; bytes: number[] }[] = [];

  /** Begins a record of the log. Returns the function to call with the record's bytes as they pass the wire. */
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
