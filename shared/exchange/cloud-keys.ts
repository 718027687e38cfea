/** The keys of cloud receipt services, and our own keys beside them, by the object that contains them. */
import { cloudSpellingsOf } from "./lenient-fields.js";

/** Keys under which some services put the receipt itself; each key names the receipt's direction. */
export const directions = ["sell", "sell_refund", "buy", "buy_refund"] as const;
const ownHeadKeys = [
  ...["taxSystem", "cashierName", "cashierINN", "isInternetPayment", "internetPaymentUrl", "paymentPlace"],
  ...["buyerName", "buyerINN", "buyerBirthDate", "buyerCitizenship", "buyerAddress"],
  ...["buyerDocumentCode", "buyerDocumentData", "additionalCheckProps", "operatingCheckProps", "additionalUserProps"],
  "correctionInfo",
];
/** Keys of services that stand in the receipt or beside it. */
const sharedKeys = [
  ...["cashier", "cashier_inn", "additional_check_props", "operating_check_props", "additional_user_props"],
  ...[
    "correction_info",
    "sectoral_check_props",
    "cashless_payments",
    "sno",
    "taxation",
    "taxation_type",
    "taxation_system",
  ],
];
const innerKeys = ["client", "company", "attributes", "agent_info", "supplier_info", "internet"];
export const rootKeys = cloudSpellingsOf([
  ...["operation", "receipt", "correction", "service"],
  ...ownHeadKeys,
  ...sharedKeys,
  ...directions,
]);
export const receiptKeys = cloudSpellingsOf(["operation", "items", "vats", ...innerKeys, ...sharedKeys]);
/** Keys of a task table at its root, and on its opening and closing lines. */
export const tableKeys = cloudSpellingsOf(["correction", "service", ...ownHeadKeys, ...sharedKeys, ...innerKeys]);
export const objectKeys: ReadonlySet<string> = new Set(["client", "company", "attributes", "service"]);
export const serviceKeys = cloudSpellingsOf(["inn"]);
export const clientKeys = cloudSpellingsOf([
  ...["email", "phone", "name", "inn", "birthdate", "citizenship", "document_code", "document_data", "address"],
]);
export const companyKeys = cloudSpellingsOf(["inn", "sno", "payment_address"]);
export const itemKeys = cloudSpellingsOf([
  ...["itemType", "paymentMode", "unit", "agentType", "supplierName", "supplierInn", "supplierPhone"],
  ...["countryCode", "customDeclarationCode", "payment_method", "payment_object", "measurement_unit", "agent_info"],
  ...["supplier_info", "country_code", "declaration_number", "mark_code", "markingCode", "goodsCode", "agentData"],
  ...["nomenclature_code", "additionalProps", "user_data", "industryProps", "sectoral_item_props", "mark_quantity"],
  ...["vat_code"],
]);
export const rateKeys = cloudSpellingsOf(["tax", "vat", "sum"]);
export const vatKeys = cloudSpellingsOf(["type"]);
export const agentKeys = cloudSpellingsOf([
  "type",
  "paying_agent",
  "receive_payments_operator",
  "money_transfer_operator",
]);
export const operatorKeys = cloudSpellingsOf(["operation", "phones", "name", "address", "inn"]);
export const supplierKeys = cloudSpellingsOf(["name", "inn", "phones"]);

export const markKeys = cloudSpellingsOf([
  ...["gs1m", "unknown", "ean8", "ean13", "itf14", "gs10", "short", "fur", "egais20", "egais30"],
]);
