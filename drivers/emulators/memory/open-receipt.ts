/** The open receipt: lines, requisites, the paper rows between them, and its close. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { linePaper } from "../paper/document-paper.js";
import type { OpenReceiptRecord } from "./core-state.js";
import { sumTags } from "./document-body.js";
import type { CoreOperation, StoredDocument, StoredLine } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";
import {
  cashEffect,
  checkLine,
  type LineInput,
  MAX_LINES,
  type PaymentInput,
  settle,
  totalOfLines,
  vatTotals,
} from "./receipt-rules.js";
import { type CoreAnswer, done, refused } from "./refusals.js";
import type { RegisterMemory } from "./register-memory.js";
import { countReceipt } from "./shift-counters.js";

export interface CloseInput {
  readonly payments: readonly PaymentInput[];
  /** Kopecks taken off the total, 0 to 99. */
  readonly rounding?: Kopecks;
  /** Tag 1055 (tax system); null = the only one that the register is registered for. */
  readonly taxSystem: number | null;
  readonly zeroTotal?: "allowed" | "refused";
  /** False: the receipt is electronic only. */
  readonly paper: boolean;
  /** Requisites besides those that were added before. */
  readonly tags?: readonly FiscalTag[];
}

export interface OpenInput {
  readonly operation: CoreOperation;
  readonly operator: number;
  /** Default: a receipt. */
  readonly document?: OpenReceiptRecord["document"];
}

export interface SumsInput extends Pick<CloseInput, "payments" | "taxSystem" | "paper" | "tags"> {
  readonly total: Kopecks;
  /** Tax by the code of the rate, at 0 % and without VAT the turnover. */
  readonly rates: ReadonlyMap<number, Kopecks>;
}

/** Format 1.05 (tag 1209). */
const FFD_105 = 2;

export class CurrentReceipt {
  /** Paper rows between title and total, in print order; a restarted process knows the lines alone. */
  private paper: PaperRow[];

  constructor(private readonly memory: RegisterMemory) {
    const lines = memory.state.receipt?.lines ?? [];
    this.paper = lines.flatMap((line) => linePaper(line, memory.tape.columns));
  }

  get subtotal(): Kopecks {
    return totalOfLines(this.memory.state.receipt?.lines ?? []);
  }

  open(input: OpenInput): CoreAnswer<null> {
    const { memory } = this;
    const { operation, operator, document = "receipt" } = input;
    const isReturned = operation === "return" || operation === "purchase-return";
    if (document !== "receipt" && memory.registration.ffd === FFD_105 && isReturned) return refused("bad-sign");
    if (memory.state.receipt !== null) return refused("receipt-open");
    const refusal = memory.shiftRefusal();
    if (refusal !== null) return refused(refusal);
    memory.state.receipt = { operation, operator, document, openedAt: memory.now(), lines: [], tags: [] };
    this.paper = [];
    memory.save();
    return done(null);
  }

  addLine(input: LineInput & { readonly paper?: boolean }): CoreAnswer<StoredLine> {
    const { memory } = this;
    const { receipt } = memory.state;
    if (receipt === null) return refused("no-receipt");
    if (receipt.lines.length >= MAX_LINES) return refused("too-many-lines");
    const line = checkLine(input, memory.registration.taxes);
    if (!line.ok) return line;
    receipt.lines.push(line.value);
    if (input.paper !== false) this.paper.push(...linePaper(line.value, memory.tape.columns));
    memory.save();
    return line;
  }

  changeLastLine(change: (line: StoredLine) => StoredLine): CoreAnswer<null> {
    const { receipt } = this.memory.state;
    const last = receipt?.lines.at(-1);
    if (receipt === null || last === undefined) return refused("no-receipt");
    receipt.lines[receipt.lines.length - 1] = change(last);
    this.memory.save();
    return done(null);
  }

  addTag(tag: FiscalTag): CoreAnswer<null> {
    const { receipt } = this.memory.state;
    if (receipt === null) return refused("no-receipt");
    receipt.tags.push(tag);
    this.memory.save();
    return done(null);
  }

  addPaper(rows: readonly PaperRow[]): CoreAnswer<null> {
    if (this.memory.state.receipt === null) return refused("no-receipt");
    this.paper.push(...rows);
    return done(null);
  }

  close(input: CloseInput): CoreAnswer<StoredDocument> {
    const { memory } = this;
    const { receipt, shift } = memory.state;
    if (receipt === null) return refused("no-receipt");
    if (receipt.lines.length === 0) return refused("no-lines");
    const total = kopecks(this.subtotal - (input.rounding ?? 0));
    if (total < 0) return refused("total-out-of-range");
    if (total === 0 && input.zeroTotal === "refused") return refused("zero-total");
    const taxSystem = this.taxSystemOf(input.taxSystem);
    if (taxSystem === null) return refused("tax-system-unknown");
    const settled = settle(total, input.payments);
    if (!settled.ok) return settled;
    const effect = cashEffect(receipt.operation, settled.value.payments);
    if (memory.lacksCash(effect)) return refused("not-enough-cash");
    const refusal = memory.shiftRefusal();
    if (refusal !== null) return refused(refusal);
    const ready = memory.readyFor(input.paper);
    if (!ready.ok) return ready;

    const isBySums = receipt.document === "correction" && memory.registration.ffd === FFD_105;
    const sums = isBySums ? sumTags(vatTotals(receipt.lines)) : [];
    return this.make(
      {
        ...memory.blank(receipt.document === "receipt" ? "receipt" : "correction"),
        ...settled.value,
        receiptNumber: shift.receipts + 1,
        operation: receipt.operation,
        total,
        taxSystem,
        lines: isBySums ? [] : receipt.lines,
        tags: [...receipt.tags, ...sums, ...(input.tags ?? [])],
        printed: input.paper,
      },
      effect,
    );
  }

  /** Makes the open correction of sums. It moves no cash: the money was in the drawer before. */
  closeSums({ total, rates, payments, ...input }: SumsInput): CoreAnswer<StoredDocument> {
    const { memory } = this;
    const { receipt, shift } = memory.state;
    if (receipt?.document !== "sums") return refused("no-receipt");
    const taxSystem = this.taxSystemOf(input.taxSystem);
    if (taxSystem === null) return refused("tax-system-unknown");
    const settled = settle(total, payments);
    if (!settled.ok) return settled;
    if (settled.value.change > 0) return refused("cashless-above-total");
    const refusal = memory.shiftRefusal();
    if (refusal !== null) return refused(refusal);
    const ready = memory.readyFor(input.paper);
    if (!ready.ok) return ready;
    return this.make(
      {
        ...memory.blank("correction"),
        ...settled.value,
        receiptNumber: shift.receipts + 1,
        operation: receipt.operation,
        total,
        taxSystem,
        tags: [...receipt.tags, ...sumTags(rates), ...(input.tags ?? [])],
        printed: input.paper,
      },
      kopecks(0),
    );
  }

  /** Writes the document, with which the receipt ends. */
  private make(document: StoredDocument, cashMoved: Kopecks): CoreAnswer<StoredDocument> {
    const { memory } = this;
    memory.state.receipt = null;
    memory.state.cash = kopecks(memory.state.cash + cashMoved);
    memory.state.shift.receipts += 1;
    countReceipt(memory.state.shift, document);
    return done(memory.write(document, this.paper));
  }

  cancel(): CoreAnswer<null> {
    const { memory } = this;
    if (memory.state.receipt === null) return refused("no-receipt");
    memory.state.receipt = null;
    memory.state.shift.cancelled += 1;
    memory.save();
    return done(null);
  }

  /** Bit of the tax system. Null unless it is exactly one, and one that the register is registered for. */
  private taxSystemOf(asked: number | null): number | null {
    const { taxSystems } = this.memory.registration;
    const bit = asked ?? taxSystems;
    const single = bit > 0 && (bit & (bit - 1)) === 0;
    return single && (bit & taxSystems) === bit ? bit : null;
  }
}
