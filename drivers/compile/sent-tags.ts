/**
 * The tags that a receipt's program sends, in the form in which the drive's document should show them: after the
 * splitting of positions, in the register's format. Tags that the register makes itself are left out. Pure.
 */
import {
  type Correction,
  itemsOf,
  type Payment,
  type Receipt,
  type SaleReceipt,
  SUPPLIER_WITHOUT_INN,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { meaningOfRow, VAT_SUMS, vatSumTags } from "@fiscald/shared/receipt/vat.js";
import { withSum } from "../codec/tag-values.js";
import type { DocumentTags, TagValues } from "../fiscal-document.js";
import type { CompileContext, Identity } from "../fiscal-driver.js";
import type { Program } from "../program.js";
import { correctionTypes, isOfSums, sumsByRate } from "./corrections.js";
import { printedUnit } from "./fiscal-texts.js";
import { subjectOf } from "./marking.js";
import { onlySystemOf } from "./receipt-tags.js";
import { agentTexts, buyerTexts, industryTexts, type TagText, userPropertyOf } from "./requisites.js";

const CASH = 0;
const NAME_LENGTH = 128;
/** Tag 2108 (measure). */
const PIECES = 0;
const SIGN = 1;
/** Tags of the payment sums, by typeClose 0 to 4. */
const paymentTags = [1031, 1081, 1215, 1216, 1217] as const;
const operationCodes = { sale: 1, return: 2 } as const;

export interface SentTo {
  readonly identity: Pick<Identity, "ffd" | "taxSystems">;
  readonly spell: (text: string) => string;
  /** False: a measure without a unit is sent as its code in every format. */
  readonly namesMeasures?: boolean;
}

/** Adds the sent tags to the program that makes the receipt; other programs stay as they are. */
export function withSentTags<C>(
  programs: readonly Program<C>[],
  receipt: Receipt,
  context: CompileContext,
  to: SentTo,
): readonly Program<C>[] {
  if (receipt.kind !== "receipt") return programs;
  return programs.map((program) => {
    if (program.witness.kind !== "receipt") return program;
    return { ...program, sent: sentTagsOf(receipt, { ...context, mark: program.witness.mark }, to) };
  });
}

export function sentTagsOf(receipt: SaleReceipt, context: CompileContext, to: SentTo): DocumentTags {
  const head = headTags(receipt, context, to);
  if (!isOfSums(receipt, to.identity)) return { head, items: itemTags(receipt, context, to) };
  const sums: Record<number, string | number> = {};
  for (const [vat, sum] of sumsByRate(receipt, context)) {
    const tag = vatSumTags[vat] ?? VAT_SUMS;
    // A sum that is rounded to 0 may be missing in the document.
    if (sum > 0) sums[tag] = tag === VAT_SUMS ? withSum(sums, { 1199: vat, 1120: sum }) : sum;
  }
  return { head: { ...head, ...sums }, items: [] };
}

function headTags(receipt: SaleReceipt, context: CompileContext, { identity, spell }: SentTo): TagValues {
  const inTags = textsBy(spell);
  const cashier = receipt.cashier ?? context.cashier;
  const taxSystem = receipt.taxSystem ?? context.taxSystem ?? onlySystemOf(identity);
  const property = userPropertyOf(receipt, context);
  return withoutNulls({
    1054: operationCodes[receipt.operation],
    1020: totalOf(receipt),
    1055: taxSystem ?? null,
    ...paidTags(receipt),
    1008: inTags(receipt.contact),
    1125: receipt.internet === null ? null : SIGN,
    1187: inTags(receipt.internet?.url ?? receipt.settlementPlace),
    1021: inTags(cashier?.name ?? null),
    1203: cashier?.inn ?? null,
    1085: inTags(property?.name ?? null),
    1086: inTags(property?.value ?? null),
    ...requisiteTags(receipt, inTags),
    ...(receipt.correction === undefined ? {} : correctionTags(receipt.correction, inTags)),
  });
}

function correctionTags(correction: Correction, inTags: InTags): Readonly<Record<number, SentValue>> {
  const number = correction.type === "instruction" ? correction.number : null;
  return { 1173: correctionTypes[correction.type], 1178: correction.date, 1179: inTags(number) };
}

/** The time (tag 1273) of the operational requisite is left out, because each maker shows the time in another form. */
function requisiteTags({ requisites = {} }: SaleReceipt, inTags: InTags): Readonly<Record<number, SentValue>> {
  const { buyer, additional, operating } = requisites;
  return {
    1192: inTags(additional ?? null),
    ...(buyer === undefined ? {} : textTags(buyerTexts(buyer), inTags)),
    ...(operating === undefined ? {} : { 1271: Number(operating.id), 1272: inTags(operating.data) }),
  };
}

function paidTags(receipt: SaleReceipt): Readonly<Record<number, number>> {
  const { payments } = receipt;
  const cashless = payments.filter(({ typeClose }) => typeClose !== CASH).reduce((sum, { sum: paid }) => sum + paid, 0);
  const paid = ({ typeClose, sum }: Payment) =>
    typeClose === CASH ? Math.min(sum, totalOf(receipt) - cashless) : Number(sum);
  return Object.fromEntries(
    payments.flatMap((payment) => {
      const tag = paymentTags[payment.typeClose];
      return tag === undefined || paid(payment) <= 0 ? [] : [[tag, paid(payment)]];
    }),
  );
}

function itemTags(receipt: SaleReceipt, { tables, defaultTax }: CompileContext, to: SentTo): readonly TagValues[] {
  const { identity, spell, namesMeasures = true } = to;
  const { ffd } = identity;
  const inTags = textsBy(spell);
  return itemsOf(receipt).flatMap((item, index) => {
    const { agent } = item;
    const row = tables.taxes.find(({ id }) => id === (item.tax ?? defaultTax));
    const own = {
      1030: inTags(item.name.slice(0, NAME_LENGTH)),
      1199: row === undefined ? null : meaningOfRow(row, receipt, item.method),
      1212: subjectOf(item),
      1214: item.method,
      ...(ffd === "1.2"
        ? { 2108: item.measure === PIECES ? null : item.measure }
        : { 1197: inTags(namesMeasures ? printedUnit(item, `items[${index}]`) : item.unit) }),
      [ffd === "1.2" ? 1163 : 1162]: item.markingCode === null && item.goodsCode === null ? null : SIGN,
      1222: agent?.type ?? null,
      1225: inTags(agent?.supplierName ?? null),
      1171: agent === null || agent.supplierPhones.length === 0 ? null : agent.supplierPhones.join(","),
      1226: agent === null ? null : (agent.supplierInn ?? SUPPLIER_WITHOUT_INN),
      1230: item.countryCode,
      1231: inTags(item.customsDeclaration),
      1191: inTags(item.requisites?.additional ?? null),
      1229: item.requisites?.excise ?? null,
      ...(item.requisites?.industry === undefined ? {} : textTags(industryTexts(item.requisites.industry), inTags)),
      ...(agent?.data === undefined ? {} : textTags(agentTexts(agent.data), inTags)),
    };
    return splitLine(item).map(({ price, quantity, total }) =>
      withoutNulls({ ...own, 1079: price, 1023: quantity, 1043: total }),
    );
  });
}

type InTags = (text: string | null) => string | null;
type SentValue = string | number | null;

function textsBy(spell: SentTo["spell"]): InTags {
  return (text) => (text === null ? null : spell(text));
}

/** Joins the values of a tag that occurs several times, such as the phones of an agent. */
function textTags(texts: readonly TagText[], inTags: InTags): Readonly<Record<number, SentValue>> {
  const tags: Record<number, SentValue> = {};
  for (const [tag, text] of texts) tags[tag] = tags[tag] === undefined ? inTags(text) : `${tags[tag]},${inTags(text)}`;
  return tags;
}

function withoutNulls(tags: Readonly<Record<number, SentValue>>): TagValues {
  const given: Record<string, string | number> = {};
  for (const tag in tags) {
    const value = tags[tag];
    if (value !== null && value !== undefined && value !== "") given[tag] = value;
  }
  return given;
}
