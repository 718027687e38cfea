import { toQuantityNumber, toRoublesNumber } from "@fiscald/shared/amounts.js";
import { linesWithSum } from "@fiscald/shared/paper/layout-receipt.js";
import {
  type AgentData,
  type Correction,
  givenFields,
  type Industry,
  type ItemLine,
  type ItemRequisites,
  itemsOf,
  type ReceiptRequisites,
  type SaleReceipt,
  SUPPLIER_WITHOUT_INN,
  signOf,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { rateWords } from "@fiscald/shared/receipt/vat.js";
import { spellIn } from "../../codec/code-pages.js";
import { isOfSums, requireCorrection, sumsByRate, warnOfSums } from "../../compile/corrections.js";
import {
  printedUnit,
  requireExactAddresses,
  requireLengths,
  type TextFields,
  warnOfLostLetters,
} from "../../compile/fiscal-texts.js";
import { subjectOf } from "../../compile/marking.js";
import { compileLines, DrawingBudget } from "../../compile/paper-parts.js";
import { choosePaper, requireTaxRow, requireTaxSystem } from "../../compile/receipt-tags.js";
import { requireCapable, requireRequisites, unsupported, userPropertyOf } from "../../compile/requisites.js";
import type { Capabilities, CompileContext } from "../../fiscal-driver.js";
import { type Program, receiptProgram, type Step } from "../../program.js";
import { agentWords, methodWords, objectWords, paymentWords, taxationWord, wordOfBit } from "../protocol/enums.js";
import type { RegisterFacts } from "../protocol/models.js";
import {
  type AtolCommand,
  type Fields,
  type PositionItem,
  type ReceiptItem,
  type ReceiptTask,
  receiptTasks,
} from "../protocol/tasks.js";
import { paperItems } from "./compile-paper.js";

export type AtolProgram = Program<AtolCommand>;
export type AtolStep = Step<AtolCommand>;

export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
}

/** Tag 2108 (measure). */
const PIECES = 0;
/** Tag 2003 (planned status of the marked goods) by the names of ATOL's print service. */
const plannedStatuses = {
  sale: { piece: "itemPieceSold", measured: "itemDryForSale" },
  return: { piece: "itemPieceReturn", measured: "itemDryReturn" },
} as const;
/** The service takes texts as Unicode, and a supplier's phones as a list. */
export const textFields: TextFields = { spell: (text) => text, joinedPhones: null };
const notForInternet = "the register is not registered for settlements on the internet (tag 1108)";

export function compileSale(
  receipt: SaleReceipt,
  operator: Fields,
  ofJob: CompileContext,
  setup: CompilerSetup,
): AtolProgram {
  const { identity } = setup.facts;
  requireCorrection(receipt, identity);
  const bySums = isOfSums(receipt, identity);
  // A correction of FFD 1.05 has no items, and the order mark is sent as an item.
  const context: CompileContext = bySums ? { ...ofJob, mark: null } : ofJob;
  checkSale(receipt, context, setup);
  const choice = choosePaper(receipt, context, setup.capabilities);
  // Without an address the service refuses a receipt without paper.
  const electronic = choice.electronic && receipt.contact !== null;
  const { items, warnings } = bySums
    ? { items: [], warnings: warnOfSums(receipt) }
    : receiptItems(receipt, context, setup);
  const place = receipt.internet?.url ?? receipt.settlementPlace;
  const task: ReceiptTask = {
    type: receiptTasks[signOf(receipt)],
    taxationType: taxationWord(requireTaxSystem(receipt, context, setup.facts.identity)),
    electronically: electronic,
    ignoreNonFiscalPrintErrors: true,
    operator,
    ...clientInfo(receipt),
    ...operationInfo(receipt.requisites),
    ...(place === null ? {} : { paymentsPlace: place }),
    ...(receipt.correction === undefined ? {} : correctionBasis(receipt.correction)),
    ...(bySums ? { taxes: taxesOf(receipt, context) } : { items }),
    payments: receipt.payments.map(({ typeClose, sum }) => ({
      type: paymentWords[typeClose] ?? "",
      sum: toRoublesNumber(sum),
    })),
    total: toRoublesNumber(totalOf(receipt)),
    ...(receipt.internet === null ? {} : { customParameters: [{ id: 1125, value: true }] }),
  };
  const check: AtolStep = { name: "check", command: { kind: "check", shift: "open" }, repeatable: true };
  const before = [check, ...markSteps(items)];
  const step: AtolStep = { name: `${task.type} receipt`, command: { kind: "named-job", task }, repeatable: false };
  const finish: AtolStep = { name: "finish print", command: { kind: "finish-print" }, repeatable: true };
  const confirm: AtolStep = { name: "confirm internet", command: { kind: "confirm-internet" }, repeatable: true };
  const after = [...(electronic ? [] : [finish]), ...(receipt.internet === null ? [] : [confirm])];
  const isForInternet = receipt.internet === null || setup.facts.registeredForInternet !== false;
  return receiptProgram(receipt, context.mark, { before, step, after }, [
    ...warnings,
    ...warnOfLostLetters(receipt, context, inTags),
    ...choice.warnings,
    ...(isForInternet ? [] : [notForInternet]),
  ]);
}

function correctionBasis(correction: Correction): Fields {
  const { type, date } = correction;
  const basis = { correctionType: type, correctionBaseDate: date.replaceAll("-", ".") };
  return correction.type === "self" ? basis : { ...basis, correctionBaseNumber: correction.number };
}

function taxesOf(receipt: SaleReceipt, context: CompileContext) {
  if (receipt.requisites?.userProperty !== undefined)
    unsupported(unfitTexts.correctionField("requisites.userProperty"));
  return [...sumsByRate(receipt, context)].map(([vat, sum]) => ({ type: rateWords[vat], sum: toRoublesNumber(sum) }));
}

function clientInfo({ contact, requisites }: SaleReceipt): Fields {
  const { name, inn, birthDate, citizenship, documentCode, documentData, address } = requisites?.buyer ?? {};
  const info = givenFields({
    emailOrPhone: contact ?? undefined,
    name,
    vatin: inn,
    birthDate,
    citizenship,
    identityDocumentCode: documentCode,
    identityDocumentData: documentData,
    address,
  });
  return Object.keys(info).length === 0 ? {} : { clientInfo: info };
}

function operationInfo({ operating }: ReceiptRequisites = {}): Fields {
  if (operating === undefined) return {};
  const { id, data, time } = operating;
  return { operationInfo: { id: Number(id), dateTime: serviceTime(time), data } };
}

/** The service wants times as `yyyy.mm.dd HH:MM:SS`. */
export function serviceTime(time: string): string {
  return time.slice(0, 19).replaceAll("-", ".").replace("T", " ");
}

function checkSale(receipt: SaleReceipt, context: CompileContext, { capabilities, facts }: CompilerSetup): void {
  const { fiscal } = capabilities;
  requireLengths(receipt, context, textFields);
  requireExactAddresses(receipt, inTags);
  requireRequisites(receipt, facts.identity.ffd);
  requireCapable(receipt, fiscal);
  if (receipt.internet !== null && !fiscal.internet) unsupported(unfitTexts.internetUnconfirmed);
  for (const { typeClose } of receipt.payments) {
    if (paymentWords[typeClose] === undefined) unsupported(unfitTexts.registerPayment(typeClose));
  }
  for (const [index, item] of itemsOf(receipt).entries()) {
    requireTaxRow(item, context, `items[${index}]`);
    if (item.quantity % 1000 !== 0) unsupported(unfitTexts.quantityDecimals(item.name));
  }
}

/** The text in the characters of a drive's tags, whatever the service does with other characters (54-fz 1). */
export function inTags(text: string): string {
  return spellIn(text, "cp866");
}

function receiptItems(receipt: SaleReceipt, context: CompileContext, setup: CompilerSetup) {
  const { images, paintText = null } = context;
  const paperSetup = { capabilities: setup.capabilities, images, paintText, drawing: new DrawingBudget() };
  const { steps, warnings } = compileLines<ReceiptItem>(linesWithSum(receipt), {
    paper: (lines) => paperItems(lines, paperSetup),
    item: (line, { path }) => splitLine(line).map((part) => position(part, path, receipt, context, setup)),
  });
  const items = [...steps];
  const additional = receipt.requisites?.additional;
  if (additional !== undefined) items.push({ type: "additionalAttribute", value: additional, print: true });
  const property = userPropertyOf(receipt, context);
  if (property !== null) items.push({ type: "userAttribute", ...property, print: true });
  return { items, warnings };
}

function position(
  item: ItemLine,
  path: string,
  { operation }: SaleReceipt,
  context: CompileContext,
  { facts }: CompilerSetup,
): PositionItem {
  const ffd12 = facts.identity.ffd === "1.2";
  const { agent, countryCode, customsDeclaration, goodsCode, markingCode, measure, price, quantity, total } = item;
  const unit = ffd12 ? null : printedUnit(item, path);
  const agentWord = agent === null ? undefined : wordOfBit(agentWords, agent.type);
  const subject = subjectOf(item);
  const { vat } = requireTaxRow(item, context, path);
  return {
    type: "position",
    name: item.name,
    price: toRoublesNumber(price),
    quantity: toQuantityNumber(quantity),
    amount: toRoublesNumber(total),
    department: item.department,
    ...(ffd12 ? { measurementUnit: measure } : unit === null ? {} : { measurementUnit: unit }),
    paymentMethod: methodWords[item.method - 1] ?? "fullPayment",
    paymentObject: objectWords[subject - 1] ?? subject,
    tax: { type: vat === null ? "none" : rateWords[vat] },
    ...(goodsCode === null ? {} : { nomenclatureCode: goodsCode }),
    ...(markingCode === null ? {} : { imcParams: imcParams(markingCode, measure, operation) }),
    ...(agentWord === undefined ? {} : { agentInfo: { agents: [agentWord], ...agentData(agent?.data) } }),
    ...(agent === null
      ? {}
      : {
          supplierInfo: {
            phones: agent.supplierPhones,
            ...(agent.supplierName === null ? {} : { name: agent.supplierName }),
            vatin: agent.supplierInn ?? SUPPLIER_WITHOUT_INN,
          },
        }),
    ...(countryCode === null ? {} : { countryCode }),
    ...(customsDeclaration === null ? {} : { customsDeclaration }),
    ...requisitesOf(item.requisites),
  };
}

function agentData(data: AgentData = {}): Fields {
  const { operation, agentPhones, operatorPhones, transferPhones, transferName, transferAddress, transferInn } = data;
  const payingAgent = givenFields({ operation, phones: agentPhones });
  const transfer = { phones: transferPhones, name: transferName, address: transferAddress, vatin: transferInn };
  const moneyTransferOperator = givenFields(transfer);
  return {
    ...(Object.keys(payingAgent).length === 0 ? {} : { payingAgent }),
    ...(operatorPhones === undefined ? {} : { receivePaymentsOperator: { phones: operatorPhones } }),
    ...(Object.keys(moneyTransferOperator).length === 0 ? {} : { moneyTransferOperator }),
  };
}

function requisitesOf({ additional, excise, industry }: ItemRequisites = {}): Fields {
  return givenFields({
    additionalAttribute: additional,
    exciseSum: excise === undefined ? undefined : toRoublesNumber(excise),
    industryInfo: industry && [industryInfo(industry)],
  });
}

function industryInfo({ authority, date, number, value }: Industry) {
  return { fois: authority, date: date.split(".").reverse().join("."), number, industryAttribute: value };
}

function imcParams(markingCode: string, measure: number, operation: SaleReceipt["operation"]): Fields {
  return {
    imcType: "auto",
    imc: markingCode,
    itemEstimatedStatus: plannedStatuses[operation][measure === PIECES ? "piece" : "measured"],
    imcModeProcessing: 0,
  };
}

function markSteps(items: readonly ReceiptItem[]): readonly AtolStep[] {
  let number = 0;
  return items.flatMap((item, place) => {
    if (item.type === "position") number += 1;
    if (item.type !== "position" || item.imcParams === undefined) return [];
    const { imcParams, measurementUnit, quantity } = item;
    const isMeasured = typeof measurementUnit === "number" && measurementUnit !== PIECES;
    const params = isMeasured ? { ...imcParams, itemQuantity: quantity, itemUnits: measurementUnit } : imcParams;
    return [{ name: `mark ${number}`, command: { kind: "check-mark", place, params }, repeatable: false } as const];
  });
}
