import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import type { CoreOperation } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { FiscalTag } from "../memory/fiscal-tag.js";
import type { MarkUse } from "../memory/marking-codes.js";
import { fixedText, fromCp1251, integer } from "./bytes.js";
import type { ShtrihModel } from "./models.js";
import type { ShtrihSettings } from "./settings.js";
import { type Table, tablesOf } from "./table-layout.js";

/** Values of the paper switch: only the next document without paper, all without paper, all to the memory card. */
const WITHOUT_PAPER: readonly number[] = [1, 2, 3];

/** Flag of F7h (model parameters): corrections are receipts of another type. */
export const ITEM_CORRECTIONS = 48;
/** Tag 1209 (format). */
export const FFD_105 = 2;

/** Receipt types of 8Dh (open receipt), 0 to 3, in this order (not the order of tag 1054, operation). */
export const receiptTypes: readonly CoreOperation[] = ["sale", "purchase", "return", "purchase-return"];

export class ShtrihDevice {
  readonly tables: ReadonlyMap<number, Table>;
  /** Lines of graphics by number, loaded by C4h. */
  readonly graphics = new Map<number, Uint8Array>();
  /** Data blocks, written by DDh (load data) and FF33h (block of a long tag). */
  readonly data = new Uint8Array(128 * 64);
  /** Size of the long tag that FF32h announced for FF33h. */
  longDataSize = 0;
  /** The shift document that FF41h (begin opening) or FF42h (begin closing) began. */
  shiftDocument: "none" | "opening" | "closing" = "none";
  /** The document whose reading FF3Ah began and FF3Bh continues. */
  reading: { readonly parts: readonly Uint8Array[]; next: number } | null = null;
  /** Number of the last printed receipt, for 8Ch (copy). */
  lastReceiptFd = 0;
  marking: MarkCheck[] = [];
  /** Tags and marking code for the next FF46h (item), if the model takes them before the item. */
  pending: PendingItem = noPending;
  lastError = 0;

  constructor(
    readonly core: FiscalCore,
    readonly model: ShtrihModel,
    readonly settings: ShtrihSettings,
  ) {
    this.tables = tablesOf(model, core.registration);
  }

  /** The mode decides whether a command is allowed: 2, 3, 4, 6 or 8. */
  get mode(): number {
    const hidden = this.core.receipt?.document === "sums" && this.settings["correction-mode"] === "unchanged";
    if (this.core.receipt !== null && !hidden) return 8;
    if (this.core.makerSetting("date-to-confirm") !== null) return 6;
    return { open: 2, expired: 3, closed: 4 }[this.core.shift];
  }

  /** Mode byte as 10h and 11h (status) show it, with the status in its high nibble. */
  get modeByte(): number {
    const { receipt, printer } = this.core;
    if (receipt !== null && this.mode === 8) return 8 | (receiptTypes.indexOf(receipt.operation) << 4);
    return this.model.cashCore && printer.status === "printing" ? 8 : this.mode;
  }

  get submode(): number {
    const { printer } = this.core;
    if (printer.status === "printing") return 5;
    const ready = printer.paperPresent && !printer.coverOpen;
    if (printer.status === "halted") return ready ? 3 : 2;
    return ready ? 0 : 1;
  }

  get flags(): number {
    const { printer } = this.core;
    return this.model.flags | (printer.paperPresent ? 0x0080 : 0) | (printer.coverOpen ? 0x0400 : 0);
  }

  hasFlag(bit: number): boolean {
    return (((this.parameters[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
  }

  /** The answer to F7h. Firmware registered for a format after 1.05 makes corrections with positions. */
  get parameters(): readonly number[] {
    const { parameters } = this.model;
    if (this.core.registration.ffd === FFD_105 || this.settings["item-corrections"] === "no") return parameters;
    return parameters.map((byte, at) => (at === ITEM_CORRECTIONS >> 3 ? byte | (1 << (ITEM_CORRECTIONS & 7)) : byte));
  }

  readField(table: number, row: number, field: number): Uint8Array | null {
    const { initial, size } = this.tables.get(table)?.fields[field - 1] ?? { initial: null, size: 0 };
    if (initial === null || row < 1 || row > (this.tables.get(table)?.rows ?? 0)) return null;
    if (table === this.model.driveTable && field === 4) return fixedText(this.core.fn, size);
    const written = this.core.makerSetting(`table.${table}.${row}.${field}`);
    return written === null ? initial(row) : Uint8Array.from(Buffer.from(written, "hex"));
  }

  writeField(table: number, row: number, field: number, value: Uint8Array): void {
    this.core.setMakerSetting(`table.${table}.${row}.${field}`, Buffer.from(value).toString("hex"));
  }

  numberField(table: number, row: number, field: number): number {
    return (this.readField(table, row, field) ?? new Uint8Array()).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  textField(table: number, row: number, field: number): string {
    return fromCp1251(this.readField(table, row, field) ?? new Uint8Array());
  }

  operatorOf(password: number): number | null {
    for (let row = 1; row <= 30; row++) if (this.numberField(2, row, 1) === password) return row;
    return null;
  }

  get printsDocuments(): boolean {
    const { table, field } = this.model.printSwitch;
    const value = this.numberField(table, 1, field);
    return !WITHOUT_PAPER.includes(value);
  }

  /** Switches paper on again after a document that was to be made without paper. */
  documentMade(): void {
    const { table, field, lasts } = this.model.printSwitch;
    if (!lasts && this.numberField(table, 1, field) === 1) this.writeField(table, 1, field, integer(0, 1));
  }

  forgetReceipt(): void {
    this.marking = [];
    this.pending = noPending;
  }

  powerCut(): void {
    this.graphics.clear();
    this.data.fill(0);
    this.shiftDocument = "none";
    this.reading = null;
    this.forgetReceipt();
    this.core.powerCut({ openReceipt: this.settings["receipt-after-power-cut"] });
  }

  /** Tags 1021 (cashier) by table 2 and 1203 (cashier's INN) by field 23 of the drive's table. */
  cashierTags(operator: number): readonly FiscalTag[] {
    const inn = this.textField(this.model.driveTable, 1, 23);
    return [{ tag: 1021, text: this.textField(2, operator, 2) }, ...(inn === "" ? [] : [{ tag: 1203, text: inn }])];
  }
}

/** Codes of tag 1199 that are registered from 2026 on instead of the sent code: 22 % for 20 %, 22/122 for 20/120. */
const substitutes: ReadonlyMap<VatCode, VatCode> = new Map([
  [1, 11],
  [3, 12],
]);

/** The registered VAT rate. With 1 in table 17 field 71 it is 22 % from 2026 on where 20 % is sent. */
export function substitutedRate(device: ShtrihDevice, vat: VatCode): VatCode {
  const { core, model } = device;
  const isOn = !model.cashCore && device.numberField(17, 1, 71) === 1 && core.now() >= "2026-01-01";
  return isOn ? (substitutes.get(vat) ?? vat) : vat;
}

export interface PendingItem {
  readonly tags: readonly FiscalTag[];
  readonly mark: string | null;
}

export const noPending: PendingItem = { tags: [], mark: null };

export interface MarkCheck extends MarkUse {
  readonly mark: string;
  /** Tag 2106 (result of the check). */
  readonly result: number;
  accepted: boolean;
}
