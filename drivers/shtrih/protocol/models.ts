/** Capabilities of a register, from its own answers. A capability that the register does not report is absent. */
import type { Capabilities, Identity } from "../../fiscal-driver.js";
import type { ModelParameters } from "./model-parameters.js";
import type { TableField } from "./status-commands.js";

/** Lines that C4h (load graphics) can load, and bytes of one line. */
export const GRAPHICS_LINES = 600;
export const GRAPHICS_LINE_BYTES = 40;
/** Styles of a model with graphics: 12h and 2Fh know bold and fonts only, so the rest is drawn. */
const allStyles = ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"] as const;
const STYLE_FONTS = 4;

/**
 * Model numbers in the answer to FCh (device type) of devices on the cash core, and of Mobile-F (Shtrih-M protocol,
 * 8.6).
 */
const TAGS_FIRST: readonly number[] = [16, 19, 20, 21, 45, 46];
const MOBILE = 19;
/** First build of a Mobile-F that can leave a receipt off the paper. */
const MOBILE_SWITCH_BUILD = 20_041;

/** What `connect` reads once, for the compiler and for later queries; it does not change while the connection lasts. */
export interface RegisterFacts {
  readonly identity: Identity;
  readonly parameters: ModelParameters;
  readonly fonts: readonly Font[];
  readonly printWidth: number;
  /** Table 1 field 14: true = the register expects taxes that the host computed, which this driver does not send. */
  readonly taxesByHost: boolean;
  /** FF4Dh (tag) and FF67h (marking code) go before the FF46h (item) that they belong to; false: behind it. */
  readonly tagsBeforeItem: boolean;
  /** 22 % VAT has the codes of the SHTRIH-NANO-F. */
  readonly nanoTaxCodes: boolean;
  /** The field that keeps a receipt off the paper, with the owner's value; null = the register has none. */
  readonly printSwitch: { readonly field: TableField; readonly owner: number } | null;
}

/** A font of the register; its number is its index + 1. */
export interface Font {
  readonly columns: number;
  /** The letters are as wide as high, like letters of usual proportions at double width. */
  readonly wide?: boolean;
}

/** The answer to FCh (device type). */
export interface DeviceModel {
  readonly model: number;
  readonly name: string;
}

export function takesTagsFirst({ model }: DeviceModel, parameters: ModelParameters): boolean {
  return parameters.has("cashCore") || TAGS_FIRST.includes(model);
}

/** Values of the field that keeps a receipt off the paper (`printSwitchFieldOf`). */
export const printSettings = { printed: 0, nextNot: 1, nothing: 2, memoryCard: 3 } as const;

/** The field that keeps a receipt off the paper; null = none is known. Cash cores have another one. */
export function printSwitchFieldOf(device: DeviceModel, parameters: ModelParameters, build: number): TableField | null {
  if (device.model === MOBILE) return build >= MOBILE_SWITCH_BUILD ? { table: 1, row: 1, field: 43 } : null;
  const isCashCore = takesTagsFirst(device, parameters);
  return isCashCore ? { table: 1, row: 1, field: 48 } : { table: 17, row: 1, field: 7 };
}

/** Whether 22 % VAT has the codes of the SHTRIH-NANO-F, by the model's name: no source has its number. */
export function hasNanoTaxCodes({ name }: DeviceModel): boolean {
  return /НАНО|NANO/i.test(name);
}

export function capabilitiesOf({ identity, parameters, fonts, printSwitch }: RegisterFacts): Capabilities {
  const in12 = identity.ffd === "1.2";
  const columns = fonts.slice(0, STYLE_FONTS).map((font) => font.columns);
  const hasGraphics = parameters.graphicsLineBytes !== null;
  return {
    maker: "shtrih",
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
      orderMark: true,
      goodsCode: !in12,
      marking: in12,
      roundedMarks: in12,
      electronicOnly: printSwitch !== null,
      maxItems: 500,
    },
    reports: ["z", "x", "sections", "cashiers", "hours"],
    documentBodies: "full",
  };
}
