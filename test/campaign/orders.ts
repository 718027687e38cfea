/**
 * Orders of the campaign, in the print-server format; how a site spells them as bytes; and how their documents are told
 * apart: by the items' names.
 */
import type { TaskTableAnswer, WireLine } from "@fiscald/shared/exchange/task-table.js";

export interface CampaignOrder {
  /** Unique in its case. A sale and its return share the order id, not the key; so do equal order ids of two sites. */
  readonly key: string;
  /** The names of its items begin with it. Orders of two sites that sell the same share it, and nothing else does. */
  readonly label: string;
  readonly orderId: string;
  readonly operation: "sale" | "return";
  readonly totalKopecks: number;
  /** Roubles. */
  readonly prices: readonly number[];
  /** Null: whichever register is polled. */
  readonly kkm: string | undefined;
  readonly answer: TaskTableAnswer;
}

export interface OrderOptions {
  readonly orderId: string;
  /** Default: the order id. */
  readonly key?: string;
  /** Default: the key. */
  readonly label?: string;
  readonly operation: "sale" | "return";
  /** Prices in roubles; equal sums are told apart by the name. */
  readonly prices: readonly number[];
  /** Default: whichever register is polled. */
  readonly kkm?: string | undefined;
  /** The order id as its site writes it. Default: as it is. */
  readonly writtenId?: string | undefined;
  readonly receiptId?: string | undefined;
}

export function makeOrder(options: OrderOptions): CampaignOrder {
  const { orderId, key = orderId, label = key, operation, prices, kkm, writtenId = orderId, receiptId } = options;
  const totalKopecks = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  const item = operation === "sale" ? "Registration" : "Return";
  const taskTable: readonly WireLine[] = [
    { type: operation === "sale" ? "OpenCheckSell" : "OpenCheckReturn", data: "" },
    ...prices.map(
      (price, line): WireLine => ({ type: item, data: itemName(label, line), param: { price, quantity: 1, tax: 2 } }),
    ),
    { type: "Payment", data: "", param: { summ: totalKopecks / 100, typeClose: 0 } },
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
    answer: {
      response: {
        ...(kkm === undefined ? {} : { kkm }),
        ...(receiptId === undefined ? {} : { receiptId }),
        orderId: writtenId,
        taskTable,
      },
    },
  };
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

/** Whether a person reads both order ids alike. */
export function isSpelling(written: string, orderId: string): boolean {
  return written.replace(unseen, "") === orderId;
}

export function itemName(label: string, line: number): string {
  return `${label} строка ${line + 1}`;
}

/** The label that a document's items name; null = the document is not of the campaign. */
export function labelOf(document: { readonly items: readonly { readonly name: string }[] }): string | null {
  return /^(\S+) строка \d+$/.exec(document.items[0]?.name ?? "")?.[1] ?? null;
}

/** How a site writes an order as bytes, and what it says of them. PHP sites of the field answer in windows-1251. */
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

/** Whether all of its letters can be known from the bytes. */
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
/** A byte to which windows-1251 gives no letter. */
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

/** The second byte of the first letter that has two. */
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
