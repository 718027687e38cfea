/**
 * A correction of FFD 1.05 as a program: command 58 makes the whole document from sums (PIRIT protocol, 6), and its
 * answer names no document. In FFD 1.2 the same command only opens a correction, which then goes on like a receipt
 * (compile-receipt.ts).
 */
import { kopecks } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { sumsByRate, warnOfSums } from "../../compile/corrections.js";
import { requireLengths, warnOfLostLetters } from "../../compile/fiscal-texts.js";
import { requireRequisites, unsupported } from "../../compile/requisites.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type Program, receiptProgram } from "../../program.js";
import { commands } from "../protocol/commands.js";
import { spell } from "../protocol/fields.js";
import { correctionBasisOf } from "./compile-receipt.js";
import { type CompilerSetup, fiscal, type PiritCommand, prepare, textFields } from "./steps.js";

const fields: readonly VatCode[] = [1, 2, 5, 6, 3, 4];
const KINDS_OF_PAYMENT = [0, 1, 2, 3, 4] as const;

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileCorrection(
  receipt: SaleReceipt,
  ofJob: CompileContext,
  setup: CompilerSetup,
): Program<PiritCommand> {
  // Older firmware has no field for the order mark: recovery recognises the document by its day, sums and operation.
  const context: CompileContext = { ...ofJob, mark: null };
  requirePlaces(receipt);
  requireLengths(receipt, context, textFields);
  requireRequisites(receipt, setup.facts.identity.ffd);
  const { contact, correction, payments } = receipt;
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
  // The law demands tag 1008 only for a settlement on the internet, which is refused here (54-fz 11).
  const lost =
    contact === null ? [] : ["a correction of FFD 1.05 has no place here for the buyer's contact (tag 1008)"];
  const warnings = [...lost, ...warnOfSums(receipt), ...warnOfLostLetters(receipt, context, spell)];
  return receiptProgram(receipt, null, steps, warnings);
}

/** The command has no field for these, and nothing that the law demands may be left out. */
function requirePlaces({ internet, settlementPlace, requisites, payments }: SaleReceipt): void {
  const named = { internet, settlementPlace, "requisites.userProperty": requisites?.userProperty ?? null };
  for (const [place, value] of Object.entries(named)) {
    if (value !== null) unsupported(unfitTexts.correctionField(place));
  }
  const other = payments.find(({ typeClose }) => typeClose >= KINDS_OF_PAYMENT.length);
  if (other !== undefined) unsupported(unfitTexts.registerPayment(other.typeClose));
}
