import { type Kopecks, parseQuantity, parseRoubles, parseScaled } from "@fiscald/shared/amounts.js";
import {
  agentAliases,
  methodAliases,
  subjectAliases,
  type WireAgentData,
  type WireIndustry,
  type WireItemExtensions,
} from "@fiscald/shared/exchange/item-fields.js";
import { isObject, shownAsSent, showValue } from "@fiscald/shared/exchange/lenient-fields.js";
import { type OrderProblem, problem } from "@fiscald/shared/exchange/order-problem.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { nearestWord } from "@fiscald/shared/known-keys.js";
import { discountedTotal, grossOf } from "@fiscald/shared/receipt/formats/item-line.js";
import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import { rateWords, type VatCode } from "@fiscald/shared/receipt/vat.js";
import { builderTexts } from "./builder-texts.js";

/** Roubles or a quantity: a decimal text such as "19.90", or a number. */
export type Decimal = string | number;

export type DiscountInput =
  | { readonly roubles: Decimal; readonly percent?: never }
  | { readonly percent: Decimal; readonly roubles?: never };

/** Codes of tag 1199 (rate of VAT). Every register has rows of its own for the rates. */
const taxRates = {
  "22 %": 11,
  "20 %": 1,
  "10 %": 2,
  "7 %": 8,
  "5 %": 7,
  "0 %": 5,
  none: 6,
  "22/122": 12,
  "20/120": 3,
  "10/110": 4,
  "7/107": 10,
  "5/105": 9,
} as const satisfies Record<string, VatCode>;

export type TaxRate = keyof typeof taxRates;
/** Names of tag 1212 (subject of a position). */
export type Subject = keyof typeof subjectAliases;
/** Names of tag 1214 (method of payment for a position). */
export type Method = keyof typeof methodAliases;
/** Names of tag 1222 (kind of agent). */
export type AgentKind = keyof typeof agentAliases;

export interface ItemInput {
  readonly name: string;
  /** Price of one unit in roubles, before the discount. */
  readonly price: Decimal;
  /** Default 1. */
  readonly quantity?: Decimal;
  /** The discount is off the whole line; a negative one is a markup. */
  readonly discount?: DiscountInput;
  /** A rate such as "22 %", or the id of a tax row that the register itself has sent (`taxes` of the sync call). */
  readonly tax?: TaxRate | number;
  /** 0 to 16; default 1. */
  readonly department?: number;
  /** Tag 1212 (subject) by name or number; default "commodity", for marked goods 33. */
  readonly subject?: Subject | number;
  /** Tag 1214 (method of payment) by name or number; default "full_payment", in a prepayment "full_prepayment". */
  readonly method?: Method | number;
  readonly unit?: string;
  /** Tag 2108 (measure of quantity); default: the measure that `unit` names. */
  readonly measure?: number;
  readonly agent?: AgentInput;
  /** Tag 1162 (code of the goods) as text or bytes. */
  readonly goodsCode?: string | Uint8Array;
  /** The marking code as scanned, GS characters included, as text or bytes. One code is one piece. */
  readonly markingCode?: string | Uint8Array;
  /** Country of origin, three digits of the classifier OKSM. */
  readonly countryCode?: string;
  readonly customsDeclaration?: string;
  /** Tag 1191 (additional property of the position). */
  readonly additionalProps?: string;
  /** Tag 1229 (excise) in roubles. */
  readonly excise?: Decimal;
  /** Tag 1260 (industry property), for example the answer of the marking system. */
  readonly industryProps?: WireIndustry;
}

/** A delivery or a gift certificate is a position of its own. */
export interface DeliveryInput extends Omit<ItemInput, "name" | "quantity"> {
  /** Default "Доставка" (delivery). */
  readonly name?: string;
}

export interface AgentInput {
  /** Tag 1222 (kind of agent) by name, or 1, 2, 4, 8, 16, 32 or 64. */
  readonly type: AgentKind | number;
  readonly supplierName?: string;
  readonly supplierPhones?: readonly string[];
  readonly supplierInn?: string;
  /** Tag 1223 (agent's data): paying agents need phones of agent and operator, banks' agents all of the transfer. */
  readonly data?: WireAgentData;
}

const itemOptions = [
  ...["name", "price", "quantity", "discount", "tax", "department", "subject", "method", "unit", "measure", "agent"],
  ...["goodsCode", "markingCode", "countryCode", "customsDeclaration", "additionalProps", "excise", "industryProps"],
];
const agentOptions = ["type", "supplierName", "supplierPhones", "supplierInn", "data"];

/** Problems with words and names of options. The print server's own checks judge the values. */
export function itemFlaws(input: ItemInput, place: string): readonly OrderProblem[] {
  if (!isObject(input)) return unknownOptions(input, itemOptions, place);
  const { tax, subject, method, agent, discount } = input;
  const flaws = [
    ...unknownOptions(input, itemOptions, place),
    ...wordFlaw(tax, taxRates, `${place}.tax`, builderTexts.rate),
    ...wordFlaw(subject, subjectAliases, `${place}.subject`, builderTexts.subject),
    ...wordFlaw(method, methodAliases, `${place}.method`, builderTexts.method),
    ...(discount === undefined ? [] : unknownOptions(discount, ["roubles", "percent"], `${place}.discount`)),
    ...(agent === undefined ? [] : unknownOptions(agent, agentOptions, `${place}.agent`)),
    ...(isObject(agent) ? wordFlaw(agent.type, agentAliases, `${place}.agent.type`, builderTexts.agent) : []),
    ...codeFlaw(input.goodsCode, `${place}.goodsCode`),
    ...codeFlaw(input.markingCode, `${place}.markingCode`),
  ];
  const total = flaws.length > 0 ? null : inputTotal(input);
  return isFlaw(total) ? [problem("receipt.discount", `${place}.discount`, total)] : flaws;
}

/** A misspelt option would silently change the receipt. */
export function unknownOptions(given: object, known: readonly string[], place: string): readonly OrderProblem[] {
  if (!isObject(given)) return [problem("order.wrong-value", place, builderTexts.notObject(shownAsSent(given)))];
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestWord(name, known, Math.min(2, Math.floor(name.length / 2)));
      return problem("order.wrong-value", `${place}.${name}`, builderTexts.noOption(known.join(", "), near));
    });
}

/** Any number passes here: the print server's check knows the valid ones. */
export function wordFlaw(
  value: string | number | undefined,
  words: Readonly<Record<string, number>>,
  place: string,
  what: FaultText,
): readonly OrderProblem[] {
  if (value === undefined || typeof value === "number" || isWord(value, words)) return [];
  const named = typeof value === "string" ? value : showValue(value);
  return [problem("order.wrong-value", place, builderTexts.noWord(named, what, Object.keys(words).join(", ")))];
}

function codeFlaw(code: unknown, place: string): readonly OrderProblem[] {
  if (code === undefined || typeof code === "string" || code instanceof Uint8Array) return [];
  return [problem("order.wrong-value", place, builderTexts.notCode(shownAsSent(code)))];
}

export function codeOf(value: string | number, words: Readonly<Record<string, number>>): number {
  if (typeof value === "number") return value;
  return isWord(value, words) ? (words[value] ?? Number.NaN) : Number.NaN;
}

/** Plain JavaScript may pass anything, even what cannot be a key. */
function isWord(value: unknown, words: Readonly<Record<string, number>>): value is string {
  return typeof value === "string" && Object.hasOwn(words, value);
}

export function wireExtensions(input: ItemInput): WireItemExtensions {
  const { tax, department, subject, method, unit, measure, agent, countryCode, additionalProps, industryProps } = input;
  return {
    ...givenFields({ department, unit, measure, countryCode, additionalProps, industryProps }),
    ...givenFields({ customDeclarationCode: input.customsDeclaration }),
    ...(tax === undefined ? {} : wireTax(tax)),
    ...(subject === undefined ? {} : { itemType: codeOf(subject, subjectAliases) }),
    ...(method === undefined ? {} : { paymentMode: codeOf(method, methodAliases) }),
    ...(agent === undefined ? {} : wireAgent(agent)),
    ...(input.goodsCode === undefined ? {} : { goodsCode: base64Of(input.goodsCode) }),
    ...(input.markingCode === undefined ? {} : { markingCode: base64Of(input.markingCode) }),
    ...(input.excise === undefined ? {} : { excise: wireDecimal(input.excise, 2) }),
  };
}

function wireTax(tax: TaxRate | number): WireItemExtensions {
  return typeof tax === "number" ? { tax } : { vat: { type: rateWords[taxRates[tax]] } };
}

function wireAgent({ type, supplierName, supplierInn, supplierPhones, data }: AgentInput): WireItemExtensions {
  return {
    agentType: codeOf(type, agentAliases),
    ...givenFields({ supplierName, supplierInn, agentData: data }),
    ...(supplierPhones === undefined || supplierPhones.length === 0 ? {} : { supplierPhone: supplierPhones }),
  };
}

function base64Of(code: string | Uint8Array): string {
  return (typeof code === "string" ? Buffer.from(code, "utf8") : Buffer.from(code)).toString("base64");
}

/** A decimal becomes a JSON number. Anything else stays as it is, so that the check names it. */
export function wireDecimal(value: Decimal, decimals: number): Decimal {
  return !isDecimal(value) || parseScaled(value, decimals) === null ? value : Number(value);
}

/** Null for anything that is no sum, whatever JavaScript passes. */
export function asKopecks(value: Decimal): Kopecks | null {
  return isDecimal(value) ? parseRoubles(value) : null;
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === "string" || typeof value === "number";
}

/** Null for a wrong price or quantity. */
export function inputGross({ price, quantity = 1 }: ItemInput): Kopecks | null {
  const unitPrice = asKopecks(price);
  const count = isDecimal(quantity) ? parseQuantity(quantity) : null;
  return unitPrice === null || count === null ? null : grossOf(unitPrice, count);
}

/** The sum to be paid. Null for a wrong price or quantity; a text says what is wrong with the discount. */
export function inputTotal(input: ItemInput): Kopecks | FaultText | null {
  const gross = inputGross(input);
  return gross === null || input.discount === undefined ? gross : totalAfter(gross, input.discount);
}

export function totalAfter(sum: Kopecks, discount: DiscountInput): Kopecks | FaultText {
  const { roubles, percent } = discount;
  if (roubles !== undefined && percent !== undefined) return builderTexts.bothDiscounts;
  if (roubles !== undefined) {
    return isDecimal(roubles)
      ? discountedTotal(sum, { type: "roubles", value: roubles })
      : builderTexts.noRoubles(shownAsSent(roubles));
  }
  return isDecimal(percent) && percent !== "" && Number.isFinite(Number(percent))
    ? discountedTotal(sum, { type: "percent", value: percent })
    : builderTexts.noPercent(shownAsSent(percent));
}

export function isFlaw(total: Kopecks | FaultText | null): total is FaultText {
  return typeof total === "object" && total !== null;
}
