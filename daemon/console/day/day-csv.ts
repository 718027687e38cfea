/** The day as a table for Russian spreadsheets: UTF-8 with BOM, semicolons, comma decimals. */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import type { Language } from "../../messages/messages.js";
import { messagesIn } from "../../messages/messages.js";
import type { DayReceipt } from "./day-receipts.js";

const BOM = "\uFEFF";
/** `Other` is the sum of all types of payment except cash and electronic. */
const headings = [
  { en: "Ordered", ru: "Заказан" },
  { en: "Printed", ru: "Напечатан" },
  { en: "Register", ru: "Касса" },
  { en: "Shift", ru: "Смена" },
  { en: "FN", ru: "ФН" },
  { en: "FD", ru: "ФД" },
  { en: "FPD", ru: "ФПД" },
  { en: "Operation", ru: "Операция" },
  { en: "Site", ru: "Сайт" },
  { en: "Order", ru: "Заказ" },
  { en: "Sum", ru: "Сумма" },
  { en: "Cash", ru: "Наличными" },
  { en: "Electronic", ru: "Безналичными" },
  { en: "Other", ru: "Прочее" },
  { en: "State", ru: "Состояние" },
  { en: "Result", ru: "Результат" },
] as const satisfies readonly Readonly<Record<Language, string>>[];

export interface DayWords {
  readonly titles: ReadonlyMap<string, string>;
  /** The time of ordering is in this zone. A document has its register's time. */
  readonly timeZone: string;
  readonly language: Language;
}

export function dayCsv(receipts: readonly DayReceipt[], { titles, timeZone, language }: DayWords): string {
  const { jobKinds, jobStates, deliveryStates } = messagesIn(language).page;
  const rows = receipts.map((receipt) => {
    const { document, payments, total, operation } = receipt;
    // People sum up a column, so money that goes back to a buyer is negative.
    const signed = (sum: Kopecks) => money(operation === "return" ? kopecks(-sum) : sum);
    const cash = payments.get(0) ?? kopecks(0);
    const electronic = payments.get(1) ?? kopecks(0);
    return [
      text(localTimeAt(receipt.at, timeZone).replace("T", " ")),
      text(document?.time.replace("T", " ") ?? ""),
      text(titles.get(receipt.register) ?? receipt.register),
      String(document?.shift ?? ""),
      // The drive's number is written as text, because a spreadsheet would round sixteen digits and drop leading zeros.
      document === null ? "" : `="${document.fn}"`,
      String(document?.fd ?? ""),
      document === null ? "" : `="${document.fiscalSign}"`,
      jobKinds[receipt.what],
      text(receipt.site ?? ""),
      text(receipt.order),
      ...[total, cash, electronic, kopecks(total - cash - electronic)].map(signed),
      jobStates[receipt.state],
      receipt.result === null ? "" : deliveryStates[receipt.result],
    ];
  });
  return `${BOM}${[headings.map((heading) => heading[language]), ...rows].map((cells) => cells.map(quoted).join(";")).join("\r\n")}\r\n`;
}

function money(sum: Kopecks): string {
  return formatRoubles(sum).replace(".", ",");
}

/** A spreadsheet computes a cell that begins like a formula, so a site's text must not begin so. */
function text(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
