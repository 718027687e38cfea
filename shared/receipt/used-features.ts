/** The features of a register that a receipt needs, as data: routing and drivers compare them with a model's. */
import type { Quantity } from "../amounts.js";
import {
  itemsOf,
  type Line,
  type Receipt,
  type ReportKind,
  type SaleReceipt,
  type TaxSystem,
  totalOf,
} from "./receipt.js";
import { countPositions, hasExactPrice } from "./split-lines.js";

export interface UsedFeatures {
  /** Null: nothing that is a receipt. */
  readonly fiscal: FiscalFeatures | null;
  readonly cash: boolean;
  readonly reports: readonly ReportKind[];
  readonly setsClock: boolean;
  /** Something that only a printer can do. Its lack is no reason to refuse a receipt. */
  readonly paper: boolean;
}

export interface FiscalFeatures {
  readonly internet: boolean;
  /** Tag 1187, of an internet receipt or without one. */
  readonly settlementPlace: boolean;
  readonly agents: boolean;
  readonly goodsCode: boolean;
  readonly marking: boolean;
  /** Marked goods by weight or volume. */
  readonly measuredMarks: boolean;
  /** A marked position whose total no price gives exactly. */
  readonly roundedMarks: boolean;
  readonly countryAndCustoms: boolean;
  readonly electronicOnly: boolean;
  readonly zeroTotal: boolean;
  readonly quantityDecimals: number;
  /** Positions on the register, after splitting. */
  readonly positions: number;
  /** Tax rows by id, ascending. */
  readonly taxes: readonly number[];
  /** Some position names no tax row. */
  readonly untaxed: boolean;
  /** `typeClose` ids, ascending. */
  readonly paymentTypes: readonly number[];
  readonly taxSystem: TaxSystem | null;
}

const paperLines: ReadonlySet<Line["type"]> = new Set(["text", "barcode", "image", "header", "footer", "cut"]);

export function usedFeatures(receipt: Receipt): UsedFeatures {
  const lines: readonly Line[] = receipt.lines;
  return {
    fiscal: receipt.kind === "receipt" ? fiscalFeatures(receipt) : null,
    cash: lines.some(({ type }) => type === "cash"),
    reports: [...new Set(lines.flatMap((line) => (line.type === "report" ? [line.report] : [])))],
    setsClock: lines.some(({ type }) => type === "sync-time"),
    paper: lines.some(({ type }) => paperLines.has(type)),
  };
}

function fiscalFeatures(receipt: SaleReceipt): FiscalFeatures {
  const items = itemsOf(receipt);
  return {
    internet: receipt.internet !== null,
    settlementPlace: receipt.internet !== null || receipt.settlementPlace !== null,
    agents: items.some(({ agent }) => agent !== null),
    goodsCode: items.some(({ goodsCode }) => goodsCode !== null),
    marking: items.some(({ markingCode }) => markingCode !== null),
    measuredMarks: items.some(({ markingCode, measure }) => markingCode !== null && measure !== 0),
    roundedMarks: items.some((item) => item.markingCode !== null && !hasExactPrice(item)),
    countryAndCustoms: items.some((item) => item.countryCode !== null || item.customsDeclaration !== null),
    electronicOnly: !receipt.printDoc,
    zeroTotal: totalOf(receipt) === 0,
    quantityDecimals: Math.max(0, ...items.map(({ quantity }) => decimalsOf(quantity))),
    positions: countPositions(items),
    taxes: ascending(items.flatMap(({ tax }) => (tax === null ? [] : [tax]))),
    untaxed: items.some(({ tax }) => tax === null),
    paymentTypes: ascending(receipt.payments.map(({ typeClose }) => typeClose)),
    taxSystem: receipt.taxSystem,
  };
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** 1.5 has one. */
function decimalsOf(count: Quantity): number {
  return 6 - (/0*$/.exec(String(count).padStart(7, "0").slice(-6))?.[0].length ?? 0);
}
