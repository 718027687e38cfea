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

const ratesOfV2: readonly VatCode[] = [1, 2, 5, 6, 3, 4];
const ratesOfV3: readonly VatCode[] = [...ratesOfV2, 7, 8, 9, 10];
const ratesOfV4: readonly VatCode[] = [...ratesOfV3, 11, 12];
/** Rates by command, in the order of its fields; a command that lacks a rate is not used. `option`: switches it on. */
const rows = [
  { command: commands.correctionV2, rates: ratesOfV2, option: null },
  { command: commands.correctionV3, rates: ratesOfV3, option: "correctionV3" },
  { command: commands.correctionV4, rates: ratesOfV4, option: "correctionV4" },
] as const;
const SALE = 1;
const KINDS_OF_PAYMENT = 5;

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileCorrection(
  receipt: SaleReceipt,
  ofJob: CompileContext,
  setup: CompilerSetup,
): Program<ShtrihCommand> {
  // No paper of the maker says that this document takes the order mark; its day, sums and direction are its proof.
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
  const needed = [...sums.keys()];
  const on = rows.filter(({ option }) => option === null || options[option]);
  const fits = ({ rates }: (typeof rows)[number]) => needed.every((vat) => rates.includes(vat));
  const row = on.find(fits);
  if (row === undefined) {
    const lacking = needed.filter((vat) => on.every(({ rates }) => !rates.includes(vat)));
    const titles = lacking.map((vat) => vatRates[vat].title).join(", ");
    unsupported(unfitTexts.correctionOption(titles, rows.find(fits)?.option ?? ""));
  }
  const paid = Array.from({ length: KINDS_OF_PAYMENT }, (_, typeClose) => {
    return payments.find((payment) => payment.typeClose === typeClose)?.sum ?? 0;
  });
  const other = payments.find(({ typeClose }) => typeClose >= KINDS_OF_PAYMENT);
  if (other !== undefined) unsupported(unfitTexts.registerPayment(other.typeClose));
  const request = row.command.encode({
    password: options.adminPassword,
    type: correctionTypes[correction?.type ?? "self"],
    operation: SALE,
    total: totalOf(receipt),
    payments: paid,
    rates: row.rates.map((vat) => sums.get(vat) ?? 0),
    taxSystem: requireTaxSystem(receipt, context, facts.identity),
  });
  return fiscal("close-receipt", request);
}
