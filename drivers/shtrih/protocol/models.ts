/** Capabilities of a register, from its own answers. A capability that it does not report is absent. */
import type { Capabilities } from "../../fiscal-driver.js";
import type { RegisterFacts } from "../read/read-facts.js";
import type { ModelParameters } from "./model-parameters.js";

/** Lines that C4h can load; bytes of one. */
export const GRAPHICS_LINES = 600;
export const GRAPHICS_LINE_BYTES = 40;
/** 12h and 2Fh know bold and fonts only; the rest is drawn. */
const allStyles = ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"] as const;
/** Fonts that an order can name. */
const STYLE_FONTS = 4;

/** Model numbers of FCh (reference, section 8.6): devices on the cash core, and Mobile-F. */
const TAGS_FIRST: readonly number[] = [16, 19, 20, 21, 45, 46];

/** The answer of FCh. */
export interface DeviceModel {
  readonly model: number;
  readonly name: string;
}

export function takesTagsFirst({ model }: DeviceModel, parameters: ModelParameters): boolean {
  return parameters.has("cashCore") || TAGS_FIRST.includes(model);
}

/** By its name: no reference has its number. */
export function hasNanoTaxCodes({ name }: DeviceModel): boolean {
  return /НАНО|NANO/i.test(name);
}

export function capabilitiesOf({ identity, parameters, fonts }: RegisterFacts): Capabilities {
  const in12 = identity.ffd === "1.2";
  const columns = fonts.slice(0, STYLE_FONTS).map((font) => font.columns);
  const hasGraphics = parameters.graphicsLineBytes !== null;
  return {
    maker: "shtrih",
    model: identity.model,
    paper: {
      columns,
      styles: hasGraphics ? allStyles : fonts.length > 1 ? ["bold"] : [],
      drawsText: hasGraphics,
      barcodes: hasGraphics ? ["ean13", "code39", "qr"] : ["ean13"],
      image: hasGraphics ? { maxWidth: GRAPHICS_LINE_BYTES * 8, maxHeight: GRAPHICS_LINES } : null,
      cut: parameters.has("cutter"),
      copies: "last",
      header: true,
      footer: true,
    },
    fiscal: {
      internet: true,
      settlementPlace: true,
      orderMark: true,
      agents: true,
      goodsCode: !in12,
      marking: in12,
      measuredMarks: in12,
      roundedMarks: in12,
      countryAndCustoms: true,
      electronicOnly: true,
      zeroTotal: false,
      quantityDecimals: 6,
      taxRequired: true,
      maxItems: 500,
    },
    reports: ["z", "x", "sections", "cashiers", "hours"],
    documentBodies: "full",
    drawerTotals: true,
  };
}
