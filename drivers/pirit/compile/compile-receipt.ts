/** A receipt as a program: marking codes, document, items and paper in the order's sequence, total, payments, close. */
import { linesWithSum } from "@fiscald/shared/paper/layout-receipt.js";
import {
  type Correction,
  type ItemLine,
  itemsOf,
  type Payment,
  type SaleReceipt,
  SUPPLIER_WITHOUT_INN,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { hasExactPrice, splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { printedUnit, requireExactAddresses, requireLengths, warnOfLostLetters } from "../../compile/fiscal-texts.js";
import { subjectOf } from "../../compile/marking.js";
import { compileLines } from "../../compile/paper-parts.js";
import { choosePaper, requireTaxRow, requireTaxSystem } from "../../compile/receipt-tags.js";
import { requireCapable, requireRequisites, unsupported, userPropertyOf } from "../../compile/requisites.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type Program, receiptProgram } from "../../program.js";
import { commands, type Mark, type OpenCorrection, paymentTypes, plainClosing } from "../protocol/commands.js";
import { codeField, spell } from "../protocol/fields.js";
import { type PaperSteps, paperSteps } from "./compile-paper.js";
import {
  type CompilerSetup,
  fiscal,
  operatorOf,
  type PiritCommand,
  type PiritStep,
  prepare,
  send,
  textFields,
} from "./steps.js";

/** The document type in command 30, and the planned status (tag 2003) of a marked item sold by piece or by measure. */
const operations = {
  sale: { documentType: 2, pieceStatus: 1, measuredStatus: 2 },
  return: { documentType: 3, pieceStatus: 3, measuredStatus: 4 },
} as const;
/** Bits in the mask of command 58 (correction). */
const maskBits = { byOrder: 1, taxSystem: 2, ratesFollow: 5, isReturn: 6 } as const;
const NO_PAPER = 0x80;
const MAX_SECTION = 16;
const CASH = 0;
const FFD_12 = "1.2";
/** Tag 1270 (operational requisite): command 57 takes its parts, and no source says how they become one text. */
const OPERATING = 1270;

/** Faults: `receipt.unsupported`, and those of `requireTaxRow`. */
export function compileReceipt(
  receipt: SaleReceipt,
  context: CompileContext,
  setup: CompilerSetup,
): Program<PiritCommand> {
  requireSupport(receipt, setup);
  requireLengths(receipt, context, textFields);
  requireExactAddresses(receipt, spell);
  requireRequisites(receipt, setup.facts.identity.ffd, [OPERATING]);
  const total = totalOf(receipt);
  const paper = choosePaper(receipt, context, setup.capabilities);
  const body = bodySteps(receipt, context, setup, paper.electronic);
  const before: readonly PiritStep[] = [
    prepare(),
    ...checkMarkSteps(receipt, setup),
    openStep(receipt, context, setup, paper.electronic),
    ...body.steps,
    ...additionalStep(receipt),
    { name: "subtotal", command: { kind: "compare-total", sum: total }, repeatable: true, expectSubtotal: total },
    ...paymentSteps(receipt),
  ];
  const step = fiscal("close-receipt", closing(receipt, context, setup), true);
  const mark = context.mark === null ? null : spell(context.mark);
  const warnings = [...paper.warnings, ...warnOfLostLetters(receipt, context, spell), ...body.warnings];
  return receiptProgram(receipt, mark, { before, step, after: confirmPlace(receipt) }, warnings);
}

function requireSupport(receipt: SaleReceipt, { capabilities: { fiscal: able } }: CompilerSetup): void {
  if (receipt.internet !== null && !able.internet) unsupported(unfitTexts.internetFlag);
  requireCapable(receipt, able);
  for (const [index, item] of itemsOf(receipt).entries()) {
    if (item.markingCode !== null && !able.roundedMarks && !hasExactPrice(item)) {
      unsupported(unfitTexts.markedSum(item.name), `items[${index}].markingCode`);
    }
    if (item.department > MAX_SECTION) unsupported(unfitTexts.noSection(MAX_SECTION, item.department));
  }
}

function openStep(receipt: SaleReceipt, context: CompileContext, setup: CompilerSetup, electronic: boolean): PiritStep {
  if (receipt.correction !== undefined) {
    const request = commands.openCorrection.encode(correctionBasisOf(receipt, receipt.correction, context, setup));
    return send("open-receipt", request, { opensReceipt: true });
  }
  const request = commands.openDocument.encode({
    mode: operations[receipt.operation].documentType | (electronic ? NO_PAPER : 0),
    operator: operatorOf(receipt.cashier ?? context.cashier),
    taxSystem: Math.log2(requireTaxSystem(receipt, context, setup.facts.identity)),
  });
  return send("open-receipt", request, { opensReceipt: true });
}

export function correctionBasisOf(
  receipt: SaleReceipt,
  correction: Correction,
  context: CompileContext,
  { facts }: CompilerSetup,
  ratesFollow = false,
): OpenCorrection {
  const taxSystem = Math.log2(requireTaxSystem(receipt, context, facts.identity));
  const mask =
    (correction.type === "instruction" ? maskBits.byOrder : 0) |
    (taxSystem << maskBits.taxSystem) |
    (ratesFollow ? 1 << maskBits.ratesFollow : 0) |
    (receipt.operation === "return" ? 1 << maskBits.isReturn : 0);
  const number = correction.type === "instruction" ? correction.number : "";
  return { operator: operatorOf(receipt.cashier ?? context.cashier), mask, date: correction.date, number };
}

/** Cash comes last: once the total is covered the register accepts no other payment, and only cash may exceed it. */
function paymentSteps({ payments }: SaleReceipt): readonly PiritStep[] {
  const isCash = ({ typeClose }: Payment) => typeClose === CASH;
  const cashLast = [...payments.filter((payment) => !isCash(payment)), ...payments.filter(isCash)];
  return cashLast.map(({ typeClose, sum }, index) => {
    const type = paymentTypes.get(typeClose);
    if (type === undefined) unsupported(unfitTexts.registerPayment(typeClose));
    return send(`payment ${index + 1}`, commands.payment.encode({ type, sum }));
  });
}

/** Tag 1192 (additional requisite of the receipt). */
function additionalStep({ requisites }: SaleReceipt): readonly PiritStep[] {
  const value = requisites?.additional;
  if (value === undefined) return [];
  return [send("tag 1192", commands.receiptTag.encode({ tag: 1192, title: "ДОП. РЕКВИЗИТ", value }))];
}

function confirmPlace({ internet, settlementPlace }: SaleReceipt): readonly PiritStep[] {
  const place = internet?.url ?? settlementPlace;
  if (place === null) return [];
  const command = { kind: "confirm-place", internet: internet !== null, place: spell(place) } as const;
  return [{ name: "confirm-place", command, repeatable: true }];
}

function closing(receipt: SaleReceipt, context: CompileContext, { options }: CompilerSetup) {
  return commands.closeReceipt.encode({
    ...plainClosing,
    contact: receipt.contact ?? "",
    flags: receipt.internet === null ? 0 : (options.internetFlag ?? 0),
    place: receipt.internet?.url ?? receipt.settlementPlace ?? "",
    requisite: userPropertyOf(receipt, context),
    buyer: receipt.requisites?.buyer ?? null,
  });
}

function bodySteps(
  receipt: SaleReceipt,
  context: CompileContext,
  setup: CompilerSetup,
  electronic: boolean,
): PaperSteps {
  return compileLines(electronic ? itemsOf(receipt) : withoutLastCut(linesWithSum(receipt)), {
    paper: (lines, name) => paperSteps(lines, name, { ...setup, place: "receipt" }),
    item: (line, place) => itemSteps(line, place, receipt, context, setup),
  });
}

/** The register cuts after each receipt by itself. */
function withoutLastCut(lines: SaleReceipt["lines"]): SaleReceipt["lines"] {
  return lines.at(-1)?.type === "cut" ? lines.slice(0, -1) : lines;
}

/** A position is split in two where price x quantity would not make the sum; its requisites precede each part. */
function itemSteps(
  item: ItemLine,
  { name, path }: { readonly name: string; readonly path: string },
  receipt: SaleReceipt,
  context: CompileContext,
  setup: CompilerSetup,
): readonly PiritStep[] {
  const tax = requireTaxRow(item, context, path).id;
  const in12 = setup.facts.identity.ffd === FFD_12;
  const mark = markOf(item, receipt, setup);
  const parts = splitLine(item);
  return parts.flatMap((part, index) => {
    const partName = parts.length === 1 ? name : `${name}${index === 0 ? "a" : "b"}`;
    const request = commands.item.encode({
      name: item.name,
      quantity: part.quantity,
      price: part.price,
      tax,
      section: item.department,
      unit: in12 ? String(item.measure) : (printedUnit(item, path) ?? ""),
      method: item.method,
      subject: subjectOf(item),
      country: item.countryCode ?? "",
      customs: item.customsDeclaration ?? "",
      ...(item.requisites?.excise === undefined ? {} : { excise: item.requisites.excise }),
    });
    return [
      ...(mark === null
        ? []
        : [{ name: `${partName} mark`, command: { kind: "bind-mark", mark }, repeatable: false } as const]),
      ...extraSteps(item, partName, setup),
      send(partName, request),
    ];
  });
}

/** Command 24: goods code, additional requisite, agent and industry requisite, for the item that follows. */
function extraSteps(item: ItemLine, name: string, { options }: CompilerSetup): readonly PiritStep[] {
  const { agent, goodsCode, requisites: { additional = "", industry = null } = {} } = item;
  if (agent === null && goodsCode === null && additional === "" && industry === null) return [];
  const request = commands.itemExtras.encode({
    goodsCode: goodsCode === null ? new Uint8Array() : codeField(goodsCode, options),
    agent:
      agent === null
        ? null
        : {
            type: agent.type,
            supplierInn: agent.supplierInn ?? SUPPLIER_WITHOUT_INN,
            supplierPhones: agent.supplierPhones,
            supplierName: agent.supplierName ?? "",
            data: agent.data ?? {},
          },
    additional,
    industry,
  });
  return [send(`${name} extras`, request)];
}

/** Every code is checked before the document is opened, so that a refused code leaves no open document. */
function checkMarkSteps(receipt: SaleReceipt, setup: CompilerSetup): readonly PiritStep[] {
  const steps = itemsOf(receipt).flatMap((item, index): readonly PiritStep[] => {
    const mark = markOf(item, receipt, setup);
    if (mark === null) return [];
    const command = { kind: "check-mark", mark, quantity: item.quantity } as const;
    return [{ name: `check-mark ${index + 1}`, command, repeatable: false }];
  });
  return steps.length === 0 ? [] : [clearMarks, ...steps];
}

/** Clears the codes of an earlier receipt. A refusal does not stop the check of the new codes. */
const clearMarks = send("clear-marks", commands.clearMarks.encode(null), { optional: true });

function markOf(
  { markingCode, measure }: ItemLine,
  { operation }: SaleReceipt,
  { options }: CompilerSetup,
): Mark | null {
  if (markingCode === null) return null;
  const { pieceStatus, measuredStatus } = operations[operation];
  return { code: codeField(markingCode, options), status: measure === 0 ? pieceStatus : measuredStatus, measure };
}
