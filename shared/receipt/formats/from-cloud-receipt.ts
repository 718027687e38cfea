/**
 * Keys of cloud receipt services in an order of the online format (54-fz 16). Each is moved to the
 * document's own key where that is absent, or refused with its place. A rate or direction never changes silently.
 * Other keys are ignored. Pure.
 */

import { fieldTexts } from "../../exchange/field-texts.js";
import {
  emptyAsAbsent,
  flag,
  isNotGiven,
  isObject,
  pickFields,
  shownAsSent,
  spellingsOf,
} from "../../exchange/lenient-fields.js";
import { type OrderProblem, problem } from "../../exchange/order-problem.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { rateWords, type TaxRow, type VatCode, vatCodes } from "../vat.js";

type Fields = Readonly<Record<string, unknown>>;

interface Mapped {
  readonly fields: Fields;
  /** By position: the rate that it gives in words; null = it gives none. */
  readonly rates: readonly (VatCode | null)[];
  /** Where values came from: the place in the body by the place of the document's own key. */
  readonly places: ReadonlyMap<string, string>;
  readonly problems: readonly OrderProblem[];
}

interface MappedItem {
  readonly item: unknown;
  readonly rate: VatCode | null;
}

/** What is found out on the way. */
interface Findings {
  readonly problems: OrderProblem[];
  readonly places: Map<string, string>;
}

/** Where some services name the receipt itself by its direction. */
const directions = ["sell", "sell_refund", "buy", "buy_refund"] as const;
const rootKeys = spellingsOf([
  ...["operation", "receipt", "correction", "service", "taxSystem", "cashierName", "cashier"],
  ...["isInternetPayment", "internetPaymentUrl", "paymentPlace"],
  ...["cashierINN", "cashier_inn", "buyerName", "buyerINN", "buyerBirthDate", "buyerCitizenship", "buyerAddress"],
  ...["buyerDocumentCode", "buyerDocumentData", "additionalCheckProps", "operatingCheckProps", "additionalUserProps"],
  ...["additional_check_props", "operating_check_props", "additional_user_props", "sectoral_check_props"],
  ...directions,
]);
const receiptKeys = spellingsOf([
  ...["operation", "client", "company", "attributes", "items", "cashier", "agent_info", "supplier_info"],
  ...["internet", "cashier_inn", "additional_check_props", "operating_check_props", "additional_user_props"],
  ...["sectoral_check_props"],
]);
const serviceKeys = spellingsOf(["inn"]);
const clientKeys = spellingsOf([
  ...["email", "phone", "name", "inn", "birthdate", "citizenship", "document_code", "document_data", "address"],
]);
const companyKeys = spellingsOf(["inn", "sno", "payment_address"]);
const itemKeys = spellingsOf([
  ...[
    "tax",
    "vat",
    "sum",
    "itemType",
    "paymentMode",
    "unit",
    "agentType",
    "supplierName",
    "supplierInn",
    "supplierPhone",
  ],
  ...["countryCode", "customDeclarationCode", "payment_method", "payment_object", "measurement_unit", "agent_info"],
  ...["supplier_info", "country_code", "declaration_number", "mark_code", "markingCode", "goodsCode", "agentData"],
  ...["nomenclature_code", "additionalProps", "user_data", "industryProps", "sectoral_item_props", "mark_quantity"],
]);
const vatKeys = spellingsOf(["type"]);
const agentKeys = spellingsOf(["type", "paying_agent", "receive_payments_operator", "money_transfer_operator"]);
const operatorKeys = spellingsOf(["operation", "phones", "name", "address", "inn"]);
const supplierKeys = spellingsOf(["name", "inn", "phones"]);

const markKeys = spellingsOf([
  ...["gs1m", "unknown", "ean8", "ean13", "itf14", "gs10", "short", "fur", "egais20", "egais30"],
]);

/** Requisites of the receipt, which stand in it or beside it. */
type RequisiteKey = "cashier_inn" | "additional_check_props" | "operating_check_props" | "additional_user_props";

/** Requisites with a fiscal meaning that no register here gets. */
const refusedProps: readonly (readonly [key: string, reason: FaultText])[] = [
  ["sectoral_check_props", refusalTexts.notCarried("receipt.items[].sectoral_item_props")],
];

/** `body`: the object with `external_id` and `receipt`. Returns it with the document's own keys filled in. */
export function fromCloudReceipt(body: Fields, taxes: readonly TaxRow[]): Mapped {
  const found: Findings = { problems: [], places: new Map() };
  const { problems } = found;
  const root = fieldsOf("", body, rootKeys, problems);
  const receipt = isObject(root.receipt) ? fieldsOf("receipt.", root.receipt, receiptKeys, problems) : {};
  for (const key of ["agent_info", "supplier_info"] as const) {
    if (isNotGiven(receipt[key])) continue;
    problems.push(wrong(`receipt.${key}`, refusalTexts.ofPosition(`receipt.items[].${key}`)));
  }
  for (const [place, fields] of [["", root] as const, ["receipt.", receipt] as const]) {
    for (const [key, reason] of refusedProps) {
      if (!isNotGiven(emptyAsAbsent(fields[key]))) problems.push(wrong(`${place}${key}`, reason));
    }
  }
  if (root.correction !== undefined) {
    problems.push(wrong("correction", refusalTexts.correction));
  }
  for (const key of directions) {
    if (root[key] === undefined) continue;
    problems.push(wrong(key, refusalTexts.noDirection));
  }
  const operation = either(["operation", root.operation], ["receipt.operation", receipt.operation], found);
  if (operation !== undefined && !/^sell(_refund)?$/i.test(String(operation))) {
    problems.push(wrong("operation", refusalTexts.noOperation(shownAsSent(operation))));
  }
  const client = objectAt("receipt.client", receipt.client, clientKeys, problems);
  const company = objectAt("receipt.company", receipt.company, companyKeys, problems);
  const attributes = objectAt("receipt.attributes", receipt.attributes, clientKeys, problems);
  const service = objectAt("service", root.service, serviceKeys, problems);
  const items = Array.isArray(receipt.items)
    ? receipt.items.map((item, index) => mapItem(item, `receipt.items[${index}]`, taxes, found))
    : null;
  const set = {
    operation,
    ...placeOf(root, receipt, company, found),
    service: withField(
      service,
      "inn",
      either(["service.inn", service.inn], ["receipt.company.inn", company.inn], found),
    ),
    taxSystem: either(["taxSystem", root.taxSystem], ["receipt.company.sno", company.sno], found),
    cashierName: either(
      ["cashierName", root.cashierName],
      isNotGiven(receipt.cashier) ? ["cashier", root.cashier] : ["receipt.cashier", receipt.cashier],
      found,
    ),
  };
  const requisite = (own: string, key: RequisiteKey) =>
    either([own, root[own]], isNotGiven(receipt[key]) ? [key, root[key]] : [`receipt.${key}`, receipt[key]], found);
  // Version 3 has no `client`: the buyer stands beside the contact.
  const buyer = (own: string, key: string) => {
    const named = either([own, root[own]], [`receipt.client.${key}`, client[key]], found);
    return either([own, named], [`receipt.attributes.${key}`, attributes[key]], found);
  };
  const requisites = {
    cashierINN: requisite("cashierINN", "cashier_inn"),
    additionalCheckProps: requisite("additionalCheckProps", "additional_check_props"),
    operatingCheckProps: requisite("operatingCheckProps", "operating_check_props"),
    additionalUserProps: requisite("additionalUserProps", "additional_user_props"),
    buyerName: buyer("buyerName", "name"),
    buyerINN: buyer("buyerINN", "inn"),
    buyerBirthDate: buyer("buyerBirthDate", "birthdate"),
    buyerCitizenship: buyer("buyerCitizenship", "citizenship"),
    buyerDocumentCode: buyer("buyerDocumentCode", "document_code"),
    buyerDocumentData: buyer("buyerDocumentData", "document_data"),
    buyerAddress: buyer("buyerAddress", "address"),
  };
  const contact = {
    email: either(["receipt.attributes.email", attributes.email], ["receipt.client.email", client.email], found),
    phone: either(["receipt.attributes.phone", attributes.phone], ["receipt.client.phone", client.phone], found),
  };
  const rest = withoutKeys(body, rootKeys);
  const mapped = isObject(root.receipt)
    ? {
        ...withoutKeys(root.receipt, receiptKeys),
        attributes: given(contact),
        ...(items === null ? given({ items: receipt.items }) : { items: items.map(({ item }) => item) }),
      }
    : root.receipt;
  const rates = (items ?? []).map(({ rate }) => rate);
  return { fields: { ...rest, ...given(set), ...given(requisites), ...given({ receipt: mapped }) }, rates, ...found };
}

/** Services sell on the internet (tag 1125) at `payment_address` (tag 1187), unless the body says that it is no such sale. */
function placeOf(root: Fields, receipt: Fields, company: Fields, found: Findings): Fields {
  const stated = either(
    ["isInternetPayment", flagOf(root.isInternetPayment)],
    ["receipt.internet", flagOf(receipt.internet)],
    found,
  );
  const isInternetPayment = stated ?? (isNotGiven(company.payment_address) ? undefined : true);
  const own = isInternetPayment === false ? "paymentPlace" : "internetPaymentUrl";
  const place = either([own, root[own]], ["receipt.company.payment_address", company.payment_address], found);
  const { internetPaymentUrl, paymentPlace } = root;
  return { isInternetPayment, internetPaymentUrl, paymentPlace, [own]: place };
}

/** What is no flag stays as it is, for the schema to name. */
function flagOf(value: unknown): unknown {
  return flag.safeParse(value).data ?? value;
}

function mapItem(item: unknown, at: string, taxes: readonly TaxRow[], found: Findings): MappedItem {
  if (!isObject(item)) return { item, rate: null };
  const { problems } = found;
  const fields = fieldsOf(`${at}.`, item, itemKeys, problems);
  if (!isNotGiven(fields.mark_quantity)) {
    problems.push(wrong(`${at}.mark_quantity`, refusalTexts.markPart));
  }
  const agent = objectAt(`${at}.agent_info`, fields.agent_info, agentKeys, problems);
  const supplier = objectAt(`${at}.supplier_info`, fields.supplier_info, supplierKeys, problems);
  const pair = (own: string, cloud: string, value: unknown) =>
    either([`${at}.${own}`, fields[own]], [`${at}.${cloud}`, value], found);
  const { tax, rate } = taxOf(fields, at, taxes, found);
  const set = {
    tax,
    sum: fields.sum,
    paymentMode: pair("paymentMode", "payment_method", fields.payment_method),
    itemType: pair("itemType", "payment_object", fields.payment_object),
    unit: pair("unit", "measurement_unit", fields.measurement_unit),
    agentType: pair("agentType", "agent_info.type", agent.type),
    supplierName: pair("supplierName", "supplier_info.name", supplier.name),
    supplierInn: pair("supplierInn", "supplier_info.inn", supplier.inn),
    supplierPhone: pair("supplierPhone", "supplier_info.phones", supplier.phones),
    agentData: pair("agentData", "agent_info", agentDataOf(`${at}.agent_info`, agent, problems)),
    markingCode: pair("markingCode", "mark_code.gs1m", markOf(`${at}.mark_code`, fields.mark_code, problems)),
    goodsCode: pair("goodsCode", "nomenclature_code", goodsCodeOf(`${at}.nomenclature_code`, fields, problems)),
    additionalProps: pair("additionalProps", "user_data", fields.user_data),
    industryProps: pair("industryProps", "sectoral_item_props", fields.sectoral_item_props),
    countryCode: pair("countryCode", "country_code", fields.country_code),
    customDeclarationCode: pair("customDeclarationCode", "declaration_number", fields.declaration_number),
  };
  return { item: { ...withoutKeys(item, itemKeys), ...given(set) }, rate };
}

/** Tag 1223 under the document's own names; undefined where the body has none of it. */
function agentDataOf(at: string, agent: Fields, problems: OrderProblem[]): Fields | undefined {
  const part = (key: string) => objectAt(`${at}.${key}`, agent[key], operatorKeys, problems);
  const { operation, phones: agentPhones } = part("paying_agent");
  const { phones: operatorPhones } = part("receive_payments_operator");
  const transfer = part("money_transfer_operator");
  const data = given({
    operation,
    agentPhones,
    operatorPhones,
    transferPhones: transfer.phones,
    transferName: transfer.name,
    transferAddress: transfer.address,
    transferInn: transfer.inn,
  });
  return Object.keys(data).length === 0 ? undefined : data;
}

/** The code as scanned, in base64; services have more kinds of codes, which say the same in other words. */
function markOf(at: string, mark: unknown, problems: OrderProblem[]): unknown {
  const { gs1m, ...others } = objectAt(at, mark, markKeys, problems);
  for (const kind of Object.keys(others)) {
    problems.push(wrong(`${at}.${kind}`, refusalTexts.markKind));
  }
  return gs1m;
}

/** Tag 1162: bytes as hex digits, with or without spaces. */
function goodsCodeOf(at: string, { nomenclature_code: code }: Fields, problems: OrderProblem[]): unknown {
  if (isNotGiven(code)) return undefined;
  const hex = typeof code === "string" ? code.replace(/\s/g, "") : "";
  if (/^(?:[0-9a-f]{2})+$/i.test(hex)) return Buffer.from(hex, "hex").toString("base64");
  const message = isObject(code) ? refusalTexts.markForm : refusalTexts.goodsCode;
  problems.push(wrong(at, message));
  return undefined;
}

/** The number of a register's row, as in the document, or the name of a rate, as cloud services send it. */
function taxOf(
  { tax, vat }: Fields,
  at: string,
  taxes: readonly TaxRow[],
  { problems, places }: Findings,
): { readonly tax: unknown; readonly rate: VatCode | null } {
  const type = objectAt(`${at}.vat`, vat, vatKeys, problems).type;
  const isWord = typeof tax === "string" && /^[a-z]/i.test(tax.trim());
  const words = [
    { path: `${at}.vat.type`, word: type },
    { path: `${at}.tax`, word: isWord ? tax : undefined },
  ].filter(({ word }) => !isNotGiven(word));
  const own = isWord ? undefined : tax;
  if (words.length === 0 && isNotGiven(own) && !isNotGiven(vat))
    problems.push(wrong(`${at}.vat.type`, refusalTexts.missingOf(Object.values(rateWords).join(", "))));
  const codes = words.map(({ path, word }) => {
    const code = vatCodes.find((it) => rateWords[it] === String(word).trim().toLowerCase());
    if (code === undefined)
      problems.push(wrong(path, refusalTexts.noRate(shownAsSent(word), Object.values(rateWords).join(", "))));
    return { path, word, code };
  });
  const [first] = codes;
  if (first?.code === undefined || codes.some(({ code }) => code === undefined)) return { tax: own, rate: null };
  places.set(`${at}.tax`, first.path);
  const isOfRow =
    isNotGiven(own) ||
    taxes.length === 0 ||
    taxes.some(({ id, vat: rate }) => String(id) === String(own) && rate === first.code);
  if (codes.some(({ code }) => code !== first.code) || !isOfRow) {
    problems.push(wrong(first.path, refusalTexts.otherRates));
  }
  return { tax: undefined, rate: first.code };
}

/** The document's own key, else the cloud's; both only when they agree. */
function either(
  [ownPath, own]: readonly [string, unknown],
  [path, cloud]: readonly [string, unknown],
  { problems, places }: Findings,
): unknown {
  if (isNotGiven(cloud)) return isNotGiven(own) ? undefined : own;
  if (!isNotGiven(own) && textOf(own) !== textOf(cloud)) {
    problems.push(wrong(path, refusalTexts.otherThan(ownPath)));
  }
  if (!isNotGiven(own)) return own;
  places.set(ownPath, path);
  return cloud;
}

function textOf(value: unknown): string {
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).trim().toLowerCase();
}

function objectAt(
  path: string,
  value: unknown,
  keys: ReturnType<typeof spellingsOf>,
  problems: OrderProblem[],
): Fields {
  if (isNotGiven(value) || (Array.isArray(value) && value.length === 0)) return {};
  if (isObject(value)) return fieldsOf(`${path}.`, value, keys, problems);
  problems.push(wrong(path, fieldTexts.mustBe(fieldTexts.anObject, shownAsSent(value))));
  return {};
}

/** `place`: what stands before a key. Keys that differ only in case must say the same. */
function fieldsOf(
  place: string,
  object: Fields,
  keys: ReturnType<typeof spellingsOf>,
  problems: OrderProblem[],
): Fields {
  const { fields, doubled } = pickFields(object, keys);
  for (const name of doubled) problems.push(wrong(`${place}${name}`, fieldTexts.givenTwice));
  return fields;
}

function withField(object: Fields, key: string, value: unknown): Fields | undefined {
  const all = given({ ...object, [key]: value });
  return Object.keys(all).length === 0 ? undefined : all;
}

function withoutKeys(object: Fields, keys: ReturnType<typeof spellingsOf>): Fields {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key.toLowerCase())));
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function wrong(path: string, text: FaultText): OrderProblem {
  return problem("order.wrong-value", path, text);
}
