/** The command set of the reference register (README.md): each command with its body, its time and whether it may be repeated. */

import type { Operation, ReportKind, UserProperty } from "@fiscald/shared/receipt/receipt.js";
import type { TagText } from "../compile/requisites.js";
import { defaultLinkTimeouts, type LinkTimeouts } from "../link/exchange-machine.js";

export interface CommandBodies {
  IDENT: Nothing;
  STATE: Nothing;
  TABLES: Nothing;
  TOTALS: Nothing;
  DOC: { readonly fd: number };
  "OPEN-SHIFT": CashierBody;
  OPEN: CashierBody & {
    readonly operation: Operation;
    readonly taxSystem: number | null;
    /** Absent: a receipt. */
    readonly correction?: CorrectionBody;
  };
  ITEM: ItemBody;
  PRINT: PrintBody;
  PAY: { readonly type: number; readonly sum: number };
  SUBTOTAL: Nothing;
  CLOSE: CloseBody;
  CANCEL: Nothing;
  CASH: { readonly direction: "in" | "out"; readonly sum: number };
  REPORT: CashierBody & { readonly report: ReportKind };
  "SET-TIME": { readonly time: string };
  "FINISH-PRINT": Nothing;
  COPY: { readonly fd: number };
}

type Nothing = Readonly<Record<string, never>>;

export interface CashierBody {
  readonly cashier: string | null;
  readonly cashierInn: string | null;
}

export interface CorrectionBody {
  /** Tag 1173: 0 = of the taxpayer's own accord, 1 = by an order. */
  readonly type: number;
  /** Tag 1178, `2026-07-14`. */
  readonly date: string;
  /** Tag 1179; null = none. */
  readonly number: string | null;
}

/** Money in kopecks, quantity in millionths, bytes in base64. */
export interface ItemBody {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly sum: number;
  readonly tax: number | null;
  readonly department: number;
  readonly subject: number;
  readonly method: number;
  readonly unit: string | null;
  readonly measure: number;
  readonly agent: AgentBody | null;
  readonly goodsCode: string | null;
  readonly markingCode: string | null;
  readonly country: string | null;
  readonly customs: string | null;
  /** Tag 1191 (additional requisite of the item). */
  readonly additional?: string;
  readonly excise?: number;
  /** What is inside tag 1260 (industry requisite), by tag. */
  readonly industry?: readonly TagText[];
}

export interface AgentBody {
  readonly type: number;
  readonly supplier: string | null;
  readonly phones: readonly string[];
  readonly inn: string | null;
  /** What is inside tag 1223 (data of the agent), by tag. */
  readonly data?: readonly TagText[];
}

export interface CloseBody {
  /** What is inside tag 1256 (buyer), by tag. */
  readonly buyer?: readonly TagText[];
  /** Tag 1192 (additional requisite of the receipt). */
  readonly additional?: string;
  /** Tag 1270 (operational requisite). */
  readonly operating?: { readonly id: number; readonly data: string; readonly time: string };
  readonly contact: string | null;
  readonly internet: boolean;
  readonly place: string | null;
  /** Tag 1084 (user requisite: name and value). */
  readonly userProperty: UserProperty | null;
  readonly paper: boolean;
}

export type PrintBody =
  | { readonly kind: "text"; readonly columns: number; readonly spans: readonly SpanBody[] }
  | {
      readonly kind: "barcode";
      readonly symbology: "ean13" | "code39" | "qr";
      readonly data: string;
      readonly heightMm: number;
      readonly printText: boolean;
      readonly alignment: "left" | "center" | "right";
    }
  | {
      readonly kind: "image";
      readonly width: number;
      readonly height: number;
      readonly rows: string;
      readonly alignment: "left" | "center" | "right";
    }
  | { readonly kind: "header" | "footer" | "cut" };

/** Styles that are off are left out. */
export interface SpanBody {
  readonly text: string;
  readonly looks: readonly string[];
  readonly rotation: number;
  /** Characters per row of the span's own font, where that is not the row's font. */
  readonly columns?: number;
}

export type StepName = keyof CommandBodies;

export type ReferenceCommand = {
  [Name in StepName]: { readonly name: Name; readonly body: CommandBodies[Name] };
}[StepName];

/** The named waits of this driver; a test or a fault campaign shortens them. */
export interface ReferenceTimeouts extends LinkTimeouts {
  /** Until the answer to a command that only reads, or changes nothing that lasts. */
  readonly quickMs: number;
  /** Until the answer to a command that makes a document. */
  readonly documentMs: number;
}

export const referenceTimeouts: ReferenceTimeouts = { ...defaultLinkTimeouts, quickMs: 2000, documentMs: 10_000 };

interface CommandRow {
  readonly wait: "quickMs" | "documentMs";
  /** True for a command that changes nothing that lasts: sending it twice is sending it once. */
  readonly repeatable: boolean;
}

const quick: CommandRow = { wait: "quickMs", repeatable: false };
const reading: CommandRow = { wait: "quickMs", repeatable: true };
const registering: CommandRow = { wait: "documentMs", repeatable: false };

export const commandRows: Readonly<Record<StepName, CommandRow>> = {
  IDENT: reading,
  STATE: reading,
  TABLES: reading,
  TOTALS: reading,
  DOC: reading,
  SUBTOTAL: reading,
  OPEN: quick,
  ITEM: quick,
  PRINT: quick,
  PAY: quick,
  CANCEL: quick,
  CASH: quick,
  "SET-TIME": quick,
  "OPEN-SHIFT": registering,
  CLOSE: registering,
  REPORT: registering,
  "FINISH-PRINT": registering,
  COPY: registering,
};
