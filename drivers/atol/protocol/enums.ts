import type { TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { type RegisterTables, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import { paymentTitles } from "./atol-texts.js";

/** Tax systems, by the bit of tag 1055 from the lowest on. */
const taxationWords = ["osn", "usnIncome", "usnIncomeOutcome", "envd", "esn", "patent"];

/** Kinds of payment, by `typeClose` from 0 on. */
export const paymentWords = ["cash", "electronically", "prepaid", "credit", "other"];

/** Methods of payment, by tag 1214 from 1 on. */
export const methodWords = [
  "fullPrepayment",
  "prepayment",
  "advance",
  "fullPayment",
  "partialPayment",
  "credit",
  "creditPayment",
];

/** Subjects (what a position sells), by tag 1212 from 1 on; higher numbers have no name and are sent as they are. */
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

/** Kinds of agents, by the bit of tag 1222 from the lowest on. */
export const agentWords = [
  "bankPayingAgent",
  "bankPayingSubagent",
  "payingAgent",
  "payingSubagent",
  "attorney",
  "commissionAgent",
  "another",
];

/** Tables of the register. A row's id is its code of tag 1199 (VAT rate): the driver has no table to read. */
export const atolTables: RegisterTables = {
  taxes: vatCodes.map((vat) => ({ id: vat, title: vatRates[vat].title, vat })),
  paymentTypes: paymentTitles.map((title, id) => ({ id, title })),
};

export function taxationWord(system: TaxSystem): string {
  return taxationWords[Math.log2(system)] ?? "";
}

/** The bits of tag 1062 (tax systems of the registration). */
export function taxSystemBits(words: readonly string[]): number {
  return taxationWords.reduce((bits, word, bit) => (words.includes(word) ? bits | (1 << bit) : bits), 0);
}

/** Undefined for a mask of no bit or of several bits. */
export function wordOfBit(words: readonly string[], bits: number): string | undefined {
  return Number.isInteger(Math.log2(bits)) ? words[Math.log2(bits)] : undefined;
}
