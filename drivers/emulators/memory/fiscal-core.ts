/**
 * The fake fiscal memory that every emulated register has: drive, shift, open receipt, cash, clock. It speaks in domain
 * values only; a maker's protocol turns its own bytes into these calls and the refusals into its own codes. Every change is
 * on disk before the method returns.
 */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { documentPaper } from "../paper/document-paper.js";
import type { Printer } from "../paper/printer.js";
import { centredRow, type Tape } from "../paper/tape.js";
import { emptyShift, type OpenReceiptRecord, type ShiftRecord } from "./core-state.js";
import { documentBody } from "./document-body.js";
import type { StoredDocument, StoredLine } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";
import { type CloseInput, CurrentReceipt, type OpenInput, type SumsInput } from "./open-receipt.js";
import type { LineInput } from "./receipt-rules.js";
import { type CoreAnswer, done, refused } from "./refusals.js";
import { type MemoryOptions, RegisterMemory } from "./register-memory.js";
import type { Registration, RegistrationChange } from "./registration.js";
import { correctionsTag, shiftTotalsTag } from "./shift-counters.js";

export type FiscalCoreOptions = MemoryOptions;

export interface DocumentOptions {
  readonly paper: boolean;
  readonly tags?: readonly FiscalTag[];
}

export class FiscalCore {
  readonly printer: Printer;
  readonly tape: Tape;
  private readonly memory: RegisterMemory;
  private readonly desk: CurrentReceipt;

  constructor(options: FiscalCoreOptions) {
    this.memory = new RegisterMemory(options);
    this.desk = new CurrentReceipt(this.memory);
    this.tape = options.tape;
    this.printer = this.memory.printer;
  }

  get registration(): Registration {
    return this.memory.registration;
  }

  reregister(change: RegistrationChange): void {
    this.memory.reregister(change);
  }

  // --- clock

  now(): LocalTime {
    return this.memory.now();
  }

  setTime(time: LocalTime): CoreAnswer<null> {
    if (this.shift !== "closed") return refused("shift-open");
    this.advanceClock(secondsBetween(this.now(), time));
    return done(null);
  }

  advanceClock(seconds: number): void {
    this.memory.state.clockOffsetMs += seconds * 1000;
    this.memory.save();
  }

  // --- the present state

  /** Serial number of the drive that is in the register. */
  get fn(): string {
    return this.memory.state.fn;
  }

  /** Documents of all drives that were ever in the register, oldest first. */
  get documents(): readonly StoredDocument[] {
    return this.memory.documents;
  }

  /** A document of the drive that is in the register. */
  find(fd: number): StoredDocument | null {
    return this.memory.find(fd);
  }

  get lastFd(): number {
    return this.memory.state.lastFd;
  }
  get lastDocumentAt(): LocalTime | null {
    return this.memory.state.lastDocumentAt;
  }

  /** All tags of a document with their values, as the fiscal drive returns them. */
  bodyOf(document: StoredDocument): readonly FiscalTag[] {
    return documentBody(document, this.registration);
  }

  /** `expired`: older than 24 hours by the register's own clock. */
  get shift(): "closed" | "open" | "expired" {
    return this.memory.shift;
  }

  /** Counters of the open shift, or of the one that was closed last. */
  get shiftRecord(): Readonly<ShiftRecord> {
    return this.memory.state.shift;
  }

  get receipt(): Readonly<OpenReceiptRecord> | null {
    return this.memory.state.receipt;
  }

  get subtotal(): Kopecks {
    return this.desk.subtotal;
  }

  get cash(): Kopecks {
    return this.memory.state.cash;
  }

  /** The through number: all printed documents since the register's first day. */
  get through(): number {
    return this.memory.state.through;
  }

  get unsent(): RegisterMemory["unsent"] {
    return this.memory.unsent;
  }

  get drive(): RegisterMemory["drive"] {
    return this.memory.drive;
  }

  /** Settings of the maker's protocol that outlive a power cut. */
  makerSetting(key: string): string | null {
    return this.memory.state.maker[key] ?? null;
  }

  /** Values of all keys that begin with `prefix`. */
  makerSettings(prefix: string): readonly string[] {
    return Object.entries(this.memory.state.maker).flatMap(([key, value]) => (key.startsWith(prefix) ? [value] : []));
  }

  setMakerSetting(key: string, value: string): void {
    this.memory.state.maker[key] = value;
    this.memory.save();
  }

  dropMakerSetting(key: string): void {
    delete this.memory.state.maker[key];
    this.memory.save();
  }

  // --- shift

  openShift(input: DocumentOptions): CoreAnswer<StoredDocument> {
    if (this.shift !== "closed") return refused("shift-open");
    const ready = this.memory.readyFor(input.paper);
    if (!ready.ok) return ready;
    this.memory.state.shift = { ...emptyShift(this.memory.state.shift.number + 1), openedAt: this.now() };
    return done(
      this.memory.write({ ...this.memory.blank("shift-open"), tags: this.takeTags(input.tags), printed: input.paper }),
    );
  }

  closeShift(input: DocumentOptions): CoreAnswer<StoredDocument> {
    if (this.shift === "closed") return refused("shift-closed");
    if (this.memory.state.receipt !== null) return refused("receipt-open");
    const ready = this.memory.readyFor(input.paper);
    if (!ready.ok) return ready;
    const { shift } = this.memory.state;
    const tags: readonly FiscalTag[] = [
      { tag: 1118, number: shift.receipts },
      { tag: 1111, number: shift.documents + 1 },
      { tag: 1097, number: this.unsent.count },
      shiftTotalsTag(shift),
      ...correctionsTag(shift),
      ...this.takeTags(input.tags),
    ];
    shift.openedAt = null;
    return done(this.memory.write({ ...this.memory.blank("shift-close"), tags, printed: input.paper }));
  }

  /** Adds a requisite to the shift document that comes next. */
  addShiftTag(tag: FiscalTag): void {
    this.memory.state.pendingTags.push(tag);
    this.memory.save();
  }

  // --- receipt

  /** Opens a receipt; the shift must be open. */
  openReceipt(input: OpenInput): CoreAnswer<null> {
    return this.desk.open(input);
  }

  /** Adds a line. `paper: false`: the line is not on the paper. */
  addLine(input: LineInput & { readonly paper?: boolean }): CoreAnswer<StoredLine> {
    return this.desk.addLine(input);
  }

  /** Adds a requisite of the receipt; of two with one tag the last one counts. */
  addReceiptTag(tag: FiscalTag): CoreAnswer<null> {
    return this.desk.addTag(tag);
  }

  /** Adds a requisite of the line added last. */
  addLineTag(tag: FiscalTag): CoreAnswer<null> {
    return this.desk.changeLastLine((line) => ({ ...line, tags: [...line.tags, tag] }));
  }

  /** Binds a marking code (hex) to the line added last; `result` is tag 2106 (result of its check). */
  bindMark(mark: string, result: number): CoreAnswer<null> {
    const tag = { tag: 2106, number: result };
    return this.desk.changeLastLine((line) => ({ ...line, mark, tags: [...line.tags, tag] }));
  }

  /** Adds rows to the paper between the lines of the open receipt. */
  addReceiptPaper(rows: readonly PaperRow[]): CoreAnswer<null> {
    return this.desk.addPaper(rows);
  }

  closeReceipt(input: CloseInput): CoreAnswer<StoredDocument> {
    return this.desk.close(input);
  }

  /** Makes the open correction of sums alone. */
  closeSums(input: SumsInput): CoreAnswer<StoredDocument> {
    return this.desk.closeSums(input);
  }

  cancelReceipt(): CoreAnswer<null> {
    return this.desk.cancel();
  }

  // --- cash and plain printing

  /** Moves cash, which is not fiscal: prints a slip and changes the drawer's counters. Returns the through number. */
  moveCash(direction: "in" | "out", sum: Kopecks, rows: readonly PaperRow[]): CoreAnswer<number> {
    const { state } = this.memory;
    if (state.receipt !== null) return refused("receipt-open");
    if (sum <= 0) return refused("value-out-of-range");
    if (direction === "out" && this.memory.lacksCash(kopecks(-sum))) return refused("not-enough-cash");
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
    return this.printSlip(rows);
  }

  /** Prints a document that is not fiscal: X report, copy, title. Returns its through number. */
  printSlip(rows: readonly PaperRow[]): CoreAnswer<number> {
    const { memory, printer } = this;
    const ready = printer.check();
    if (!ready.ok) return ready;
    memory.state.through += 1;
    memory.save();
    printer.print(rows, 0);
    return done(memory.state.through);
  }

  /** Prints the document once more, with the word that it is a copy. */
  printCopy(document: StoredDocument): CoreAnswer<number> {
    return this.printSlip([centredRow("КОПИЯ", this.tape.columns), ...this.paperOf(document)]);
  }

  /** The paper of a document, made again from the drive. */
  paperOf(document: StoredDocument): readonly PaperRow[] {
    return documentPaper(document, this.registration, this.tape.columns, null);
  }

  /** Continues a print that stopped halfway because the paper ended. */
  continuePrint(): CoreAnswer<null> {
    return this.printer.continue((fd) => {
      const document = this.find(fd);
      return document === null ? [] : this.paperOf(document);
    });
  }

  // --- what happens to a register from outside

  /** Alters receipts from now on: each is registered as `alter` makes it. */
  alterReceipts(alter: (document: StoredDocument) => StoredDocument): void {
    this.memory.alter = alter;
  }

  /** Connects or disconnects the operator of fiscal data (OFD), which then gets all that waited. */
  setOfdConnected(connected: boolean): void {
    this.memory.setOfdConnected(connected);
  }

  /** The power fails and returns: a document is whole or absent. */
  powerCut(options: { readonly openReceipt: "kept" | "dropped" }): void {
    if (options.openReceipt === "dropped" && this.receipt !== null) this.cancelReceipt();
  }

  /** Puts another drive in and registers it; an open shift ends with the old one. */
  swapDrive(fn: string): void {
    const { memory } = this;
    Object.assign(memory.state, {
      fn,
      lastFd: 0,
      confirmedFd: 0,
      lastDocumentAt: null,
      receipt: null,
      shift: emptyShift(0),
    });
    memory.register();
  }

  close(): void {
    this.memory.close();
  }

  /** Requisites for a shift document: those that were sent before replace the register's own. */
  private takeTags(own: readonly FiscalTag[] = []): readonly FiscalTag[] {
    const pending = this.memory.state.pendingTags;
    this.memory.state.pendingTags = [];
    return [...own.filter(({ tag }) => !pending.some((other) => other.tag === tag)), ...pending];
  }
}
