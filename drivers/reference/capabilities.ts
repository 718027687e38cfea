import type { Capabilities } from "../fiscal-driver.js";

/** The reference register has every feature of the contract. */
export const referenceCapabilities: Capabilities = {
  maker: "reference",
  paper: {
    columns: [48, 24, 32, 42],
    styles: ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"],
    barcodes: ["ean13", "code39", "qr"],
    image: { maxWidth: 576, maxHeight: 1200 },
    cut: true,
    copies: "any",
    header: true,
    footer: true,
  },
  fiscal: {
    internet: true,
    orderMark: true,
    goodsCode: true,
    marking: true,
    roundedMarks: true,
    electronicOnly: true,
    maxItems: 500,
  },
  reports: ["z", "x", "sections", "cashiers", "hours"],
  documentBodies: "full",
};
