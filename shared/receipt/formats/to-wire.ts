/** What both formats write alike: extensions of a position and of the receipt, only where they differ from the default. */
import type { WireHead } from "../../exchange/head-fields.js";
import type { WireItemExtensions } from "../../exchange/item-fields.js";
import { measureOf } from "../measure.js";
import type { Agent, ItemLine, Receipt, SaleReceipt } from "../receipt.js";
import { rateOfTaxId, rateWords } from "../vat.js";
import { defaultSubject } from "./item-line.js";

const NO_INN = "000000000000";

export function wireItemExtensions(item: ItemLine): WireItemExtensions {
  return {
    ...wireTax(item.tax),
    ...(item.department === 1 ? {} : { department: item.department }),
    ...(item.subject === defaultSubject(item) ? {} : { itemType: item.subject }),
    ...(item.method === 4 ? {} : { paymentMode: item.method }),
    ...(item.unit === null ? {} : { unit: item.unit }),
    ...(item.measure === measureOf(item.unit) ? {} : { measure: item.measure }),
    ...(item.agent === null ? {} : wireAgent(item.agent)),
    ...(item.goodsCode === null ? {} : { goodsCode: item.goodsCode }),
    ...(item.markingCode === null ? {} : { markingCode: item.markingCode }),
    ...(item.countryCode === null ? {} : { countryCode: item.countryCode }),
    ...(item.customsDeclaration === null ? {} : { customDeclarationCode: item.customsDeclaration }),
  };
}

function wireTax(tax: number | null): WireItemExtensions {
  const rate = rateOfTaxId(tax);
  if (rate !== null) return { vat: { type: rateWords[rate] } };
  return tax === null ? {} : { tax };
}

function wireAgent({ type, supplierName, supplierPhones, supplierInn }: Agent): WireItemExtensions {
  const [phone, ...others] = supplierPhones;
  return {
    agentType: type,
    ...(supplierName === null ? {} : { supplierName }),
    supplierInn: supplierInn ?? NO_INN,
    ...(phone === undefined ? {} : { supplierPhone: others.length === 0 ? phone : supplierPhones }),
  };
}

export function wireJobHead({ kkm, receiptId }: Receipt): WireHead {
  return { ...(kkm === null ? {} : { kkm }), ...(receiptId === null ? {} : { receiptId }) };
}

export function wireReceiptHead({ internet, settlementPlace, cashier, taxSystem }: SaleReceipt): WireHead {
  return {
    ...(internet === null ? {} : { isInternetPayment: 1, internetPaymentUrl: internet.url }),
    ...(settlementPlace === null || internet !== null ? {} : { paymentPlace: settlementPlace }),
    ...(cashier === null ? {} : { cashierName: cashier.name }),
    ...(cashier === null || cashier.inn === null ? {} : { cashierINN: cashier.inn }),
    ...(taxSystem === null ? {} : { taxSystem }),
  };
}
