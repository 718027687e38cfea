/** The day as a table for Russian spreadsheets: UTF-8 with BOM, semicolons, comma decimals. */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import type { DayReceipt } from "./day-receipts.js";

const BOM = "\uFEFF";

export interface DayWords {
  readonly titles: ReadonlyMap<string, string>;
  /** The time of ordering is in this zone. A document has its register's time. */
  readonly timeZone: string;
  readonly language: Language;
}

export function dayCsv(receipts: readonly DayReceipt[], words: DayWords): string {
  const columns = columnsIn(words);
  const headings = columns.map(([heading]) => heading[words.language]);
  const rows = receipts.map((receipt) => columns.map(([, cellOf]) => cellOf(receipt)));
  return `${BOM}${[headings, ...rows].map((cells) => cells.map(quoted).join(";")).join("\r\n")}\r\n`;
}

type Column = readonly [heading: Readonly<Record<Language, string>>, cellOf: (receipt: DayReceipt) => string];

/** `Other` is the sum of all types of payment except cash and electronic. */
function columnsIn({ titles, timeZone, language }: DayWords): readonly Column[] {
  const { jobKinds, jobStates, deliveryStates } = messagesIn(language).page;
  const paid = ({ payments }: DayReceipt, type: number) => payments.get(type) ?? kopecks(0);
  // People sum up a column, so money that goes back to a buyer is negative.
  const signed = ({ operation }: DayReceipt, sum: Kopecks) => money(operation === "return" ? kopecks(-sum) : sum);
  return [
    [{ en: "Ordered", ru: "Заказан" }, ({ at }) => text(localTimeAt(at, timeZone).replace("T", " "))],
    [{ en: "Printed", ru: "Напечатан" }, ({ document }) => text(document?.time.replace("T", " ") ?? "")],
    [{ en: "Register", ru: "Касса" }, ({ register }) => text(titles.get(register) ?? register)],
    [{ en: "Shift", ru: "Смена" }, ({ document }) => String(document?.shift ?? "")],
    // The drive's number is written as text, because a spreadsheet would round sixteen digits and drop leading zeros.
    [{ en: "FN", ru: "ФН" }, ({ document }) => (document === null ? "" : `="${document.fn}"`)],
    [{ en: "FD", ru: "ФД" }, ({ document }) => String(document?.fd ?? "")],
    [{ en: "FPD", ru: "ФПД" }, ({ document }) => (document === null ? "" : `="${document.fiscalSign}"`)],
    [{ en: "Operation", ru: "Операция" }, ({ what }) => jobKinds[what]],
    [{ en: "Site", ru: "Сайт" }, ({ site }) => text(site ?? "")],
    [{ en: "Order", ru: "Заказ" }, ({ order }) => text(order)],
    [{ en: "Sum", ru: "Сумма" }, (one) => signed(one, one.total)],
    [{ en: "Cash", ru: "Наличными" }, (one) => signed(one, paid(one, 0))],
    [{ en: "Electronic", ru: "Безналичными" }, (one) => signed(one, paid(one, 1))],
    [{ en: "Other", ru: "Прочее" }, (one) => signed(one, kopecks(one.total - paid(one, 0) - paid(one, 1)))],
    [{ en: "State", ru: "Состояние" }, ({ state }) => jobStates[state]],
    [{ en: "Result", ru: "Результат" }, ({ result }) => (result === null ? "" : deliveryStates[result])],
  ];
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
