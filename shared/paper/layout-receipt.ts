import { formatQuantity, formatRoubles, type Kopecks, kopecks, sumKopecks, vatInside } from "../amounts.js";
import type { FnSerial, Inn, Kkm } from "../ids.js";
import type { LocalTime } from "../local-time.js";
import {
  type Correction,
  type ItemLine,
  itemsOf,
  type Operation,
  type PaperLine,
  plainStyle,
  type Receipt,
  type ReportKind,
  type SaleReceipt,
  type ServiceLine,
  type Sign,
  signOf,
  type TextLine,
  type TextStyle,
  totalOf,
} from "../receipt/receipt.js";
import { splitLine } from "../receipt/split-lines.js";
import { type RegisterTables, rateOfTaxId, type VatCode, vatRates } from "../receipt/vat.js";
import { layoutPrinted, type PaperRow, type PrintedLine, printedLength } from "./layout.js";

export interface PaperDocument {
  readonly fn: FnSerial;
  readonly fd: number;
  readonly fiscalSign: string;
  readonly shift: number;
  readonly receiptNumber: number | null;
  readonly time: LocalTime;
}

export interface ReceiptPaperOptions {
  /** Characters per row: 32, 42 or 48. */
  readonly columns: number;
  readonly register?: { readonly kkm: Kkm; readonly inn: Inn };
  /** The registered document; null: nothing is registered (a preview), and the paper says so. */
  readonly document: PaperDocument | null;
  /** True: it is not known (yet) whether a document was registered, and the paper says that. */
  readonly isUnknown?: boolean;
  /** Tables with the titles of the register's rows; null = ids are shown. */
  readonly tables: RegisterTables | null;
}

/** The paper has the QR code of a registered receipt. Pure. */
export function layoutReceipt(receipt: Receipt, options: ReceiptPaperOptions): readonly PaperRow[] {
  const lines = receipt.kind === "receipt" ? saleLines(receipt, options) : serviceLines(receipt.lines, options);
  return layoutPrinted(lines, { columns: options.columns });
}

function saleLines(receipt: SaleReceipt, options: ReceiptPaperOptions): readonly PrintedLine[] {
  return [
    ...(options.document === null
      ? [centred(options.isUnknown === true ? "ИСХОД НЕИЗВЕСТЕН" : "НЕ ЗАРЕГИСТРИРОВАН", { bold: true })]
      : []),
    ...signTitles[signOf(receipt)].map((title) => centred(title)),
    ...correctionLines(receipt.correction, options),
    dash,
    ...linesWithSum(receipt).flatMap((line) => (line.type === "item" ? itemLines(line, options) : paperLine(line))),
    dash,
    ...pair("ИТОГ", `=${formatRoubles(totalOf(receipt))}`, options, { doubleHeight: true, bold: true }),
    ...paymentLines(receipt, options),
    ...vatLines(itemsOf(receipt), options),
    ...requisiteLines(receipt, options),
    ...documentLines(receipt, options),
  ];
}

const signTitles: Readonly<Record<Sign, readonly [document: string, sign: string]>> = {
  sale: ["КАССОВЫЙ ЧЕК", "ПРИХОД"],
  return: ["КАССОВЫЙ ЧЕК", "ВОЗВРАТ ПРИХОДА"],
  "sale-correction": ["КАССОВЫЙ ЧЕК КОРРЕКЦИИ", "КОРРЕКЦИЯ ПРИХОДА"],
  "return-correction": ["КАССОВЫЙ ЧЕК КОРРЕКЦИИ", "КОРРЕКЦИЯ ВОЗВРАТА ПРИХОДА"],
};

/** Tags 1173 (why), 1178 (day of the settlement) and 1179 (number of the order). */
function correctionLines(correction: Correction | undefined, options: ReceiptPaperOptions): readonly PrintedLine[] {
  if (correction === undefined) return [];
  const day = correction.date.split("-").reverse().join(".");
  return [
    ...pair("ТИП КОРРЕКЦИИ", correction.type === "self" ? "САМОСТОЯТЕЛЬНО" : "ПО ПРЕДПИСАНИЮ", options),
    ...pair("ДАТА РАСЧЕТА", day, options),
    ...(correction.type === "instruction" ? pair("ПРЕДПИСАНИЕ", correction.number, options) : []),
  ];
}

/** The positions as a register counts them: price x quantity exact, a discount already inside the price. */
function itemLines(item: ItemLine, options: ReceiptPaperOptions): readonly PrintedLine[] {
  return [
    text(item.name),
    ...splitLine(item).map(({ quantity, price, total }) =>
      text(`${formatQuantity(quantity)} x ${formatRoubles(price)} =${formatRoubles(total)}`, { alignment: "right" }),
    ),
    ...(item.tax === null ? [] : [text(taxTitle(item.tax, options))]),
  ];
}

const paymentTitles: Readonly<Record<number, string>> = {
  0: "НАЛИЧНЫМИ",
  1: "БЕЗНАЛИЧНЫМИ",
  2: "ПРЕДВАРИТЕЛЬНАЯ ОПЛАТА (АВАНС)",
  3: "ПОСЛЕДУЮЩАЯ ОПЛАТА (КРЕДИТ)",
  4: "ВСТРЕЧНОЕ ПРЕДОСТАВЛЕНИЕ",
};

function paymentLines(receipt: SaleReceipt, options: ReceiptPaperOptions): readonly PrintedLine[] {
  const paid = receipt.payments.flatMap(({ typeClose, sum }) =>
    pair(paymentTitle(typeClose, options), `=${formatRoubles(sum)}`, options),
  );
  const change = sumKopecks(receipt.payments.map(({ sum }) => sum)) - totalOf(receipt);
  return change > 0 ? [...paid, ...pair("СДАЧА", `=${formatRoubles(kopecks(change))}`, options)] : paid;
}

function paymentTitle(typeClose: number, { tables }: ReceiptPaperOptions): string {
  const known = tables?.paymentTypes.find(({ id }) => id === typeClose)?.title;
  return paymentTitles[typeClose] ?? known ?? `ОПЛАТА ${typeClose}`;
}

/**
 * One row per rate, added up position by position; `Без НДС` and 0 % show the turnover. Positions whose rate is not
 * known have no row here: the register prints it.
 */
function vatLines(items: readonly ItemLine[], options: ReceiptPaperOptions): readonly PrintedLine[] {
  const sums = new Map<VatCode, Kopecks>();
  for (const { tax, total } of items.flatMap(splitLine)) {
    const vat = rateOfTaxId(tax) ?? options.tables?.taxes.find(({ id }) => id === tax)?.vat ?? null;
    if (vat === null) continue;
    const percent = vatRates[vat].percent ?? 0;
    const sum = percent === 0 ? total : vatInside(total, percent);
    sums.set(vat, kopecks((sums.get(vat) ?? 0) + sum));
  }
  return [...sums].flatMap(([vat, sum]) => {
    const { title, percent } = vatRates[vat];
    return pair(percent === null ? "СУММА БЕЗ НДС" : `СУММА ${title}`, `=${formatRoubles(sum)}`, options);
  });
}

function taxTitle(tax: number, { tables }: ReceiptPaperOptions): string {
  const rate = rateOfTaxId(tax);
  if (rate !== null) return vatRates[rate].title;
  return tables?.taxes.find(({ id }) => id === tax)?.title ?? `НДС: ставка ${tax}`;
}

function requisiteLines(receipt: SaleReceipt, options: ReceiptPaperOptions): readonly PrintedLine[] {
  const place = receipt.internet?.url ?? receipt.settlementPlace;
  const additional = receipt.requisites?.additional;
  return [
    ...(receipt.cashier === null ? [] : pair("КАССИР", receipt.cashier.name, options)),
    ...(place === null ? [] : pair("МЕСТО РАСЧЕТОВ", place, options)),
    ...(receipt.contact === null ? [] : pair("ЭЛ. АДР. ПОКУПАТЕЛЯ", receipt.contact, options)),
    ...(additional === undefined ? [] : pair("ДОП. РЕКВИЗИТ ЧЕКА", additional, options)),
  ];
}

function documentLines(receipt: SaleReceipt, options: ReceiptPaperOptions): readonly PrintedLine[] {
  const { document, register } = options;
  if (document === null) return [];
  const { fn, fd, fiscalSign, shift, receiptNumber, time } = document;
  const number = receiptNumber === null ? [] : pair("ЧЕК", String(receiptNumber), options);
  const qr = qrText({ time, sum: totalOf(receipt), fn, fd, fp: fiscalSign, operation: receipt.operation });
  return [
    ...pair("СМЕНА", String(shift), options),
    ...number,
    ...pair("ДАТА", `${time.slice(8, 10)}.${time.slice(5, 7)}.${time.slice(0, 4)} ${time.slice(11, 16)}`, options),
    ...(register === undefined
      ? []
      : [...pair("РН ККТ", register.kkm, options), ...pair("ИНН", register.inn, options)]),
    ...pair("ФН", fn, options),
    ...pair("ФД", String(fd), options),
    ...pair("ФП", fiscalSign, options),
    { type: "barcode", symbology: "qr", data: qr, heightMm: 28, printText: false, alignment: "center" },
  ];
}

const reportTitles: Readonly<Record<ReportKind, string>> = {
  z: "ОТЧЕТ О ЗАКРЫТИИ СМЕНЫ",
  x: "X-ОТЧЕТ",
  sections: "ОТЧЕТ ПО СЕКЦИЯМ",
  cashiers: "ОТЧЕТ ПО КАССИРАМ",
  hours: "ПОЧАСОВОЙ ОТЧЕТ",
};

function serviceLines(lines: readonly ServiceLine[], options: ReceiptPaperOptions): readonly PrintedLine[] {
  return lines.flatMap((line): readonly PrintedLine[] => {
    switch (line.type) {
      case "cash":
        return pair(line.direction === "in" ? "ВНЕСЕНИЕ" : "ВЫПЛАТА", `=${formatRoubles(line.sum)}`, options);
      case "report":
        return [centred(reportTitles[line.report], { bold: true })];
      case "sync-time":
        return [];
      default:
        return paperLine(line);
    }
  });
}

function paperLine(line: PaperLine): readonly PrintedLine[] {
  switch (line.type) {
    case "text":
    case "barcode":
      return [line];
    case "image":
      return [text(`[${line.source}]`, { alignment: line.alignment })];
    case "header":
    case "footer":
      return [];
    case "cut":
      return [{ type: "cut" }];
  }
}

const dash: TextLine = { type: "text", content: { kind: "dash" }, style: plainStyle };

/** Two texts at both ends of one row, or on two rows where they do not fit on one. */
function pair(
  left: string,
  right: string,
  { columns }: ReceiptPaperOptions,
  look: Partial<TextStyle> = {},
): readonly TextLine[] {
  const together = printedLength(left) + 1 + printedLength(right) <= columns;
  return [text(left, { ...look, newLine: !together }), text(right, { ...look, alignment: "right" })];
}

function centred(content: string, look: Partial<TextStyle> = {}): TextLine {
  return text(content, { ...look, alignment: "center" });
}

function text(content: string, look: Partial<TextStyle> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...look } };
}

/**
 * The receipt's lines with its sum after the last Return line that asks for it (`enableCheckSumm`). The sum is printed
 * text only: the register's own document is the same with and without it.
 */
export function linesWithSum(receipt: SaleReceipt): SaleReceipt["lines"] {
  const place = receipt.lines.findLastIndex((line) => line.type === "item" && line.printSum) + 1;
  return place === 0 ? receipt.lines : receipt.lines.toSpliced(place, 0, ...sumTexts(receipt));
}

function sumTexts(receipt: SaleReceipt): readonly TextLine[] {
  return [text("СУММА ЧЕКА", { newLine: false }), text(`=${formatRoubles(totalOf(receipt))}`, { alignment: "right" })];
}

export interface QrFacts {
  /** Tag 1012 (time of the document). */
  readonly time: LocalTime;
  /** Tag 1020 (total). */
  readonly sum: Kopecks;
  readonly fn: FnSerial;
  readonly fd: number;
  /** Tag 1077 (fiscal sign) as decimal text. */
  readonly fp: string;
  readonly operation: Operation;
}

/** The text of a receipt's QR code, keys in this order and the time to the minute (54-fz 13). */
export function qrText({ time, sum, fn, fd, fp, operation }: QrFacts): string {
  const minute = time.slice(0, 16).replace(/[-:]/g, "");
  return `t=${minute}&s=${formatRoubles(sum)}&fn=${fn}&i=${fd}&fp=${fp}&n=${operation === "sale" ? 1 : 2}`;
}
