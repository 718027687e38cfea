/** The print-server format as a `Receipt`, line order kept. */
import { formatRoubles, type Kopecks, kopecks, MAX_SUM } from "../../amounts.js";
import type { HeadExtensions } from "../../exchange/head-fields.js";
import { isObject, pickFields, shownAsSent, spellingsOf } from "../../exchange/lenient-fields.js";
import {
  type OrderProblem,
  type OrderWarning,
  parseBy,
  problem,
  throwIfAny,
  underNames,
  warning,
} from "../../exchange/order-problem.js";
import {
  MAX_TABLE_BYTES,
  MAX_TABLE_LINES,
  type TaskLine,
  type TaskTableOrder,
  taskTableSchema,
} from "../../exchange/task-table.js";
import { toOrderId } from "../../ids.js";
import {
  barcodeWarnings,
  checkReceipt,
  defaultRules,
  netPayments,
  type ReceiptPlaces,
  type ReceiptRules,
  settleReceipt,
} from "../check-receipt.js";
import { type GivenMark, markProblems } from "../marking-code.js";
import type { ItemLine, Payment, Receipt, ReceiptLine, SaleReceipt, ServiceJob, ServiceLine } from "../receipt.js";
import { findRefusedCharacter } from "../text-hygiene.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { taxIdOfRate } from "../vat.js";
import { givenPlace } from "./from-cloud-receipt.js";
import { fromCloudTable } from "./from-cloud-table.js";
import { givenFields } from "./given-fields.js";
import { discountedTotal, grossOf, itemLine, itemName, itemProblems, itemWarnings, methodOf } from "./item-line.js";
import {
  type GivenRate,
  type RateSurroundings,
  rateProblems,
  rateWarnings,
  unknownSurroundings,
} from "./item-rates.js";
import { paperLine } from "./paper-line.js";
import { cashierProblems, contactOf, receiptHead } from "./receipt-head.js";
import { frameOf, type TableFrame } from "./table-frame.js";

export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly warnings: readonly OrderWarning[];
  /** The fields that name the rates of its positions. */
  readonly taxPlaces: readonly string[];
}

type ItemTaskLine = Extract<TaskLine, { readonly type: "Registration" | "Return" }>;

const USUAL_ITEMS = 100;

/**
 * `body`: the object below `response`. Throws one fault that names every problem. Rates that are not in force on the
 * day of `surroundings` are refused.
 */
export function fromTaskTable(
  body: unknown,
  rules: ReceiptRules = defaultRules,
  surroundings: RateSurroundings = unknownSurroundings,
): ReadReceipt {
  refuseOversize(body);
  if (!isObject(body)) return readTable(body, rules, surroundings);
  const cloud = fromCloudTable(body);
  const placeOf = givenPlace(cloud.places);
  const read = underNames(placeOf, () => readTable(cloud.fields, rules, surroundings), cloud.problems);
  return { ...read, warnings: read.warnings.map((warning) => ({ ...warning, path: placeOf(warning) })) };
}

function readTable(body: unknown, rules: ReceiptRules, surroundings: RateSurroundings): ReadReceipt {
  const order = parseBy(taskTableSchema, body);
  const { frame, problems } = frameOf(order.taskTable);
  return frame.kind === "service"
    ? readServiceJob(order, frame, problems)
    : readSaleReceipt({ order, frame, frameProblems: problems, rules, surroundings });
}

function refuseOversize(body: unknown): void {
  const table = isObject(body) ? pickFields(body, spellingsOf(["taskTable"])).fields.taskTable : undefined;
  if (!Array.isArray(table)) return;
  const flaw =
    table.length > MAX_TABLE_LINES
      ? refusalTexts.tooManyLines(MAX_TABLE_LINES)
      : Buffer.byteLength(JSON.stringify(table)) > MAX_TABLE_BYTES
        ? refusalTexts.tooLarge(MAX_TABLE_BYTES / 1024)
        : null;
  if (flaw !== null) throwIfAny([problem("order.too-large", "taskTable", flaw)]);
}

function readServiceJob(
  order: TaskTableOrder,
  frame: Extract<TableFrame, { readonly kind: "service" }>,
  frameProblems: readonly OrderProblem[],
): ReadReceipt {
  const lines = order.taskTable.flatMap((line) => serviceLine(line) ?? []);
  const start = frame.cancelFirst ? 1 : 0;
  const places = placesOf((position) => position + start);
  const receipt: ServiceJob = {
    kind: "service",
    orderId: order.orderId ?? null,
    receiptId: order.receiptId ?? null,
    kkm: order.kkm ?? null,
    format: "task-table",
    cancelFirst: frame.cancelFirst,
    lines,
  };
  throwIfAny([...frameProblems, ...checkReceipt(receipt, defaultRules, places)]);
  return { receipt, warnings: [...barcodeWarnings(lines, places), ...oddLooks(order.taskTable)], taxPlaces: [] };
}

function serviceLine(line: TaskLine): ServiceLine | null {
  switch (line.type) {
    case "CashIncome":
      return { type: "cash", direction: "in", sum: line.param.summ };
    case "CashOutcome":
      return { type: "cash", direction: "out", sum: line.param.summ };
    case "Report":
      return { type: "report", report: line.param.reportType };
    case "SyncTime":
      return { type: "sync-time" };
    default:
      return paperLine(line);
  }
}

function readSaleReceipt(options: {
  readonly order: TaskTableOrder;
  readonly frame: Extract<TableFrame, { readonly kind: "receipt" }>;
  readonly frameProblems: readonly OrderProblem[];
  readonly rules: ReceiptRules;
  readonly surroundings: RateSurroundings;
}): ReadReceipt {
  const { order, frame, frameProblems, rules, surroundings } = options;
  const table = order.taskTable;
  const { lines, tablePositions, problems: lineProblems } = readLines(table);
  const rates = givenRates(table, frame.operation === "return");
  const isPermitAsked = rules.requirePermit === true && frame.operation === "sale";
  const flaws = [
    ...rates.flatMap((rate) => rateProblems(rate, surroundings, rules)),
    ...markProblems(marksOf(table), isPermitAsked),
  ];
  const extensions = mergeExtensions(order);
  const { contact, unreadable, warnings: ofContact } = contactOf(contactSayings(order));
  const receipt: SaleReceipt = {
    kind: "receipt",
    orderId: order.orderId ?? toOrderId(""),
    receiptId: order.receiptId ?? null,
    kkm: order.kkm ?? null,
    format: "task-table",
    cancelFirst: frame.cancelFirst,
    operation: frame.operation,
    lines,
    payments: netPayments(
      table.flatMap(({ type, param }): Payment[] =>
        type === "Payment" ? [{ typeClose: param.typeClose, sum: param.summ }] : [],
      ),
    ),
    contact,
    printDoc: !table.some((line) => "printDoc" in line.param && line.param.printDoc === false),
    ...receiptHead(extensions),
    expectedInn: extensions.service?.inn ?? null,
    cancelledByOrder: frame.cancelledByOrder,
  };
  const places = placesOf((position) => tablePositions[position] ?? position);
  const settled = settleReceipt(receipt, rules, places, {
    lines: [...frameProblems, ...directionProblems(order, frame), ...lineProblems, ...flaws],
    contact: unreadable,
    cashier: cashierProblems(extensions),
    total: null,
  });
  const warnings = [
    ...settled.warnings,
    ...ofContact,
    ...rates.flatMap((rate) => rateWarnings(rate, surroundings)),
    ...barcodeWarnings(lines, places),
    ...oddLooks(table),
    ...oddItems(table),
    ...manyItems(receipt),
  ];
  return { receipt: settled.receipt, warnings, taxPlaces: rates.map(({ path }) => path) };
}

const directionWord = /^\s*(?:sell|buy)(?:_refund)?\s*$/i;

/**
 * A sale that says it is a refund, or a refund that says it is a sale, is never printed on a guess. On a line any other
 * word is the site's own.
 */
function directionProblems(
  order: TaskTableOrder,
  frame: Extract<TableFrame, { readonly kind: "receipt" }>,
): readonly OrderProblem[] {
  const wanted = frame.operation === "sale" ? "sell" : "sell_refund";
  return headsOf(order).flatMap(({ fields: { operation }, at }) => {
    const isDirection = typeof operation === "string" && (at === "" || directionWord.test(operation));
    if (!isDirection || operation.trim().toLowerCase() === wanted) return [];
    const message = refusalTexts.otherDirection(shownAsSent(operation), wanted);
    return [problem("order.missing-value", `${at}operation`, message)];
  });
}

function readLines(table: readonly TaskLine[]) {
  const lines: ReceiptLine[] = [];
  const tablePositions: number[] = [];
  const problems: OrderProblem[] = [];
  table.forEach((line, position) => {
    const read = line.type === "Registration" || line.type === "Return" ? readItem(line, position) : paperLine(line);
    if (read === null) return;
    if ("problems" in read) problems.push(...read.problems);
    const receiptLine = "problems" in read ? read.item : read;
    if (receiptLine === null) return;
    lines.push(receiptLine);
    tablePositions.push(position);
  });
  return { lines, tablePositions, problems };
}

function readItem(
  line: ItemTaskLine,
  position: number,
): { readonly item: ItemLine | null; readonly problems: readonly OrderProblem[] } {
  const { price, quantity, enableCheckSumm } = line.param;
  const name = itemName(line.data);
  const at = fieldAt(position);
  const problems = [...itemProblems({ name, quantity, extensions: line.param }, at)];
  if (line.param.vat !== undefined && line.param.tax !== undefined) {
    problems.push(problem("order.wrong-value", at("vat"), refusalTexts.vatBesideTax));
  }
  const total = lineTotal(line.param, at);
  if (typeof total !== "number") return { item: null, problems: [...problems, total] };
  const printSum = line.type === "Return" && enableCheckSumm;
  const extensions = { ...line.param, tax: taxOf(line.param) };
  return { item: itemLine({ name, price, quantity, total, printSum, extensions }), problems };
}

/** The row of the register, or the rate in words. */
function taxOf({ tax, vat }: ItemTaskLine["param"]): number | undefined {
  return vat === undefined ? tax : taxIdOfRate(vat);
}

function givenRates(table: readonly TaskLine[], isRefund: boolean): readonly GivenRate[] {
  return table.flatMap(({ type, param }, position) => {
    if (type !== "Registration" && type !== "Return") return [];
    const path = fieldAt(position)(param.vat === undefined ? "tax" : "vat");
    return [{ tax: taxOf(param), method: methodOf(param), isRefund, path }];
  });
}

function marksOf(table: readonly TaskLine[]): readonly GivenMark[] {
  return table.flatMap(({ type, param }, position) => {
    if (type !== "Registration" && type !== "Return") return [];
    return [{ code: param.markingCode ?? null, permit: param.industryProps, at: fieldAt(position) }];
  });
}

function lineTotal(param: ItemTaskLine["param"], at: (field: string) => string): Kopecks | OrderProblem {
  const { price, quantity, discountType, discountValue } = param;
  const gross = grossOf(price, quantity);
  if (gross === null) {
    return problem("order.wrong-value", at("price"), refusalTexts.productAbove(formatRoubles(MAX_SUM)));
  }
  if (discountValue === undefined || Number(discountValue) === 0) return gross;
  if (discountType === undefined)
    return problem("order.missing-value", at("discountType"), refusalTexts.discountTypeMissing);
  const total = discountedTotal(gross, { type: discountType, value: discountValue });
  return typeof total === "object" ? problem("receipt.discount", at("discountValue"), total) : kopecks(total);
}

/** The root, the opening line, the closing line, with their places. */
function headsOf(order: TaskTableOrder) {
  const ofLines = order.taskTable.flatMap(({ type, param }, position) =>
    type === "OpenCheckSell" || type === "OpenCheckReturn" || type === "CloseCheck"
      ? [{ fields: param, at: `taskTable[${position}].param.` }]
      : [],
  );
  return [{ fields: order, at: "" }, ...ofLines];
}

/** The root wins over the opening line, the opening line over the closing one. */
function mergeExtensions(order: TaskTableOrder): HeadExtensions {
  const merged: HeadExtensions = {};
  for (const { fields } of headsOf(order).toReversed()) Object.assign(merged, givenFields<HeadExtensions>(fields));
  return merged;
}

/** The last ClientContact line with a text, then the extension fields. */
function contactSayings(order: TaskTableOrder) {
  const ofLines = order.taskTable.flatMap((line, position) =>
    line.type === "ClientContact" ? [{ text: line.data, path: `taskTable[${position}].data` }] : [],
  );
  const ofHeads = headsOf(order).flatMap(({ fields: { clientContact, attributes }, at }) => [
    { text: clientContact, path: `${at}clientContact` },
    { text: attributes?.email, path: `${at}attributes.email` },
    { text: attributes?.phone, path: `${at}attributes.phone` },
  ]);
  return [...ofLines.reverse(), ...ofHeads];
}

function oddLooks(table: readonly TaskLine[]): readonly OrderWarning[] {
  return table.flatMap((line, position) => [
    ...line.oddLooks.map(({ field, text }) => warning(`taskTable[${position}].param.${field}`, text)),
    ...leftOut(line, `taskTable[${position}].data`),
  ]);
}

/** Characters of a line that is only printed. */
function leftOut({ type, data }: TaskLine, path: string): readonly OrderWarning[] {
  const isPaper = type === "String" || type === "BarCode";
  const flaw = isPaper ? findRefusedCharacter(data) : null;
  return flaw === null ? [] : [warning(path, refusalTexts.leftOut(flaw))];
}

function oddItems(table: readonly TaskLine[]): readonly OrderWarning[] {
  return table.flatMap((line, position) =>
    line.type === "Registration" || line.type === "Return"
      ? itemWarnings(line.data, line.param, fieldAt(position))
      : [],
  );
}

/** The place of a field of a position: its name is the data of its line. */
function fieldAt(position: number) {
  return (field: string) => `taskTable[${position}].${field === "name" ? "data" : `param.${field}`}`;
}

function manyItems(receipt: SaleReceipt): readonly OrderWarning[] {
  const count = receipt.lines.filter(({ type }) => type === "item").length;
  return count > USUAL_ITEMS ? [warning("taskTable", refusalTexts.manyPositions(count, USUAL_ITEMS))] : [];
}

function placesOf(tablePosition: (position: number) => number): ReceiptPlaces {
  return {
    lineData: (position) => `taskTable[${tablePosition(position)}].data`,
    lines: "taskTable",
    payments: "taskTable",
    contact: "taskTable",
    orderId: "orderId",
    internetUrl: "internetPaymentUrl",
  };
}
