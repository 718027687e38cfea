import type { VatCode } from "@fiscald/shared/receipt/vat.js";

export interface ShtrihModel {
  readonly title: string;
  /** Bytes 2 to 7 of the answer to FCh (device type): type, subtype, protocol, subprotocol, model, language. */
  readonly type: readonly number[];
  /** Bytes of the answer to F7h (model parameters), from 2 on. */
  readonly parameters: readonly number[];
  readonly protocol: "v1" | "auto";
  readonly printWidthDots: number;
  /** Fonts from number 1 on: width and height of a character in dots. */
  readonly fonts: readonly FontSize[];
  readonly graphicsBytes: number;
  /** Flags word of the status when nothing is wrong, without the bits of paper and cover. */
  readonly flags: number;
  /**
   * True: FF4Dh (tag) and FF67h (marking code) belong to the next item. False: to the previous one (Shtrih-M protocol,
   * 8.6).
   */
  readonly cashCore: boolean;
  /** The field that keeps documents off the paper: 1 = the next one, 2 = all. `lasts`: 1 is not reset. */
  readonly printSwitch: { readonly table: number; readonly field: number; readonly lasts: boolean };
  readonly driveTable: number;
  readonly ofdTable: number;
  /** Rows of table 6 by the tax byte of FF46h (item) (Shtrih-M protocol, 8.5). */
  readonly taxCodes: ReadonlyMap<number, number>;
  /** Requisites of FF0Ch (tag of the document) that the firmware does not take (Shtrih-M protocol, 8.6). */
  readonly refusedTags: readonly number[];
  /** True: 22 % VAT is registered where 20 % is sent (table 17 field 71; Shtrih-M protocol, 7.2). */
  readonly substitutesRates?: boolean;
  readonly maxAnswer: number;
}

export interface FontSize {
  readonly width: number;
  readonly height: number;
  readonly bold?: boolean;
}

/** VAT rates of rows 1 to 12 of table 6, as codes of tag 1199. */
export const taxRows: readonly VatCode[] = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 11, 12];

export const paymentNames: readonly string[] = [
  "НАЛИЧНЫМИ",
  "ЭЛЕКТРОННЫМИ",
  ...Array.from({ length: 11 }, (_, index) => `ТИП ОПЛАТЫ ${index + 3}`),
  "ПРЕДВАРИТЕЛЬНАЯ ОПЛАТА",
  "ПОСЛЕДУЮЩАЯ ОПЛАТА",
  "ВСТРЕЧНОЕ ПРЕДОСТАВЛЕНИЕ",
];

const commonTaxCodes: readonly (readonly [number, number])[] = [
  [0x01, 1],
  [0x02, 2],
  [0x04, 3],
  [0x08, 4],
  [0x10, 5],
  [0x20, 6],
  [0x81, 7],
  [0x82, 8],
  [0x84, 9],
  [0x88, 10],
  [0xcb, 11],
  [0xcc, 12],
];

const desktop: ShtrihModel = {
  title: "РИТЕЙЛ-01Ф",
  type: [0, 0, 1, 0x0e, 0x16, 0],
  parameters: hex("5aa04007206c0000 0c18 01 0c100000 00000000 1e000000 00 06 ff00 40 40 b603 12 13"),
  protocol: "v1",
  printWidthDots: 576,
  fonts: [
    { width: 12, height: 24 },
    { width: 24, height: 24, bold: true },
    { width: 12, height: 24, bold: true },
    { width: 24, height: 48 },
    { width: 9, height: 17 },
    { width: 16, height: 24 },
    { width: 12, height: 48 },
  ],
  graphicsBytes: 64,
  flags: 0x0212,
  cashCore: false,
  printSwitch: { table: 17, field: 7, lasts: false },
  driveTable: 18,
  ofdTable: 19,
  taxCodes: new Map(commonTaxCodes),
  refusedTags: [],
  maxAnswer: 255,
};

const smartpos: ShtrihModel = {
  title: "ШТРИХ-СМАРТПОС-Ф",
  type: [0, 0, 2, 0, 0x2d, 0],
  parameters: hex("0800c0f73f280200 0000 01 0c0a0000 00000000 1e000000 00 06 af05 28 00 0000 0d 0e 10 0a 1d 11"),
  protocol: "auto",
  printWidthDots: 384,
  fonts: [
    { width: 12, height: 25 },
    { width: 24, height: 25, bold: true },
    { width: 12, height: 25, bold: true },
    { width: 24, height: 50 },
    { width: 9, height: 17 },
    { width: 12, height: 50 },
  ],
  graphicsBytes: 40,
  flags: 0x0010,
  cashCore: true,
  printSwitch: { table: 1, field: 48, lasts: true },
  driveTable: 13,
  ofdTable: 14,
  taxCodes: new Map(commonTaxCodes),
  refusedTags: [],
  maxAnswer: 1455,
};

const nano: ShtrihModel = {
  ...desktop,
  title: "ШТРИХ-НАНО-Ф",
  // Firmware 155 of this model refuses tag 1084 (user requisite).
  refusedTags: [1084],
  taxCodes: new Map([...commonTaxCodes.filter(([, row]) => row <= 10), [0x90, 11], [0xa0, 12]]),
};

const poscenter: ShtrihModel = { ...desktop, title: "POSCENTER-02Ф", substitutesRates: true };

export const shtrihModels = { desktop, smartpos, nano, poscenter } as const;

function hex(text: string): readonly number[] {
  return [...Buffer.from(text.replaceAll(" ", ""), "hex")];
}
