/** Capabilities of a register, from its own answers. A capability that the register does not report is absent. */
import type { Capabilities, Identity } from "../../fiscal-driver.js";
import type { ModelParameters } from "./model-parameters.js";
import type { TableField } from "./status-commands.js";

/** Lines that C4h (load graphics) can load, and bytes of one line. */
export const GRAPHICS_LINES = 600;
export const GRAPHICS_LINE_BYTES = 40;
/** 12h and 2Fh can only print bold and other fonts, so the other styles are drawn. */
const allStyles = ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"] as const;
const STYLE_FONTS = 4;

/**
 * Model numbers in the answer to FCh (device type) of devices on the cash core, and of Mobile-F (Shtrih-M protocol,
 * 8.6).
 */
const TAGS_FIRST: readonly number[] = [16, 19, 20, 21, 45, 46];
const MOBILE = 19;
/** First build of a Mobile-F that can make a receipt without paper. */
const MOBILE_SWITCH_BUILD = 20_041;

/** What `connect` reads; it does not change while the connection lasts. */
export interface RegisterFacts {
  readonly identity: Identity;
  readonly parameters: ModelParameters;
  readonly fonts: readonly Font[];
  readonly printWidth: number;
  /** Table 1 field 14. True: the register expects taxes that the host computed, which this driver does not send. */
  readonly taxesByHost: boolean;
  /** True: FF4Dh (tag) and FF67h (marking code) precede their FF46h (item). False: they follow it. */
  readonly tagsBeforeItem: boolean;
  readonly nanoTaxCodes: boolean;
  /** The field that keeps a receipt off the paper, with the owner's value. Null: the register has none. */
  readonly printSwitch: { readonly field: TableField; readonly owner: number } | null;
}

export interface Font {
  readonly columns: number;
  /** True: the letters are as wide as high, like usual letters at double width. */
  readonly wide?: boolean;
}

export interface DeviceModel {
  readonly model: number;
  readonly name: string;
}

export function takesTagsFirst({ model }: DeviceModel, parameters: ModelParameters): boolean {
  return parameters.has("cashCore") || TAGS_FIRST.includes(model);
}

/** Values of the field that keeps a receipt off the paper (`printSwitchFieldOf`). */
export const printSettings = { printed: 0, nextNot: 1, nothing: 2, memoryCard: 3 } as const;

/** The field that keeps a receipt off the paper. Null: none is known. Cash cores have another field. */
export function printSwitchFieldOf(device: DeviceModel, parameters: ModelParameters, build: number): TableField | null {
  if (device.model === MOBILE) return build >= MOBILE_SWITCH_BUILD ? { table: 1, row: 1, field: 43 } : null;
  const isCashCore = takesTagsFirst(device, parameters);
  return isCashCore ? { table: 1, row: 1, field: 48 } : { table: 17, row: 1, field: 7 };
}

/** By the model's name: no source has the model number of the SHTRIH-NANO-F. */
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
