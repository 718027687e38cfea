/**
 * A correction of FFD 1.05 as a program: command 58 forms the whole document from sums (PIRIT protocol, 6). Its answer
 * names no document. Corrections of FFD 1.2 are opened by it and go on like receipts (compile-receipt.ts).
 */
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { isOfSums, sumsByRate, warnOfSums } from "../../compile/corrections.js";
import { requireLengths, warnOfLostLetters } from "../../compile/fiscal-texts.js";
import { requireRequisites, unsupported } from "../../compile/requisites.js";
import type { CompileContext, Identity } from "../../fiscal-driver.js";
import { type Program, receiptProgram } from "../../program.js";
import { commands } from "../protocol/commands.js";
import { spell } from "../protocol/fields.js";
import { correctionBasisOf } from "./compile-receipt.js";
import { type CompilerSetup, fiscal, type PiritCommand, prepare, textFields } from "./steps.js";

/** The rates in the order of the command's fields. */
const fields: readonly VatCode[] = [1, 2, 5, 6, 3, 4];
const KINDS_OF_PAYMENT = [0, 1, 2, 3, 4] as const;

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileCorrection(
  receipt: SaleReceipt,
  ofJob: CompileContext,
  setup: CompilerSetup,
): Program<PiritCommand> {
  // Older firmware has no field for the order mark: the document is known by its day, its sums and sale or return.
  const context: CompileContext = { ...ofJob, mark: null };
  requirePlaces(receipt);
  requireLengths(receipt, context, textFields);
  requireRequisites(receipt, setup.facts.identity.ffd);
  const { correction, payments } = receipt;
  if (correction === undefined) unsupported(unfitTexts.correctionField("correction"));
  const sums = sumsByRate(receipt, context);
  for (const vat of sums.keys()) {
    if (!fields.includes(vat)) unsupported(unfitTexts.correctionRate(vatRates[vat].title));
  }
  const request = commands.correctBySums.encode({
    ...correctionBasisOf(receipt, correction, context, setup, true),
    payments: KINDS_OF_PAYMENT.map((kind) => payments.find(({ typeClose }) => typeClose === kind)?.sum ?? kopecks(0)),
    rates: fields.map((vat) => sums.get(vat) ?? kopecks(0)),
    buyer: receipt.requisites?.buyer ?? null,
  });
  const steps = { before: [prepare()], step: fiscal("close-receipt", request) };
  const warnings = [...warnOfContact(receipt), ...warnOfSums(receipt), ...warnOfLostLetters(receipt, context, spell)];
  return receiptProgram(receipt, null, steps, warnings);
}

/** What the command makes of the receipt: it has no field for tag 1008 (the buyer's contact). */
export function asRegistered(receipt: Receipt, identity: Pick<Identity, "ffd">): Receipt {
  return receipt.kind === "receipt" && isOfSums(receipt, identity) ? { ...receipt, contact: null } : receipt;
}

/** The law wants the contact in a settlement on the internet alone, and there the receipt is refused (54-fz 11, 18). */
function warnOfContact({ contact }: SaleReceipt): readonly string[] {
  if (contact === null) return [];
  return [`a correction of FFD 1.05 has no place for the buyer's contact on this register: ${contact} is not in it`];
}

/** The command has no field for these, and what the law wants in the document is not left out. */
function requirePlaces({ internet, settlementPlace, requisites, payments }: SaleReceipt): void {
  const named = { internet, settlementPlace, "requisites.userProperty": requisites?.userProperty ?? null };
  for (const [place, value] of Object.entries(named)) {
    if (value !== null) unsupported(unfitTexts.correctionField(place));
  }
  const other = payments.find(({ typeClose }) => typeClose >= KINDS_OF_PAYMENT.length);
  if (other !== undefined) unsupported(unfitTexts.registerPayment(other.typeClose));
}
