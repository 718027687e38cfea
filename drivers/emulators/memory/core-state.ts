/** The fake register's memory without its documents: small, and written to disk as a whole at each change. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import { kopecksSchema, lineSchema, localTimeSchema, operationSchema } from "./documents.js";
import { fiscalTagSchema } from "./fiscal-tag.js";

const countersSchema = z.object({
  count: z.int(),
  total: kopecksSchema,
  /** Sums by the register's payment row, 16 rows; row 1 = cash. */
  byRow: z.array(kopecksSchema),
  /** Sums by the format's payment type, 0 to 4. */
  byType: z.array(kopecksSchema),
});
export type OperationCounters = z.infer<typeof countersSchema>;

const shiftSchema = z.object({
  /** Tag 1038 (shift number) of the open shift or of the last closed one; 0 = none yet. */
  number: z.int(),
  openedAt: localTimeSchema.nullable(),
  /** Tag 1042 (receipt number) of the last receipt or correction of the shift. */
  receipts: z.int(),
  corrections: z.int().default(0),
  documents: z.int(),
  cancelled: z.int(),
  counters: z.record(operationSchema, countersSchema),
  cashIn: kopecksSchema,
  cashInCount: z.int(),
  cashOut: kopecksSchema,
  cashOutCount: z.int(),
});
export type ShiftRecord = z.infer<typeof shiftSchema>;

const openReceiptSchema = z.object({
  operation: operationSchema,
  /** `sums`: a correction that one command makes from sums, as in format 1.05. */
  document: z.enum(["receipt", "correction", "sums"]).default("receipt"),
  operator: z.int(),
  openedAt: localTimeSchema,
  lines: z.array(lineSchema),
  tags: z.array(fiscalTagSchema),
});
export type OpenReceiptRecord = z.infer<typeof openReceiptSchema>;

export const coreStateSchema = z.object({
  version: z.literal(1),
  fn: z.string(),
  lastFd: z.int(),
  /** Documents up to this number have reached the operator of fiscal data (OFD). */
  confirmedFd: z.int(),
  lastDocumentAt: localTimeSchema.nullable(),
  clockOffsetMs: z.int(),
  shift: shiftSchema,
  receipt: openReceiptSchema.nullable(),
  pendingTags: z.array(fiscalTagSchema),
  cash: kopecksSchema,
  /** How many documents of all kinds, fiscal or not, the register has printed. */
  through: z.int(),
  paperPresent: z.boolean(),
  coverOpen: z.boolean(),
  /** The document whose print stopped halfway. 0: the print is no fiscal document. Null: no print has stopped. */
  haltedPrint: z.int().nullable(),
  maker: z.record(z.string(), z.string()),
});
export type CoreState = z.infer<typeof coreStateSchema>;

export function emptyShift(number: number): ShiftRecord {
  return {
    number,
    openedAt: null,
    receipts: 0,
    corrections: 0,
    documents: 0,
    cancelled: 0,
    counters: {
      sale: emptyCounters(),
      return: emptyCounters(),
      purchase: emptyCounters(),
      "purchase-return": emptyCounters(),
    },
    cashIn: kopecks(0),
    cashInCount: 0,
    cashOut: kopecks(0),
    cashOutCount: 0,
  };
}

function emptyCounters(): OperationCounters {
  return { count: 0, total: kopecks(0), byRow: zeros(16), byType: zeros(5) };
}

function zeros(length: number): Kopecks[] {
  return Array.from({ length }, () => kopecks(0));
}

export function newState(options: { readonly fn: string; readonly cash: Kopecks }): CoreState {
  return {
    version: 1,
    fn: options.fn,
    lastFd: 0,
    confirmedFd: 0,
    lastDocumentAt: null,
    clockOffsetMs: 0,
    shift: emptyShift(0),
    receipt: null,
    pendingTags: [],
    cash: options.cash,
    through: 0,
    paperPresent: true,
    coverOpen: false,
    haltedPrint: null,
    maker: {},
  };
}
