/**
 * The contract of a register driver. Everything above speaks in these words; nothing below them knows a job or a site.
 *
 * Life: `connect` first, then any of the other methods, strictly one at a time (the register actor ensures that),
 * `close` at the end. After a Fault with a `link.*` code the connection is gone, and `connect` has to be called again.
 * Every method takes a signal and ends in bounded time.
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
  /** Known after the first `connect`; reading it earlier is a programming error. */
  readonly capabilities: Capabilities;
  /** Opens the connection and identifies the device. Sends nothing that writes. `known`: facts that need no search. */
  connect(signal: AbortSignal, known?: KnownShift): Promise<Identity>;
  readState(signal: AbortSignal, options?: ReadStateOptions): Promise<DeviceState>;
  /**
   * Pure. Makes one program for each effect that needs its own witness (`program.ts`), in order: a receipt is one, with
   * a shift opening before it when the shift is closed; a service job is one for each cash line and Z report, with the
   * plain lines between them.
   * Faults: `receipt.unsupported`, `device.tax-unknown`, `receipt.image`, and `device.shift-expired` for a receipt
   * while the context's shift is expired.
   */
  compile(receipt: Receipt, context: CompileContext): readonly Program<C>[];
  /** Runs the steps on the present connection; never reconnects. Throws only `link.aborted` before the first byte. */
  run(program: Program<C>, baseline: Baseline, signal: AbortSignal): Promise<RunOutcome>;
  /**
   * The fence makes sure that nothing sent before can still take effect, and then reads the register. The fence is
   * passed after any unknown outcome, on a fresh connection or one that works. In this order: the link is idle, no
   * receipt is open (with `cancelOpen` an open one is cancelled and the answer awaited), an unfinished print is
   * continued, then the drive's serial number and last document number are read. With `cancelOpen` false an open
   * receipt is only reported in the state. Rejects when one of these facts cannot be known.
   */
  fence(options: FenceOptions, signal: AbortSignal): Promise<FencedState>;
  /** Continues a print whose document the fiscal drive already holds. Never repeats a closing command. */
  finishPrint(signal: AbortSignal): Promise<void>;
  /** Prints a copy of a registered receipt on paper (`capabilities.paper.copies`): no fiscal document, not repeated. */
  printCopy?(fd: number, signal: AbortSignal): Promise<void>;
  /** Documents above `fd` up to `toFd`, or all, ascending. An unreadable one has `body: "unreadable"`. */
  documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]>;
  /** Queries the register each time: no earlier answer is used. */
  readTables(signal: AbortSignal): Promise<RegisterTables>;
  /** Settings of the register that change receipts, as they are now; absent: this maker's settings are not known. */
  readSettings?(signal: AbortSignal): Promise<readonly ReceiptSetting[]>;
  /** The identity as it is now, on the present connection; absent: it cannot change without a new connection. */
  readIdentity?(signal: AbortSignal): Promise<Identity>;
  /** Totals of the open shift or of the last one, from counters. Null where the register has none. */
  readShiftTotals(signal: AbortSignal): Promise<ShiftTotals | null>;
  close(): Promise<void>;
  /** The last frames in both directions, newest last, for fault details and support bundles; also after `close`. */
  lastFrames(): readonly WireFrame[];
  /** Called when the connection breaks while nothing is asked of it (unplugged). At most once per connect. */
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
   * them can begin any more, and reports the outcome of each; other drivers ignore them.
   */
  readonly requests?: readonly string[];
  /**
   * A setting of the clock by this daemon was interrupted: a register that waits for its date to be confirmed gets the
   * date that it shows already. Other registers ignore this.
   */
  readonly confirmDate?: boolean;
}

export interface FencedState extends DeviceState {
  /** Outcomes of `FenceOptions.requests`, by name; a maker without names reports none. */
  readonly requests?: ReadonlyMap<string, RequestEnd>;
}

/** What a maker's service says about a run, by its name. */
export type RequestEnd =
  /** The run was executed. `document` null: the run made no document, or its numbers cannot be read. */
  | { readonly kind: "done"; readonly document: RequestDocument | null }
  /** The run has ended, as far as the service knows without effect: the fiscal memory decides. */
  | { readonly kind: "ended" }
  /** The run has no final status although the service went on: it may still be carried out. */
  | { readonly kind: "open" };

export interface RequestDocument extends DocumentNumbers {
  readonly total: Kopecks | null;
}

export interface WireFrame {
  /** The time by the wall clock, in ms. */
  readonly at: number;
  readonly direction: "out" | "in";
  readonly command: string | null;
  readonly hex: string;
}

export type Identity = Readonly<z.infer<typeof identitySchema>>;

/** A shift that the daemon has on record from the register's own answers. */
export interface KnownShift {
  readonly fn: FnSerial;
  readonly shift: number;
  /** Time by the register's clock. */
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
  /** `unfinished`: the drive holds the document, and its print waits for `finishPrint`. */
  readonly print: "idle" | "printing" | "unfinished";
  /** Totals of the drawer counters of this shift; null where the register has no such counters. */
  readonly drawer: DrawerTotals | null;
  readonly unsent: UnsentDocuments | null;
  /** The register's own clock, local time, or null. */
  readonly clock: LocalTime | null;
  /** When the open shift was opened, by the register's clock; null where it does not report that. */
  readonly shiftOpenedAt: LocalTime | null;
  /** Warnings of the fiscal drive as bits, such as "memory nearly full" (all: 54-fz 7); 0 = no warning. */
  readonly fnWarnings: number;
  readonly fnDaysLeft: number | null;
  readonly fnDocumentsLeft: number | null;
  /** Why the register can print nothing now, as far as it reports that (paper, cover, drive); null = it can print. */
  readonly blockedBy: Fault | null;
}

export type ShiftState = Readonly<z.infer<typeof shiftState>>;

export interface OpenReceipt {
  /** `cash`: the open document is of cash in or out, on makers that have such documents. Default: a receipt. */
  readonly document?: "receipt" | "cash";
  readonly operation: Operation | null;
  readonly subtotal: Kopecks | null;
}

export type DrawerTotals = Readonly<z.infer<typeof drawer>>;

export interface UnsentDocuments {
  readonly count: number;
  readonly firstAt: LocalTime | null;
}

/** The state before a program, which is read and committed before the program's first byte. */
export interface Baseline {
  readonly fn: FnSerial;
  readonly lastFd: number;
  readonly shift: ShiftState;
  /** The drawer counters. Before a receipt they may be a minute old, because they were no higher then. */
  readonly drawer: DrawerTotals | null;
  /**
   * Name of this run: one attempt always has the same name, and no other attempt has it. The ids of its requests at a
   * maker's service are derived from it, so that a request that was sent twice is executed once. Null = the run has
   * none.
   */
  readonly requestId?: string | null;
}

export interface CompileContext {
  readonly shift: ShiftState["state"];
  /** How many programs of a service job are done: these are compiled again and not run again. Default 0. */
  readonly doneParts?: number;
  /** Value of tag 1086. Null when `orderMark` is off or the order has a tag 1084 of its own. */
  readonly mark: string | null;
  readonly cashier: Cashier | null;
  /** Tag 1055 (tax system) when the receipt names none; null = the register's only one. */
  readonly taxSystem: TaxSystem | null;
  /** Tax row for positions without one, where the model needs one; null = none. */
  readonly defaultTax: number | null;
  /** False: this register prints no paper unless the law needs it. */
  readonly printPaper: boolean;
  readonly tables: RegisterTables;
  /** Pictures by `ImageLine.source`, read and scaled beforehand; a missing one is left out with a warning. */
  readonly images: ReadonlyMap<string, Bitmap>;
  /** Draws texts that the register's fonts cannot print; without it such texts are printed plain. */
  readonly paintText?: PaintText | null;
  /** Time for a SyncTime action. */
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
  /** Tag 1077 (fiscal sign) as the ten-digit decimal text on paper. */
  readonly fiscalSign: string;
  /** Tag 1038 (number of the shift). */
  readonly shift: number;
  /** Tag 1042 (number of the receipt in its shift); null where the device does not report it. */
  readonly receiptNumber: number | null;
  /** Tag 1012 (date and time). */
  readonly time: LocalTime;
}

export type RunOutcome =
  /** The program is done; for a fiscal program `document` has the document's own numbers. `warnings` are cosmetic. */
  | { readonly kind: "printed"; readonly document: DocumentNumbers | null; readonly warnings: readonly Fault[] }
  /** The fence was passed on this very connection: the program surely registered nothing. */
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
