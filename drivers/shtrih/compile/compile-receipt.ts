/** A receipt as a program: paper and items as ordered, document tags, subtotal, close (Shtrih-M protocol, 8). */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { linesWithSum } from "@fiscald/shared/paper/layout-receipt.js";
import {
  type ItemLine,
  itemsOf,
  type PaperLine,
  type SaleReceipt,
  type Sign,
  signOf,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { spellIn } from "../../codec/code-pages.js";
import { correctionBasisTags, typeTag } from "../../compile/corrections.js";
import { requireExactAddresses, requireLengths, warnOfLostLetters } from "../../compile/fiscal-texts.js";
import { subjectOf } from "../../compile/marking.js";
import { compileLines } from "../../compile/paper-parts.js";
import { choosePaper, requireTaxRow, requireTaxSystem } from "../../compile/receipt-tags.js";
import { requireCapable, requireRequisites, unsupported } from "../../compile/requisites.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type Program, receiptProgram } from "../../program.js";
import { commands } from "../protocol/commands.js";
import { taxCodeOf } from "../protocol/tax-codes.js";
import { bindMarkSteps, checkMarkSteps } from "./compile-marks.js";
import { paperSteps } from "./compile-paper.js";
import { basisSteps, cashierTags, documentTags, itemTags } from "./compile-tags.js";
import {
  awaitPrinter,
  type CompilerSetup,
  fiscal,
  paperContextOf,
  type ShtrihCommand,
  type ShtrihStep,
  send,
  switchPaper,
} from "./steps.js";

/** Receipt type in 8Dh (open receipt) and operation in FF46h (item): two numberings of the same operations. */
const OPERATIONS = {
  sale: { receiptType: 0, itemOperation: 1 },
  return: { receiptType: 2, itemOperation: 2 },
  "sale-correction": { receiptType: 0x80, itemOperation: 1 },
  "return-correction": { receiptType: 0x82, itemOperation: 2 },
} as const satisfies Readonly<Record<Sign, object>>;
/** The register's payment types by our `typeClose`. */
const PAYMENT_TYPES: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 14, 3: 15, 4: 16 };

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileReceipt(
  receipt: SaleReceipt,
  context: CompileContext,
  setup: CompilerSetup,
): Program<ShtrihCommand> {
  const { options } = setup;
  requireSupport(receipt, setup);
  requireLengths(receipt, context, { spell: inTags, joinedPhones: null });
  const operator = options.operatorPassword;
  const admin = options.adminPassword;
  const paper = choosePaper(receipt, context, setup.capabilities);
  const body = bodySteps(receipt, context, setup, paper.electronic);
  const taxSystem = requireTaxSystem(receipt, context, setup.facts.identity);
  const before: readonly ShtrihStep[] = [
    ...(paper.electronic || setup.printIsOff ? switchPaper(!paper.electronic, setup.facts, admin) : []),
    awaitPrinter,
    ...checkMarkSteps(itemsOf(receipt), receipt.operation, operator, setup.facts),
    {
      ...send(
        "open-receipt",
        commands.openReceipt.encode({ password: operator, type: OPERATIONS[signOf(receipt)].receiptType }),
      ),
      opensReceipt: true,
    },
    ...basisSteps([...typeTag(receipt), ...correctionBasisTags(receipt)], admin),
    ...body.steps,
    ...cashierTags(receipt.cashier ?? context.cashier, admin),
    ...documentTags(receipt, { mark: context.mark, ffd: setup.facts.identity.ffd }, admin),
    awaitPrinter,
    { name: "subtotal", command: { kind: "subtotal" }, repeatable: true, expectSubtotal: totalOf(receipt) },
  ];
  const namesPlace = receipt.internet !== null || receipt.settlementPlace !== null;
  const badValue = namesPlace ? "device.place-refused" : "device.closing-refused";
  const close = commands.closeReceipt.encode({ password: operator, sums: paymentSums(receipt), taxSystem });
  const step = fiscal("close-receipt", close, { namesDocument: true, badValue });
  const after = [
    ...(paper.electronic ? switchPaper(true, setup.facts, admin, { optional: true }) : []),
    ...body.afterwards,
  ];
  const mark = context.mark === null ? null : inTags(context.mark);
  const warnings = [...paper.warnings, ...warnOfLostLetters(receipt, context, inItsPages), ...body.warnings];
  return receiptProgram(receipt, mark, { before, step, after }, warnings);
}

/** A name as the drive stores it: the register gets the name in CP1251, and the drive has CP866. */
export function inItsPages(text: string): string {
  return inTags(spellIn(text, "cp1251"));
}

export function inTags(text: string): string {
  return spellIn(text, "cp866");
}

export function requireTexts(receipt: SaleReceipt, { identity }: CompilerSetup["facts"]): void {
  requireExactAddresses(receipt, inTags);
  requireRequisites(receipt, identity.ffd);
}

function requireSupport(receipt: SaleReceipt, { facts, capabilities }: CompilerSetup): void {
  requireTexts(receipt, facts);
  if (facts.taxesByHost) unsupported(unfitTexts.taxesExpected);
  if (receipt.correction !== undefined && !facts.parameters.has("itemCorrections")) {
    unsupported(unfitTexts.correctionWithItems);
  }
  requireCapable(receipt, capabilities.fiscal);
  // Such a name would be registered without its `//` and left off the buyer's paper (Shtrih-M protocol, 8.3).
  for (const { name } of itemsOf(receipt)) if (name.startsWith("//")) unsupported(unfitTexts.slashes(name));
}

interface Body {
  readonly steps: readonly ShtrihStep[];
  /** Cut and footer after the last item: they belong under the totals. */
  readonly afterwards: readonly ShtrihStep[];
  readonly warnings: Program["warnings"];
}

function bodySteps(receipt: SaleReceipt, context: CompileContext, setup: CompilerSetup, electronic: boolean): Body {
  const paperContext = paperContextOf(context, setup);
  const wanted = electronic ? itemsOf(receipt) : linesWithSum(receipt);
  const lastItem = wanted.findLastIndex((line) => line.type === "item");
  const belongsBelow = (line: PaperLine, index: number) =>
    index > lastItem && (line.type === "cut" || line.type === "footer");

  const below = wanted.filter((line, index): line is PaperLine => line.type !== "item" && belongsBelow(line, index));
  const body = compileLines<ShtrihStep>(
    wanted.filter((line, index) => line.type === "item" || !belongsBelow(line, index)),
    {
      paper: (lines, name) => paperSteps(lines, name, paperContext),
      item: (line, place) => itemSteps(line, place, receipt, context, setup),
    },
  );
  const printedBelow = paperSteps(below, "below", paperContext);
  return { steps: body.steps, afterwards: printedBelow.steps, warnings: [...body.warnings, ...printedBelow.warnings] };
}

/** A position is split in two where price x quantity would not make the sum. */
function itemSteps(
  item: ItemLine,
  { name, path }: { readonly name: string; readonly path: string },
  receipt: SaleReceipt,
  context: CompileContext,
  { facts, options }: CompilerSetup,
): readonly ShtrihStep[] {
  const password = options.operatorPassword;
  const taxCode = requireTaxCode(requireTaxRow(item, context, path).id, { facts, options });
  const tagsFirst = options.tagsBeforeItem === "auto" ? facts.tagsBeforeItem : options.tagsBeforeItem === "yes";
  const parts = splitLine(item);
  return parts.flatMap((part, index) => {
    const partName = parts.length === 1 ? name : `${name}${index === 0 ? "a" : "b"}`;
    const request = commands.registerItem.encode({
      password,
      operation: OPERATIONS[signOf(receipt)].itemOperation,
      quantity: part.quantity,
      price: part.price,
      sum: part.total,
      taxCode,
      department: item.department,
      method: item.method,
      subject: subjectOf(item),
      name: item.name,
    });
    const registered = send(partName, request);
    const belongings = [
      ...itemTags(item, { name: partName, path, ffd: facts.identity.ffd, password }),
      ...bindMarkSteps(item, partName, password),
    ];
    return tagsFirst ? [...belongings, registered] : [registered, ...belongings];
  });
}

function requireTaxCode(id: number, { facts, options }: Pick<CompilerSetup, "facts" | "options">): number {
  const code = taxCodeOf(id, { ...options, nanoTaxCodes: options.nanoTaxCodes || facts.nanoTaxCodes });
  if (code === null) throw new Fault("device.tax-unknown", { message: unfitTexts.noTaxCode(id) });
  return code;
}

function paymentSums(receipt: SaleReceipt): ReadonlyMap<number, Kopecks> {
  return new Map(
    receipt.payments.map(({ typeClose, sum }) => {
      const type = PAYMENT_TYPES[typeClose];
      if (type === undefined) unsupported(unfitTexts.registerPayment(typeClose));
      return [type, sum];
    }),
  );
}
