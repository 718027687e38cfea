/** The maker's names for values that receipts hold as numbers. */
import type { TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { type RegisterTables, type VatCode, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";

/** By tag 1199. */
export const taxWords: Readonly<Record<VatCode, string>> = {
  1: "vat20",
  2: "vat10",
  3: "vat120",
  4: "vat110",
  5: "vat0",
  6: "none",
  7: "vat5",
  8: "vat7",
  9: "vat105",
  10: "vat107",
  11: "vat22",
  12: "vat122",
};

/** By bit of tag 1055, from 1 on. */
const taxationWords = ["osn", "usnIncome", "usnIncomeOutcome", "envd", "esn", "patent"];

/** By typeClose. */
export const paymentWords = ["cash", "electronically", "prepaid", "credit", "other"];

/** By tag 1214, from 1 on. */
export const methodWords = [
  "fullPrepayment",
  "prepayment",
  "advance",
  "fullPayment",
  "partialPayment",
  "credit",
  "creditPayment",
];

/** By tag 1212, from 1 on; higher numbers have no name and are sent as they are. */
export const objectWords = [
  "commodity",
  "excise",
  "job",
  "service",
  "gamblingBet",
  "gamblingPrize",
  "lottery",
  "lotteryPrize",
  "intellectualActivity",
  "payment",
  "agentCommission",
  "composite",
  "another",
  "proprietaryLaw",
  "nonOperatingIncome",
  "insuranceContributions",
  "merchantTax",
  "resortFee",
];

/** By bit of tag 1222, from 1 on. */
export const agentWords = [
  "bankPayingAgent",
  "bankPayingSubagent",
  "payingAgent",
  "payingSubagent",
  "attorney",
  "commissionAgent",
  "another",
];

/** Tax ids are the codes of tag 1199: the driver has names instead of a table to read. */
export const atolTables: RegisterTables = {
  taxes: vatCodes.map((vat) => ({ id: vat, title: vatRates[vat].title, vat })),
  paymentTypes: ["Наличными", "Безналичными", "Предоплата", "В кредит", "Иная форма"].map((title, id) => ({
    id,
    title,
  })),
};

export function taxationWord(system: TaxSystem): string {
  return taxationWords[Math.log2(system)] ?? "";
}

/** Tag 1062. */
export function taxSystemBits(words: readonly string[]): number {
  return taxationWords.reduce((bits, word, bit) => (words.includes(word) ? bits | (1 << bit) : bits), 0);
}

/** The name for a bit; undefined for anything but one bit. */
export function wordOfBit(words: readonly string[], bits: number): string | undefined {
  return Number.isInteger(Math.log2(bits)) ? words[Math.log2(bits)] : undefined;
}
