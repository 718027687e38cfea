/** Makes the receipts that put a wrong receipt right: its return, and the right receipt. Pure. */
import { type Kopecks, kopecks, multiply, ONE_UNIT, shareOf, sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { netPayments } from "@fiscald/shared/receipt/check-receipt.js";
import {
  type Correction,
  type ItemLine,
  itemsOf,
  type Payment,
  type SaleReceipt,
  type Sign,
} from "@fiscald/shared/receipt/receipt.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { taxIdOfRate } from "@fiscald/shared/receipt/vat.js";
import { sumText } from "@fiscald/shared/texts.js";
import { receiptOfReturn } from "../intake/return-receipt.js";
import { correctionReasons } from "../messages/reasons/correction-reasons.js";
import type { registeredRates } from "../sites/registered-rates.js";
import type { RepairRequest } from "./repair-request.js";
import type { WantedDocument } from "./what-the-law-wants.js";

/** The receipt that is put right, or what is known of a missed settlement. */
export interface RepairBase {
  readonly receipt: SaleReceipt;
  readonly taxes: readonly TaxMeaning[];
  /** The rates that the register put in place of the sent ones; null = none are known. */
  readonly registered: ReturnType<typeof registeredRates>;
  /** Tag 1077 (fiscal sign) of the receipt's document; null = there is no document. */
  readonly fiscalSign: string | null;
}

/** Throws `usage.wrong` with what the person has left out. */
export function repairReceipts(
  request: RepairRequest,
  wanted: readonly WantedDocument[],
  base: RepairBase,
): readonly SaleReceipt[] {
  if (request.instruction !== null && !wanted.some(({ sign }) => isCorrectionSign(sign))) {
    wrong(correctionReasons.noInstruction);
  }
  const printed = printedContent(request, base);
  const { correction } = base.receipt;
  const isOfDay = correction === undefined || correction.date === request.date;
  if (request.case === "wrong" && isOfDay && isSame(printed, rightContent(request, base, printed))) {
    wrong(correctionReasons.nothingChanged);
  }
  return wanted.map((document) => {
    // A receipt of another program is known only from what the person says.
    const isKnown = document.content === "printed" && printed.lines.length > 0;
    return receiptOf(document, isKnown ? printed : rightContent(request, base, printed), { request, base });
  });
}

/** Both contents are made of the lines of one receipt, so their texts can be compared. */
function isSame(one: Content, other: Content): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Content = Pick<SaleReceipt, "payments"> & { readonly lines: readonly ItemLine[] };

/** The positions and the payments as they were registered, with rates in words. */
function printedContent({ onPaper, job }: RepairRequest, { receipt, taxes, registered }: RepairBase): Content {
  const items = itemsOf(receipt);
  if (items.length === 0) return { lines: [], payments: [] };
  const { payments } = receiptOfReturn({ printed: receipt, returns: [], lines: null, fixes: null, receiptId: null });
  const lines = items.map((item, index): ItemLine => {
    const sent = taxes.find(({ id }) => id === item.tax)?.vat ?? null;
    const vat = onPaper[index] ?? (registered === null ? sent : (registered[index] ?? null));
    if (vat === null && registered !== null) wrong(correctionReasons.rateOnPaper({ job: job ?? 0 }));
    return { ...item, printSum: false, tax: vat === null ? item.tax : taxIdOfRate(vat) };
  });
  return { lines, payments };
}

function rightContent(request: RepairRequest, base: RepairBase, printed: Content): Content {
  const sent = printedContent({ ...request, onPaper: [] }, { ...base, registered: null });
  for (const { line } of request.edits) {
    if (line > sent.lines.length) wrong(correctionReasons.noLine({ line }));
  }
  const edited = sent.lines.flatMap((item, index) => {
    const edit = request.edits.find(({ line }) => line === index + 1);
    const right = edit === undefined ? item : editedLine(item, edit);
    return right.quantity === 0 ? [] : [right];
  });
  const lines = [...edited, ...request.added.map(addedLine)];
  return { lines, payments: rightPayments(request, sumKopecks(lines.map(({ total }) => total)), printed) };
}

function editedLine(item: ItemLine, { name, price, quantity, vat }: RepairRequest["edits"][number]): ItemLine {
  const count = quantity ?? item.quantity;
  const excise = item.requisites?.excise;
  const total = price === undefined ? shareOf(item.total, count, item.quantity) : multiply(price, count);
  return {
    ...item,
    ...{ name: name ?? item.name, price: price ?? item.price, quantity: count, total },
    tax: vat === undefined ? item.tax : taxIdOfRate(vat),
    ...(excise === undefined
      ? {}
      : { requisites: { ...item.requisites, excise: shareOf(excise, count, item.quantity) } }),
  };
}

function addedLine({ name, price, quantity, vat }: RepairRequest["added"][number]): ItemLine {
  return {
    ...{ type: "item", name, price, quantity, total: multiply(price, quantity), tax: taxIdOfRate(vat) },
    ...{ department: 0, subject: 1, method: 4, unit: null, measure: 0, agent: null, goodsCode: null },
    ...{ markingCode: null, countryCode: null, customsDeclaration: null, printSum: false },
  };
}

/** A single payment pays the total, unless a person gave its sum. Several payments must make the total exactly. */
function rightPayments({ payments: said }: RepairRequest, total: Kopecks, printed: Content): readonly Payment[] {
  const isSaid = said.length > 0;
  const chosen = isSaid ? said : printed.payments;
  const [only, ...others] = chosen;
  if (only !== undefined && others.length === 0 && !(isSaid && "sum" in only)) {
    return [{ typeClose: only.typeClose, sum: total }];
  }
  const payments = netPayments(chosen.map(({ typeClose, sum = kopecks(0) }) => ({ typeClose, sum })));
  const paid = sumKopecks(payments.map(({ sum }) => sum));
  if (paid !== total) wrong(correctionReasons.payments({ paid: sumText(paid), total: sumText(total) }));
  return payments;
}

interface Made {
  readonly request: RepairRequest;
  readonly base: RepairBase;
}

function receiptOf(document: WantedDocument, content: Content, { request, base }: Made): SaleReceipt {
  const { sign, namesPrinted } = document;
  const { correction: _former, settledOn: _day, requisites: given, ...receipt } = base.receipt;
  const { additional: _named, ...kept } = given ?? {};
  const requisites = namesPrinted && base.fiscalSign !== null ? { ...kept, additional: base.fiscalSign } : kept;
  const isReturn = sign === "return" || sign === "return-correction";
  return {
    ...receipt,
    ...content,
    ...{ receiptId: null, kkm: null, cancelFirst: false, cancelledByOrder: false },
    operation: isReturn ? "return" : "sale",
    ...(Object.keys(requisites).length === 0 ? {} : { requisites }),
    ...(sign === "sale" && request.date !== null ? { settledOn: request.date } : {}),
    ...(isCorrectionSign(sign) ? { correction: correctionFor(document, request) } : {}),
  };
}

function correctionFor({ content }: WantedDocument, request: RepairRequest): Correction {
  const { instruction: number } = request;
  const day = { date: dayOf(request), ...(content === "printed" ? asOnPaper : {}) };
  return number === null ? { type: "self", ...day } : { type: "instruction", number, ...day };
}

function isCorrectionSign(sign: Sign): boolean {
  return sign !== "sale" && sign !== "return";
}

/** The register may have altered a rate, so a return has the receipt's rates even if they were not in force. */
const asOnPaper = { rateConfirmed: true } as const;

function dayOf({ date }: RepairRequest): string {
  return date ?? wrong(correctionReasons.dateNeeded);
}

/** A settlement, or a receipt of another program, that is known only from what a person says. */
export function missedReceipt({ order, contact, internet }: NonNullable<RepairRequest["missed"]>): SaleReceipt {
  return {
    ...{ kind: "receipt", orderId: order, receiptId: null, kkm: null, format: "online", operation: "sale" },
    ...{ lines: [], payments: [], contact, printDoc: true, settlementPlace: null, cashier: null },
    ...{ internet: internet === null ? null : { url: internet }, taxSystem: null, expectedInn: null },
    ...{ cancelFirst: false, cancelledByOrder: false },
  };
}

/** The price of one unit as the document counts it, with the discount inside. */
export function unitPrice({ total, quantity }: Pick<ItemLine, "total" | "quantity">): Kopecks {
  return shareOf(total, ONE_UNIT, quantity);
}

function wrong(message: (typeof correctionReasons)["dateNeeded"]): never {
  throw new Fault("usage.wrong", { message });
}
