/**
 * Reads keys of cloud receipt services in an order of the online format (54-fz 16). A value is moved to our own key
 * where that is absent, or refused with its place. A rate or direction never changes silently. Other keys are ignored.
 * Pure.
 */
import {
  agentKeys,
  clientKeys,
  companyKeys,
  directions,
  itemKeys,
  markKeys,
  objectKeys,
  operatorKeys,
  rateKeys,
  receiptKeys,
  rootKeys,
  serviceKeys,
  supplierKeys,
  tableKeys,
  vatKeys,
} from "../../exchange/cloud-keys.js";
import { fieldTexts } from "../../exchange/field-texts.js";
import {
  asText,
  emptyAsAbsent,
  flag,
  isNotGiven,
  isObject,
  pickFields,
  type Spellings,
  shownAsSent,
} from "../../exchange/lenient-fields.js";
import { type OrderProblem, problem, underNames } from "../../exchange/order-problem.js";
import { noRateText, rateNames } from "../../exchange/task-table.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { rateWords, type TaxRow, type VatCode, vatCodes } from "../vat.js";
import type { ReadReceipt } from "./read-sale.js";

type Fields = Readonly<Record<string, unknown>>;

export interface Findings {
  readonly problems: OrderProblem[];
  /** The place in the body of a value that was moved, by the place of the own key that has the value now. */
  readonly places: Map<string, string>;
}

interface Mapped extends Findings {
  readonly fields: Fields;
  /** The rate that each position names; null = the position names none. */
  readonly rates: readonly (VatCode | null)[];
}

interface MappedItem {
  readonly item: unknown;
  readonly rate: VatCode | null;
}

/** Keys with a fiscal meaning that no supported register can take. */
const refusedProps: readonly (readonly [key: string, reason: FaultText])[] = [
  ["sectoral_check_props", refusalTexts.notReadHere("receipt.items[].sectoral_item_props")],
  ["cashless_payments", refusalTexts.leaveOut(1234)],
];
/** Keys that services fill with numbers of their own, each with the key to use in its place. */
const foreignWords: Readonly<Record<string, string>> = {
  taxation_type: "`taxSystem`",
  taxation_system: "`taxSystem`",
  vat_code: '`vat` {"type": "vat22"}',
};

function foreignKeys(place: string, fields: Fields): readonly OrderProblem[] {
  return Object.entries(foreignWords).flatMap(([key, wanted]) =>
    isNotGiven(fields[key]) ? [] : [problem("order.missing-value", `${place}${key}`, refusalTexts.sendInstead(wanted))],
  );
}

/** `body`: the object with `external_id` and `receipt`. `corrections`: whether corrections are read. */
export function underOwnKeys(body: Fields, taxes: readonly TaxRow[], corrections: boolean): Mapped {
  const found: Findings = { problems: [], places: new Map() };
  const { problems } = found;
  const root = fieldsOf("", body, rootKeys, problems);
  const receipt = isObject(root.receipt) ? fieldsOf("receipt.", root.receipt, receiptKeys, problems) : {};
  const { contact, ...head } = headOf(["", root], ["receipt.", receipt], found);
  for (const key of directions) {
    if (root[key] === undefined) continue;
    problems.push(wrong(key, refusalTexts.noDirection));
  }
  const operation = either(["operation", root.operation], ["receipt.operation", receipt.operation], found);
  const known = corrections ? /^sell(_refund)?(_correction)?$/i : /^sell(_refund)?$/i;
  if (operation !== undefined && !known.test(asText(operation) ?? "")) {
    problems.push(wrong("operation", refusalTexts.noOperation(shownAsSent(operation))));
  }
  const items = Array.isArray(receipt.items)
    ? receipt.items.map((item, index) => mapItem(item, `receipt.items[${index}]`, taxes, found))
    : null;
  if (!isNotGiven(emptyAsAbsent(receipt.vats))) problems.push(...withoutOwnRate(receipt.items));
  const rest = withoutKeys(body, rootKeys);
  const mapped = isObject(root.receipt)
    ? {
        ...withoutKeys(root.receipt, receiptKeys),
        attributes: contact,
        ...(items === null ? given({ items: receipt.items }) : { items: items.map(({ item }) => item) }),
      }
    : root.receipt;
  const rates = (items ?? []).map(({ rate }) => rate);
  return { fields: { ...rest, ...head, ...given({ operation, receipt: mapped }) }, rates, ...found };
}

/** Fills in our own keys at the root of a table, or in the `param` of its opening or closing line. */
export function fromCloudHead(place: string, object: Fields, found: Findings): Fields {
  const fields = Object.entries(fieldsOf(place, object, tableKeys, found.problems));
  // Under a key of a service stands an object. A text there belongs to the site's own key of the same name.
  const ofServices = fields.filter(([key, value]) => !objectKeys.has(key) || isObject(value));
  const part = [place, Object.fromEntries(ofServices)] as const;
  const { contact, ...head } = headOf(part, part, found);
  return { ...withoutKeys(object, tableKeys), ...head, attributes: contact };
}

/** Refuses sums by rate without a rate in each position, because the register's default rate would be printed. */
function withoutOwnRate(items: unknown): readonly OrderProblem[] {
  return (Array.isArray(items) ? items : []).flatMap((item, index) => {
    const { tax, vat } = isObject(item) ? pickFields(item, rateKeys).fields : {};
    const isMissing = isObject(item) && (tax ?? vat) === undefined;
    return isMissing
      ? [problem("order.missing-value", `receipt.items[${index}].vat`, refusalTexts.rateOnlyInVats)]
      : [];
  });
}

type Part = readonly [place: string, fields: Fields];

/** Fields besides positions. Our own keys are in `outer`; keys of services are in `inner` or in `outer`. */
function headOf(outer: Part, inner: Part, found: Findings): Fields {
  const { problems } = found;
  const [[at, root], [within, receipt]] = [outer, inner];
  for (const key of ["agent_info", "supplier_info"] as const) {
    if (isNotGiven(receipt[key])) continue;
    problems.push(wrong(`${within}${key}`, refusalTexts.notReadHere(`receipt.items[].${key}`)));
  }
  for (const [place, fields] of new Set([outer, inner])) {
    for (const [key, reason] of refusedProps) {
      if (!isNotGiven(emptyAsAbsent(fields[key]))) problems.push(wrong(`${place}${key}`, reason));
    }
    problems.push(...foreignKeys(place, fields));
  }
  if (root.correction !== undefined) problems.push(wrong(`${at}correction`, refusalTexts.correction));
  const client = objectAt(`${within}client`, receipt.client, clientKeys, problems);
  const company = objectAt(`${within}company`, receipt.company, companyKeys, problems);
  const attributes = objectAt(`${within}attributes`, receipt.attributes, clientKeys, problems);
  const service = objectAt(`${at}service`, root.service, serviceKeys, problems);
  const own = (key: string) => [`${at}${key}`, root[key]] as const;
  const shared = (key: string) => (isNotGiven(receipt[key]) ? own(key) : ([`${within}${key}`, receipt[key]] as const));
  const all = (key: string, ...others: readonly (readonly [string, unknown])[]) =>
    others.reduce((value, other) => either([`${at}${key}`, value], other, found), root[key]);
  // Version 3 of the services' format has no `client`: the buyer's keys stand in `attributes`.
  const buyer = (key: string, cloud: string) =>
    all(key, [`${within}client.${cloud}`, client[cloud]], [`${within}attributes.${cloud}`, attributes[cloud]]);
  const inn = either([`${at}service.inn`, service.inn], [`${within}company.inn`, company.inn], found);
  const contact = (key: string) =>
    either([`${within}attributes.${key}`, attributes[key]], [`${within}client.${key}`, client[key]], found);
  return given({
    ...placeOf(outer, inner, company, found),
    service: withField(service, "inn", inn),
    taxSystem: all("taxSystem", [`${within}company.sno`, company.sno], shared("sno"), shared("taxation")),
    cashierName: all("cashierName", shared("cashier")),
    cashierINN: all("cashierINN", shared("cashier_inn")),
    additionalCheckProps: all("additionalCheckProps", shared("additional_check_props")),
    operatingCheckProps: all("operatingCheckProps", shared("operating_check_props")),
    additionalUserProps: all("additionalUserProps", shared("additional_user_props")),
    correctionInfo: all("correctionInfo", shared("correction_info")),
    buyerName: buyer("buyerName", "name"),
    buyerINN: buyer("buyerINN", "inn"),
    buyerBirthDate: buyer("buyerBirthDate", "birthdate"),
    buyerCitizenship: buyer("buyerCitizenship", "citizenship"),
    buyerDocumentCode: buyer("buyerDocumentCode", "document_code"),
    buyerDocumentData: buyer("buyerDocumentData", "document_data"),
    buyerAddress: buyer("buyerAddress", "address"),
    contact: given({ email: contact("email"), phone: contact("phone") }),
  });
}

/** A problem names a value by the key of a cloud service if the value came under that key. */
export function readUnderGivenNames({ places, problems }: Findings, read: () => ReadReceipt): ReadReceipt {
  const placeOf = ({ path }: { readonly path: string }): string => {
    const [, own = path, rest = ""] =
      /^(.*\.supplierPhone|(?:.*\.)?(?:operatingCheckProps|additionalUserProps|correctionInfo))([.[].*)$/.exec(path) ??
      [];
    return `${places.get(own) ?? own}${rest}`;
  };
  const { receipt, warnings, taxPlaces } = underNames(placeOf, read, problems);
  return {
    receipt,
    warnings: warnings.map((warning) => ({ ...warning, path: placeOf(warning) })),
    taxPlaces: taxPlaces.map((path) => placeOf({ path })),
  };
}

/** A body with `payment_address` (tag 1187) is a sale on the internet (tag 1125), unless its flag says otherwise. */
function placeOf([at, root]: Part, [within, receipt]: Part, company: Fields, found: Findings): Fields {
  const stated = either(
    [`${at}isInternetPayment`, flagOf(root.isInternetPayment)],
    [`${within}internet`, flagOf(receipt.internet)],
    found,
  );
  const isInternetPayment = stated ?? (isNotGiven(company.payment_address) ? undefined : true);
  const own = isInternetPayment === false ? "paymentPlace" : "internetPaymentUrl";
  const address = [`${within}company.payment_address`, company.payment_address] as const;
  const place = either([`${at}${own}`, root[own]], address, found);
  const { internetPaymentUrl, paymentPlace } = root;
  return { isInternetPayment, internetPaymentUrl, paymentPlace, [own]: place };
}

/** A value that is no flag stays as it is, so that the schema names it. */
function flagOf(value: unknown): unknown {
  return flag.safeParse(value).data ?? value;
}

function mapItem(item: unknown, at: string, taxes: readonly TaxRow[], found: Findings): MappedItem {
  if (!isObject(item)) return { item, rate: null };
  const fields = fieldsOf(`${at}.`, item, rateKeys, found.problems);
  const others = fromCloudItem(at, withoutKeys(item, rateKeys), found);
  const { tax, rate } = taxOf(fields, at, taxes, found);
  const taxSum = asText(objectAt(at, fields.vat, vatKeys, []).sum) ?? undefined;
  if (fields.tax_sum === undefined) found.places.set(`${at}.tax_sum`, `${at}.vat.sum`);
  return { item: { ...others, ...given({ tax, sum: fields.sum, tax_sum: fields.tax_sum ?? taxSum }) }, rate };
}

/** Fills in the keys of a position of either format, or of its `param`, except for rate and sum. */
export function fromCloudItem(at: string, item: Fields, found: Findings): Fields {
  const { problems } = found;
  const fields = fieldsOf(`${at}.`, item, itemKeys, problems);
  if (!isNotGiven(fields.mark_quantity)) problems.push(wrong(`${at}.mark_quantity`, refusalTexts.markPart));
  problems.push(...foreignKeys(`${at}.`, fields));
  const agent = objectAt(`${at}.agent_info`, fields.agent_info, agentKeys, problems);
  const supplier = objectAt(`${at}.supplier_info`, fields.supplier_info, supplierKeys, problems);
  if ((fields.agent_info ?? fields.supplier_info) !== undefined && fields.agentType === undefined)
    found.places.set(`${at}.agentType`, `${at}.agent_info.type`);
  if (fields.agent_info !== undefined) found.places.set(`${at}.agentData`, `${at}.agent_info`);
  const pair = (own: string, cloud: string, value: unknown) =>
    either([`${at}.${own}`, fields[own]], [`${at}.${cloud}`, value], found);
  const set = {
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
  return { ...withoutKeys(item, itemKeys), ...given(set) };
}

/** Tag 1223 (data of the agent) under our own names; undefined where the body has no such data. */
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

/** The marking code as scanned, in base64. Services have other kinds of codes for the same piece, which are refused. */
function markOf(at: string, mark: unknown, problems: OrderProblem[]): unknown {
  const { gs1m, ...others } = objectAt(at, mark, markKeys, problems);
  for (const kind of Object.keys(others)) problems.push(wrong(`${at}.${kind}`, refusalTexts.markKind));
  return gs1m;
}

/** Tag 1162 (code of the goods) from hex digits, with or without spaces. */
function goodsCodeOf(at: string, { nomenclature_code: code }: Fields, problems: OrderProblem[]): unknown {
  if (isNotGiven(code)) return undefined;
  const hex = typeof code === "string" ? code.replace(/\s/g, "") : "";
  if (/^(?:[0-9a-f]{2})+$/i.test(hex)) return Buffer.from(hex, "hex").toString("base64");
  const message = isObject(code) ? refusalTexts.markForm : refusalTexts.goodsCode;
  problems.push(wrong(at, message));
  return undefined;
}

/** The rate of a position: the number of a register's row, or the name of a rate, which cloud services send. */
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
    problems.push(wrong(`${at}.vat.type`, refusalTexts.missingOf(rateNames)));
  const codes = words.map(({ path, word }) => {
    const code = vatCodes.find((it) => rateWords[it] === asText(word)?.trim().toLowerCase());
    if (code === undefined) problems.push(wrong(path, noRateText(word)));
    return { path, word, code };
  });
  const [first] = codes;
  if (first?.code === undefined || codes.some(({ code }) => code === undefined)) return { tax: own, rate: null };
  places.set(`${at}.tax`, first.path);
  const isOfRow =
    isNotGiven(own) ||
    taxes.length === 0 ||
    taxes.some(({ id, vat: rate }) => String(id) === asText(own) && rate === first.code);
  if (codes.some(({ code }) => code !== first.code) || !isOfRow) {
    problems.push(wrong(first.path, refusalTexts.otherRates));
  }
  return { tax: undefined, rate: first.code };
}

/** The value under our own key, else under the cloud's key; both may be given only if they agree. */
function either(
  [ownPath, own]: readonly [string, unknown],
  [path, cloud]: readonly [string, unknown],
  { problems, places }: Findings,
): unknown {
  if (isNotGiven(cloud)) return isNotGiven(own) ? undefined : own;
  if (!isNotGiven(own) && textOf(own) !== textOf(cloud)) problems.push(wrong(path, refusalTexts.otherThan(ownPath)));
  if (!isNotGiven(own)) return own;
  places.set(ownPath, path);
  return cloud;
}

function textOf(value: unknown): string {
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).trim().toLowerCase();
}

function objectAt(path: string, value: unknown, keys: Spellings, problems: OrderProblem[]): Fields {
  if (isNotGiven(value) || (Array.isArray(value) && value.length === 0)) return {};
  if (isObject(value)) return fieldsOf(`${path}.`, value, keys, problems);
  problems.push(wrong(path, fieldTexts.mustBe(fieldTexts.anObject, shownAsSent(value))));
  return {};
}

/** `place`: the text before a key in problems. Keys that differ only in case must agree. */
function fieldsOf(place: string, object: Fields, keys: Spellings, problems: OrderProblem[]): Fields {
  const { fields, doubled } = pickFields(object, keys);
  for (const name of doubled) problems.push(wrong(`${place}${name}`, fieldTexts.givenTwice));
  return fields;
}

function withField(object: Fields, key: string, value: unknown): Fields | undefined {
  const all = given({ ...object, [key]: value });
  return Object.keys(all).length === 0 ? undefined : all;
}

function withoutKeys(object: Fields, keys: Spellings): Fields {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key.toLowerCase())));
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function wrong(path: string, text: FaultText): OrderProblem {
  return problem("order.wrong-value", path, text);
}
