import { z } from "zod";
import { type CoreOperation, kopecksSchema, type StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { type FiscalTag, textTags } from "../memory/fiscal-tag.js";
import type { MarkUse } from "../memory/marking-codes.js";
import type { CoreAnswer } from "../memory/refusals.js";
import type { PiritModel } from "./models.js";
import { fail, type Outcome, ok, refuse, wrongState } from "./outcomes.js";
import type { PiritSettings } from "./settings.js";

/** Document types of command 30 (open document), also in the document status. */
export const documentTypes = { service: 1, cashIn: 4, cashOut: 5 } as const;
const receiptTypes: ReadonlyMap<number, CoreOperation> = new Map([
  [2, "sale"],
  [3, "return"],
  [6, "purchase"],
  [7, "purchase-return"],
]);
/** Types of corrections in format 1.2. They appear in the document status only: command 58 opens a correction. */
const correctionTypes: ReadonlyMap<number, CoreOperation> = new Map([
  [9, "sale"],
  [10, "purchase"],
  [11, "return"],
  [12, "purchase-return"],
]);

const documentSchema = z.object({
  type: z.int(),
  /** State of the document, 1 to 4 (PIRIT protocol, 4). */
  state: z.int(),
  department: z.int(),
  operator: z.string(),
  /** Bit of tag 1062 (tax system). Null: not named. */
  taxSystem: z.int().nullable(),
  paper: z.boolean(),
  payments: z.array(z.object({ type: z.int(), sum: kopecksSchema })),
  cash: kopecksSchema,
});
export type OpenDocument = z.infer<typeof documentSchema>;

export interface MarkCheck extends MarkUse {
  readonly code: string;
  /** Tag 2106 (result of the check). */
  readonly result: number;
  accepted: boolean;
}

const DOCUMENT = "document";
const CLOSED_IN_DRIVE = 8;

export class PiritDevice {
  /** True: the command "start of work" has come since the power is on. */
  started = false;
  /** Tags that command 24 sent for the next item. */
  itemTags: readonly FiscalTag[] = [];
  /** Marking code that query 79/15 bound to the next item. */
  itemMark: MarkCheck | null = null;
  marks: MarkCheck[] = [];
  /** The document whose reading 78/15 began and 78/16 continues. */
  reading: { readonly blocks: readonly Uint8Array[]; next: number } | null = null;
  /** Extended reason of the last error, the answer of query 06/1. */
  reason = 0;
  /** A time more than a day ahead: refused the first time, accepted when it comes again. */
  doubtedTime: string | null = null;
  /** Text whose row is continued by the next text. */
  unfinishedRow = "";

  constructor(
    readonly core: FiscalCore,
    readonly model: PiritModel,
    readonly settings: PiritSettings,
  ) {}

  get document(): OpenDocument | null {
    const { receipt } = this.core;
    const stored = this.storedDocument();
    if (receipt === null) return stored === null || operationOf(stored.type) !== null ? null : stored;
    const type = typeOf(receipt.operation, receipt.document !== "receipt");
    return stored !== null && stored.type === type ? stored : { ...emptyDocument(type), operator: "?" };
  }

  setDocument(document: OpenDocument | null): void {
    if (document === null) this.core.dropMakerSetting(DOCUMENT);
    else this.core.setMakerSetting(DOCUMENT, JSON.stringify(document));
  }

  changeDocument(change: Partial<OpenDocument>): void {
    const { document } = this;
    if (document !== null) this.setDocument({ ...document, ...change });
  }

  /** State * 16 + type, as command 00 (status) shows it. */
  get documentStatus(): number {
    const halted = this.haltedDocument;
    if (isReceipt(halted)) return CLOSED_IN_DRIVE * 16 + typeOf(halted.operation, halted.type === "correction");
    const { document } = this;
    return document === null ? 0 : document.state * 16 + document.type;
  }

  get haltedDocument() {
    const { haltedFd } = this.core.printer;
    return haltedFd === null || haltedFd === 0 ? null : this.core.find(haltedFd);
  }

  get flags(): number {
    const { shift } = this.core;
    return (
      (this.started ? 0 : 1) |
      (shift === "closed" ? 0 : 1 << 2) |
      (shift === "expired" ? 1 << 3 : 0) |
      (this.haltedDocument?.type === "shift-close" ? 1 << 8 : 0)
    );
  }

  endDocument(): void {
    this.setDocument(null);
    this.forgetParts();
  }

  private forgetParts(): void {
    this.itemTags = [];
    this.itemMark = null;
    this.marks = [];
    this.unfinishedRow = "";
  }

  private storedDocument(): OpenDocument | null {
    const text = this.core.makerSetting(DOCUMENT);
    return text === null ? null : documentSchema.parse(JSON.parse(text));
  }

  /** Mask of command 04 (state of the printer). */
  get printerMask(): number {
    const { paperPresent, coverOpen } = this.core.printer;
    const mask = (paperPresent ? 0 : 2) | (coverOpen ? 4 : 0);
    return mask === 0 ? 0 : mask | 1;
  }

  /** Null: printing is possible. Also continues a stopped print that no command would continue. */
  get printerRefusal(): Outcome | null {
    const { printer } = this.core;
    const halted = this.haltedDocument;
    if (isReceipt(halted)) return wrongState(9);
    if (halted?.type === "shift-close") return wrongState(15);
    if (printer.haltedFd !== null) {
      const continued = this.core.continuePrint();
      if (!continued.ok) return refuse(continued.refusal);
    }
    const ready = printer.check();
    return ready.ok ? null : refuse(ready.refusal);
  }

  /** Bit 7 of setting 1 keeps documents off the paper. */
  get printsDocuments(): boolean {
    return (Number(this.core.makerSetting("item.1.0") ?? "0") & 0x80) === 0;
  }

  /** The outcome of a command that made a document: an error if the paper ended and the print has stopped. */
  afterPrint<T>(made: CoreAnswer<T>, good: (value: T) => Outcome = () => ok()): Outcome {
    if (!made.ok) return refuse(made.refusal);
    const outcome = good(made.value);
    if (this.core.printer.haltedFd === null) return outcome;
    return fail(this.core.printer.coverOpen ? 0x09 : 0x08);
  }

  powerCut(): void {
    this.started = false;
    this.forgetParts();
    this.reading = null;
    this.reason = 0;
    this.doubtedTime = null;
    const openReceipt = this.settings["receipt-after-power-cut"];
    this.core.powerCut({ openReceipt });
    if (openReceipt === "dropped") this.setDocument(null);
  }
}

export function operationOf(type: number): CoreOperation | null {
  return receiptTypes.get(type) ?? correctionTypes.get(type) ?? null;
}

export function isReceipt(
  document: StoredDocument | null,
): document is StoredDocument & { readonly type: "receipt" | "correction" } {
  return document?.type === "receipt" || document?.type === "correction";
}

export function typeOf(operation: CoreOperation | null, isCorrection = false): number {
  for (const [type, candidate] of isCorrection ? correctionTypes : receiptTypes)
    if (candidate === operation) return type;
  return 0;
}

export function emptyDocument(type: number): OpenDocument {
  return documentSchema.parse({
    type,
    state: 1,
    department: 1,
    operator: "",
    taxSystem: null,
    paper: true,
    payments: [],
    cash: 0,
  });
}

/** Tags of a cashier, whose field is `INN&Name` or the name alone. */
export function cashierTags(operator: string): readonly FiscalTag[] {
  const [, inn, name] = /^(?:(\d{0,12})&)?(.*)$/s.exec(operator) ?? [];
  return textTags([1021, name], [1203, inn]);
}
