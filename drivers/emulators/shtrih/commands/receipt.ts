import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { type CoreOperation, operations, type StoredDocument } from "../../memory/documents.js";
import type { FiscalTag } from "../../memory/fiscal-tag.js";
import { markResult } from "../../memory/marking-codes.js";
import type { PaymentInput } from "../../memory/receipt-rules.js";
import type { CoreAnswer } from "../../memory/refusals.js";
import { centredRow, textRow } from "../../paper/tape.js";
import { integer } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf, refuse } from "../command-table.js";
import { ITEM_CORRECTIONS, noPending, receiptTypes, type ShtrihDevice, substitutedRate } from "../device.js";
import { taxRows } from "../models.js";
import { checkOf, isCheckedFor } from "./marking.js";
import { makeShiftDocument } from "./shift.js";

const inReceipt = { password: "op", modes: [8], ms: 10 } as const;
const opening = { password: "op", operatorByte: true, modes: [2, 4], paper: "document", ms: 20 } as const;
const closing = { name: "close-receipt", password: "op", modes: [8], paper: "document", ms: 366 } as const;
/** The drive's error for a shift older than 24 hours. */
const FN_SHIFT_EXPIRED = 0x16;
const CORRECTION = 0x80;
const PLACE = 1187;

export const receiptCommands: readonly CommandRow[] = [
  { ...opening, code: 0x8d, name: "open-receipt", min: 1, run: openReceipt },
  { ...inReceipt, operatorByte: true, code: 0x88, name: "cancel-receipt", run: cancelReceipt },
  {
    ...inReceipt,
    operatorByte: true,
    code: 0x89,
    name: "subtotal",
    run: (context) => withOwnReceipt(context, () => ok(integer(context.device.core.subtotal, 5))),
  },
  { ...inReceipt, code: 0xff46, name: "item", modes: [2, 4, 8], min: 26, max: 154, run: item },
  { ...closing, code: 0xff45, min: 112, max: 176, run: closeV2 },
  { code: 0xff08, name: "cancel-document", password: "sys", run: ({ device }) => dropReceipt(device) },
];

function openReceipt(context: CommandContext): Outcome {
  const type = context.fields.integer(1);
  const isCorrection = (type & CORRECTION) !== 0;
  const operation = receiptTypes[type & ~CORRECTION];
  const { device } = context;
  if (operation === undefined) return fail(0x33);
  if (!isCorrection) return begin(context, operation) ?? ok();
  if (!device.hasFlag(ITEM_CORRECTIONS)) return fail(0x5e);
  return begin(context, operation, "correction") ?? ok();
}

/** Also opens the shift if it is closed. Null: done. */
function begin(
  { device, operator }: CommandContext,
  operation: CoreOperation,
  document: "receipt" | "correction" = "receipt",
): Outcome | null {
  if (device.core.shift === "closed") {
    const opened = makeShiftDocument("openShift", { device, operator });
    if (!opened.ok) return refuse(opened.refusal);
  }
  const receipt = device.core.openReceipt({ operation, operator, document });
  return receipt.ok ? null : refuse(receipt.refusal);
}

/** A receipt belongs to the operator who opened it; the system administrator's service commands may change it too. */
export function withOwnReceipt({ device, operator, code }: CommandContext, action: () => Outcome): Outcome {
  const { receipt } = device.core;
  if (receipt === null) return fail(0x73);
  const service = operator === 30 && code > 0xff;
  return receipt.operator === operator || service ? action() : fail(0x59);
}

function item(context: CommandContext): Outcome {
  const { device, fields } = context;
  const operation = operations[fields.integer(1) - 1];
  const count = quantity(fields.integer(6));
  const price = kopecks(fields.integer(5));
  const sum = fields.optionalMoney();
  fields.optionalMoney();
  const tax = taxRow(context, fields.integer(1));
  const department = fields.integer(1);
  const method = fields.integer(1);
  const subject = fields.integer(1);
  const text = fields.text();
  if (operation === undefined || tax === null) return fail(0x33);
  if (device.core.receipt === null) {
    if (device.settings["item-opens-receipt"] === "no") return fail(0x73);
    const failure = begin(context, operation);
    if (failure !== null) return failure;
  }
  return withOwnReceipt(context, () => {
    if (device.core.receipt?.operation !== operation && device.settings["item-operation"] === "must-match")
      return fail(0x49);
    const { tags, mark } = device.pending;
    if (mark !== null && !isCheckedFor(device, mark, { quantity: count, tags })) return fail(0x33);
    const hidden = text.startsWith("//");
    const added = device.core.addLine({
      name: hidden ? text.slice(2) : text,
      price,
      quantity: count,
      sum: sum === null ? null : kopecks(sum),
      tax,
      department,
      method: method === 0 ? 4 : method,
      subject: subject === 0 ? 1 : subject,
      paper: !hidden,
    });
    if (!added.ok) return refuse(added.refusal);
    for (const tag of tags) device.core.addLineTag(tag);
    if (mark !== null) device.core.bindMark(mark, checkOf(device, mark)?.result ?? markResult(mark));
    device.pending = noPending;
    return ok();
  });
}

/** Row of the tax table for a tax byte (Shtrih-M protocol, 8.5). A zero byte names no rate: row 4, without VAT. */
function taxRow({ device }: CommandContext, code: number): number | null {
  const row = rowOfCode(device, code);
  return row === null ? null : substituted(device, row);
}

function substituted(device: ShtrihDevice, row: number): number {
  const sent = taxRows[row - 1];
  return sent === undefined ? row : taxRows.indexOf(substitutedRate(device, sent)) + 1;
}

function rowOfCode(device: ShtrihDevice, code: number): number | null {
  if (code === 0) return 4;
  const sevenFromNinety = device.settings["vat-7-107"] === "90" && !device.model.taxCodes.has(0x90);
  if (sevenFromNinety && code === 0x90) return 10;
  if (sevenFromNinety && code === 0x88) return null;
  return device.model.taxCodes.get(code) ?? null;
}

function closeV2(context: CommandContext): Outcome {
  const { device, fields } = context;
  const payments = readPayments(context);
  const rounding = fields.integer(1);
  // Tax sums are skipped: the register computes them itself (table 1 field 14 = 0).
  fields.take(30);
  const taxSystem = fields.integer(1);
  const text = fields.text();
  if (rounding > 99) return fail(0x33);
  return withOwnReceipt(context, () => {
    const namesPlace = device.core.receipt?.tags.some(({ tag }) => tag === PLACE) === true;
    if (device.pending !== noPending) return fail(0x33);
    if (namesPlace && device.settings["place-of-settlement"] === "registered") return fail(0x33);
    const closed = close(context, payments, { rounding, taxSystem: taxSystem === 0 ? null : taxSystem, text });
    if (!closed.ok) return closed.refusal === "shift-expired" ? fail(FN_SHIFT_EXPIRED) : refuse(closed.refusal);
    const { change, fd, fiscalSign } = closed.value;
    return ok(integer(change, 5), integer(fd, 4), integer(fiscalSign, 4));
  });
}

/** Payments by the rows of their sums: 1 cash, 2 to 13 electronic, 14 prepayment, 15 credit, 16 counter-provision. */
function readPayments({ fields }: CommandContext): readonly PaymentInput[] {
  return Array.from({ length: 16 }, (_, index) => {
    const row = index + 1;
    const typeClose = row === 1 ? 0 : row === 14 ? 2 : row === 15 ? 3 : row === 16 ? 4 : 1;
    return { row, typeClose, sum: kopecks(fields.integer(5)) };
  });
}

function close(
  { device, operator }: CommandContext,
  payments: readonly PaymentInput[],
  options: { readonly rounding: number; readonly taxSystem: number | null; readonly text: string },
): CoreAnswer<StoredDocument> {
  const { core } = device;
  const own = new Set(core.receipt?.tags.map(({ tag }: FiscalTag) => tag));
  const cashier = device.cashierTags(operator).filter(({ tag }) => !own.has(tag));
  if (options.text !== "") core.addReceiptPaper([textRow(options.text, core.tape.columns)]);
  const closed = core.closeReceipt({
    payments,
    rounding: kopecks(options.rounding),
    taxSystem: options.taxSystem,
    zeroTotal: device.numberField(1, 1, 23) === 1 ? "refused" : "allowed",
    paper: device.printsDocuments,
    tags: cashier,
  });
  if (closed.ok) {
    device.lastReceiptFd = closed.value.fd;
    device.forgetReceipt();
    device.documentMade();
  }
  return closed;
}

function cancelReceipt(context: CommandContext): Outcome {
  return withOwnReceipt(context, () => {
    const { device } = context;
    const outcome = dropReceipt(device);
    const isPrinted = "data" in outcome && device.printsDocuments;
    if (isPrinted) device.core.printer.print([centredRow("ЧЕК АННУЛИРОВАН", device.core.tape.columns)], 0);
    return outcome;
  });
}

function dropReceipt(device: ShtrihDevice): Outcome {
  return outcomeOf(device.core.cancelReceipt(), () => {
    device.forgetReceipt();
    return ok();
  });
}
