/** Makes an `ItemLine` from a position of either format: name, discount, defaults and the rules inside one line. */
import type { Quantity } from "../../amounts.js";
import {
  formatRoubles,
  type Kopecks,
  kopecks,
  MAX_SUM,
  multiply,
  ONE_UNIT,
  parseScaled,
  quantity,
} from "../../amounts.js";
import type { ItemExtensions } from "../../exchange/item-fields.js";
import { oneLine } from "../../exchange/lenient-fields.js";
import { type OrderProblem, type OrderWarning, problem, warning } from "../../exchange/order-problem.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import { parsePhones } from "../buyer-contact.js";
import { markFlaw, markWarning } from "../marking-code.js";
import { measureOf } from "../measure.js";
import {
  type Agent,
  type AgentData,
  givenFields,
  type Industry,
  type ItemLine,
  type ItemRequisites,
  SUPPLIER_WITHOUT_INN,
} from "../receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";

const MAX_NAME = 128;
const PERCENT_DECIMALS = 4;

export interface Discount {
  readonly type: "roubles" | "percent";
  readonly value: string | number;
}

export interface ItemParts {
  readonly name: string;
  readonly price: Kopecks;
  readonly quantity: Quantity;
  readonly total: Kopecks;
  readonly printSum: boolean;
  readonly extensions: ItemExtensions;
}

/** Tag 1030 (name): one line of up to 128 characters. A longer text is cut, as the fiscal format does. */
export function itemName(text: string): string {
  const line = oneLine(text) ?? "";
  if (line.length <= MAX_NAME) return line;
  const cut = line.slice(0, MAX_NAME);
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).trim();
}

/** An HTML entity or a tag of text: a page shows a character or a style, while a receipt prints the code itself. */
const htmlEntity =
  /&(?:[a-z]{2,8}\d?|#\d{2,6}|#x[\da-f]{2,5});|<\/?(?:a|b|br|div|em|font|i|li|p|small|span|strong|su[bp]|u)\b[^<>]*>/i;

function nameWarnings(text: string, path: string): readonly OrderWarning[] {
  const line = oneLine(text) ?? "";
  const warnings: OrderWarning[] = [];
  if (line.length > MAX_NAME) warnings.push(warning(path, refusalTexts.nameCut(line.length, MAX_NAME)));
  const [entity] = htmlEntity.exec(line) ?? [];
  if (entity !== undefined) warnings.push(warning(path, refusalTexts.nameWithEntity(entity)));
  return warnings;
}

/** Returns null when the product is more than a receipt can carry. */
export function grossOf(price: Kopecks, count: Quantity): Kopecks | null {
  const roughly = (Math.abs(price) * Math.abs(count)) / ONE_UNIT;
  if (roughly > 2 * MAX_SUM) return null;
  const exact = multiply(price, count);
  return Math.abs(exact) <= MAX_SUM ? exact : null;
}

/** The amount to pay for a line (a negative discount is a markup), or a text that says what is wrong. */
export function discountedTotal(gross: Kopecks, discount: Discount): Kopecks | FaultText {
  const off = discount.type === "roubles" ? roublesOff(discount.value) : percentOff(gross, discount.value);
  if (typeof off === "object") return off;
  if (off > gross) return refusalTexts.discountAbove(formatRoubles(off), formatRoubles(gross));
  if (gross - off > MAX_SUM) return refusalTexts.lineAbove(formatRoubles(MAX_SUM));
  return kopecks(gross - off);
}

function roublesOff(value: string | number): Kopecks | FaultText {
  const off = parseScaled(value, 2);
  return off === null || Math.abs(off) > MAX_SUM ? refusalTexts.roubles : kopecks(off);
}

/**
 * The size of the discount is rounded half up, so that a markup mirrors a discount. A site that computes the percentage
 * (100 / 3) sends more decimals than have a meaning: four are used.
 */
function percentOff(gross: Kopecks, value: string | number): Kopecks | FaultText {
  const percent = Number(value);
  // A percentage in ten-thousandths is the share in millionths.
  const share = Math.round(Math.abs(percent) * 10 ** PERCENT_DECIMALS);
  const off = Number.isSafeInteger(share) ? grossOf(gross, quantity(share)) : null;
  if (off === null) return refusalTexts.lineAbove(formatRoubles(MAX_SUM));
  return percent < 0 ? kopecks(-off) : off;
}

/** Values of tag 1212 (subject) for goods that need their marking code. */
const withCode: readonly number[] = [31, 33];
/** Value of tag 1212 (subject): money without goods, such as a gift certificate that is sold. */
const ADVANCE_SUBJECT = 10;

const ofBank = [
  ["operation", 1044],
  ["agentPhones", 1073],
  ["transferPhones", 1075],
  ["transferName", 1026],
  ["transferAddress", 1005],
  ["transferInn", 1016],
] as const;
const ofPaying = [
  ["agentPhones", 1073],
  ["operatorPhones", 1074],
] as const;
/** Parts of tag 1223 (agent's data) by tag 1222 (kind): a bank's agent (161-FZ), other paying agents (103-FZ). */
const neededData: Readonly<Record<number, readonly (readonly [part: keyof AgentData, tag: number])[]>> = {
  1: ofBank,
  2: ofBank,
  4: ofPaying,
  8: ofPaying,
};

/** The default of tag 1214 (method): money without goods is an advance. */
export function defaultMethod(subject: number | undefined): number {
  return subject === ADVANCE_SUBJECT ? 3 : 4;
}

/** Default of tag 1212 (subject): an advance is a payment (10), a marked position is marked goods (33), else goods. */
export function defaultSubject(item: { readonly method: number; readonly markingCode: string | null }): number {
  if (item.markingCode !== null) return 33;
  return item.method === 3 ? ADVANCE_SUBJECT : 1;
}

export function methodOf({ paymentMode, itemType }: ItemExtensions): number {
  return paymentMode ?? defaultMethod(itemType);
}

export function itemLine(parts: ItemParts): ItemLine {
  const { name, price, quantity, total, printSum, extensions } = parts;
  const method = methodOf(extensions);
  const markingCode = extensions.markingCode ?? null;
  const unit = extensions.unit ?? null;
  return {
    type: "item",
    name,
    price,
    quantity,
    total,
    tax: extensions.tax ?? null,
    department: extensions.department,
    subject: extensions.itemType ?? defaultSubject({ method, markingCode }),
    method,
    unit,
    measure: extensions.measure ?? measureOf(unit),
    agent: agentOf(extensions),
    goodsCode: extensions.goodsCode ?? null,
    markingCode,
    countryCode: extensions.countryCode ?? null,
    customsDeclaration: extensions.customDeclarationCode ?? null,
    printSum,
    ...requisitesOf(extensions),
  };
}

function requisitesOf({ additionalProps, excise, industryProps }: ItemExtensions): Pick<ItemLine, "requisites"> {
  const industry = industryProps && industryOf(industryProps);
  const requisites: ItemRequisites = givenFields({ additional: additionalProps, excise, industry });
  return Object.keys(requisites).length === 0 ? {} : { requisites };
}

function industryOf({ federal_id: authority, ...rest }: NonNullable<ItemExtensions["industryProps"]>): Industry {
  return { authority, ...rest };
}

function agentOf(extensions: ItemExtensions): Agent | null {
  const { agentType, supplierName, supplierInn, supplierPhone, agentData } = extensions;
  if (agentType === undefined) return null;
  return {
    type: agentType,
    supplierName: supplierName ?? null,
    supplierPhones: supplierPhone ?? [],
    supplierInn: supplierInn === undefined || supplierInn === SUPPLIER_WITHOUT_INN ? null : supplierInn,
    ...(agentData === undefined ? {} : { data: givenFields(agentData) }),
  };
}

export function itemProblems(
  item: { readonly name: string; readonly quantity: Quantity; readonly extensions: ItemExtensions },
  at: (field: string) => string,
): readonly OrderProblem[] {
  const { extensions } = item;
  const problems: OrderProblem[] = [];
  if (item.name === "") problems.push(problem("order.missing-value", at("name"), refusalTexts.nameMissing));
  const supplier =
    extensions.supplierName ?? extensions.supplierInn ?? extensions.supplierPhone ?? extensions.agentData;
  if (supplier !== undefined && extensions.agentType === undefined) {
    problems.push(problem("order.missing-value", at("agentType"), refusalTexts.agentMissing));
  }
  const { agentType, agentData = {} } = extensions;
  const needed = agentType === undefined ? [] : (neededData[agentType] ?? []);
  const missing = needed.filter(([part]) => agentData[part] === undefined).map(([, tag]) => tag);
  if (missing.length > 0) {
    const message = refusalTexts.agentData(missing.join(", "));
    problems.push(problem("order.missing-value", at("agentData"), message));
  }
  const measure = extensions.measure ?? measureOf(extensions.unit ?? null);
  if (extensions.markingCode !== undefined && measure === 0 && item.quantity !== ONE_UNIT) {
    problems.push(problem("order.wrong-value", at("quantity"), refusalTexts.onePiece));
  }
  const { itemType, markingCode } = extensions;
  if (markingCode === undefined && itemType !== undefined && withCode.includes(itemType)) {
    const message = refusalTexts.codeMissing;
    problems.push(problem("order.missing-value", at("markingCode"), message));
  }
  const flaw = markingCode === undefined ? null : markFlaw(markingCode);
  if (flaw !== null) problems.push(problem("order.wrong-value", at("markingCode"), flaw));
  return problems;
}

/** Warns of values that are printed although they are hardly meant. */
export function itemWarnings(
  name: string,
  { markingCode, supplierPhone = [], agentData = {} }: ItemExtensions,
  at: (field: string) => string,
): readonly OrderWarning[] {
  const flaw = markingCode === undefined ? null : markWarning(markingCode);
  const { agentPhones = [], operatorPhones = [], transferPhones = [] } = agentData;
  const phones = { supplierPhone, agentData: [...agentPhones, ...operatorPhones, ...transferPhones] };
  const odd = Object.entries(phones).filter(([, given]) => given.some((phone) => parsePhones(phone) === null));
  return [
    ...nameWarnings(name, at("name")),
    ...(flaw === null ? [] : [warning(at("markingCode"), flaw)]),
    ...odd.map(([field]) => warning(at(field), refusalTexts.noPhone)),
  ];
}
