/** The fake fiscal memory of every emulated register, in domain values; a maker's protocol turns bytes into calls. */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { documentPaper } from "../paper/document-paper.js";
import { centredRow, leftRightRows } from "../paper/tape.js";
import { emptyShift, type OpenReceiptRecord, type ShiftRecord } from "./core-state.js";
import { documentBody } from "./document-body.js";
import type { StoredDocument } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";
import { ReceiptMemory } from "./open-receipt.js";
import { type CoreAnswer, done, refused } from "./refusals.js";
import { correctionsTag, shiftTotalsTag } from "./shift-counters.js";

export interface DocumentOptions {
  readonly paper: boolean;
  readonly tags?: readonly FiscalTag[];
}

/** Every change is on disk before the method returns. */
export class FiscalCore extends ReceiptMemory {
  setTime(time: LocalTime): CoreAnswer<null> {
    if (this.shift !== "closed") return refused("shift-open");
    this.advanceClock(secondsBetween(this.now(), time));
    return done(null);
  }

  advanceClock(seconds: number): void {
    this.state.clockOffsetMs += seconds * 1000;
    this.save();
  }

  get fn(): string {
    return this.state.fn;
  }

  get lastFd(): number {
    return this.state.lastFd;
  }

  get lastDocumentAt(): LocalTime | null {
    return this.state.lastDocumentAt;
  }

  bodyOf(document: StoredDocument): readonly FiscalTag[] {
    return documentBody(document, this.registration);
  }

  get shiftRecord(): Readonly<ShiftRecord> {
    return this.state.shift;
  }

  get receipt(): Readonly<OpenReceiptRecord> | null {
    return this.state.receipt;
  }

  get cash(): Kopecks {
    return this.state.cash;
  }

  /** The number of documents that the register has printed since its first day. */
  get through(): number {
    return this.state.through;
  }

  makerSetting(key: string): string | null {
    return this.state.maker[key] ?? null;
  }

  makerSettings(prefix: string): readonly string[] {
    return Object.entries(this.state.maker).flatMap(([key, value]) => (key.startsWith(prefix) ? [value] : []));
  }

  setMakerSetting(key: string, value: string): void {
    this.state.maker[key] = value;
    this.save();
  }

  dropMakerSetting(key: string): void {
    delete this.state.maker[key];
    this.save();
  }

  openShift({ paper, tags }: DocumentOptions): CoreAnswer<StoredDocument> {
    if (this.shift !== "closed") return refused("shift-open");
    const ready = this.readyFor(paper);
    if (!ready.ok) return ready;
    this.state.shift = { ...emptyShift(this.state.shift.number + 1), openedAt: this.now() };
    return done(this.write({ ...this.blank("shift-open"), tags: this.takeTags(tags), printed: paper }));
  }

  closeShift(input: DocumentOptions): CoreAnswer<StoredDocument> {
    if (this.shift === "closed") return refused("shift-closed");
    if (this.receipt !== null) return refused("receipt-open");
    const ready = this.readyFor(input.paper);
    if (!ready.ok) return ready;
    const { shift } = this.state;
    const tags: readonly FiscalTag[] = [
      { tag: 1118, number: shift.receipts },
      { tag: 1111, number: shift.documents + 1 },
      { tag: 1097, number: this.unsent.count },
      shiftTotalsTag(shift),
      ...correctionsTag(shift),
      ...this.takeTags(input.tags),
    ];
    shift.openedAt = null;
    return done(this.write({ ...this.blank("shift-close"), tags, printed: input.paper }));
  }

  addShiftTag(tag: FiscalTag): void {
    this.state.pendingTags.push(tag);
    this.save();
  }

  /** Moves cash, which is not fiscal, and prints a slip. Returns the number of printed documents. */
  moveCash(direction: "in" | "out", sum: Kopecks): CoreAnswer<number> {
    const { state } = this;
    if (state.receipt !== null) return refused("receipt-open");
    if (sum <= 0) return refused("value-out-of-range");
    if (direction === "out" && this.lacksCash(kopecks(-sum))) return refused("not-enough-cash");
    const ready = this.printer.check();
    if (!ready.ok) return ready;
    const { shift } = state;
    state.cash = kopecks(state.cash + (direction === "in" ? sum : -sum));
    if (direction === "in") {
      shift.cashIn = kopecks(shift.cashIn + sum);
      shift.cashInCount += 1;
    } else {
      shift.cashOut = kopecks(shift.cashOut + sum);
      shift.cashOutCount += 1;
    }
    return this.printSums(direction === "in" ? "ВНЕСЕНИЕ" : "ВЫПЛАТА", { СУММА: sum });
  }

  printReport(title: string): CoreAnswer<number> {
    const { sale, return: refund } = this.shiftRecord.counters;
    const sums = { [`ПРИХОД ${sale.count}`]: sale.total, [`ВОЗВРАТ ПРИХОДА ${refund.count}`]: refund.total };
    return this.printSums(title, { ...sums, "НАЛИЧНЫЕ В КАССЕ": this.cash });
  }

  private printSums(title: string, sums: Readonly<Record<string, Kopecks>>): CoreAnswer<number> {
    const { columns } = this.tape;
    const rows = Object.entries(sums).flatMap(([name, sum]) => leftRightRows(name, `=${formatRoubles(sum)}`, columns));
    return this.printSlip([centredRow(title, columns, { bold: true }), ...rows, { type: "cut" }]);
  }

  /** Prints a document that is not fiscal: X report, copy, title. Returns the number of printed documents. */
  printSlip(rows: readonly PaperRow[]): CoreAnswer<number> {
    const ready = this.printer.check();
    if (!ready.ok) return ready;
    this.state.through += 1;
    this.save();
    this.printer.print(rows, 0);
    return done(this.state.through);
  }

  printRows(rows: readonly PaperRow[]): void {
    if (this.receipt !== null) this.addReceiptPaper(rows);
    else this.printer.print(rows, 0);
  }

  printCopy(document: StoredDocument): CoreAnswer<number> {
    return this.printSlip([centredRow("КОПИЯ", this.tape.columns), ...this.paperOf(document)]);
  }

  paperOf(document: StoredDocument): readonly PaperRow[] {
    return documentPaper(document, this.registration, this.tape.columns, null);
  }

  continuePrint(): CoreAnswer<null> {
    return this.printer.continue((fd) => {
      const document = this.find(fd);
      return document === null ? [] : this.paperOf(document);
    });
  }

  /** The power fails and returns: each document is whole or absent. */
  powerCut(options: { readonly openReceipt: "kept" | "dropped" }): void {
    if (options.openReceipt === "dropped" && this.receipt !== null) this.cancelReceipt();
  }

  /** Replaces the drive by another one and registers it; an open shift ends with the old drive. */
  swapDrive(fn: string): void {
    const fresh = { fn, lastFd: 0, confirmedFd: 0, lastDocumentAt: null, receipt: null, shift: emptyShift(0) };
    Object.assign(this.state, fresh);
    this.register();
  }

  /** Tags of a shift document: tags that were sent before it replace the register's own. */
  private takeTags(own: readonly FiscalTag[] = []): readonly FiscalTag[] {
    const pending = this.state.pendingTags;
    this.state.pendingTags = [];
    return [...own.filter(({ tag }) => !pending.some((other) => other.tag === tag)), ...pending];
  }
}
