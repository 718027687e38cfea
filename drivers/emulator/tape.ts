import type { PaperRow } from "@fiscald/shared/paper/layout.js";

/** The paper that came out, newest last; what is older than `maxRows` is torn off. Drawn by shared/paper. */
export class Tape {
  readonly rows: PaperRow[] = [];

  constructor(
    /** Characters per row of the widest paper font in use: 32, 42 or 48. */
    readonly columns: number,
    private readonly maxRows = 20_000,
  ) {}

  add(rows: readonly PaperRow[]): void {
    this.rows.push(...rows);
    if (this.rows.length > this.maxRows) this.rows.splice(0, this.rows.length - this.maxRows);
  }
}
