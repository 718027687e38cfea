/**
 * The domain document that both order formats become: plain data that is stored as JSON and travels unchanged. Comments
 * of fields name the tag of the fiscal format (FFD, FNS order ED-7-20/662@) that gets the value.
 */
import type { Kopecks, Quantity } from "../amounts.js";
import type { Inn, Kkm, OrderId, ReceiptId } from "../ids.js";
import type { LocalTime } from "../local-time.js";

/** Direction of a receipt (tag 1054), the two values of the protocol: 1 sale, 2 return of a sale. */
export type Operation = "sale" | "return";

export type Sign = Operation | `${Operation}-correction`;

/**
 * What makes a receipt a correction (form 31): tag 1173 (why it is made) and tag 1178 (the day of the settlement). The
 * document that it puts right, if there is one, is named by tag 1192 among the requisites.
 */
export type Correction = CorrectedDay &
  (
    | { readonly type: "self" }
    /** By an order of the tax office; its number is tag 1179, up to 32 characters. */
    | { readonly type: "instruction"; readonly number: string }
  );

interface CorrectedDay {
  /** The day as `2026-07-14`. */
  readonly date: string;
  /** A person has confirmed rates that were not in force on that day. */
  readonly rateConfirmed?: true;
  /** A person made this correction from an ordinary order: a repeat of the order means the correction. */
  readonly ofOrder?: true;
}

export type OrderFormat = "task-table" | "online";

interface JobBase {
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  /** The register that the order names; null = the register that asked for it. */
  readonly kkm: Kkm | null;
  readonly format: OrderFormat;
  /** The order begins with a CancelCheck line: a receipt of ours that was left open is cancelled first. */
  readonly cancelFirst: boolean;
}

export interface SaleReceipt extends JobBase {
  readonly kind: "receipt";
  readonly orderId: OrderId;
  readonly operation: Operation;
  /** Items and paper lines in print order. At least one item. */
  readonly lines: readonly ReceiptLine[];
  /** One sum for each `typeClose`, ascending, without zero sums. Together they cover the total. */
  readonly payments: readonly Payment[];
  /** The buyer's contact (tag 1008): e-mail, or phone as + and digits; null = none. */
  readonly contact: string | null;
  /** False: the receipt is only electronic, without paper (`printDoc` of ClientContact). */
  readonly printDoc: boolean;
  /** An internet settlement: tag 1125 = 1, with tag 1187 (place) = `url`; null = no internet settlement. */
  readonly internet: { readonly url: string } | null;
  /** Tag 1187 (place of settlement) when it is not an internet receipt (extension `paymentPlace`). */
  readonly settlementPlace: string | null;
  /** Tags 1021 (cashier) and 1203 (cashier's INN); null = the register's configured cashier. */
  readonly cashier: Cashier | null;
  /** Tag 1055 (tax system), the order's bit: 1 OSN, 2 USN income, 4 USN income-expense, 16 ESHN, 32 patent. */
  readonly taxSystem: TaxSystem | null;
  /** `service.inn` of the online format, which must equal the register's INN. */
  readonly expectedInn: Inn | null;
  /** The table ends with CancelCheck: the order is checked and answered, but never sent to a register. */
  readonly cancelledByOrder: boolean;
  readonly requisites?: ReceiptRequisites;
  /** When the buyer paid, in ms since 1970, as the order says; no tag. Absent: the order names no readable time. */
  readonly paidAt?: number;
  /** An ordinary sale that puts right the receipt of this day, as `2026-07-14`: its rates are of that day. */
  readonly settledOn?: string;
  /** Absent for an ordinary receipt. `signOf` tells corrections from ordinary receipts. */
  readonly correction?: Correction;
}

/** Fields that few orders have; a field that is not given is absent. */
export interface ReceiptRequisites {
  readonly buyer?: Buyer;
  /** Tag 1192 (additional property of the receipt), up to 16 characters. */
  readonly additional?: string;
  /** Tag 1270 (operational property, FFD 1.2). */
  readonly operating?: { readonly id: string; readonly data: string; readonly time: LocalTime };
  /** Tag 1084 (property of the user) from the order, which takes the place of our order mark. */
  readonly userProperty?: UserProperty;
}

export interface UserProperty {
  /** Tag 1085 (name of the property), up to 64 characters. */
  readonly name: string;
  /** Tag 1086 (value of the property), up to 256 characters. */
  readonly value: string;
}

/** The buyer: tag 1256 in FFD 1.2; in earlier versions tags 1227 (name) and 1228 (INN) of the receipt itself. */
export interface Buyer {
  /** Tag 1227 (buyer's name). */
  readonly name?: string;
  /** Tag 1228 (buyer's INN). */
  readonly inn?: Inn;
  /** Tag 1243 (birth date), dd.mm.yyyy. */
  readonly birthDate?: string;
  /** Tag 1244 (citizenship), three digits of the classifier OKSM. */
  readonly citizenship?: string;
  /** Tag 1245 (kind of the identity document), two digits. */
  readonly documentCode?: string;
  /** Tag 1246 (data of the identity document). */
  readonly documentData?: string;
  /** Tag 1254 (address). */
  readonly address?: string;
}

/** A job without a fiscal receipt: cash in and out, reports, clock, plain printing. */
export interface ServiceJob extends JobBase {
  readonly kind: "service";
  readonly lines: readonly ServiceLine[];
}

export type Receipt = SaleReceipt | ServiceJob;

export type TaxSystem = 1 | 2 | 4 | 8 | 16 | 32;

export interface Cashier {
  /** Tag 1021 (cashier), up to 64 characters: position and surname. */
  readonly name: string;
  /** Tag 1203 (the cashier's INN), 12 digits, or null. */
  readonly inn: Inn | null;
}

export interface Payment {
  /** The form of payment: 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision. */
  readonly typeClose: number;
  readonly sum: Kopecks;
}

export type ReceiptLine = ItemLine | PaperLine;
export type ServiceLine = CashLine | ReportLine | SyncTimeLine | PaperLine;
export type Line = ReceiptLine | ServiceLine;

/** A position of a receipt (tag 1059). */
export interface ItemLine {
  readonly type: "item";
  /** Tag 1030 (name), 1 to 128 characters. */
  readonly name: string;
  /** Price of one unit before the discount. */
  readonly price: Kopecks;
  /** Tag 1023 (quantity). */
  readonly quantity: Quantity;
  /** Tag 1043 (sum): the amount to pay for the line, price x quantity less the discount, to the kopeck. */
  readonly total: Kopecks;
  /** A row in the tax list of the polled register, or `taxIdOfRate` of a rate in words; null = no rate is sent. */
  readonly tax: number | null;
  /** Section of the register, 0 to 16; not fiscal. */
  readonly department: number;
  /** Tag 1212 (subject), default 1. */
  readonly subject: number;
  /** Tag 1214 (method of payment), 1 to 7, default 4. */
  readonly method: number;
  /** Tag 1197 (unit, FFD up to 1.1) as text; null = none. */
  readonly unit: string | null;
  /** Tag 2108 (measure, FFD 1.2), default 0. */
  readonly measure: number;
  readonly agent: Agent | null;
  /** Tag 1162 or 1163 (code of the goods): bytes as base64, or null. */
  readonly goodsCode: string | null;
  /** Marking code as scanned, base64 of its bytes; null = not marked. */
  readonly markingCode: string | null;
  /** Tag 1230 (country of origin), three digits of the classifier OKSM. */
  readonly countryCode: string | null;
  /** Tag 1231 (number of the customs declaration). */
  readonly customsDeclaration: string | null;
  /** `enableCheckSumm` of a Return line: the sum is printed as text, which changes nothing fiscal. */
  readonly printSum: boolean;
  readonly requisites?: ItemRequisites;
}

export interface ItemRequisites {
  /** Tag 1191 (additional property of the position), up to 64 characters. */
  readonly additional?: string;
  /** Tag 1229 (excise). */
  readonly excise?: Kopecks;
  /** Tag 1260 (industry property, FFD 1.2), for example the answer of the marking system. */
  readonly industry?: Industry;
}

/** Tags 1262 (authority), 1263 (date of its document, dd.mm.yyyy), 1264 (number), 1265 (value). */
export interface Industry {
  readonly authority: string;
  readonly date: string;
  readonly number: string;
  readonly value: string;
}

/** Tags 1222 (kind of agent), 1223 (data), 1224 (supplier: 1225 name, 1171 phones), 1226 (supplier's INN). */
export interface Agent {
  /** Tag 1222 (kind of agent), exactly one bit: 1, 2, 4, 8, 16, 32 or 64. */
  readonly type: number;
  readonly supplierName: string | null;
  readonly supplierPhones: readonly string[];
  /** Tag 1226 (supplier's INN); null = the twelve zeros of a supplier without INN. */
  readonly supplierInn: Inn | null;
  /** Tag 1223 (data of the agent); absent: the order has none. */
  readonly data?: AgentData;
}

/** Tag 1226 (supplier's INN) of a supplier without INN. */
export const SUPPLIER_WITHOUT_INN = "000000000000";

export interface AgentData {
  /** Tag 1044 (operation of the agent), up to 24 characters. */
  readonly operation?: string;
  /** Tag 1073 (phones of the agent). */
  readonly agentPhones?: readonly string[];
  /** Tag 1074 (phones of the operator who receives the payments). */
  readonly operatorPhones?: readonly string[];
  /** Tags 1075 (phones), 1026 (name), 1005 (address) and 1016 (INN) of the operator who transfers the money. */
  readonly transferPhones?: readonly string[];
  readonly transferName?: string;
  readonly transferAddress?: string;
  readonly transferInn?: Inn;
}

export type PaperLine = TextLine | BarcodeLine | ImageLine | { readonly type: "header" | "footer" | "cut" };

export interface TextLine {
  readonly type: "text";
  /** Text with its variables filled in, or one of the two full-width lines. */
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
  readonly rotation: 0 | 1 | 2 | 3;
  readonly wrap: boolean;
  readonly alignment: Alignment;
  readonly newLine: boolean;
  readonly maxLineSpacing: boolean;
}

export type Alignment = "left" | "center" | "right";

export interface BarcodeLine {
  readonly type: "barcode";
  /** EAN-13: 12 or 13 digits. Code39: A-Z 0-9 and -. $/+% space. QR: any text (an extension). */
  readonly symbology: "ean13" | "code39" | "qr";
  readonly data: string;
  readonly heightMm: number;
  readonly printText: boolean;
  readonly alignment: Alignment;
}

export interface ImageLine {
  readonly type: "image";
  /** The file's name in the order; the daemon looks for it inside its images folder. */
  readonly source: string;
  readonly alignment: Alignment;
}

export interface CashLine {
  readonly type: "cash";
  readonly direction: "in" | "out";
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

export function signOf({ operation, correction }: Pick<SaleReceipt, "operation" | "correction">): Sign {
  return correction === undefined ? operation : `${operation}-correction`;
}

/** The sign in the site's order. A person may have made the receipt a correction since. */
export function orderedSignOf(receipt: Pick<SaleReceipt, "operation" | "correction">): Sign {
  return receipt.correction?.ofOrder === true ? receipt.operation : signOf(receipt);
}

export function documentTypeOf({ correction }: Pick<SaleReceipt, "correction">): "receipt" | "correction" {
  return correction === undefined ? "receipt" : "correction";
}

export function itemsOf(receipt: SaleReceipt): readonly ItemLine[] {
  return receipt.lines.filter((line): line is ItemLine => line.type === "item");
}

/** The total of a receipt (tag 1020). */
export function totalOf(receipt: SaleReceipt): Kopecks {
  return itemsOf(receipt).reduce((sum, item) => (sum + item.total) as Kopecks, 0 as Kopecks);
}

/** The part of a receipt that a prepayment pays, in kopecks (tag 1215); 0 for a service job. */
export function prepaidPart(receipt: Receipt): number {
  if (receipt.kind !== "receipt") return 0;
  return receipt.payments.find(({ typeClose }) => typeClose === 2)?.sum ?? 0;
}

/** The order's own tag 1084 (property of the user); null = the order has none. */
export function ownPropertyOf(receipt: Receipt): UserProperty | null {
  return receipt.kind === "receipt" ? (receipt.requisites?.userProperty ?? null) : null;
}

/** The object without its absent fields, so that it has no keys for them. */
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
