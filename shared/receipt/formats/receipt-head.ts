/** The part of a receipt that both formats spell alike: internet settlement, cashier, tax system, contact. */
import { fieldTexts } from "../../exchange/field-texts.js";
import type { HeadExtensions } from "../../exchange/head-fields.js";
import { type OrderProblem, type OrderWarning, problem, warning } from "../../exchange/order-problem.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import { parseInstant } from "../../local-time.js";
import { hasUnseenInContact, isNoContact, parseContact } from "../buyer-contact.js";
import type { ReceiptRules } from "../check-receipt.js";
import {
  type Buyer,
  type Cashier,
  type Correction,
  givenFields,
  type ReceiptRequisites,
  type SaleReceipt,
} from "../receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";

const MAX_CASHIER = 64;

/** The day since which registers with a fiscal drive are in use (54-fz 1). */
const FIRST_DAY = "2016-07-15";

type ReceiptHead = Pick<
  SaleReceipt,
  "internet" | "settlementPlace" | "cashier" | "taxSystem" | "requisites" | "correction"
>;

/** A missing address of an internet receipt becomes "", which `checkReceipt` then refuses. */
export function receiptHead(extensions: HeadExtensions): ReceiptHead {
  const internet = extensions.isInternetPayment ? { url: extensions.internetPaymentUrl ?? "" } : null;
  return {
    internet,
    settlementPlace: internet === null ? (extensions.paymentPlace ?? null) : null,
    cashier: cashierOf(extensions),
    taxSystem: extensions.taxSystem ?? null,
    ...requisitesOf(extensions),
    ...(extensions.correctionInfo === undefined ? {} : { correction: correctionOf(extensions.correctionInfo) }),
  };
}

function correctionOf(info: NonNullable<HeadExtensions["correctionInfo"]>): Correction {
  const { type, base_date: date, base_number: number = "", rate_confirmed: isConfirmed } = info;
  const of = { date, ...(isConfirmed === true ? ({ rateConfirmed: true } as const) : {}) };
  return type === "self" ? { type, ...of } : { type, number, ...of };
}

/** An unreadable time only causes a warning, because it must not stop a paid order. */
export function paidAtOf(
  { paidAt: text = "" }: HeadExtensions,
  { timeZone }: Pick<ReceiptRules, "timeZone">,
): { readonly paidAt: Pick<SaleReceipt, "paidAt">; readonly warnings: readonly OrderWarning[] } {
  const paidAt = parseInstant(text, timeZone);
  if (paidAt !== null) return { paidAt: { paidAt }, warnings: [] };
  return { paidAt: {}, warnings: text.trim() === "" ? [] : [warning("paidAt", refusalTexts.noPaidAt)] };
}

/** Also refuses an ordinary order that has fields of a correction. */
export function correctionProblems(
  { correctionInfo: info, additionalCheckProps: additional }: HeadExtensions,
  {
    isCorrection,
    today,
    isRead,
  }: { readonly isCorrection: boolean; readonly today: string | null; readonly isRead: boolean },
): readonly OrderProblem[] {
  const wrong = (field: string, text: FaultText) => problem("order.wrong-value", field, text);
  const at = (field: string) => `correctionInfo.${field}`;
  if ((isCorrection || info !== undefined) && !isRead) return [wrong("correctionInfo", refusalTexts.correction)];
  if (!isCorrection) return info === undefined ? [] : [wrong("correctionInfo", refusalTexts.noCorrection)];
  if (info === undefined) return [problem("order.missing-value", "correctionInfo", refusalTexts.correctionOfWhat)];
  const { type, base_date: date, base_number: number, corrected_fp: corrected } = info;
  return [
    ...(today !== null && date > today ? [wrong(at("base_date"), refusalTexts.dayAhead(date))] : []),
    ...(date < FIRST_DAY ? [wrong(at("base_date"), refusalTexts.dayTooEarly(FIRST_DAY))] : []),
    ...((type === "instruction") === (number !== undefined)
      ? []
      : [wrong(at("base_number"), refusalTexts.orderOfTaxOffice)]),
    ...(additional === undefined || /^\d{1,10}$/.test(additional)
      ? []
      : [wrong("additionalCheckProps", refusalTexts.fiscalSignOf)]),
    ...(additional === undefined || corrected === undefined || additional === corrected
      ? []
      : [wrong(at("corrected_fp"), refusalTexts.otherThan("additionalCheckProps"))]),
  ];
}

function requisitesOf(extensions: HeadExtensions): Pick<SaleReceipt, "requisites"> {
  const {
    additionalCheckProps: additional = extensions.correctionInfo?.corrected_fp,
    operatingCheckProps: props,
    additionalUserProps: userProperty,
  } = extensions;
  const buyer: Buyer = givenFields({
    name: extensions.buyerName,
    inn: extensions.buyerINN,
    birthDate: extensions.buyerBirthDate,
    citizenship: extensions.buyerCitizenship,
    documentCode: extensions.buyerDocumentCode,
    documentData: extensions.buyerDocumentData,
    address: extensions.buyerAddress,
  });
  const requisites: ReceiptRequisites = givenFields({
    buyer: Object.keys(buyer).length === 0 ? undefined : buyer,
    additional,
    operating: props && { id: props.name, data: props.value, time: props.timestamp },
    userProperty,
  });
  return Object.keys(requisites).length === 0 ? {} : { requisites };
}

function cashierOf(extensions: HeadExtensions): Cashier | null {
  const { cashierPosition, cashierName, cashierINN } = extensions;
  if (cashierName === undefined) return null;
  const name = cashierPosition === undefined ? cashierName : `${cashierPosition} ${cashierName}`;
  return { name, inn: cashierINN ?? null };
}

/** Tag 1021 has the cashier's position and name. Text for the tax office is never cut, so a longer one is refused. */
export function cashierProblems(extensions: HeadExtensions): readonly OrderProblem[] {
  const { cashierName, cashierPosition, cashierINN } = extensions;
  if (cashierName === undefined && (cashierINN ?? cashierPosition) !== undefined) {
    return [problem("order.missing-value", "cashierName", refusalTexts.cashierMissing)];
  }
  const length = cashierOf(extensions)?.name.length ?? 0;
  if (length <= MAX_CASHIER) return [];
  const message = refusalTexts.cashierTooLong(length, MAX_CASHIER);
  return [problem("order.wrong-value", "cashierName", message)];
}

interface ReadContact {
  readonly contact: string | null;
  /** An internet receipt is refused for unreadable contacts; any other receipt is printed on paper. */
  readonly unreadable: readonly OrderProblem[];
  readonly warnings: readonly OrderWarning[];
}

/** The first readable e-mail, else the first phone. A text like "none" is no contact. */
export function contactOf(
  sayings: readonly { readonly text: string | undefined; readonly path: string }[],
): ReadContact {
  const given = sayings.flatMap(({ text = "", path }) =>
    isNoContact(text) ? [] : [{ path, text, contact: parseContact(text) }],
  );
  const contacts = given.flatMap(({ contact }) => contact ?? []);
  const unseen = given.filter(({ text, contact }) => contact !== null && hasUnseenInContact(text));
  // An unreadable text may still be a buyer's contact, in a form that no mask knows, so the warning does not repeat it.
  return {
    contact: contacts.find((contact) => contact.includes("@")) ?? contacts[0] ?? null,
    unreadable: given
      .filter(({ contact }) => contact === null)
      .map(({ path }) => problem("order.wrong-value", path, fieldTexts.contact)),
    warnings: unseen.map(({ path }) => warning(path, refusalTexts.unseenLeftOut)),
  };
}
