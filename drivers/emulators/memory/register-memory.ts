/** The fake register's memory, and the only place where documents are made. */
import { createHash } from "node:crypto";
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { type LocalTime, localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { documentPaper } from "../paper/document-paper.js";
import { Printer } from "../paper/printer.js";
import type { Tape } from "../paper/tape.js";
import { type CoreState, newState } from "./core-state.js";
import type { StoredDocument } from "./documents.js";
import { type CoreAnswer, done, type Refusal, refused } from "./refusals.js";
import type { Registration, RegistrationChange } from "./registration.js";
import type { StateStore } from "./state-file.js";

export interface MemoryOptions {
  readonly registration: Registration;
  /** Serial number of the first drive; a loaded state has its own. */
  readonly fn: string;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly tape: Tape;
  readonly timeZone?: string | undefined;
  /** Cash in the drawer of a new register, because refunds in cash need some. Default 100 000.00. */
  readonly cash?: Kopecks | undefined;
  /** False: more cash may be paid out than the drawer has. Default true. */
  readonly cashControl?: boolean | undefined;
  readonly driveCapacity?: number | undefined;
  /** False: no document is sent to the operator of fiscal data (OFD), and unsent documents pile up. Default true. */
  readonly ofdConnected?: boolean | undefined;
  /** Paper speed, in ms per row; 0 = at once. */
  readonly msPerRow?: number | undefined;
}

const DAY = 86_400;
/** Life in days of a drive for 15 months. Its capacity in documents is what FF63h of a real drive shows. */
const DRIVE_DAYS = 470;
/** A drive stops when its oldest unsent document is this old, in days (54-fz 7). */
const OFD_DAYS = 30;
/** How far the clock may be behind the last document; beyond that the drive reports a jump of the clock. */
const CLOCK_STEP_SECONDS = 5 * 60;
const DEFAULT_CAPACITY = 250_000;
const DEFAULT_CASH = kopecks(10_000_000);

export class RegisterMemory {
  protected readonly state: CoreState;
  readonly printer: Printer;
  readonly documents: StoredDocument[];
  private readonly ofPresentDrive: Map<number, StoredDocument>;
  private connectedToOfd: boolean;
  alter: (document: StoredDocument) => StoredDocument = (document) => document;

  private registered: Registration;

  constructor(private readonly options: MemoryOptions) {
    const { store, clock, tape } = options;
    this.registered = options.registration;
    this.connectedToOfd = options.ofdConnected ?? true;
    this.documents = [...(store.loaded?.documents ?? [])];
    this.state = store.loaded?.state ?? newState({ fn: options.fn, cash: options.cash ?? DEFAULT_CASH });
    const present = this.documents.filter(({ fn }) => fn === this.state.fn);
    this.ofPresentDrive = new Map(present.map((document) => [document.fd, document]));
    const save = () => this.save();
    this.printer = new Printer({ clock, tape, state: this.state, save, msPerRow: options.msPerRow ?? 0 });
    if (store.loaded === null) this.register();
  }

  get registration(): Registration {
    return this.registered;
  }
  get tape(): Tape {
    return this.options.tape;
  }

  /** The register's own wall clock: the machine's, in a time zone. */
  now(): LocalTime {
    const { clock, timeZone = "Europe/Moscow" } = this.options;
    return localTimeAt(clock.now() + this.state.clockOffsetMs, timeZone);
  }

  find(fd: number): StoredDocument | null {
    return this.ofPresentDrive.get(fd) ?? null;
  }

  get shift(): "closed" | "open" | "expired" {
    const { openedAt } = this.state.shift;
    if (openedAt === null) return "closed";
    return secondsBetween(openedAt, this.now()) >= DAY ? "expired" : "open";
  }

  protected shiftRefusal(): Refusal | null {
    const { shift } = this;
    return shift === "open" ? null : shift === "closed" ? "shift-closed" : "shift-expired";
  }

  get unsent(): { readonly count: number; readonly first: StoredDocument | null } {
    const { lastFd, confirmedFd } = this.state;
    return { count: lastFd - confirmedFd, first: lastFd > confirmedFd ? this.find(confirmedFd + 1) : null };
  }

  isSent({ fd }: StoredDocument): boolean {
    return fd <= this.state.confirmedFd;
  }

  /** `warnings`: 1 at most three days left, 2 at most thirty, 4 few documents left. */
  get drive() {
    const activatedAt = this.find(1)?.time ?? this.now();
    const daysLeft = DRIVE_DAYS - Math.floor(secondsBetween(activatedAt, this.now()) / DAY);
    const documentsLeft = (this.options.driveCapacity ?? DEFAULT_CAPACITY) - this.state.lastFd;
    const warnings = (daysLeft <= 3 ? 1 : 0) | (daysLeft <= 30 ? 2 : 0) | (documentsLeft < 25_000 ? 4 : 0);
    return { activatedAt, daysLeft, documentsLeft, warnings };
  }

  setOfdConnected(connected: boolean): void {
    this.connectedToOfd = connected;
    if (connected) this.state.confirmedFd = this.state.lastFd;
    this.save();
  }

  protected lacksCash(effect: Kopecks): boolean {
    return (this.options.cashControl ?? true) && effect < 0 && this.state.cash + effect < 0;
  }

  protected readyFor(paper: boolean): CoreAnswer<null> {
    const refusal = this.driveRefusal();
    if (refusal !== null) return refused(refusal);
    return paper ? this.printer.check() : done(null);
  }

  private driveRefusal(): Refusal | null {
    const { drive, unsent, state } = this;
    const now = this.now();
    if (drive.documentsLeft <= 0) return "drive-full";
    if (drive.daysLeft < 0) return "drive-expired";
    if (unsent.first !== null && secondsBetween(unsent.first.time, now) > OFD_DAYS * DAY) return "ofd-blocked";
    const behind = state.lastDocumentAt === null ? 0 : secondsBetween(now, state.lastDocumentAt);
    return behind > CLOCK_STEP_SECONDS ? "clock-behind" : null;
  }

  /** A document without content, with the next number and the register's time. */
  protected blank(type: StoredDocument["type"]): StoredDocument {
    return {
      fn: this.state.fn,
      fd: this.state.lastFd + 1,
      type,
      time: this.now(),
      fiscalSign: 0,
      shift: this.state.shift.number,
      receiptNumber: null,
      operation: null,
      total: null,
      taxSystem: null,
      lines: [],
      payments: [],
      change: kopecks(0),
      tags: [],
      printed: true,
    };
  }

  /** When this returns, the document is signed, in the drive and on disk, and its print has begun. */
  protected write(draft: StoredDocument, body: readonly PaperRow[] | null = null): StoredDocument {
    const made = this.alter(draft);
    const { fn, fd, type, time, total, lines } = made;
    const document = { ...made, fiscalSign: fiscalSignOf([fn, fd, type, time, total ?? "", JSON.stringify(lines)]) };
    this.state.lastFd = fd;
    this.state.lastDocumentAt = time;
    this.state.shift.documents += 1;
    this.state.through += 1;
    if (this.connectedToOfd) this.state.confirmedFd = fd;
    this.documents.push(document);
    this.ofPresentDrive.set(fd, document);
    this.options.store.save(this.state, document);
    if (document.printed) this.printer.print(documentPaper(document, this.registration, this.tape.columns, body), fd);
    return document;
  }

  protected register(): void {
    this.ofPresentDrive.clear();
    this.write({ ...this.blank("registration"), printed: false });
  }

  /** Makes a report on changed facts of the registration. The changes are lost when the process ends. */
  reregister(change: RegistrationChange): void {
    this.registered = { ...this.registered, ...change };
    this.write({ ...this.blank("registration"), printed: false });
  }

  protected save(): void {
    this.options.store.save(this.state, null);
  }

  close(): void {
    this.options.store.close();
  }
}

function fiscalSignOf(parts: readonly (string | number)[]): number {
  return createHash("sha256").update(parts.join("|")).digest().readUInt32BE(0);
}
