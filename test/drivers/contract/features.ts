import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import type { ReportKind } from "@fiscald/shared/receipt/receipt.js";

const fiscalFlags = ["internet", "orderMark", "goodsCode", "marking", "roundedMarks", "electronicOnly"] as const;
const styles = ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"] as const;
const barcodes = ["ean13", "code39", "qr"] as const;
const reports = ["z", "x", "sections", "cashiers", "hours"] as const satisfies readonly ReportKind[];
const paperFlags = ["image", "cut", "header", "footer", "copies"] as const;

export type Feature =
  | (typeof fiscalFlags)[number]
  | `style ${(typeof styles)[number]}`
  | `barcode ${(typeof barcodes)[number]}`
  | `report ${(typeof reports)[number]}`
  | (typeof paperFlags)[number]
  | "receipt in steps"
  | "document bodies";

/** Every feature that the contract tests and that a register may lack. */
export const allFeatures: readonly Feature[] = [
  ...fiscalFlags,
  ...styles.map((style) => `style ${style}` as const),
  ...barcodes.map((barcode) => `barcode ${barcode}` as const),
  ...reports.map((report) => `report ${report}` as const),
  ...paperFlags,
  "receipt in steps",
  "document bodies",
];

/** The features that a register lacks by its own capabilities. */
export function missingFeatures({ paper, fiscal, ...rest }: Capabilities): readonly Feature[] {
  return [
    ...fiscalFlags.filter((flag) => !fiscal[flag]),
    ...styles.filter((style) => !paper?.styles.includes(style)).map((style) => `style ${style}` as const),
    ...barcodes.filter((barcode) => !paper?.barcodes.includes(barcode)).map((barcode) => `barcode ${barcode}` as const),
    ...reports.filter((report) => !rest.reports.includes(report)).map((report) => `report ${report}` as const),
    ...paperFlags.filter((flag) => !paper?.[flag]),
    ...(rest.exchange === "whole" ? (["receipt in steps"] as const) : []),
    ...(rest.documentBodies === "full" ? [] : (["document bodies"] as const)),
  ];
}
