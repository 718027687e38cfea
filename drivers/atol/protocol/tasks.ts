/** JSON tasks as this driver sends them. Money and quantity are numbers of roubles and units. */
import type { Sign } from "@fiscald/shared/receipt/receipt.js";
import type { QueryType } from "./answers.js";

export type Task =
  | ReceiptTask
  | ShiftTask
  | CashTask
  | { readonly type: "nonFiscal"; readonly items: readonly PaperItem[]; readonly printFooter: boolean }
  | { readonly type: "setDateTime"; readonly dateTime: string }
  | { readonly type: "printFnDocument"; readonly fiscalDocumentNumber: number }
  | { readonly type: "getFnDocument"; readonly fiscalDocumentNumber: number; readonly withRawData: false }
  | { readonly type: "beginMarkingCodeValidation"; readonly params: ImcParams | readonly ImcParams[] }
  | { readonly type: QueryType | "continuePrint" | MarkingType };

type MarkingType =
  | "getMarkingCodeValidationStatus"
  | "acceptMarkingCode"
  | "declineMarkingCode"
  | "cancelMarkingCodeValidation"
  | "clearMarkingCodeValidationResult";

export interface OperatorInfo {
  readonly name: string;
  readonly vatin?: string;
}

export interface ShiftTask {
  readonly type: "openShift" | "closeShift" | "reportX" | "reportDepartments";
  readonly operator: OperatorInfo;
}

export interface CashTask {
  readonly type: "cashIn" | "cashOut";
  readonly operator: OperatorInfo;
  readonly cashSum: number;
}

export const receiptTasks = {
  sale: "sell",
  return: "sellReturn",
  "sale-correction": "sellCorrection",
  "return-correction": "sellReturnCorrection",
} as const satisfies Readonly<Record<Sign, string>>;

/** What a task of a correction has beside a receipt's fields. */
export interface CorrectionBasis {
  /** Tag 1173. */
  readonly correctionType: "self" | "instruction";
  /** Tag 1178, `yyyy.mm.dd`. */
  readonly correctionBaseDate: string;
  /** Tag 1179. */
  readonly correctionBaseNumber?: string;
}

export interface ReceiptTask extends Partial<CorrectionBasis> {
  readonly type: (typeof receiptTasks)[Sign];
  readonly taxationType: string;
  readonly electronically: boolean;
  readonly ignoreNonFiscalPrintErrors: true;
  readonly operator: OperatorInfo;
  readonly clientInfo?: ClientInfo;
  readonly operationInfo?: { readonly id: number; readonly dateTime: string; readonly data: string };
  readonly paymentsPlace?: string;
  /** Absent: a correction of FFD 1.05, which has `taxes` instead. */
  readonly items?: readonly ReceiptItem[];
  readonly taxes?: readonly { readonly type: string; readonly sum: number }[];
  readonly payments: readonly { readonly type: string; readonly sum: number }[];
  readonly total: number;
  readonly customParameters?: readonly { readonly id: number; readonly value: boolean }[];
}

export type ReceiptItem = PositionItem | PaperItem | UserAttribute | AdditionalAttribute;

export interface ClientInfo {
  readonly emailOrPhone?: string;
  readonly name?: string;
  readonly vatin?: string;
  readonly birthDate?: string;
  readonly citizenship?: string;
  readonly identityDocumentCode?: string;
  readonly identityDocumentData?: string;
  readonly address?: string;
}

/** Tag 1192 (additional requisite of the receipt), as an element of the items. */
export interface AdditionalAttribute {
  readonly type: "additionalAttribute";
  readonly value: string;
  readonly print: boolean;
}

export interface AgentInfo {
  readonly agents: readonly string[];
  readonly payingAgent?: { readonly operation?: string; readonly phones?: readonly string[] };
  readonly receivePaymentsOperator?: { readonly phones: readonly string[] };
  readonly moneyTransferOperator?: {
    readonly phones?: readonly string[];
    readonly name?: string;
    readonly address?: string;
    readonly vatin?: string;
  };
}

export interface PositionItem {
  readonly type: "position";
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly amount: number;
  readonly department: number;
  readonly measurementUnit?: string | number;
  readonly paymentMethod: string;
  readonly paymentObject: string | number;
  readonly tax: { readonly type: string };
  readonly nomenclatureCode?: string;
  readonly imcParams?: ImcParams;
  readonly agentInfo?: AgentInfo;
  readonly additionalAttribute?: string;
  readonly exciseSum?: number;
  readonly industryInfo?: readonly {
    readonly fois: string;
    readonly date: string;
    readonly number: string;
    readonly industryAttribute: string;
  }[];
  readonly supplierInfo?: { readonly phones: readonly string[]; readonly name?: string; readonly vatin: string };
  readonly countryCode?: string;
  readonly customsDeclaration?: string;
}

/** Marking code of a position. `itemInfoCheckResult` is filled in after its check. */
export interface ImcParams {
  readonly imcType: "auto";
  readonly imc: string;
  readonly itemEstimatedStatus: "itemPieceSold" | "itemDryForSale" | "itemPieceReturn" | "itemDryReturn";
  readonly imcModeProcessing: 0;
  /** Quantity and measure (tag 2108) of goods that are sold by measure; in the check alone. */
  readonly itemQuantity?: number;
  readonly itemUnits?: number;
  readonly itemInfoCheckResult?: unknown;
}

export interface UserAttribute {
  readonly type: "userAttribute";
  readonly name: string;
  readonly value: string;
  readonly print: boolean;
}

export type PaperItem =
  | {
      readonly type: "text";
      readonly text: string;
      readonly alignment: "left";
      readonly wrap: "none";
      readonly doubleHeight: boolean;
    }
  | {
      readonly type: "barcode";
      readonly barcode: string;
      readonly barcodeType: "EAN13" | "CODE39" | "QR";
      readonly alignment: "left" | "center" | "right";
      readonly height: number;
      readonly printText: boolean;
    }
  | {
      readonly type: "pixels";
      readonly pixels: string;
      readonly width: number;
      readonly scale: 100;
      readonly alignment: "left" | "center" | "right";
    };

export type AtolCommand =
  /** Reads the state and refuses to go on where the register could not print now. */
  | { readonly kind: "check"; readonly shift: "open" | "any" }
  /** Checks the marking code of the position at this index among the items. */
  | { readonly kind: "check-mark"; readonly place: number; readonly params: ImcParams }
  /** Runs the task that is the point of no return, known to the service by a uuid that was stored before. */
  | { readonly kind: "named-job"; readonly task: Task }
  | { readonly kind: "job"; readonly task: Task }
  /** Checks whether the document that was made holds tag 1125 (internet payment). */
  | { readonly kind: "confirm-internet" }
  /** Continues the print where the answer said that the document was registered but not printed. */
  | { readonly kind: "finish-print" };
