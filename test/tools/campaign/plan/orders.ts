/**
 * Orders of the campaign in the print-server format, and their spelling as bytes. Their documents are recognised by the
 * names of the items.
 */
import type { TaskTableAnswer, WireLine } from "@fiscald/shared/exchange/task-table.js";
import { openings } from "@fiscald/shared/receipt/formats/table-frame.js";
import { rateWords, type VatCode } from "@fiscald/shared/receipt/vat.js";

export interface OrderFacts {
  /** One for each line; with more lines they begin again. Null: row 2 of the register's table, by its number. */
  readonly rates: readonly (VatCode | null)[];
  /** Tag 1212 (subject) of the lines. */
  readonly subjects: readonly number[];
  /** Tag 1214 (method). */
  readonly method: number;
  readonly contact: string | null;
  /** The site's address: a settlement on the internet. */
  readonly place: string | null;
  /** Roubles in cash; the rest is paid by card. Null: everything in cash. */
  readonly cash: number | null;
}

export const plainFacts: OrderFacts = {
  ...{ rates: [null], subjects: [1], method: 4, contact: null, place: null, cash: null },
};

/** The sequence begins again after its last fact. */
export function factOf<T>(facts: readonly T[], line: number): T {
  const fact = facts[line % facts.length];
  if (fact === undefined) throw new Error("an order without facts");
  return fact;
}

export interface CampaignOrder {
  /** Unique in its case. A sale and its return, or two sites, may have one order id, but never one key. */
  readonly key: string;
  /** The names of the items begin with the label. Only orders of two sites that sell the same goods share a label. */
  readonly label: string;
  readonly orderId: string;
  readonly operation: "sale" | "return";
  readonly totalKopecks: number;
  /** In roubles. */
  readonly prices: readonly number[];
  /** Undefined: the register that is polled. */
  readonly kkm: string | undefined;
  readonly facts: OrderFacts;
  readonly answer: TaskTableAnswer;
}

/** The prices in the receipt that opens the shift of each register. */
export const WARM_PRICES: readonly number[] = [500];

export interface OrderOptions {
  readonly orderId: string;
  /** Default: the order id. */
  readonly key?: string;
  /** Default: the key. */
  readonly label?: string;
  readonly operation: "sale" | "return";
  /** In roubles; orders with equal sums differ by the names. */
  readonly prices: readonly number[];
  /** Default: the register that is polled. */
  readonly kkm?: string | undefined;
  /** The order id as its site writes it. Default: unchanged. */
  readonly writtenId?: string | undefined;
  readonly receiptId?: string | undefined;
  /** Default: plain ones. */
  readonly facts?: OrderFacts | undefined;
  /** Makes a correction of the day whose rates the facts have: `dd.mm.yyyy`. Default: an ordinary receipt. */
  readonly corrects?: string | undefined;
}

/** By `typeClose`, in kopecks: 0 cash, 1 card. */
export function paymentsOf({ totalKopecks, facts }: Pick<CampaignOrder, "totalKopecks" | "facts">): readonly number[] {
  const cash = facts.cash === null ? totalKopecks : facts.cash * 100;
  return [cash, totalKopecks - cash];
}

export function makeOrder(options: OrderOptions): CampaignOrder {
  const { orderId, key = orderId, label = key, operation, prices, kkm, writtenId = orderId, receiptId } = options;
  const { facts = plainFacts, corrects } = options;
  const totalKopecks = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  const item = operation === "sale" ? "Registration" : "Return";
  const taskTable: readonly WireLine[] = [
    { type: openings[corrects === undefined ? operation : (`${operation}-correction` as const)], data: "" },
    ...prices.map((price, line): WireLine => {
      const param = { price, quantity: 1, ...rateAndSigns(facts, line) };
      return { type: item, data: itemName(label, line), param };
    }),
    ...paymentsOf({ totalKopecks, facts }).flatMap((sum, typeClose): WireLine[] =>
      sum === 0 ? [] : [{ type: "Payment", data: "", param: { summ: sum / 100, typeClose } }],
    ),
    { type: "CloseCheck", data: "" },
  ];
  return {
    key,
    label,
    orderId,
    operation,
    totalKopecks,
    prices,
    kkm,
    facts,
    answer: {
      response: {
        ...(corrects === undefined ? {} : { correctionInfo: { type: "self", base_date: corrects } }),
        ...(facts.contact === null ? {} : { clientContact: facts.contact }),
        ...(facts.place === null ? {} : { isInternetPayment: 1, internetPaymentUrl: facts.place }),
        ...(kkm === undefined ? {} : { kkm }),
        ...(receiptId === undefined ? {} : { receiptId }),
        orderId: writtenId,
        taskTable,
      },
    },
  };
}

function rateAndSigns({ rates, subjects, method }: OrderFacts, line: number) {
  const rate = factOf(rates, line);
  if (rate === null) return { tax: 2 };
  return { vat: { type: rateWords[rate] }, itemType: factOf(subjects, line), paymentMode: method };
}

export interface CashJob {
  readonly orderId: string;
  readonly kkm: string;
  readonly direction: "in" | "out";
  readonly sumKopecks: number;
  readonly answer: TaskTableAnswer;
}

export function makeCashJob({ orderId, kkm, direction, sumKopecks }: Omit<CashJob, "answer">): CashJob {
  const type = direction === "in" ? "CashIncome" : "CashOutcome";
  const taskTable: readonly WireLine[] = [{ type, data: "", param: { summ: sumKopecks / 100 } }];
  return { orderId, kkm, direction, sumKopecks, answer: { response: { kkm, orderId, taskTable } } };
}

const unseen = /[\u00AD\u200B-\u200F\u2060\uFEFF]/gu;

/** True: a person sees no difference between the order ids. */
export function isSpelling(written: string, orderId: string): boolean {
  return written.replace(unseen, "") === orderId;
}

export function itemName(label: string, line: number): string {
  return `${label} строка ${line + 1}`;
}

/** The label of an order whose document has no items: its total, which no other order of its register has. */
export function labelOfTotal(kopecks: number): string {
  return `sum-${kopecks}`;
}

/** The label in the names of a document's items, even if they are cut. Null: the document is not the campaign's. */
export function labelOf(document: {
  readonly items: readonly { readonly name: string }[];
  readonly totalKopecks?: number | null;
}): string | null {
  if (document.items.length === 0) return labelOfTotal(document.totalKopecks ?? 0);
  return /^(\S+) с/.exec(document.items[0]?.name ?? "")?.[1] ?? null;
}

/** How a site encodes an order, and which encoding it declares. Real PHP sites answer in windows-1251. */
export const spellings = [
  "utf-8",
  "utf-8 called windows-1251",
  "utf-8 with a BOM",
  "windows-1251",
  "windows-1251 undeclared",
  "windows-1251 called utf-8",
  "broken utf-8",
  "broken windows-1251",
] as const;
export type Spelling = (typeof spellings)[number];

/** True: all letters can be known from the bytes. */
export function isReadable(spelling: Spelling): boolean {
  return spellings.indexOf(spelling) < spellings.indexOf("windows-1251 undeclared");
}

export interface SpelledAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const JSON_TYPE = "application/json";
const IN_1251 = `${JSON_TYPE}; charset=windows-1251`;
const BOM = "\u{feff}";
/** A byte without a letter in windows-1251. */
const NO_LETTER = 0x98;

export function spell(answer: TaskTableAnswer, spelling: Spelling): SpelledAnswer {
  const text = JSON.stringify(answer);
  const utf8 = Buffer.from(text, "utf8");
  switch (spelling) {
    case "utf-8":
      return { bytes: utf8, contentType: JSON_TYPE };
    case "utf-8 called windows-1251":
      return { bytes: utf8, contentType: IN_1251 };
    case "utf-8 with a BOM":
      return { bytes: Buffer.from(`${BOM}${text}`, "utf8"), contentType: JSON_TYPE };
    case "windows-1251":
      return { bytes: inWindows1251(text), contentType: IN_1251 };
    case "windows-1251 undeclared":
      return { bytes: inWindows1251(text), contentType: JSON_TYPE };
    case "windows-1251 called utf-8":
      return { bytes: inWindows1251(text), contentType: `${JSON_TYPE}; charset=utf-8` };
    case "broken utf-8":
      return { bytes: withoutOneByte(utf8), contentType: `${JSON_TYPE}; charset=utf-8` };
    case "broken windows-1251":
      return { bytes: withBadLetter(inWindows1251(text)), contentType: IN_1251 };
  }
}

const windows1251 = new TextDecoder("windows-1251");
const byteOf = new Map(Array.from({ length: 0x100 }, (_, byte) => [windows1251.decode(Uint8Array.of(byte)), byte]));

function inWindows1251(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => byteOf.get(letter) ?? 0x3f);
}

const isAscii = (byte: number) => byte < 0x80;

/** Removes the second byte of the first letter that has two. */
function withoutOneByte(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => !isAscii(byte));
  return Buffer.concat([bytes.subarray(0, first + 1), bytes.subarray(first + 2)]);
}

function withBadLetter(bytes: Uint8Array): Uint8Array {
  return bytes.with(
    bytes.findIndex((byte) => !isAscii(byte)),
    NO_LETTER,
  );
}
