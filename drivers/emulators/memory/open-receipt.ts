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
  pay,
  totalOfLines,
  vatTotals,
} from "./receipt-rules.js";
import { type CoreAnswer, done, refused } from "./refusals.js";
import { type MemoryOptions, RegisterMemory } from "./register-memory.js";
import { countReceipt } from "./shift-counters.js";

export interface CloseInput {
  readonly payments: readonly PaymentInput[];
  /** Kopecks taken off the total, 0 to 99. */
  readonly rounding?: Kopecks;
  /** Tag 1055 (tax system). Null: the only one that the register is registered for. */
  readonly taxSystem: number | null;
  readonly zeroTotal?: "allowed" | "refused";
  readonly paper: boolean;
  readonly tags?: readonly FiscalTag[];
}

export interface OpenInput {
  readonly operation: CoreOperation;
  readonly operator: number;
  readonly document?: OpenReceiptRecord["document"];
}

export interface SumsInput extends Pick<CloseInput, "payments" | "taxSystem" | "paper" | "tags"> {
  readonly total: Kopecks;
  /** Tax by the code of the rate; at 0 % and without VAT the turnover. */
  readonly rates: ReadonlyMap<number, Kopecks>;
}

/** Tag 1209 (format). */
const FFD_105 = 2;

export class ReceiptMemory extends RegisterMemory {
  /** Paper rows between title and total, in print order; after a restart only the lines are known. */
  private paper: PaperRow[];

  constructor(options: MemoryOptions) {
    super(options);
    const lines = this.state.receipt?.lines ?? [];
    this.paper = lines.flatMap((line) => linePaper(line, this.tape.columns));
  }

  get subtotal(): Kopecks {
    return totalOfLines(this.state.receipt?.lines ?? []);
  }

  openReceipt({ operation, operator, document = "receipt" }: OpenInput): CoreAnswer<null> {
    const isReturned = operation === "return" || operation === "purchase-return";
    if (document !== "receipt" && this.registration.ffd === FFD_105 && isReturned) return refused("bad-sign");
    if (this.state.receipt !== null) return refused("receipt-open");
    const refusal = this.shiftRefusal();
    if (refusal !== null) return refused(refusal);
    this.state.receipt = { operation, operator, document, openedAt: this.now(), lines: [], tags: [] };
    this.paper = [];
    this.save();
    return done(null);
  }

  addLine(input: LineInput & { readonly paper?: boolean }): CoreAnswer<StoredLine> {
    const { receipt } = this.state;
    if (receipt === null) return refused("no-receipt");
    if (receipt.lines.length >= MAX_LINES) return refused("too-many-lines");
    const line = checkLine(input, this.registration.taxes);
    if (!line.ok) return line;
    receipt.lines.push(line.value);
    if (input.paper !== false) this.paper.push(...linePaper(line.value, this.tape.columns));
    this.save();
    return line;
  }

  addLineTag(tag: FiscalTag): CoreAnswer<null> {
    return this.changeLastLine((line) => ({ ...line, tags: [...line.tags, tag] }));
  }

  /** Binds a marking code (hex) to the last line; `result` is tag 2106 (result of its check). */
  bindMark(mark: string, result: number): CoreAnswer<null> {
    const tag = { tag: 2106, number: result };
    return this.changeLastLine((line) => ({ ...line, mark, tags: [...line.tags, tag] }));
  }

  private changeLastLine(change: (line: StoredLine) => StoredLine): CoreAnswer<null> {
    const { receipt } = this.state;
    const last = receipt?.lines.at(-1);
    if (receipt === null || last === undefined) return refused("no-receipt");
    receipt.lines[receipt.lines.length - 1] = change(last);
    this.save();
    return done(null);
  }

  /** If a tag is set twice, its last value counts. */
  addReceiptTag(tag: FiscalTag): CoreAnswer<null> {
    const { receipt } = this.state;
    if (receipt === null) return refused("no-receipt");
    receipt.tags.push(tag);
    this.save();
    return done(null);
  }

  addReceiptPaper(rows: readonly PaperRow[]): CoreAnswer<null> {
    if (this.state.receipt === null) return refused("no-receipt");
    this.paper.push(...rows);
    return done(null);
  }

  closeReceipt(input: CloseInput): CoreAnswer<StoredDocument> {
    const { receipt } = this.state;
    if (receipt === null) return refused("no-receipt");
    if (receipt.lines.length === 0) return refused("no-lines");
    const total = kopecks(this.subtotal - (input.rounding ?? 0));
    if (total < 0) return refused("total-out-of-range");
    if (total === 0 && input.zeroTotal === "refused") return refused("zero-total");
    const taxSystem = this.taxSystemOf(input.taxSystem);
    if (taxSystem === null) return refused("tax-system-unknown");
    const paid = pay(total, input.payments);
    if (!paid.ok) return paid;
    const effect = cashEffect(receipt.operation, paid.value.payments);
    if (this.lacksCash(effect)) return refused("not-enough-cash");
    const isBySums = receipt.document === "correction" && this.registration.ffd === FFD_105;
    const sums = isBySums ? sumTags(vatTotals(receipt.lines)) : [];
    const content = { ...paid.value, total, taxSystem, lines: isBySums ? [] : receipt.lines };
    return this.make(receipt, content, [...sums, ...(input.tags ?? [])], input.paper, effect);
  }

  /** Makes the open correction from sums. No cash moves: the money was in the drawer before. */
  closeSums({ total, rates, payments, ...input }: SumsInput): CoreAnswer<StoredDocument> {
    const { receipt } = this.state;
    if (receipt?.document !== "sums") return refused("no-receipt");
    const taxSystem = this.taxSystemOf(input.taxSystem);
    if (taxSystem === null) return refused("tax-system-unknown");
    const paid = pay(total, payments);
    if (!paid.ok) return paid;
    if (paid.value.change > 0) return refused("cashless-above-total");
    const content = { ...paid.value, total, taxSystem, lines: [] };
    return this.make(receipt, content, [...sumTags(rates), ...(input.tags ?? [])], input.paper, kopecks(0));
  }

  private make(
    { operation, document, tags: before }: OpenReceiptRecord,
    content: Pick<StoredDocument, "payments" | "change" | "total" | "taxSystem" | "lines">,
    tags: readonly FiscalTag[],
    printed: boolean,
    cashMoved: Kopecks,
  ): CoreAnswer<StoredDocument> {
    const refusal = this.shiftRefusal();
    if (refusal !== null) return refused(refusal);
    const ready = this.readyFor(printed);
    if (!ready.ok) return ready;
    const { state } = this;
    state.receipt = null;
    state.cash = kopecks(state.cash + cashMoved);
    state.shift.receipts += 1;
    const made: StoredDocument = {
      ...this.blank(document === "receipt" ? "receipt" : "correction"),
      ...content,
      ...{ receiptNumber: state.shift.receipts, operation, tags: [...before, ...tags], printed },
    };
    countReceipt(state.shift, made);
    return done(this.write(made, this.paper));
  }

  cancelReceipt(): CoreAnswer<null> {
    if (this.state.receipt === null) return refused("no-receipt");
    this.state.receipt = null;
    this.state.shift.cancelled += 1;
    this.save();
    return done(null);
  }

  /** Bit of the tax system. Null for several bits, and for a system that the register is not registered for. */
  private taxSystemOf(asked: number | null): number | null {
    const { taxSystems } = this.registration;
    const bit = asked ?? taxSystems;
    const single = bit > 0 && (bit & (bit - 1)) === 0;
    return single && (bit & taxSystems) === bit ? bit : null;
  }
}
