/** Settings (items) of the register that change receipts (PIRIT protocol, 8): read, never written. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { ChangedReceipts, ReceiptSetting } from "../../receipt-setting.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

interface Row {
  readonly item: number;
  readonly bit: number;
  readonly effect: FaultText;
  readonly changes: ChangedReceipts;
}

const rows: readonly Row[] = [
  {
    item: 1,
    bit: 7,
    effect: {
      en: "The register prints no document: a buyer without an e-mail or phone gets nothing. Clear the bit.",
      ru: "Касса не печатает документы: покупатель без почты и телефона не получает ничего. Снимите этот бит.",
    },
    changes: { kind: "without-contact" },
  },
  {
    item: 6,
    bit: 6,
    effect: {
      en: "The register adds VAT on top of the prices: no receipt comes to the sum of its order. Clear the bit.",
      ru: "Касса начисляет НДС сверх цен: сумма чека не совпадёт с заказом. Снимите этот бит.",
    },
    changes: { kind: "all" },
  },
];

export async function readSettings(talk: Conversation, signal: AbortSignal): Promise<readonly ReceiptSetting[]> {
  const found: ReceiptSetting[] = [];
  for (const { item, bit, effect, changes } of rows) {
    const mask = await talk.askOptional(commands.readSetting, { item, index: 0 }, signal);
    const value = mask === null || !/^\d+$/.test(mask) ? null : String((Number(mask) >> bit) & 1);
    const place = { en: `settings item ${item}, bit ${bit}`, ru: `настройка ${item}, бит ${bit}` };
    found.push({ place, value, right: ["0"], effect, changes: value === "1" ? changes : null });
  }
  return found;
}
