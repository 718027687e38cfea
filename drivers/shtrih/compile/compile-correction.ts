/** A correction of FFD 1.05: sums by rate and no positions, registered by one command (Shtrih-M protocol, 8.7). */
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { correctionBasisTags, correctionTypes, sumsByRate, warnOfSums } from "../../compile/corrections.js";
import { requireLengths, warnOfLostLetters } from "../../compile/fiscal-texts.js";
import { choosePaper, requireTaxSystem } from "../../compile/receipt-tags.js";
import { unsupported } from "../../compile/requisites.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type Program, receiptProgram } from "../../program.js";
import { commands } from "../protocol/commands.js";
import { inItsPages, inTags, requireTexts } from "./compile-receipt.js";
import { basisSteps, cashierTags, documentTags } from "./compile-tags.js";
import type { CompilerSetup } from "./steps.js";
import { awaitPrinter, fiscal, type ShtrihCommand, type ShtrihStep, send, switchPaper } from "./steps.js";

/** The rates in the order of the command's fields: those of FF4Ah, then those that FF77h adds. */
const ratesOfV2: readonly VatCode[] = [1, 2, 5, 6, 3, 4];
const ratesOfV3: readonly VatCode[] = [7, 8, 9, 10];
const SALE = 1;
const KINDS_OF_PAYMENT = 5;

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileCorrection(
  receipt: SaleReceipt,
  ofJob: CompileContext,
  setup: CompilerSetup,
): Program<ShtrihCommand> {
  // No paper of the maker says that such a document takes the order mark: day, sums and direction prove it.
  const context: CompileContext = { ...ofJob, mark: null };
  const { facts, options, printIsOff } = setup;
  const { adminPassword: admin } = options;
  requireTexts(receipt, facts);
  requireLengths(receipt, context, { spell: inTags, joinedPhones: null });
  const paper = choosePaper(receipt, context, setup.capabilities);
  const register = registerStep(receipt, context, setup);
  const before: readonly ShtrihStep[] = [
    ...(paper.electronic || printIsOff ? switchPaper(!paper.electronic, facts, admin) : []),
    awaitPrinter,
    { ...send("begin-correction", commands.beginCorrection.encode({ password: admin })), opensReceipt: true },
    ...basisSteps(correctionBasisTags(receipt), admin),
    ...cashierTags(receipt.cashier ?? context.cashier, admin),
    ...documentTags(receipt, { mark: null, ffd: facts.identity.ffd }, admin),
    awaitPrinter,
  ];
  const after = paper.electronic ? switchPaper(true, facts, admin, { optional: true }) : [];
  const warnings = [...warnOfSums(receipt), ...paper.warnings, ...warnOfLostLetters(receipt, context, inItsPages)];
  return receiptProgram(receipt, null, { before, step: register, after }, warnings);
}

function registerStep(receipt: SaleReceipt, context: CompileContext, { facts, options }: CompilerSetup): ShtrihStep {
  const { correction, payments } = receipt;
  const sums = sumsByRate(receipt, context);
  const needsV3 = [...sums.keys()].some((vat) => !ratesOfV2.includes(vat));
  const rates = needsV3 ? [...ratesOfV2, ...ratesOfV3] : ratesOfV2;
  for (const vat of sums.keys()) {
    // FF7Ch, which has 22 % VAT too, is in no paper and no public program.
    const { title } = vatRates[vat];
    if (!rates.includes(vat)) unsupported(unfitTexts.correctionRate(title));
    if (!ratesOfV2.includes(vat) && !options.correctionV3) {
      unsupported(unfitTexts.correctionOption(title, "correctionV3"));
    }
  }
  const paid = Array.from({ length: KINDS_OF_PAYMENT }, (_, typeClose) => {
    return payments.find((payment) => payment.typeClose === typeClose)?.sum ?? 0;
  });
  const other = payments.find(({ typeClose }) => typeClose >= KINDS_OF_PAYMENT);
  if (other !== undefined) unsupported(unfitTexts.registerPayment(other.typeClose));
  const row = needsV3 ? commands.correctionV3 : commands.correctionV2;
  const request = row.encode({
    password: options.adminPassword,
    type: correctionTypes[correction?.type ?? "self"],
    operation: SALE,
    total: totalOf(receipt),
    payments: paid,
    rates: rates.map((vat) => sums.get(vat) ?? 0),
    taxSystem: requireTaxSystem(receipt, context, facts.identity),
  });
  return fiscal("close-receipt", request);
}
