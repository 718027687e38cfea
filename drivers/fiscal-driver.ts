/**
 * The contract of a register driver. A driver knows neither jobs nor sites.
 *
 * Life: first `connect`, then any of the other methods, strictly one at a time (the register actor ensures this), last
 * `close`. After a fault with a `link.*` code the connection is gone, and `connect` has to be called again. Every
 * method takes a signal and finishes in bounded time.
 */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { Cashier, Operation, Receipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { z } from "zod";
import type { Capabilities } from "./capabilities.js";
import type { drawer, identitySchema, shiftState } from "./fact-schemas.js";
import type { FiscalDocument } from "./fiscal-document.js";
import type { Program } from "./program.js";
import type { ReceiptSetting } from "./receipt-setting.js";

export type { Capabilities, FiscalCapabilities, PaperCapabilities } from "./capabilities.js";

export interface FiscalDriver<C = unknown> {
  /** Throws before the first `connect`. */
  readonly capabilities: Capabilities;
  /** Opens the connection and identifies the device. Sends nothing that writes. `known`: facts that need no search. */
  connect(signal: AbortSignal, known?: KnownShift): Promise<Identity>;
  readState(signal: AbortSignal, options?: ReadStateOptions): Promise<DeviceState>;
  /**
   * Pure. Makes one program for each effect that has a witness of its own (`program.ts`), in order. A receipt is one
   * program, after the opening of a shift when the shift is closed. A service job has one program for each cash line
   * and Z report, and one for the plain lines between two of these.
   * Faults: `receipt.unsupported`, `device.tax-unknown`, `receipt.image`, and `device.shift-expired` for a receipt
   * while the context's shift is expired.
   */
  compile(receipt: Receipt, context: CompileContext): readonly Program<C>[];
  /** Runs the steps on the present connection; never reconnects. Throws only `link.aborted` before the first byte. */
  run(program: Program<C>, baseline: Baseline, signal: AbortSignal): Promise<RunOutcome>;
  /**
   * The fence makes sure that no earlier command can take effect any more, and then reads the register. It comes after
   * every unknown outcome, on a new connection or one that works. In this order: the link is idle; no receipt is open
   * (with `cancelOpen` an open receipt is cancelled and the answer awaited); an unfinished print is continued; the
   * drive's serial number and last document number are read. With `cancelOpen` false an open receipt is only reported
   * in the state. Rejects when one of these facts cannot be known.
   */
  fence(options: FenceOptions, signal: AbortSignal): Promise<FencedState>;
  /** Continues the print of a document that the drive already has. Never repeats a closing command. */
  finishPrint(signal: AbortSignal): Promise<void>;
  /** Prints a copy of a registered receipt (`capabilities.paper.copies`). A copy is no fiscal document. */
  printCopy?(fd: number, signal: AbortSignal): Promise<void>;
  /** Documents above `fd`, up to `toFd` or all, ascending. An unreadable document has `body: "unreadable"`. */
  documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]>;
  /** Queries the register each time; earlier answers are not reused. */
  readTables(signal: AbortSignal): Promise<RegisterTables>;
  /** The register's present settings that change receipts. Absent: this maker's settings are not known. */
  readSettings?(signal: AbortSignal): Promise<readonly ReceiptSetting[]>;
  /** The present identity. Absent: it cannot change while the connection lasts. */
  readIdentity?(signal: AbortSignal): Promise<Identity>;
  /** Totals of the open or the last shift, from counters. Null where the register has none. */
  readShiftTotals(signal: AbortSignal): Promise<ShiftTotals | null>;
  close(): Promise<void>;
  /** The last frames in both directions, newest last, for fault details and support bundles; also after `close`. */
  lastFrames(): readonly WireFrame[];
  /** Called when the connection breaks between two requests (unplugged). At most once per `connect`. */
  onLost(listener: (fault: Fault) => void): void;
}

export interface ReadStateOptions {
  /**
   * True: facts that no receipt depends on (drawer, unsent documents, life of the drive) may be up to a minute old,
   * from this connection and shift; everything else is read. Default false: everything is read.
   */
  readonly forReceipt?: boolean;
}

export interface FenceOptions {
  readonly cancelOpen: boolean;
  /**
   * `Baseline.requestId` of every run with an unknown outcome. A driver that names its requests makes sure that none of
   * them can still begin, and reports the outcome of each. Other drivers ignore the names.
   */
  readonly requests?: readonly string[];
  /**
   * True: this daemon was interrupted while it set the clock. A register that waits for the confirmation of its date
   * then gets the date that it already shows. Other registers ignore this.
   */
  readonly confirmDate?: boolean;
}

export interface FencedState extends DeviceState {
  /** Outcomes of `FenceOptions.requests`, by name; none where a driver does not name its requests. */
  readonly requests?: ReadonlyMap<string, RequestEnd>;
}

/** What the maker's service says about a named run. */
export type RequestEnd =
  /** The run was carried out. `document` null: the run made no document, or the document's numbers cannot be read. */
  | { readonly kind: "done"; readonly document: RequestDocument | null }
  /** The run has ended without effect as far as the service knows: the fiscal memory decides. */
  | { readonly kind: "ended" }
  /** The run has no final status although the service went on: it may still be carried out. */
  | { readonly kind: "open" };

export interface RequestDocument extends DocumentNumbers {
  readonly total: Kopecks | null;
}

export interface WireFrame {
  readonly at: number;
  readonly direction: "out" | "in";
  readonly command: string | null;
  readonly hex: string;
}

export type Identity = Readonly<z.infer<typeof identitySchema>>;

/** A shift that the daemon has stored from the register's own answers. */
export interface KnownShift {
  readonly fn: FnSerial;
  readonly shift: number;
  /** By the register's clock. */
  readonly openedAt: LocalTime;
}

export interface DeviceState {
  readonly fn: FnSerial;
  /** Number of the last finished fiscal document; 0 = none. */
  readonly lastFd: number;
  readonly shift: ShiftState;
  readonly paper: "present" | "out" | "low" | "unknown";
  readonly coverOpen: boolean;
  readonly openReceipt: OpenReceipt | null;
  /** `unfinished`: the drive has the document, and its print waits for `finishPrint`. */
  readonly print: "idle" | "printing" | "unfinished";
  /** Totals of the drawer's counters; null where the register has no such counters. */
  readonly drawer: DrawerTotals | null;
  readonly unsent: UnsentDocuments | null;
  /** The register's clock; null where it was not read. */
  readonly clock: LocalTime | null;
  /** By the register's clock; null where the register does not report the opening. */
  readonly shiftOpenedAt: LocalTime | null;
  /** Bits of the drive's warnings (54-fz 7); 0 = no warning. */
  readonly fnWarnings: number;
  readonly fnDaysLeft: number | null;
  readonly fnDocumentsLeft: number | null;
  /** Why the register can print nothing now, as far as it reports that (paper, cover, drive). Null: it can print. */
  readonly blockedBy: Fault | null;
}

export type ShiftState = Readonly<z.infer<typeof shiftState>>;

export interface OpenReceipt {
  /** `cash`: the open document moves cash, on makers that have such documents. Default: a receipt. */
  readonly document?: "receipt" | "cash";
  readonly operation: Operation | null;
  readonly subtotal: Kopecks | null;
}

export type DrawerTotals = Readonly<z.infer<typeof drawer>>;

export interface UnsentDocuments {
  readonly count: number;
  readonly firstAt: LocalTime | null;
}

/** The state before a program, which is read and stored before the program's first byte. */
export interface Baseline {
  readonly fn: FnSerial;
  readonly lastFd: number;
  readonly shift: ShiftState;
  /** The drawer's counters. Before a receipt they may be a minute old: they only grow, so they were no higher then. */
  readonly drawer: DrawerTotals | null;
  /**
   * Name of this run, which only this attempt has. The driver derives the ids of its requests at a maker's service from
   * the name, so that a request that was sent twice is carried out once. Null: the run has no name.
   */
  readonly requestId?: string | null;
}

export interface CompileContext {
  readonly shift: ShiftState["state"];
  /** How many programs of a service job are done: they are compiled again, and not run again. Default 0. */
  readonly doneParts?: number;
  /** Order mark (tag 1086). Null when `orderMark` is off or the order has a tag 1084 of its own. */
  readonly mark: string | null;
  readonly cashier: Cashier | null;
  /** Tax system (tag 1055) of a receipt that names none. Null: the register's only one. */
  readonly taxSystem: TaxSystem | null;
  /** Tax row of positions that name none, where the model needs one. Null: not set. */
  readonly defaultTax: number | null;
  /** False: this register prints no paper unless the law needs it. */
  readonly printPaper: boolean;
  readonly tables: RegisterTables;
  /** Pictures by `ImageLine.source`, read and scaled beforehand; a missing picture is left out with a warning. */
  readonly images: ReadonlyMap<string, Bitmap>;
  /** Draws texts that the register's fonts cannot print; without it such texts are printed plain. */
  readonly paintText?: PaintText | null;
  /** The time that a SyncTime action sets. */
  readonly localTime: LocalTime;
}

/** One bit per dot, rows padded to whole bytes, most significant bit first, 1 = black. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly rows: Uint8Array;
}

export interface DocumentNumbers {
  readonly fn: FnSerial;
  /** Tag 1040 (number of the document). */
  readonly fd: number;
  /** Tag 1077 (fiscal sign) in ten digits, as on paper. */
  readonly fiscalSign: string;
  /** Tag 1038 (number of the shift). */
  readonly shift: number;
  /** Tag 1042 (number of the receipt in its shift); null where the device does not report it. */
  readonly receiptNumber: number | null;
  /** Tag 1012 (date and time). */
  readonly time: LocalTime;
}

export type RunOutcome =
  /** Done. `document`: the numbers of the document that a fiscal program made. `warnings`: of the paper only. */
  | { readonly kind: "printed"; readonly document: DocumentNumbers | null; readonly warnings: readonly Fault[] }
  /** The fence was passed on this same connection: the program surely registered nothing. */
  | { readonly kind: "not-printed"; readonly fault: Fault }
  /** The connection failed, or the fiscal step had no clean answer: connect, fence, read the documents, decide. */
  | { readonly kind: "unsure"; readonly fault: Fault };

export interface ShiftTotals {
  readonly shift: number;
  readonly sales: Kopecks;
  readonly returns: Kopecks;
  readonly saleCount: number | null;
  readonly returnCount: number | null;
}
