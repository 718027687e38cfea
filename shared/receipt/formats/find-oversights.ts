/**
 * Finds what a site has probably not meant: keys of an order that nothing reads, each with the known key near it,
 * positions without a rate, and percentages in place of tax rows. The order is printed, and its site is warned. Pure.
 */
import { z } from "zod";
import {
  agentKeys,
  clientKeys,
  companyKeys,
  itemKeys,
  markKeys,
  operatorKeys,
  rateKeys,
  receiptKeys,
  rootKeys,
  serviceKeys,
  supplierKeys,
  tableKeys,
  vatKeys,
} from "../../exchange/cloud-keys.js";
import { isNotGiven, isObject, type Spellings, spellingsOf } from "../../exchange/lenient-fields.js";
import { onlineReceiptSchema } from "../../exchange/online-receipt.js";
import { faultOfProblems, type OrderWarning, problemsOfOrder, warning } from "../../exchange/order-problem.js";
import { taskTableSchema } from "../../exchange/task-table.js";
import type { Fault } from "../../fault.js";
import { keysByParent, nearestWord, schemaNode } from "../../known-keys.js";
import type { Given, Texts } from "../../texts.js";
import { itemsOf, type OrderFormat } from "../receipt.js";
import { meaningOfRow, type TaxRow, vatRates } from "../vat.js";
import type { ReadReceipt } from "./read-sale.js";

export interface Oversight extends OrderWarning {
  /** The place without numbers of lines: `taskTable[].param.nds`. The same mistake has the same key in each order. */
  readonly key: string;
  readonly kind: "unknown-key" | "no-rate" | "rate-like-percent";
  readonly near?: string;
}

const texts = {
  unread: { en: "is no key of an order, and was not read", ru: "такого ключа нет, он не прочитан" },
  meant: (near: string) => ({
    en: `is no key of an order, and was not read: did you mean \`${near}\`?`,
    ru: `такого ключа нет, он не прочитан; возможно, нужен \`${near}\`?`,
  }),
  saidElsewhere: (key: string) => ({ en: `is not read: say \`${key}\``, ru: `не читается: укажите \`${key}\`` }),
  inItsPlace: (given: string, meant: string) => ({
    en: `is missing; \`${given}\` stands there: did you mean \`${meant}\`?`,
    ru: `отсутствует; там стоит \`${given}\`: возможно, нужен \`${meant}\`?`,
  }),
  rowNotPercent: (tax: Given, title: Given) => ({
    en: `is the number of a row, and row ${tax} of the register is ${title}, not ${tax} %`,
    ru: `это номер строки кассы, а строка ${tax} — ${title}, не ${tax} %`,
  }),
  noRate: {
    en: "is missing: the register's default rate is taken, or none",
    ru: "ставки нет: касса возьмёт свою ставку по умолчанию или пробьёт без ставки",
  },
} satisfies Texts;

const MOST_LETTERS = 2;
/** Numbers of tax rows that look like a percentage. */
const percents: readonly number[] = [5, 7, 10, 20, 22];
/** Limits the log: an order may be full of random keys. */
const MOST_FOUND = 20;
const MAX_SHOWN = 64;

/** The known word for each word that sites use in place of a known word. */
const meantWords: Readonly<Record<string, string>> = {
  nds: "vat",
  vat_rate: "vat",
  discount: "discountValue",
  email: "clientContact",
  phone: "clientContact",
};

/** Keys of the online format that a print server does not read, with the known key that says the same. */
const saidElsewhere: Readonly<Record<string, string>> = { sno: "taxSystem", payment_address: "internetPaymentUrl" };

const both = { client: clientKeys, company: companyKeys, attributes: clientKeys, service: serviceKeys };
const inItems = {
  agent_info: agentKeys,
  paying_agent: operatorKeys,
  receive_payments_operator: operatorKeys,
  money_transfer_operator: operatorKeys,
  supplier_info: supplierKeys,
  mark_code: markKeys,
  vat: vatKeys,
};
/** Keys that say nothing about the receipt, by the key of the object that contains them; "" is the order itself. */
const withoutMeaning = {
  "": ["resultCode", "resultInfo", "timestamp", "callback_url", "ism_optional", "device_number", "timezone"],
  service: ["callback_url"],
  company: ["email", "location"],
  receipt: ["device_number", "timezone"],
  items: ["mark_processing_mode", "wholesale"],
  param: ["mark_processing_mode", "wholesale"],
  vat: ["sum"],
};
/** The keys that may stand beside `response`, in small letters. */
export const keysBesideTable: readonly string[] = [
  ...["response", "operation", "service", "callback_url", "resultcode", "resultinfo"],
  ...["timestamp", "action", "kkm", "success"],
];

type KnownKeys = ReadonlyMap<string, Spellings>;

let known: Readonly<Record<OrderFormat, KnownKeys>> | null = null;

function knownKeys(format: OrderFormat): KnownKeys {
  known ??= {
    "task-table": merged(taskTableSchema, { "": tableKeys, ...both, ...inItems }, { param: [tableKeys, itemKeys] }),
    online: merged(
      onlineReceiptSchema,
      { "": rootKeys, receipt: receiptKeys, ...both, ...inItems },
      { items: [itemKeys, rateKeys] },
    ),
  };
  return known[format];
}

function merged(
  schema: z.ZodType,
  cloud: Readonly<Record<string, Spellings>>,
  more: Readonly<Record<string, readonly Spellings[]>>,
): KnownKeys {
  const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any", metadata: z.registry() });
  const found = new Map<string, Map<string, string>>();
  const add = (parent: string, keys: Iterable<readonly [string, string]>) => {
    found.set(parent, new Map([...keys, ...(found.get(parent) ?? [])]));
  };
  for (const [parent, keys] of keysByParent(schemaNode.parse(json))) add(parent, spellingsOf([...keys]));
  for (const [parent, keys] of Object.entries(cloud)) add(parent, keys);
  for (const [parent, lists] of Object.entries(more)) for (const keys of lists) add(parent, keys);
  for (const [parent, keys] of Object.entries(withoutMeaning)) add(parent, spellingsOf(keys));
  return found;
}

/** `body`: the order, below `response` if it has one. `read`: null = the order is refused. `taxes`: known rows. */
export function findOversights(
  body: object,
  format: OrderFormat,
  read: ReadReceipt | null,
  taxes: readonly TaxRow[] = [],
): readonly Oversight[] {
  const found = new Map<string, Oversight>();
  const keys = knownKeys(format);
  // `isInternetPayment` says already whether this is an internet sale, so `payment_address` is no oversight then.
  const saysPlace = Object.keys(body).some((name) => name.toLowerCase() === "isinternetpayment");
  const visit = (value: unknown, parent: string, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) visit(element, parent, `${path}[${index}]`);
      return;
    }
    const names = keys.get(parent);
    if (!isObject(value) || names === undefined) return;
    for (const [name, inner] of Object.entries(value)) {
      // PHP writes a list as an object with numbers for keys.
      if (isNotGiven(inner) || /^\d+$/.test(name)) continue;
      const place = path === "" ? shown(name) : `${path}.${shown(name)}`;
      const own = names.get(name.toLowerCase());
      if (own !== undefined) visit(inner, own, place);
      else if (!saysPlace || name.toLowerCase() !== "payment_address")
        note(place, () => unknown(shown(name), place, [...new Set(names.values())]));
    }
  };
  const note = (place: string, find: () => Omit<Oversight, "key">, key = withoutNumbers(place)) => {
    if (found.size < MOST_FOUND && !found.has(key)) found.set(key, { ...find(), key });
  };
  visit(body, "", "");
  for (const place of read === null ? [] : placesWithoutRate(read)) {
    note(place, () => ({ ...warning(place, texts.noRate), kind: "no-rate" }));
  }
  for (const { tax, place, title } of read === null ? [] : rowsLikePercents(read, taxes)) {
    const find = () => ({ ...warning(place, texts.rowNotPercent(tax, title)), kind: "rate-like-percent" as const });
    note(place, find, `${withoutNumbers(place)} = ${tax}`);
  }
  return [...found.values()];
}

function placesWithoutRate({ receipt, taxPlaces }: ReadReceipt): readonly string[] {
  const items = receipt.kind === "receipt" ? itemsOf(receipt) : [];
  return items.flatMap(({ tax }, position) => (tax === null ? (taxPlaces[position] ?? []) : []));
}

/** The positions whose `tax` is a percentage, while the register's row of that number has another rate. */
function rowsLikePercents({ receipt, taxPlaces }: ReadReceipt, rows: readonly TaxRow[]) {
  if (receipt.kind !== "receipt") return [];
  return itemsOf(receipt).flatMap(({ tax, method }, position) => {
    const row = percents.includes(tax ?? 0) ? rows.find(({ id }) => id === tax) : undefined;
    const code = row === undefined ? null : meaningOfRow(row, receipt, method);
    if (tax === null || code === null) return [];
    const { percent, calculated, title } = vatRates[code];
    return percent === tax && !calculated ? [] : [{ tax, place: taxPlaces[position] ?? "tax", title }];
  });
}

/** At most half of a word may differ, because a short word is near to many others. */
function unknown(name: string, place: string, known: readonly string[]): Omit<Oversight, "key"> {
  const said = saidElsewhere[name.toLowerCase()];
  if (typeof said === "string") return { ...warning(place, texts.saidElsewhere(said)), kind: "unknown-key" };
  const limit = Math.min(MOST_LETTERS, Math.floor(name.length / 2));
  const meant = meantWords[name.toLowerCase()];
  const near = meant !== undefined && known.includes(meant) ? meant : nearestWord(name, known, limit);
  const kind = "unknown-key" as const;
  return near === null
    ? { ...warning(place, texts.unread), kind }
    : { ...warning(place, texts.meant(near)), kind, near };
}

function withoutNumbers(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[]");
}

/** The fault names a misspelt key where the key that was meant is missing. */
export function namingMisspelt(fault: Fault, body: object, oversights: readonly Oversight[]): Fault {
  const [first, ...others] = problemsOfOrder(fault).map((one) => {
    const { path, code } = one;
    const isOfRate = /\.vat(\.type)?$/.test(path);
    if (code !== "order.missing-value" && !isOfRate) return one;
    const place = path.endsWith(".vat") ? `${path}.type` : path;
    const [parent, meant] = splitPath(place);
    for (const { key, near } of oversights) {
      const [where, given] = splitPath(key);
      if (near === meant && where === withoutNumbers(parent) && hasKey(body, parent, given)) {
        return { ...one, ...warning(path, texts.inItsPlace(given, near)) };
      }
    }
    return one;
  });
  return first === undefined ? fault : faultOfProblems([first, ...others]);
}

function splitPath(path: string): readonly [parent: string, key: string] {
  const dot = path.lastIndexOf(".");
  return [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)];
}

/** The key must have exactly this spelling. */
function hasKey(body: object, path: string, key: string): boolean {
  const at = path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .reduce<unknown>((value, step) => {
      const entries = Object.entries(value ?? {});
      return entries.find(([name]) => name.toLowerCase() === step.toLowerCase())?.[1];
    }, body);
  return isObject(at) && Object.keys(at).some((name) => shown(name) === key);
}

function shown(name: string): string {
  return name.slice(0, MAX_SHOWN).replace(/[^\p{L}\p{N}_$-]/gu, "?");
}
