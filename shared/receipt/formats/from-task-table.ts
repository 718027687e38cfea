/** Reads the print-server format as a `Receipt`, with its lines in the same order. */
import { type Kopecks, kopecks } from "../../amounts.js";
import type { HeadExtensions } from "../../exchange/head-fields.js";
import { isObject, pickFields, shownAsSent, spellingsOf } from "../../exchange/lenient-fields.js";
import { wireSigns } from "../../exchange/online-receipt.js";
import {
  type OrderProblem,
  type OrderWarning,
  parseBy,
  problem,
  throwIfAny,
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
  type ReceiptPlaces,
  type ReceiptRules,
} from "../check-receipt.js";
import type { Payment, ServiceJob, ServiceLine } from "../receipt.js";
import { givenFields } from "../receipt.js";
import { findRefusedCharacter } from "../text-hygiene.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { taxIdOfRate } from "../vat.js";
import { readUnderGivenNames } from "./from-cloud-receipt.js";
import { fromCloudTable } from "./from-cloud-table.js";
import { discountedTotal } from "./item-line.js";
import type { RateSurroundings } from "./item-rates.js";
import { paperLine } from "./paper-line.js";
import { type GivenItem, type ReadReceipt, readSale } from "./read-sale.js";
import { frameOf, type TableFrame } from "./table-frame.js";

type ItemTaskLine = Extract<TaskLine, { readonly type: "Registration" | "Return" }>;

const USUAL_ITEMS = 100;

/**
 * `body`: the object below `response`; it is parsed once and read by several rules. The returned function throws one
 * fault that names every problem. It refuses rates that are not in force on the day of `surroundings`.
 */
export function taskTableReader(body: unknown): (rules: ReceiptRules, surroundings: RateSurroundings) => ReadReceipt {
  let order: TaskTableOrder | null = null;
  let cloud: ReturnType<typeof fromCloudTable> | null = null;
  return (rules, surroundings) => {
    if (cloud === null) refuseOversize(body);
    const { fields, ...found } = cloud ?? fromCloudTable(body);
    cloud = { fields, ...found };
    return readUnderGivenNames(found, () => {
      order ??= parseBy(taskTableSchema, fields);
      return readTable(order, rules, surroundings);
    });
  };
}

function readTable(order: TaskTableOrder, rules: ReceiptRules, surroundings: RateSurroundings): ReadReceipt {
  const { frame, problems } = frameOf(order.taskTable);
  return frame.kind === "service"
    ? readServiceJob(order, frame, problems)
    : readReceipt(order, frame, problems, rules, surroundings);
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

function readReceipt(
  order: TaskTableOrder,
  frame: Extract<TableFrame, { readonly kind: "receipt" }>,
  frameProblems: readonly OrderProblem[],
  rules: ReceiptRules,
  surroundings: RateSurroundings,
): ReadReceipt {
  const { taskTable: table, orderId = toOrderId(""), receiptId = null, kkm = null } = order;
  const { cancelFirst, sign, cancelledByOrder } = frame;
  const operation = sign === "sale" || sign === "sale-correction" ? "sale" : "return";
  const placed = table.flatMap((line, position) => {
    const given = isItem(line) ? givenItem(line, position) : paperLine(line);
    return given === null ? [] : [{ given, position }];
  });
  const lines = placed.map(({ given }) => given);
  const places = placesOf((line) => placed[line]?.position ?? line);
  const printDoc = !table.some((line) => "printDoc" in line.param && line.param.printDoc === false);
  const read = readSale(
    {
      receipt: { orderId, receiptId, kkm, format: "task-table", cancelFirst, operation, printDoc, cancelledByOrder },
      isCorrection: sign !== operation,
      lines,
      payments: table.flatMap(({ type, param }): readonly Payment[] =>
        type === "Payment" ? [{ typeClose: param.typeClose, sum: param.summ }] : [],
      ),
      head: mergeExtensions(order),
      contacts: contactSayings(order),
      places,
      flaws: [...frameProblems, ...directionProblems(order, frame)],
      total: null,
    },
    rules,
    surroundings,
  );
  const warnings = [...read.warnings, ...oddLooks(table), ...manyItems(table)];
  return { ...read, warnings };
}

const directionWord = /^\s*(?:sell|buy)(?:_refund)?(?:_correction)?\s*$/i;

/**
 * A sale that says it is a refund is refused, and so is a refund that says it is a sale: nothing is printed on a guess.
 * Any other `operation` on a line is a field of the site's own.
 */
function directionProblems(
  order: TaskTableOrder,
  frame: Extract<TableFrame, { readonly kind: "receipt" }>,
): readonly OrderProblem[] {
  const wanted = wireSigns[frame.sign];
  return headsOf(order).flatMap(({ fields: { operation }, at }) => {
    const isDirection = typeof operation === "string" && (at === "" || directionWord.test(operation));
    if (!isDirection || operation.trim().toLowerCase() === wanted) return [];
    const message = refusalTexts.otherDirection(shownAsSent(operation), wanted);
    return [problem("order.missing-value", `${at}operation`, message)];
  });
}

function isItem(line: TaskLine): line is ItemTaskLine {
  return line.type === "Registration" || line.type === "Return";
}

function givenItem({ type, data, param }: ItemTaskLine, position: number): GivenItem {
  const at = (field: string) => `taskTable[${position}].${field === "name" ? "data" : `param.${field}`}`;
  const { tax, vat } = param;
  const isTwice = vat !== undefined && tax !== undefined;
  return {
    type: "given",
    name: data,
    fields: { ...param, tax: vat === undefined ? tax : taxIdOfRate(vat) },
    printSum: type === "Return" && param.enableCheckSumm,
    at,
    rateField: vat === undefined ? "tax" : "vat",
    flaws: isTwice ? [problem("order.wrong-value", at("vat"), refusalTexts.vatBesideTax)] : [],
    total: (gross) => lineTotal(gross, param, at),
  };
}

function lineTotal(
  gross: Kopecks,
  { discountType, discountValue }: ItemTaskLine["param"],
  at: (field: string) => string,
): Kopecks | OrderProblem {
  if (discountValue === undefined || Number(discountValue) === 0) return gross;
  if (discountType === undefined)
    return problem("order.missing-value", at("discountType"), refusalTexts.discountTypeMissing);
  const total = discountedTotal(gross, { type: discountType, value: discountValue });
  return typeof total === "object" ? problem("receipt.discount", at("discountValue"), total) : kopecks(total);
}

/** The three places of a receipt's head: the root, the opening line and the closing line. */
function headsOf(order: TaskTableOrder) {
  const ofLines = order.taskTable.flatMap(({ type, param }, position) =>
    type === "OpenCheckSell" ||
    type === "OpenCheckReturn" ||
    type === "OpenCheckSellCorrection" ||
    type === "OpenCheckReturnCorrection" ||
    type === "CloseCheck"
      ? [{ fields: param, at: `taskTable[${position}].param.` }]
      : [],
  );
  return [{ fields: order, at: "" }, ...ofLines];
}

/** The root's fields count first, then the opening line's, then the closing line's. */
function mergeExtensions(order: TaskTableOrder): HeadExtensions {
  const merged: HeadExtensions = {};
  for (const { fields } of headsOf(order).toReversed()) Object.assign(merged, givenFields<HeadExtensions>(fields));
  return merged;
}

/** The last ClientContact line with a text counts before the extension fields. */
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

/** Warns of characters that are left out of a line which is only printed. */
function leftOut({ type, data }: TaskLine, path: string): readonly OrderWarning[] {
  const isPaper = type === "String" || type === "BarCode";
  const flaw = isPaper ? findRefusedCharacter(data) : null;
  return flaw === null ? [] : [warning(path, refusalTexts.leftOut(flaw))];
}

function manyItems(table: readonly TaskLine[]): readonly OrderWarning[] {
  const count = table.filter(isItem).length;
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
