/** Fields of the whole receipt in both formats. Fields in `headExtensions` are accepted, never required. */
import { z } from "zod";
import { toInn, toKkm, toOrderId, toReceiptId } from "../ids.js";
import { parseLocalTime, parseWireTime } from "../local-time.js";
import type { TaxSystem } from "../receipt/receipt.js";
import { fieldTexts } from "./field-texts.js";
import {
  anyCaseObject,
  anyText,
  asText,
  choice,
  dateText,
  emptyAsAbsent,
  flag,
  idText,
  lineText,
  patternText,
  scalar,
} from "./lenient-fields.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tag 1055 (tax system) as its bit, or by its name in the delivery API. */
const taxSystems = {
  ...{ 1: 1, 2: 2, 4: 4, 8: 8, 16: 16, 32: 32 },
  ...{ osn: 1, usn_income: 2, usn_income_outcome: 4, envd: 8, esn: 16, patent: 32 },
} as const satisfies Readonly<Record<string, TaxSystem>>;

/** `typeClose`, the form of a payment, as the sync call lists the forms (54-fz 5). */
export const typeCloseField = choice({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4 }, fieldTexts.typeClose);

/** Cloud services number receipts with up to this many characters. */
export const MAX_ORDER_ID = 128;
export const orderIdField = idText({ max: MAX_ORDER_ID }).transform((text) => toOrderId(text));
export const kkmField = idText({ max: 64 }).transform((text) => toKkm(text));

const inn = patternText(fieldTexts.inn, /^(\d{10}|\d{12})$/).transform((text) => toInn(text));

export const headFields = {
  /** The register that has to print the order. A blank value names no register: the register that asked is meant. */
  kkm: kkmField.optional(),
  receiptId: patternText(fieldTexts.uuid, uuid)
    .transform((text) => toReceiptId(text))
    .optional(),
};

export const attributesField = anyCaseObject({ email: anyText.optional(), phone: anyText.optional() }).optional();

/** A day as `2026-07-14`, also from 14.07.2026. With a time it is refused, because registers print the day before. */
const day = scalar(fieldTexts.day, (value): string | null => {
  const text = asText(value)?.trim() ?? "";
  const iso = dateText.test(text) ? text.split(".").reverse().join("-") : text;
  return /^\d{4}-\d\d-\d\d$/.test(iso) && parseLocalTime(`${iso}T00:00`) !== null ? iso : null;
});

/** Tags 1173, 1178 and 1179 of a correction, with the keys of cloud services, and the document that it corrects. */
const correctionInfo = anyCaseObject({
  type: choice({ self: "self", instruction: "instruction" }),
  base_date: day,
  base_number: lineText({ max: 32 }).optional(),
  /** Extension: tag 1192, the fiscal sign of the document that is corrected. */
  corrected_fp: patternText(fieldTexts.fiscalSign, /^\d{1,10}$/).optional(),
  /** Extension: the site confirms rates that were not in force on the day of the settlement. */
  rate_confirmed: flag.optional(),
});

/** Extensions of a receipt, which the opening and the closing line of a task table accept too. */
export const headExtensions = {
  isInternetPayment: flag.optional(),
  internetPaymentUrl: lineText({ max: 256 }).optional(),
  /** The INN of the taxpayer who issues the receipt. */
  service: anyCaseObject({ inn: inn.optional() }).optional(),
  taxSystem: choice(taxSystems).optional(),
  cashierName: lineText({ max: 64 }).optional(),
  cashierPosition: lineText({ max: 64 }).optional(),
  cashierINN: patternText(fieldTexts.innOfPerson, /^\d{12}$/)
    .transform((text) => toInn(text))
    .optional(),
  clientContact: anyText.optional(),
  paymentPlace: lineText({ max: 256 }).optional(),
  buyerName: lineText({ max: 256 }).optional(),
  /** The buyer's INN. Forms write 0 where the buyer gave none. */
  buyerINN: z.preprocess((value) => (/^0+$/.test(asText(value) ?? "") ? undefined : value), inn.optional()),
  buyerBirthDate: patternText(fieldTexts.date, dateText).optional(),
  buyerCitizenship: patternText(fieldTexts.threeDigits, /^\d{3}$/).optional(),
  buyerDocumentCode: patternText(fieldTexts.twoDigits, /^\d{2}$/).optional(),
  buyerDocumentData: lineText({ max: 64 }).optional(),
  buyerAddress: lineText({ max: 256 }).optional(),
  /** Tag 1192 (additional property of the receipt). */
  additionalCheckProps: lineText({ max: 16 }).optional(),
  /** Tag 1084 (property of the user) with tags 1085 (name) and 1086 (value). */
  additionalUserProps: z.preprocess(
    emptyAsAbsent,
    anyCaseObject({ name: lineText({ max: 64 }), value: lineText({ max: 256 }) }).optional(),
  ),
  /** Tag 1270 (operational property), with the keys that cloud services use for it. */
  operatingCheckProps: z.preprocess(
    emptyAsAbsent,
    anyCaseObject({
      name: lineText({ max: 3 }),
      value: lineText({ max: 64 }),
      timestamp: scalar(fieldTexts.time, (value) => parseWireTime(asText(value) ?? "")),
    }).optional(),
  ),
  correctionInfo: z.preprocess(emptyAsAbsent, correctionInfo.optional()),
  /** When the buyer paid, with the offset from UTC; a time without an offset is in the site's zone. */
  paidAt: anyText.optional(),
};

export type HeadExtensions = z.output<z.ZodObject<typeof headExtensions>>;

interface OtherThanText {
  readonly isInternetPayment?: 0 | 1;
  readonly taxSystem?: number;
  readonly service?: { readonly inn: string };
  readonly additionalUserProps?: { readonly name: string; readonly value: string };
  readonly operatingCheckProps?: { readonly name: string; readonly value: string; readonly timestamp: string };
  readonly correctionInfo?: WireCorrection;
}

export interface WireCorrection {
  readonly type: "self" | "instruction";
  /** The day of the settlement, dd.mm.yyyy. */
  readonly base_date: string;
  readonly base_number?: string;
  readonly rate_confirmed?: 1;
}
type HeadText = Exclude<keyof typeof headFields | keyof typeof headExtensions, keyof OtherThanText>;

export type WireHead = OtherThanText & { readonly [Name in HeadText]?: string };
