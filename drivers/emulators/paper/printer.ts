import type { Clock } from "@fiscald/shared/clock.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import type { CoreState } from "../memory/core-state.js";
import { type CoreAnswer, done, refused } from "../memory/refusals.js";
import { type Tape, textRow } from "./tape.js";

export type PrinterStatus = "idle" | "printing" | "halted";

export interface PrinterOptions {
  readonly clock: Clock;
  readonly tape: Tape;
  readonly state: CoreState;
  readonly save: () => void;
  readonly msPerRow: number;
}

/** The register's printer. A print that stopped because the paper ended is later printed again from its start. */
export class Printer {
  private printingUntil = 0;
  private printingFd = 0;
  private lastRows: readonly PaperRow[] = [];
  private endsInNextPrint = false;

  constructor(private readonly options: PrinterOptions) {}

  get status(): PrinterStatus {
    if (this.options.state.haltedPrint !== null) return "halted";
    return this.options.clock.monotonic() < this.printingUntil ? "printing" : "idle";
  }

  /** The document whose print stopped halfway. 0: the print is no fiscal document. Null: no print has stopped. */
  get haltedFd(): number | null {
    return this.options.state.haltedPrint;
  }

  get paperPresent(): boolean {
    return this.options.state.paperPresent;
  }
  get coverOpen(): boolean {
    return this.options.state.coverOpen;
  }

  check(): CoreAnswer<null> {
    return this.options.state.haltedPrint === null ? this.checkPaper() : refused("print-halted");
  }

  private checkPaper(): CoreAnswer<null> {
    if (this.coverOpen) return refused("cover-open");
    return this.paperPresent ? done(null) : refused("paper-out");
  }

  /** `fd`: number of the printed document, 0 = no fiscal document. Call `check` first. */
  print(rows: readonly PaperRow[], fd: number): void {
    this.lastRows = rows;
    if (this.endsInNextPrint) {
      this.endsInNextPrint = false;
      this.halt(fd);
      return;
    }
    if (fd === 0) this.options.tape.add(rows);
    else this.options.tape.addDocument(fd, rows);
    const now = this.options.clock.monotonic();
    this.printingUntil = Math.max(now, this.printingUntil) + rows.length * this.options.msPerRow;
    this.printingFd = fd;
  }

  /** Prints the stopped document again; `again` makes its rows when this process did not make the first print. */
  continue(again: (fd: number) => readonly PaperRow[]): CoreAnswer<null> {
    const fd = this.options.state.haltedPrint;
    if (fd === null) return refused("nothing-halted");
    const ready = this.checkPaper();
    if (!ready.ok) return ready;
    this.options.state.haltedPrint = null;
    this.options.save();
    this.print(this.lastRows.length > 0 ? this.lastRows : again(fd), fd);
    return done(null);
  }

  /** Also stops a print that is under way. */
  removePaper(): void {
    if (this.status === "printing") this.halt(this.printingFd);
    this.options.state.paperPresent = false;
    this.options.save();
  }

  removePaperInNextPrint(): void {
    this.endsInNextPrint = true;
  }

  loadPaper(): void {
    this.endsInNextPrint = false;
    this.options.state.paperPresent = true;
    this.options.save();
  }

  setCover(open: boolean): void {
    if (open && this.status === "printing") this.halt(this.printingFd);
    this.options.state.coverOpen = open;
    this.options.save();
  }

  private halt(fd: number): void {
    const { state, tape, save } = this.options;
    tape.add([
      ...this.lastRows.slice(0, Math.floor(this.lastRows.length / 2)),
      textRow("*** ПЕЧАТЬ ПРЕРВАНА ***", tape.columns),
    ]);
    this.printingUntil = 0;
    state.haltedPrint = fd;
    if (!state.coverOpen) state.paperPresent = false;
    save();
  }
}
