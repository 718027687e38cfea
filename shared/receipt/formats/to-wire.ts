/** What both formats write alike: extensions of a position and of the receipt, only where they differ from the default. */
import { toRoublesNumber } from "../../amounts.js";
import type { WireHead } from "../../exchange/head-fields.js";
import type { WireItemExtensions } from "../../exchange/item-fields.js";
import { formatWireTime } from "../../local-time.js";
import { measureOf } from "../measure.js";
import {
  type Agent,
  givenFields,
  type Industry,
  type ItemLine,
  type ItemRequisites,
  type Receipt,
  type ReceiptRequisites,
  type SaleReceipt,
} from "../receipt.js";
import { rateOfTaxId, rateWords } from "../vat.js";
import { defaultSubject } from "./item-line.js";

const NO_INN = "000000000000";

export function wireItemExtensions(item: ItemLine): WireItemExtensions {
  return {
    ...wireTax(item.tax),
    ...(item.department === 1 ? {} : { department: item.department }),
    ...(item.subject === defaultSubject(item) ? {} : { itemType: item.subject }),
    ...(item.method === 4 && item.subject !== 10 ? {} : { paymentMode: item.method }),
    ...(item.unit === null ? {} : { unit: item.unit }),
    ...(item.measure === measureOf(item.unit) ? {} : { measure: item.measure }),
    ...(item.agent === null ? {} : wireAgent(item.agent)),
    ...(item.goodsCode === null ? {} : { goodsCode: item.goodsCode }),
    ...(item.markingCode === null ? {} : { markingCode: item.markingCode }),
    ...(item.countryCode === null ? {} : { countryCode: item.countryCode }),
    ...(item.customsDeclaration === null ? {} : { customDeclarationCode: item.customsDeclaration }),
    ...wireItemRequisites(item.requisites),
  };
}

function wireItemRequisites({ additional, excise, industry }: ItemRequisites = {}): WireItemExtensions {
  return {
    ...(additional === undefined ? {} : { additionalProps: additional }),
    ...(excise === undefined ? {} : { excise: toRoublesNumber(excise) }),
    ...(industry === undefined ? {} : { industryProps: wireIndustry(industry) }),
  };
}

function wireIndustry({ authority, date, number, value }: Industry) {
  return { federal_id: authority, date, number, value };
}

function wireTax(tax: number | null): WireItemExtensions {
  const rate = rateOfTaxId(tax);
  if (rate !== null) return { vat: { type: rateWords[rate] } };
  return tax === null ? {} : { tax };
}

function wireAgent({ type, supplierName, supplierPhones, supplierInn, data }: Agent): WireItemExtensions {
  const [phone, ...others] = supplierPhones;
  return {
    agentType: type,
    ...(supplierName === null ? {} : { supplierName }),
    supplierInn: supplierInn ?? NO_INN,
    ...(phone === undefined ? {} : { supplierPhone: others.length === 0 ? phone : supplierPhones }),
    ...(data === undefined ? {} : { agentData: data }),
  };
}

export function wireJobHead({ kkm, receiptId }: Receipt): WireHead {
  return { ...(kkm === null ? {} : { kkm }), ...(receiptId === null ? {} : { receiptId }) };
}

export function wireReceiptHead(receipt: SaleReceipt): WireHead {
  const { internet, settlementPlace, cashier, taxSystem, requisites = {} } = receipt;
  return {
    ...(internet === null ? {} : { isInternetPayment: 1, internetPaymentUrl: internet.url }),
    ...(settlementPlace === null || internet !== null ? {} : { paymentPlace: settlementPlace }),
    ...(cashier === null ? {} : { cashierName: cashier.name }),
    ...(cashier === null || cashier.inn === null ? {} : { cashierINN: cashier.inn }),
    ...(taxSystem === null ? {} : { taxSystem }),
    ...wireRequisites(requisites),
  };
}

function wireRequisites({ buyer = {}, additional, operating, userProperty }: ReceiptRequisites): WireHead {
  return {
    ...givenFields({
      buyerName: buyer.name,
      buyerINN: buyer.inn,
      buyerBirthDate: buyer.birthDate,
      buyerCitizenship: buyer.citizenship,
      buyerDocumentCode: buyer.documentCode,
      buyerDocumentData: buyer.documentData,
      buyerAddress: buyer.address,
      additionalCheckProps: additional,
      additionalUserProps: userProperty,
    }),
    ...(operating === undefined ? {} : { operatingCheckProps: wireOperating(operating) }),
  };
}

function wireOperating({ id, data, time }: NonNullable<ReceiptRequisites["operating"]>) {
  return { name: id, value: data, timestamp: formatWireTime(time) };
}
