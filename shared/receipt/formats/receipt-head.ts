/** The part of a receipt that both formats spell in the same way: internet settlement, cashier, tax system, contact. */
import { fieldTexts } from "../../exchange/field-texts.js";
import type { HeadExtensions } from "../../exchange/head-fields.js";
import { type OrderProblem, type OrderWarning, problem, warning } from "../../exchange/order-problem.js";
import { type Buyer, type Cashier, givenFields, type ReceiptRequisites, type SaleReceipt } from "../receipt.js";
import { hasUnseenInContact, isNoContact, parseContact } from "../text-hygiene.js";
import { refusalTexts } from "../texts/refusal-texts.js";

const MAX_CASHIER = 64;

type ReceiptHead = Pick<SaleReceipt, "internet" | "settlementPlace" | "cashier" | "taxSystem" | "requisites">;

/** The head of a receipt. A missing address of an internet receipt becomes "", which `checkReceipt` then names. */
export function receiptHead(extensions: HeadExtensions): ReceiptHead {
  const internet = extensions.isInternetPayment ? { url: extensions.internetPaymentUrl ?? "" } : null;
  return {
    internet,
    settlementPlace: internet === null ? (extensions.paymentPlace ?? null) : null,
    cashier: cashierOf(extensions),
    taxSystem: extensions.taxSystem ?? null,
    ...requisitesOf(extensions),
  };
}

function requisitesOf(extensions: HeadExtensions): Pick<SaleReceipt, "requisites"> {
  const {
    additionalCheckProps: additional,
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

/** Problems with tag 1021, which has the cashier's position and name: text for the tax office is never cut. */
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
  /** Unreadable contacts: an internet receipt is refused for them, any other is printed on paper. */
  readonly unreadable: readonly OrderProblem[];
  readonly warnings: readonly OrderWarning[];
}

/** The buyer's contact: the first readable e-mail, else the first phone. A text like "none" is no contact. */
export function contactOf(
  sayings: readonly { readonly text: string | undefined; readonly path: string }[],
): ReadContact {
  const given = sayings.flatMap(({ text = "", path }) =>
    isNoContact(text) ? [] : [{ path, text, contact: parseContact(text) }],
  );
  const contacts = given.flatMap(({ contact }) => contact ?? []);
  const unseen = given.filter(({ text, contact }) => contact !== null && hasUnseenInContact(text));
  // Even an unreadable text may be a buyer's contact, in a form that no mask knows, and so it is not repeated.
  return {
    contact: contacts.find((contact) => contact.includes("@")) ?? contacts[0] ?? null,
    unreadable: given
      .filter(({ contact }) => contact === null)
      .map(({ path }) => problem("order.wrong-value", path, fieldTexts.contact)),
    warnings: unseen.map(({ path }) => warning(path, refusalTexts.unseenLeftOut)),
  };
}
