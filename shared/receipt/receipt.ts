/**
 * The domain document that both order formats become. Plain data: it is stored as JSON and travels unchanged.
 * Field comments name the FFD tag (FNS order ED-7-20/662@) that the value ends up in.
 */
import type { Kopecks, Quantity } from "../amounts.js";
import type { Inn, Kkm, OrderId, ReceiptId } from "../ids.js";
import type { LocalTime } from "../local-time.js";

/** Tag 1054, the two values of the protocol: 1 sale, 2 return of a sale. */
export type Operation = "sale" | "return";

export type OrderFormat = "task-table" | "online";

interface JobBase {
  /** The site's order number; the result refers to it. */
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  /** The register that the order names; null = the polled one. */
  readonly kkm: Kkm | null;
  readonly format: OrderFormat;
  /** A CancelCheck line before everything else: a receipt of ours that hangs open is cancelled first. */
  readonly cancelFirst: boolean;
}

/** One fiscal receipt. */
export interface SaleReceipt extends JobBase {
  readonly kind: "receipt";
  readonly orderId: OrderId;
  readonly operation: Operation;
  /** Items and paper lines in print order. At least one item. */
  readonly lines: readonly ReceiptLine[];
  /** Netted by `typeClose`, ascending, zero sums left out. Together they cover the total. */
  readonly payments: readonly Payment[];
  /** Tag 1008: e-mail, or phone as + and digits; null = none. */
  readonly contact: string | null;
  /** False: electronic only, no paper (ClientContact.printDoc). */
  readonly printDoc: boolean;
  /** Tag 1125 = 1 with tag 1187 = `url`; null = not an internet settlement. */
  readonly internet: { readonly url: string } | null;
  /** Tag 1187 when it is not an internet receipt (extension `paymentPlace`). */
  readonly settlementPlace: string | null;
  /** Tags 1021 and 1203 when the order names them; null = the register's configured cashier. */
  readonly cashier: Cashier | null;
  /** Tag 1055 bit when the order names it: 1 OSN, 2 USN income, 4 USN income-expense, 16 ESHN, 32 patent. */
  readonly taxSystem: TaxSystem | null;
  /** service.inn of the online format: must equal the register's. */
  readonly expectedInn: Inn | null;
  /** The table ends with CancelCheck: checked and answered, never sent to a register. */
  readonly cancelledByOrder: boolean;
  /** Absent: the order names none of them. */
  readonly requisites?: ReceiptRequisites;
}

/** What few orders name; what is not named is absent. */
export interface ReceiptRequisites {
  readonly buyer?: Buyer;
  /** Tag 1192, up to 16 characters. */
  readonly additional?: string;
  /** Tag 1270 (FFD 1.2). */
  readonly operating?: { readonly id: string; readonly data: string; readonly time: LocalTime };
  /** Stands in the receipt in place of our order mark. */
  readonly userProperty?: UserProperty;
}

/** Tag 1084. */
export interface UserProperty {
  /** Tag 1085, up to 64 characters. */
  readonly name: string;
  /** Tag 1086, up to 256 characters. */
  readonly value: string;
}

/** Tag 1256 in FFD 1.2; before, 1227 and 1228 in the receipt itself. */
export interface Buyer {
  /** Tag 1227. */
  readonly name?: string;
  /** Tag 1228. */
  readonly inn?: Inn;
  /** Tag 1243, dd.mm.yyyy. */
  readonly birthDate?: string;
  /** Tag 1244, three OKSM digits. */
  readonly citizenship?: string;
  /** Tag 1245, two digits. */
  readonly documentCode?: string;
  /** Tag 1246. */
  readonly documentData?: string;
  /** Tag 1254. */
  readonly address?: string;
}

/** Anything without a fiscal receipt: cash in and out, reports, clock, plain printing. */
export interface ServiceJob extends JobBase {
  readonly kind: "service";
  readonly lines: readonly ServiceLine[];
}

export type Receipt = SaleReceipt | ServiceJob;

export type TaxSystem = 1 | 2 | 4 | 8 | 16 | 32;

export interface Cashier {
  /** Tag 1021, up to 64 characters: position and surname. */
  readonly name: string;
  /** Tag 1203, 12 digits, or null. */
  readonly inn: Inn | null;
}

export interface Payment {
  /** Id from the register's typeClose list: 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision. */
  readonly typeClose: number;
  readonly sum: Kopecks;
}

export type ReceiptLine = ItemLine | PaperLine;
export type ServiceLine = CashLine | ReportLine | SyncTimeLine | PaperLine;
export type Line = ReceiptLine | ServiceLine;

/** Tag 1059. */
export interface ItemLine {
  readonly type: "item";
  /** Tag 1030, 1 to 128 characters. */
  readonly name: string;
  /** Price of one unit before the discount. */
  readonly price: Kopecks;
  /** Tag 1023. */
  readonly quantity: Quantity;
  /** Tag 1043: the amount to pay for the line, after discount. Price x quantity minus discount, to the kopeck. */
  readonly total: Kopecks;
  /** Row in the tax list of the register that was polled, or `taxIdOfRate` of a rate in words; null = pass none. */
  readonly tax: number | null;
  /** Section of the register, 0 to 16; not fiscal. */
  readonly department: number;
  /** Tag 1212. Default 1. */
  readonly subject: number;
  /** Tag 1214, 1 to 7. Default 4. */
  readonly method: number;
  /** Tag 1197 (FFD up to 1.1): text; null = none. */
  readonly unit: string | null;
  /** Tag 2108 (FFD 1.2). Default 0. */
  readonly measure: number;
  readonly agent: Agent | null;
  /** Tag 1162/1163: bytes as base64, or null. */
  readonly goodsCode: string | null;
  /** Marking code as scanned, base64 of its bytes; null = not marked. */
  readonly markingCode: string | null;
  /** Tag 1230, three OKSM digits. */
  readonly countryCode: string | null;
  /** Tag 1231. */
  readonly customsDeclaration: string | null;
  /** `enableCheckSumm` of a Return line: only the printed text of the sum. */
  readonly printSum: boolean;
  /** Absent: the order names none of them. */
  readonly requisites?: ItemRequisites;
}

/** What few positions name; what is not named is absent. */
export interface ItemRequisites {
  /** Tag 1191, up to 64 characters. */
  readonly additional?: string;
  /** Tag 1229. */
  readonly excise?: Kopecks;
  /** Tag 1260 (FFD 1.2): the answer of the marking system, for one. */
  readonly industry?: Industry;
}

/** Tags 1262, 1263 (dd.mm.yyyy), 1264, 1265. */
export interface Industry {
  readonly authority: string;
  readonly date: string;
  readonly number: string;
  readonly value: string;
}

/** Tags 1222, 1223, 1224 {1225, 1171}, 1226. */
export interface Agent {
  /** Tag 1222, exactly one bit: 1, 2, 4, 8, 16, 32 or 64. */
  readonly type: number;
  readonly supplierName: string | null;
  readonly supplierPhones: readonly string[];
  /** Tag 1226; null = the twelve zeros of a supplier without INN. */
  readonly supplierInn: Inn | null;
  /** Tag 1223; absent: the order has none. */
  readonly data?: AgentData;
}

/** What is not named is absent. */
export interface AgentData {
  /** Tag 1044, up to 24 characters. */
  readonly operation?: string;
  /** Tag 1073. */
  readonly agentPhones?: readonly string[];
  /** Tag 1074: of the operator who receives the payments. */
  readonly operatorPhones?: readonly string[];
  /** Tags 1075, 1026, 1005, 1016: of the operator who transfers the money. */
  readonly transferPhones?: readonly string[];
  readonly transferName?: string;
  readonly transferAddress?: string;
  readonly transferInn?: Inn;
}

export type PaperLine = TextLine | BarcodeLine | ImageLine | { readonly type: "header" | "footer" | "cut" };

export interface TextLine {
  readonly type: "text";
  /** Already expanded text, or one of the two full-width lines. */
  readonly content:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "trait" }
    | { readonly kind: "dash" };
  readonly style: TextStyle;
}

export interface TextStyle {
  readonly font: 0 | 1 | 2 | 3;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly doubleHeight: boolean;
  readonly underline: boolean;
  readonly overline: boolean;
  readonly negative: boolean;
  /** Quarter turns. */
  readonly rotation: 0 | 1 | 2 | 3;
  readonly wrap: boolean;
  readonly alignment: Alignment;
  readonly newLine: boolean;
  readonly maxLineSpacing: boolean;
}

export type Alignment = "left" | "center" | "right";

export interface BarcodeLine {
  readonly type: "barcode";
  /** EAN-13: 12 or 13 digits. Code39: A-Z 0-9 and -. $/+% space. QR: any text (our extension). */
  readonly symbology: "ean13" | "code39" | "qr";
  readonly data: string;
  readonly heightMm: number;
  readonly printText: boolean;
  readonly alignment: Alignment;
}

export interface ImageLine {
  readonly type: "image";
  /** As the order names it; resolved inside the images folder by the daemon. */
  readonly source: string;
  readonly alignment: Alignment;
}

export interface CashLine {
  readonly type: "cash";
  readonly direction: "in" | "out";
  /** > 0 */
  readonly sum: Kopecks;
}

export type ReportKind = "z" | "x" | "sections" | "cashiers" | "hours";

export interface ReportLine {
  readonly type: "report";
  readonly report: ReportKind;
}

export interface SyncTimeLine {
  readonly type: "sync-time";
}

export const plainStyle: TextStyle = {
  font: 0,
  bold: false,
  italic: false,
  doubleHeight: false,
  underline: false,
  overline: false,
  negative: false,
  rotation: 0,
  wrap: true,
  alignment: "left",
  newLine: true,
  maxLineSpacing: false,
};

export function itemsOf(receipt: SaleReceipt): readonly ItemLine[] {
  return receipt.lines.filter((line): line is ItemLine => line.type === "item");
}

/** Tag 1020. */
export function totalOf(receipt: SaleReceipt): Kopecks {
  return itemsOf(receipt).reduce((sum, item) => (sum + item.total) as Kopecks, 0 as Kopecks);
}

/** Tag 1215, kopecks: what a prepayment pays of it; 0 of a service job. */
export function prepaidPart(receipt: Receipt): number {
  if (receipt.kind !== "receipt") return 0;
  return receipt.payments.find(({ typeClose }) => typeClose === 2)?.sum ?? 0;
}

/** The receipt's own tag 1084; null = it has none. */
export function ownPropertyOf(receipt: Receipt): UserProperty | null {
  return receipt.kind === "receipt" ? (receipt.requisites?.userProperty ?? null) : null;
}

/** The fields of an object that are there: an absent one is no key of it. */
export function givenFields<T extends object>(fields: T): { readonly [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (isGiven(value)) given[key] = value;
  }
  return given;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
