/**
 * Keys of cloud receipt services in an order of the online format (domain 8.4, "Cloud keys"). Each is moved to the
 * document's own key where that is absent, or refused with its place. A rate or direction never changes silently.
 * Other keys are ignored. Pure.
 */

import { isNotGiven, isObject, pickFields, showValue, spellingsOf } from "../../exchange/lenient-fields.js";
import { type OrderProblem, problem } from "../../exchange/order-problem.js";
import { rateFlaw, rateWords, type TaxRow, type VatCode, vatCodes } from "../vat.js";

export interface CloudSurroundings {
  /** Tax rows of the register, where they are certain: a row beside a rate in words must be of that rate. */
  readonly taxes: readonly TaxRow[];
  /** Day of the sale, `2026-11-20`; null = rates are not checked against it. */
  readonly today: string | null;
}

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
  ...directions,
]);
const receiptKeys = spellingsOf([
  ...["operation", "client", "company", "attributes", "items", "cashier", "agent_info", "supplier_info"],
]);
const serviceKeys = spellingsOf(["inn"]);
const clientKeys = spellingsOf(["email", "phone"]);
const companyKeys = spellingsOf(["inn", "sno"]);
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
  ...["supplier_info", "country_code", "declaration_number", "excise", "mark_code"],
]);
const vatKeys = spellingsOf(["type"]);
const supplierKeys = spellingsOf(["name", "inn", "phones"]);

/** `body`: the object with `external_id` and `receipt`. Returns it with the document's own keys filled in. */
export function fromCloudReceipt(body: Fields, surroundings: CloudSurroundings): Mapped {
  const found: Findings = { problems: [], places: new Map() };
  const { problems } = found;
  const root = fieldsOf("", body, rootKeys, problems);
  const receipt = isObject(root.receipt) ? fieldsOf("receipt.", root.receipt, receiptKeys, problems) : {};
  for (const key of ["agent_info", "supplier_info"] as const) {
    if (isNotGiven(receipt[key])) continue;
    problems.push(wrong(`receipt.${key}`, `belongs to a position: send it as receipt.items[].${key}`));
  }
  if (root.correction !== undefined) {
    problems.push(
      wrong("correction", "corrections are not printed for a site: the operator makes them on the register"),
    );
  }
  for (const key of directions) {
    if (root[key] === undefined) continue;
    problems.push(
      wrong(
        key,
        "is no key of an order: send `receipt`, and sell or sell_refund as `operation`; purchases are not printed",
      ),
    );
  }
  const operation = either(["operation", root.operation], ["receipt.operation", receipt.operation], found);
  const isRefund = String(operation).toLowerCase() === "sell_refund";
  if (operation !== undefined && !/^sell(_refund)?$/i.test(String(operation))) {
    problems.push(
      wrong(
        "operation",
        `${showValue(operation)} is neither sell nor sell_refund: purchases and corrections are not printed`,
      ),
    );
  }
  const client = objectAt("receipt.client", receipt.client, clientKeys, problems);
  const company = objectAt("receipt.company", receipt.company, companyKeys, problems);
  const attributes = objectAt("receipt.attributes", receipt.attributes, clientKeys, problems);
  const service = objectAt("service", root.service, serviceKeys, problems);
  const items = Array.isArray(receipt.items)
    ? receipt.items.map((item, index) => mapItem(item, `receipt.items[${index}]`, { ...surroundings, isRefund }, found))
    : null;
  const set = {
    operation,
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
  return { fields: { ...rest, ...given(set), ...given({ receipt: mapped }) }, rates, ...found };
}

function mapItem(
  item: unknown,
  at: string,
  how: CloudSurroundings & { readonly isRefund: boolean },
  found: Findings,
): MappedItem {
  if (!isObject(item)) return { item, rate: null };
  const { problems } = found;
  const fields = fieldsOf(`${at}.`, item, itemKeys, problems);
  for (const key of ["excise", "mark_code"] as const) {
    const advice = key === "mark_code" ? ": send `markingCode`, the code as scanned in base64" : "";
    if (fields[key] !== undefined) problems.push(wrong(`${at}.${key}`, `is not accepted in this form${advice}`));
  }
  const agent =
    fields.agent_info === undefined ? {} : objectAt(`${at}.agent_info`, fields.agent_info, vatKeys, problems);
  const supplier = objectAt(`${at}.supplier_info`, fields.supplier_info, supplierKeys, problems);
  const pair = (own: string, cloud: string, value: unknown) =>
    either([`${at}.${own}`, fields[own]], [`${at}.${cloud}`, value], found);
  const { tax, rate } = taxOf(fields, at, how, problems);
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
    countryCode: pair("countryCode", "country_code", fields.country_code),
    customDeclarationCode: pair("customDeclarationCode", "declaration_number", fields.declaration_number),
  };
  return { item: { ...withoutKeys(item, itemKeys), ...given(set) }, rate };
}

/** The number of a register's row, as in the document, or the name of a rate, as cloud services send it. */
function taxOf(
  { tax, vat, paymentMode, payment_method: method }: Fields,
  at: string,
  { taxes, today, isRefund }: CloudSurroundings & { readonly isRefund: boolean },
  problems: OrderProblem[],
): { readonly tax: unknown; readonly rate: VatCode | null } {
  const type = objectAt(`${at}.vat`, vat, vatKeys, problems).type;
  const isWord = typeof tax === "string" && /^[a-z]/i.test(tax.trim());
  const words = [
    { path: `${at}.vat.type`, word: type },
    { path: `${at}.tax`, word: isWord ? tax : undefined },
  ].filter(({ word }) => !isNotGiven(word));
  const own = isWord ? undefined : tax;
  if (words.length === 0 && isNotGiven(own) && !isNotGiven(vat))
    problems.push(wrong(`${at}.vat.type`, `is missing: there are ${Object.values(rateWords).join(", ")}`));
  const codes = words.map(({ path, word }) => {
    const code = vatCodes.find((it) => rateWords[it] === String(word).trim().toLowerCase());
    if (code === undefined)
      problems.push(wrong(path, `${showValue(word)} is no rate: there are ${Object.values(rateWords).join(", ")}`));
    return { path, word, code };
  });
  const [first] = codes;
  if (first?.code === undefined || codes.some(({ code }) => code === undefined)) return { tax: own, rate: null };
  const isLater = /^(7|credit_payment)$/i.test(String(paymentMode ?? method));
  const flaw = today === null ? null : rateFlaw(first.code, today, isRefund || isLater);
  if (flaw !== null) problems.push(wrong(first.path, flaw));
  const isOfRow =
    isNotGiven(own) ||
    taxes.length === 0 ||
    taxes.some(({ id, vat: rate }) => String(id) === String(own) && rate === first.code);
  if (codes.some(({ code }) => code !== first.code) || !isOfRow) {
    problems.push(wrong(first.path, "and `tax` name different rates"));
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
  if (!isNotGiven(own) && String(own).trim().toLowerCase() !== String(cloud).trim().toLowerCase()) {
    problems.push(wrong(path, `says something else than ${ownPath}`));
  }
  if (!isNotGiven(own)) return own;
  places.set(ownPath, path);
  return cloud;
}

function objectAt(
  path: string,
  value: unknown,
  keys: ReturnType<typeof spellingsOf>,
  problems: OrderProblem[],
): Fields {
  if (isNotGiven(value) || (Array.isArray(value) && value.length === 0)) return {};
  if (isObject(value)) return fieldsOf(`${path}.`, value, keys, problems);
  problems.push(wrong(path, `must be an object, not ${showValue(value)}`));
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
  for (const name of doubled) problems.push(wrong(`${place}${name}`, "given twice, with different values"));
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

function wrong(path: string, message: string): OrderProblem {
  return problem("order.wrong-value", path, message);
}
