import type { PaperRow } from "@fiscald/shared/paper/layout.js";

/** The printed paper, newest last; rows beyond `maxRows` are torn off. Drawn by shared/paper. */
export class Tape {
  readonly rows: PaperRow[] = [];
  /** First row and row behind the last of each document, by its number; rows that were torn off are counted. */
  private readonly documents = new Map<number, readonly [start: number, end: number]>();
  private torn = 0;

  constructor(
    /** Characters per row of the widest paper font in use: 32, 42 or 48. */
    readonly columns: number,
    private readonly maxRows = 20_000,
  ) {}

  add(rows: readonly PaperRow[]): void {
    this.rows.push(...rows);
    const over = this.rows.length - this.maxRows;
    if (over <= 0) return;
    this.rows.splice(0, over);
    this.torn += over;
  }

  addDocument(fd: number, rows: readonly PaperRow[]): void {
    this.add(rows);
    const end = this.torn + this.rows.length;
    this.documents.set(fd, [end - rows.length, end]);
  }

  /** Null = not on this tape (any more). */
  documentRows(fd: number): readonly PaperRow[] | null {
    const [start, end] = this.documents.get(fd) ?? [-1, -1];
    return start < this.torn ? null : this.rows.slice(start - this.torn, end - this.torn);
  }
}
