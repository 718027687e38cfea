/** What both formats write alike: extensions of position and receipt, only where they differ from the default. */
import { toRoublesNumber } from "../../amounts.js";
import type { WireCorrection, WireHead } from "../../exchange/head-fields.js";
import type { WireItemExtensions } from "../../exchange/item-fields.js";
import { formatWireTime } from "../../local-time.js";
import { measureOf } from "../measure.js";
import {
  type Agent,
  type Correction,
  givenFields,
  type Industry,
  type ItemLine,
  type Receipt,
  type ReceiptRequisites,
  type SaleReceipt,
  SUPPLIER_WITHOUT_INN,
} from "../receipt.js";
import { rateOfTaxId, rateWords } from "../vat.js";
import { defaultSubject } from "./item-line.js";

export function wireItemExtensions(item: ItemLine): WireItemExtensions {
  const { method, subject, unit, measure, agent, requisites: { additional, excise, industry } = {} } = item;
  return {
    ...wireTax(item.tax),
    ...(agent === null ? {} : wireAgent(agent)),
    ...givenFields({
      department: item.department === 1 ? undefined : item.department,
      itemType: subject === defaultSubject(item) ? undefined : subject,
      paymentMode: method === 4 && subject !== 10 ? undefined : method,
      unit: unit ?? undefined,
      measure: measure === measureOf(unit) ? undefined : measure,
      goodsCode: item.goodsCode ?? undefined,
      markingCode: item.markingCode ?? undefined,
      countryCode: item.countryCode ?? undefined,
      customDeclarationCode: item.customsDeclaration ?? undefined,
      additionalProps: additional,
      excise: excise === undefined ? undefined : toRoublesNumber(excise),
      industryProps: industry && wireIndustry(industry),
    }),
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
  return givenFields({
    agentType: type,
    supplierName: supplierName ?? undefined,
    supplierInn: supplierInn ?? SUPPLIER_WITHOUT_INN,
    supplierPhone: supplierPhones.length > 1 ? supplierPhones : supplierPhones[0],
    agentData: data,
  });
}

export function wireJobHead({ kkm, receiptId }: Receipt): WireHead {
  return givenFields({ kkm: kkm ?? undefined, receiptId: receiptId ?? undefined });
}

export function wireReceiptHead(receipt: SaleReceipt): WireHead {
  const { internet, settlementPlace, cashier, taxSystem, expectedInn, requisites = {}, correction, paidAt } = receipt;
  const { buyer = {}, additional, operating, userProperty } = requisites;
  return {
    ...(internet === null ? {} : { isInternetPayment: 1, internetPaymentUrl: internet.url }),
    ...givenFields({
      paymentPlace: internet === null ? (settlementPlace ?? undefined) : undefined,
      cashierName: cashier?.name,
      cashierINN: cashier?.inn ?? undefined,
      taxSystem: taxSystem ?? undefined,
      service: expectedInn === null ? undefined : { inn: expectedInn },
      buyerName: buyer.name,
      buyerINN: buyer.inn,
      buyerBirthDate: buyer.birthDate,
      buyerCitizenship: buyer.citizenship,
      buyerDocumentCode: buyer.documentCode,
      buyerDocumentData: buyer.documentData,
      buyerAddress: buyer.address,
      additionalCheckProps: additional,
      additionalUserProps: userProperty,
      operatingCheckProps: operating && wireOperating(operating),
      correctionInfo: correction && wireCorrection(correction),
      paidAt: paidAt === undefined ? undefined : new Date(paidAt).toISOString(),
    }),
  };
}

function wireCorrection(correction: Correction): WireCorrection {
  const { type, date, rateConfirmed } = correction;
  return {
    type,
    base_date: date.split("-").reverse().join("."),
    ...(correction.type === "instruction" ? { base_number: correction.number } : {}),
    ...(rateConfirmed === true ? { rate_confirmed: 1 } : {}),
  };
}

function wireOperating({ id, data, time }: NonNullable<ReceiptRequisites["operating"]>) {
  return { name: id, value: data, timestamp: formatWireTime(time) };
}
