/** The print-server format: a table of lines in print order, below the root object `response`. */
import { z } from "zod";
import type { FaultText } from "../fault-codes/fault-row.js";
import type { Alignment, ReportKind } from "../receipt/receipt.js";
import { refusalTexts } from "../receipt/texts/refusal-texts.js";
import { rateWords, type VatCode, vatCodes } from "../receipt/vat.js";
import { fieldTexts } from "./field-texts.js";
import {
  attributesField,
  headExtensions,
  headFields,
  orderIdField,
  typeCloseField,
  type WireHead,
} from "./head-fields.js";
import { itemExtensions, type WireItemExtensions } from "./item-fields.js";
import {
  anyCaseObject,
  anyText,
  asText,
  choice,
  decimal,
  flag,
  isNotGiven,
  isObject,
  knownFields,
  listOf,
  numberBetween,
  pickFields,
  quantityAboveZero,
  refuseValue,
  reportMissing,
  roubles,
  roublesAboveZero,
  roublesNotNegative,
  shownAsSent,
  spellingsOf,
} from "./lenient-fields.js";

export const MAX_TABLE_LINES = 1000;
export const MAX_TABLE_BYTES = 100 * 1024;

/** The reports of a Report line by their numbers (`reportType`). */
export const reportNumbers = { z: 1, x: 2, sections: 7, cashiers: 8, hours: 10 } as const satisfies Record<
  ReportKind,
  number
>;

const reports = { 1: "z", 2: "x", 7: "sections", 8: "cashiers", 10: "hours" } as const;

// The protocol's document names None as the default of this field.
const alignments = { Left: "left", None: "left", Center: "center", Right: "right" } as const;
const alignment = choice<Alignment>(alignments, fieldTexts.oneOf("Left, Center, Right")).default("left");
const zeroToThree = choice({ 0: 0, 1: 1, 2: 2, 3: 3 });

/** Fields of opening and closing lines. `operation` may have any value, because sites have own keys of this name. */
const frameParams = { ...headExtensions, attributes: attributesField, operation: z.unknown().optional() };

const vatKeys = spellingsOf(["type"]);

/** The names that a refusal lists: rates of today's sales first, beginning with the main one. */
const listed = ([11, 2, 7, 8, 5, 6, 12, 4, 9, 10, 1, 3] as const).map((code) => rateWords[code]);
export const rateNames = listed.join(", ");

/** Suggests the rate of today that the number in a wrong name means: vat110 for "10/110". */
export function noRateText(word: unknown): FaultText {
  const name = rateOfNumber(asText(word) ?? "");
  // The rates of 2025 are right in returns and corrections only, so none is suggested in place of another.
  const near = listed.slice(0, -2).find((rate) => rate === name) ?? null;
  return refusalTexts.noRate(shownAsSent(word), rateNames, near);
}

function rateOfNumber(word: string): string | null {
  const [, percent, whole] = /^\D*(\d+)(?:[.,]0+)?\s*%?(?:\s*\/\s*(\d+))?\D*$/.exec(word) ?? [];
  if (percent === undefined) return null;
  if (whole === undefined) return `vat${percent}`;
  return Number(whole) === 100 + Number(percent) ? `vat${whole}` : null;
}

/** A rate of VAT by name, as in the online format: `{ "type": "vat22" }`. An extension, in place of `tax`. */
const rateInWords = z.transform((value: unknown, context): VatCode => {
  const { type } = isObject(value) ? pickFields(value, vatKeys).fields : {};
  const code = vatCodes.find((it) => rateWords[it] === asText(type)?.trim().toLowerCase());
  if (code !== undefined) return code;
  const text = isNotGiven(type)
    ? fieldTexts.mustBe(fieldTexts.rateInWords(rateNames), shownAsSent(value))
    : noRateText(type);
  return refuseValue(context, text);
});

const itemParams = {
  ...itemExtensions,
  vat: rateInWords.optional(),
  price: roublesNotNegative,
  quantity: quantityAboveZero,
  discountType: choice({ 0: "roubles", 1: "percent" }).optional(),
  discountValue: decimal.optional(),
  enableCheckSumm: flag.default(false),
};

const textParams = {
  font: zeroToThree.default(0),
  bold: flag.default(false),
  italic: flag.default(false),
  dblHeight: flag.default(false),
  underLine: flag.default(false),
  overLine: flag.default(false),
  negative: flag.default(false),
  charRotation: zeroToThree.default(0),
  wrap: flag.default(true),
  alignment,
  newLine: flag.default(true),
  lineSpacingMax: flag.default(false),
};

const MAX_BARCODE_MM = 255;

const barcodeParams = {
  barCodeHeight: numberBetween({ min: 1, max: MAX_BARCODE_MM }).default(50),
  barCodeType: choice({ EAN13: "ean13", Code39: "code39", QR: "qr" }).default("ean13"),
  barCodePrintText: flag.default(false),
  alignment,
};

/** Fields that change only a line's appearance, with a number's largest value. None refuses a paid receipt. */
const looks: ReadonlyMap<string, number | undefined> = new Map([
  ...[...Object.keys(textParams), ...Object.keys(barcodeParams), "enableCheckSumm"].map(
    (name) => [name, undefined] as const,
  ),
  ["font", 3],
  ["barCodeHeight", MAX_BARCODE_MM],
]);

/** Data that is no text, such as PHP's `false` for a missing picture, counts as an empty text. */
const anyData = anyText.catch("");

const lineSchemas = [
  line("OpenCheckSell", anyData, frameParams),
  line("OpenCheckReturn", anyData, frameParams),
  line("OpenCheckSellCorrection", anyData, frameParams),
  line("OpenCheckReturnCorrection", anyData, frameParams),
  line("CloseCheck", anyData, { ...frameParams, printDoc: flag.optional() }),
  line("CancelCheck", anyData, {}),
  line("Registration", anyText, itemParams),
  line("Return", anyText, itemParams),
  line("Payment", anyData, { summ: roubles, typeClose: typeCloseField }),
  line("CashIncome", anyData, { summ: roublesAboveZero }),
  line("CashOutcome", anyData, { summ: roublesAboveZero }),
  line("String", anyData, textParams),
  line("BarCode", anyData, barcodeParams),
  line("Image", anyData, { alignment }),
  line("ClientContact", anyText.default(""), { printDoc: flag.optional() }),
  line("PrintHeader", anyData, {}),
  line("PrintFooter", anyData, {}),
  line("Cut", anyData, {}),
  line("Report", anyData, { reportType: choice(reports) }),
  line("SyncTime", anyData, {}),
] as const;

function line<Type extends string, Data extends z.ZodType, Param extends z.ZodRawShape>(
  type: Type,
  data: Data,
  param: Param,
) {
  return z.object({
    type: z.literal(type),
    data,
    param: anyCaseObject(param),
    /** Fields of appearance that are printed differently from what the order asks for. */
    oddLooks: z.custom<readonly OddLook[]>(Array.isArray),
  });
}

export interface OddLook {
  readonly field: string;
  readonly text: FaultText;
}

/** An appearance value that is not allowed becomes the largest value or the default. */
function withKnownLooks(
  param: unknown,
  shape: z.ZodRawShape,
): { readonly param: unknown; readonly oddLooks: OddLook[] } {
  if (!isObject(param)) return { param, oddLooks: [] };
  const names = spellingsOf(Object.keys(shape).filter((name) => looks.has(name)));
  const oddLooks: OddLook[] = [];
  const known = Object.entries(param).map(([key, value]): [string, unknown] => {
    const field = names.get(key.toLowerCase());
    const schema = field === undefined ? undefined : shape[field];
    if (field === undefined || schema === undefined || isNotGiven(value) || z.safeParse(schema, value).success)
      return [key, value];
    const largest = looks.get(field);
    const used = largest !== undefined && Number(asText(value)) > largest ? largest : undefined;
    const shown = shownAsSent(value);
    const text = used === undefined ? fieldTexts.usualLook(shown) : fieldTexts.largestLook(shown, used);
    oddLooks.push({ field, text });
    return [key, used];
  });
  return { param: Object.fromEntries(known), oddLooks };
}

export type TaskLineType = z.output<(typeof lineSchemas)[number]>["type"];

const lineKeys = spellingsOf(["type", "data", "param"]);
const lineTypes = spellingsOf(lineSchemas.map((schema) => schema.shape.type.value));
const paramShapes: ReadonlyMap<string, z.ZodRawShape> = new Map<string, z.ZodRawShape>([
  ["String", textParams],
  ["BarCode", barcodeParams],
  ["Image", { alignment }],
  ["Registration", itemParams],
  ["Return", itemParams],
]);

/** Spells a line's keys and type as in the specification, so that the type can choose the schema. */
const taskLineSchema = z.preprocess(
  (value, context) => {
    if (!isObject(value)) return refuseValue(context, fieldTexts.mustBe(fieldTexts.aLineObject, shownAsSent(value)));
    // A text of blanks may separate two texts of one row, so it counts as given.
    const fields = knownFields(value, lineKeys, context, (given) => (given ?? "") === "");
    const { type } = fields;
    if (type === undefined) return reportMissing(context, ["type"]);
    const known = typeof type === "string" ? lineTypes.get(type.trim().toLowerCase()) : undefined;
    if (known === undefined) return refuseValue(context, fieldTexts.noLineType(shownAsSent(type)), ["type"]);
    return { ...fields, ...withKnownLooks(fields.param, paramShapes.get(known) ?? {}), type: known };
  },
  z.discriminatedUnion("type", lineSchemas),
);

export type TaskLine = z.output<typeof taskLineSchema>;

export const taskTableSchema = anyCaseObject({
  ...headFields,
  ...headExtensions,
  orderId: orderIdField.optional(),
  operation: anyText.optional(),
  attributes: attributesField,
  taskTable: listOf(taskLineSchema),
});

export type TaskTableOrder = z.output<typeof taskTableSchema>;

/** A task table as this program writes it: without defaults. */
export interface TaskTableAnswer {
  readonly response: WireTaskTable;
}

export interface WireTaskTable extends WireHead {
  readonly orderId?: string;
  readonly taskTable: readonly WireLine[];
}

export interface WireLine {
  readonly type: TaskLineType;
  readonly data?: string;
  readonly param?: WireParam;
}

interface OtherThanFlags {
  readonly font?: number;
  readonly charRotation?: number;
  readonly alignment?: "Left" | "Center" | "Right";
}

export type WireTextParam = OtherThanFlags & {
  readonly [Name in Exclude<keyof typeof textParams, keyof OtherThanFlags>]?: boolean;
};

export interface WireParam extends WireItemExtensions, WireTextParam {
  readonly price?: number | string;
  readonly quantity?: number | string;
  readonly discountType?: 0 | 1;
  readonly discountValue?: number | string;
  readonly enableCheckSumm?: boolean;
  readonly summ?: number | string;
  readonly typeClose?: number;
  readonly barCodeHeight?: number;
  readonly barCodeType?: "EAN13" | "Code39" | "QR";
  readonly barCodePrintText?: boolean;
  readonly printDoc?: boolean;
  readonly reportType?: number;
}
