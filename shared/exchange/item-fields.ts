/** Fields of a position that the protocol's document does not have. Both formats accept them and never require them. */
import { z } from "zod";
import { toInn } from "../ids.js";
import { parsePhones } from "../receipt/buyer-contact.js";
import { bareCode } from "../receipt/marking-code.js";
import { measureWords, unitOf } from "../receipt/measure.js";
import { fieldTexts } from "./field-texts.js";
import {
  anyCaseObject,
  asText,
  base64Bytes,
  choice,
  dateText,
  emptyAsAbsent,
  lineText,
  oneLine,
  patternText,
  refuseValue,
  roublesNotNegative,
  scalar,
  wholeNumber,
} from "./lenient-fields.js";

/** Tag 1212 (subject) by number and by cloud services' names. For 19 to 27 names differ, so only numbers count. */
export const subjectAliases = {
  commodity: 1,
  excise: 2,
  job: 3,
  service: 4,
  gambling_bet: 5,
  gambling_prize: 6,
  lottery: 7,
  lottery_prize: 8,
  intellectual_activity: 9,
  payment: 10,
  agent_commission: 11,
  composite: 12,
  another: 13,
  property_right: 14,
  "non-operating_gain": 15,
  insurance_premium: 16,
  sales_tax: 17,
  resort_fee: 18,
  excisable_goods_without_marking_code: 30,
  excisable_goods_with_marking_code: 31,
  goods_without_marking_code: 32,
  goods_with_marking_code: 33,
} as const;

const subjectNumbers = [...Array.from({ length: 27 }, (_, index) => index + 1), 30, 31, 32, 33];

/** Tag 1214 (method of payment). */
export const methodAliases = {
  full_prepayment: 1,
  prepayment: 2,
  advance: 3,
  full_payment: 4,
  partial_payment: 5,
  credit: 6,
  credit_payment: 7,
} as const;

/** Tag 1222 (kind of agent), one bit. */
export const agentAliases = {
  bank_paying_agent: 1,
  bank_paying_subagent: 2,
  paying_agent: 4,
  paying_subagent: 8,
  attorney: 16,
  commission_agent: 32,
  another: 64,
} as const;

/** Tag 2108 (measure of quantity). */
export const measureNumbers = [
  0, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 70, 71, 72, 73, 80, 81, 82, 83, 255,
] as const;

/** Reads the codes of a tag by number or by name. `listed`: the names that a refusal shows. */
function codes(
  tag: number,
  numbers: readonly number[],
  aliases: Readonly<Record<string, number>>,
  listed: readonly string[] = Object.keys(aliases),
) {
  const byNumber = Object.fromEntries(numbers.map((number) => [number, number]));
  return choice({ ...byNumber, ...aliases }, fieldTexts.tagCode(tag, listed.join(", ")));
}

/** Tag 1226 (the supplier's INN). Twelve zeros stand for a supplier without INN. */
const supplierInn = patternText(fieldTexts.inn, /^(\d{10}|\d{12})$/).transform((text) => toInn(text));
const MAX_PHONE = 19;
/** Tag 1171 (supplier's phones): one phone, or several between commas, as registers take them. Any other text stays. */
const phones = scalar(fieldTexts.textUpTo(MAX_PHONE), (value): readonly string[] | null => {
  const text = oneLine(asText(value)) ?? "";
  return parsePhones(text) ?? (text !== "" && text.length <= MAX_PHONE ? [text] : null);
});

/** Tag 2108 (measure of quantity); some services send the unit's name in this field. */
const measureField = codes(
  2108,
  measureNumbers,
  measureWords,
  measureNumbers.flatMap((measure) => unitOf(measure) ?? []),
);

const phoneList = z.preprocess(
  (value) => (value === undefined ? value : [value].flat()),
  z
    .array(phones)
    .transform((lists) => (lists.length === 0 ? undefined : lists.flat()))
    .optional(),
);

export const itemExtensions = {
  department: wholeNumber({ min: 0, max: 16 }).default(1),
  tax: wholeNumber({ min: 0, max: 255 }).optional(),
  itemType: codes(1212, subjectNumbers, subjectAliases).optional(),
  paymentMode: codes(1214, [1, 2, 3, 4, 5, 6, 7], methodAliases).optional(),
  unit: lineText({ max: 16 }).optional(),
  measure: measureField.optional(),
  agentType: codes(1222, [1, 2, 4, 8, 16, 32, 64], agentAliases).optional(),
  supplierName: lineText({ max: 256 }).optional(),
  supplierInn: supplierInn.optional(),
  /** One phone or a list; an empty list counts as absent. */
  supplierPhone: phoneList,
  agentData: anyCaseObject({
    operation: lineText({ max: 24 }).optional(),
    agentPhones: phoneList,
    operatorPhones: phoneList,
    transferPhones: phoneList,
    transferName: lineText({ max: 64 }).optional(),
    transferAddress: lineText({ max: 256 }).optional(),
    transferInn: supplierInn.optional(),
  }).optional(),
  /** Tag 1191 (additional property of the position). */
  additionalProps: lineText({ max: 64 }).optional(),
  /** Tag 1229 (excise). */
  excise: roublesNotNegative.optional(),
  /** Tag 1260 (industry property), with the keys of cloud services; a list of one element is accepted too. */
  industryProps: z.preprocess(
    (value, context) =>
      Array.isArray(value) && value.length > 1
        ? refuseValue(context, fieldTexts.oneElement)
        : emptyAsAbsent([value].flat()[0]),
    anyCaseObject({
      federal_id: patternText(fieldTexts.threeDigits, /^\d{3}$/),
      date: patternText(fieldTexts.date, dateText),
      number: lineText({ max: 32 }),
      value: lineText({ max: 256 }),
    }).optional(),
  ),
  /** Base64 of tag 1162 or 1163 (code of the goods). */
  goodsCode: base64Bytes({ max: 32 }).optional(),
  markingCode: base64Bytes({ max: 256 }).transform(bareCode).optional(),
  countryCode: patternText(fieldTexts.threeDigits, /^\d{3}$/).optional(),
  customDeclarationCode: lineText({ max: 32 }).optional(),
};

export type ItemExtensions = z.output<z.ZodObject<typeof itemExtensions>>;

interface OtherItemFields {
  /** A rate of VAT by name, in place of `tax`. */
  readonly vat?: { readonly type: string };
  readonly supplierPhone?: string | readonly string[];
  readonly agentData?: WireAgentData;
  readonly excise?: number | string;
  readonly industryProps?: WireIndustry;
}
type ItemNumber = "tax" | "department" | "itemType" | "paymentMode" | "measure" | "agentType";
type ItemText = Exclude<keyof typeof itemExtensions, ItemNumber | keyof OtherItemFields>;

export type WireItemExtensions = OtherItemFields & { readonly [Name in ItemNumber]?: number } & {
  readonly [Name in ItemText]?: string;
};

export interface WireAgentData {
  readonly operation?: string;
  readonly agentPhones?: readonly string[];
  readonly operatorPhones?: readonly string[];
  readonly transferPhones?: readonly string[];
  readonly transferName?: string;
  readonly transferAddress?: string;
  readonly transferInn?: string;
}

export interface WireIndustry {
  readonly federal_id: string;
  readonly date: string;
  readonly number: string;
  readonly value: string;
}
