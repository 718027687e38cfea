import { formatQuantity, formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { isVatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { sumsIn } from "../memory/document-body.js";
import type { DocumentType, StoredDocument, StoredLine } from "../memory/documents.js";
import { type FiscalTag, numberOf, textOf } from "../memory/fiscal-tag.js";
import { vatTotals } from "../memory/receipt-rules.js";
import type { Registration } from "../memory/registration.js";
import { centredRow, leftRightRows, textRow } from "./tape.js";

const titles: Readonly<Record<DocumentType, string>> = {
  registration: "ОТЧЁТ О РЕГИСТРАЦИИ",
  "shift-open": "ОТЧЁТ ОБ ОТКРЫТИИ СМЕНЫ",
  receipt: "КАССОВЫЙ ЧЕК",
  "shift-close": "ОТЧЁТ О ЗАКРЫТИИ СМЕНЫ",
  correction: "КАССОВЫЙ ЧЕК КОРРЕКЦИИ",
};
const operationTitles = {
  sale: "ПРИХОД",
  return: "ВОЗВРАТ ПРИХОДА",
  purchase: "РАСХОД",
  "purchase-return": "ВОЗВРАТ РАСХОДА",
} as const;
const paymentTitles = [
  "НАЛИЧНЫМИ",
  "БЕЗНАЛИЧНЫМИ",
  "ПРЕДВАРИТЕЛЬНАЯ ОПЛАТА",
  "ПОСЛЕДУЮЩАЯ ОПЛАТА",
  "ВСТРЕЧНОЕ ПРЕДОСТАВЛЕНИЕ",
];

/** `body`: the rows between title and total, in print order. Null: the lines alone. */
export function documentPaper(
  document: StoredDocument,
  registration: Registration,
  columns: number,
  body: readonly PaperRow[] | null,
): readonly PaperRow[] {
  const lines = body ?? document.lines.flatMap((line) => linePaper(line, columns));
  return [
    centredRow(registration.user, columns),
    centredRow(registration.place, columns),
    centredRow(titles[document.type], columns, { bold: true }),
    ...(document.operation === null ? [] : [centredRow(operationTitles[document.operation], columns)]),
    ...(document.type === "correction" ? basisPaper(document.tags, columns) : []),
    ...lines,
    ...(document.total === null ? [] : totals(document, document.total, columns)),
    ...footer(document, registration, columns),
    { type: "cut" },
  ];
}

/** Tags 1173 (why), 1178 (day of the settlement) and 1179 (number of the order). */
function basisPaper(tags: readonly FiscalTag[], columns: number): readonly PaperRow[] {
  const day = new Date((numberOf(tags, 1178) ?? 0) * 1000).toISOString().slice(0, 10);
  const pairs: readonly (readonly [string, string | null])[] = [
    ["ТИП КОРРЕКЦИИ", numberOf(tags, 1173) === 1 ? "ПО ПРЕДПИСАНИЮ" : "САМОСТОЯТЕЛЬНО"],
    ["ДАТА РАСЧЕТА", day.split("-").reverse().join(".")],
    ["ПРЕДПИСАНИЕ", textOf(tags, 1179)],
  ];
  return pairs.flatMap(([left, right]) => (right === null ? [] : leftRightRows(left, right, columns)));
}

export function linePaper(line: StoredLine, columns: number): readonly PaperRow[] {
  const vat = vatTitle(line.vat);
  return [
    ...leftRightRows(line.name, `${formatQuantity(line.quantity)} x ${formatRoubles(line.price)}`, columns),
    ...leftRightRows(line.mark === null ? vat : `${vat} [M]`, `=${formatRoubles(line.sum)}`, columns),
  ];
}

function vatTitle(code: number): string {
  return isVatCode(code) ? vatRates[code].title : "";
}

function totals(document: StoredDocument, total: number, columns: number): readonly PaperRow[] {
  const sum = (amount: number) => `=${formatRoubles(kopecks(amount))}`;
  return [
    ...leftRightRows("ИТОГ", sum(total), Math.floor(columns / 2), {
      bold: true,
      doubleWidth: true,
      doubleHeight: true,
    }).map((row): PaperRow => (row.type === "text" ? { ...row, columns } : row)),
    ...document.payments.flatMap(({ typeClose, given }) =>
      leftRightRows(paymentTitles[typeClose] ?? "", sum(given), columns),
    ),
    ...(document.change > 0 ? leftRightRows("СДАЧА", sum(document.change), columns) : []),
    ...[...(document.lines.length === 0 ? sumsIn(document.tags) : vatTotals(document.lines))].flatMap(([vat, amount]) =>
      leftRightRows(`СУММА ${vatTitle(vat)}`, sum(amount), columns),
    ),
  ];
}

function footer(document: StoredDocument, registration: Registration, columns: number): readonly PaperRow[] {
  const contact = textOf(document.tags, 1008);
  const cashier = textOf(document.tags, 1021);
  const additional = textOf(document.tags, 1192);
  const place = textOf(document.tags, 1187) ?? registration.place;
  const sign = String(document.fiscalSign).padStart(10, "0");
  const receipt = document.receiptNumber === null ? "" : `ЧЕК ${document.receiptNumber}`;
  return [
    ...(contact === null ? [] : leftRightRows("ЭЛ. АДР. ПОКУПАТЕЛЯ", contact, columns)),
    ...(cashier === null ? [] : leftRightRows("КАССИР", cashier, columns)),
    ...(additional === null ? [] : leftRightRows("ДОП. РЕКВИЗИТ ЧЕКА", additional, columns)),
    ...leftRightRows("МЕСТО РАСЧЁТОВ", place, columns),
    ...leftRightRows(`СМЕНА ${document.shift}`, receipt, columns),
    textRow(`${document.time.replace("T", " ")}`, columns),
    ...leftRightRows(`РН ККТ ${registration.kkm}`, `ИНН ${registration.inn}`, columns),
    ...leftRightRows(`ФН ${document.fn}`, "", columns),
    ...leftRightRows(`ФД ${document.fd}`, `ФП ${sign}`, columns),
    textRow("ЭМУЛЯТОР. НЕ ЯВЛЯЕТСЯ ЧЕКОМ", columns),
    ...(document.type === "receipt" || document.type === "correction" ? [qrRow(document, sign)] : []),
  ];
}

/** The QR code of a receipt (54-fz 13). */
function qrRow(document: StoredDocument, sign: string): PaperRow {
  const time = document.time.slice(0, 16).replaceAll("-", "").replace(":", "");
  const operation = document.operation === null ? 1 : Object.keys(operationTitles).indexOf(document.operation) + 1;
  const sum = formatRoubles(document.total ?? kopecks(0));
  const data = `t=${time}&s=${sum}&fn=${document.fn}&i=${document.fd}&fp=${sign}&n=${operation}`;
  return { type: "barcode", symbology: "qr", data, heightMm: 25, printText: false, alignment: "center" };
}
