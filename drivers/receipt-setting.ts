/** Settings of a register that change receipts: where each is found, what a wrong one does. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { isVatCode, VAT_SUMS, vatSumTags } from "@fiscald/shared/receipt/vat.js";
import type { DocumentTags } from "./fiscal-document.js";

export interface ReceiptSetting {
  /** Where a service engineer finds the setting: table and field, or item. */
  readonly place: FaultText;
  /** Null: the register does not let the value be read. */
  readonly value: string | null;
  /** The values that leave receipts as they are sent. */
  readonly right: readonly string[];
  /** What a wrong value does, and how to put it right. */
  readonly effect: FaultText;
  /** The receipts that a wrong value would change; they wait until it is right. Null: the setting is only shown. */
  readonly changes: ChangedReceipts | null;
  /** Most registers have this value, which concerns few receipts, so it is shown without a warning. */
  readonly isUsual?: boolean;
}

export type ChangedReceipts =
  | { readonly kind: "all" }
  /** Receipts with a line at one of these rates (codes of tag 1199). */
  | { readonly kind: "rates"; readonly rates: readonly number[] }
  /** Receipts that their buyer gets on paper alone. */
  | { readonly kind: "without-contact" };

/** `note`: the value is worth a line in the report, and nothing is to be done. */
export type SettingLevel = "ok" | "note" | "wrong" | "unreadable";

export function levelOf({
  value,
  right,
  isUsual = false,
}: Pick<ReceiptSetting, "value" | "right" | "isUsual">): SettingLevel {
  if (value === null) return "unreadable";
  if (right.includes(value)) return "ok";
  return isUsual ? "note" : "wrong";
}

/** A text of all wrong settings: while it is the same, earlier comparisons of documents count. */
export function signatureOf(settings: readonly ReceiptSetting[]): string {
  return JSON.stringify(settings.filter(isWrong).map(({ place, value }) => [place.en, value]));
}

/** True: a value was read both times and differs, and one of the two is wrong. */
export function haveChanged(before: readonly ReceiptSetting[], now: readonly ReceiptSetting[]): boolean {
  return before.some((old) => {
    const found = readAt(now, old);
    return old.value !== null && found !== undefined && found.value !== old.value && [old, found].some(isWrong);
  });
}

/** The settings as read now; an unreadable setting has its earlier value. */
export function withEarlier(
  now: readonly ReceiptSetting[],
  before: readonly ReceiptSetting[],
): readonly ReceiptSetting[] {
  const places = new Set(before.map(({ place }) => place.en));
  return [...before.map((old) => readAt(now, old) ?? old), ...now.filter(({ place }) => !places.has(place.en))];
}

function readAt(settings: readonly ReceiptSetting[], { place }: ReceiptSetting): ReceiptSetting | undefined {
  return settings.find((setting) => setting.place.en === place.en && setting.value !== null);
}

function isWrong(setting: ReceiptSetting): boolean {
  return levelOf(setting) === "wrong";
}

/** True: the setting has a wrong value that would change a receipt with these tags. */
export function changesReceipt(setting: ReceiptSetting, sent: DocumentTags): boolean {
  const { changes, value, right } = setting;
  if (changes === null || value === null || right.includes(value)) return false;
  switch (changes.kind) {
    case "all":
      return true;
    case "rates":
      return changes.rates.some((rate) => hasRate(sent, rate));
    case "without-contact":
      return sent.head[1008] === undefined;
  }
}

/** True: a position has the rate, or a correction without positions has a sum of the rate. */
function hasRate({ head, items }: DocumentTags, rate: number): boolean {
  const ofSum = isVatCode(rate) ? vatSumTags[rate] : undefined;
  const isSummed = ofSum === undefined ? `,${head[VAT_SUMS] ?? ""}`.includes(`,${rate}=`) : head[ofSum] !== undefined;
  return isSummed || items.some((item) => Number(item[1199]) === rate);
}
