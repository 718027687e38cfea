/** The orders of the golden frames. Each is compiled for the makers in `only`; default: all. */
import { type ModelFlag, unknownModelParameters } from "@fiscald/drivers/shtrih/protocol/model-parameters.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type {
  BarcodeLine,
  ItemLine,
  PaperLine,
  Receipt,
  ReportKind,
  SaleReceipt,
} from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt, makeService as service } from "../../support/make-job.js";
import { text } from "../contract/receipts.js";
import { type Maker, type Over, shtrihFacts } from "./makers.js";

export interface GoldenOrder {
  readonly title: string;
  readonly order: Receipt;
  readonly over?: Over;
  readonly only?: readonly Maker[];
}

type Orders = Readonly<Record<string, readonly [order: Receipt, over?: Over]>>;

const tea = { price: kopecks(5000), quantity: quantity(2_000_000), total: kopecks(10_000), tax: 11 };
const item = (over: Partial<ItemLine> = {}) => makeItem({ ...tea, ...over });
const sale = (over: Partial<SaleReceipt> = {}) =>
  makeReceipt({ lines: [item()], payments: [{ typeClose: 1, sum: kopecks(10_000) }], ...over });
const one = (over: Partial<ItemLine>) => sale({ lines: [item(over)] });
const lines = (...given: SaleReceipt["lines"]) => sale({ lines: given });
const paper = (...given: readonly PaperLine[]) => service(given);
const report = (kind: ReportKind) => ({ type: "report", report: kind }) as const;

export const plainSale = sale();

const in12: Over = { identity: { ffd: "1.2" } };
const marked = { price: kopecks(10_000), quantity: quantity(1_000_000), markingCode: markOf("abc") };
const weighed = { price: kopecks(45_990), quantity: quantity(1_237_000), total: kopecks(56_890), measure: 11 };
const markedByWeight = item({ ...marked, measure: 11, quantity: quantity(1_500_000), total: kopecks(15_000) });
const electronic = sale({ printDoc: false, contact: "a@b.ru" });
const internet = sale({ internet: { url: "shop.ru" } });
const cashier = { name: "Иванова", inn: toInn("500100732259") };
const agent = { type: 64, supplierName: "ООО", supplierPhones: ["+7495"], supplierInn: null };
const buyer = { name: "ООО", inn: toInn("7736050003") };
const country = { countryCode: "643" };
const longPhones = (count: number) => Array.from({ length: count }, () => "+749500000000000000");
const by = (supplier: Partial<typeof agent>) => one({ agent: { ...agent, ...supplier } });
const ofItem = {
  ...{ additional: "доп", excise: kopecks(1234) },
  industry: { authority: "030", date: "21.11.2023", number: "1944", value: "a=1" },
};
const ofAgent = {
  ...{ operation: "Приём", agentPhones: ["+71"], operatorPhones: ["+72"], transferPhones: ["+73", "+74"] },
  ...{ transferName: "Банк", transferAddress: "Тверь", transferInn: toInn("7712345678") },
};
const ofBuyer = {
  ...{ ...buyer, birthDate: "01.02.1990", citizenship: "643", documentCode: "21" },
  ...{ documentData: "1234 567890", address: "Тверь" },
};
const operating = { id: "1", data: "кухня", time: "2026-11-20T14:05:00" as LocalTime };
const every = (operation: typeof operating | null) =>
  sale({
    lines: [item({ agent: { ...agent, data: ofAgent }, requisites: ofItem })],
    requisites: { buyer: ofBuyer, additional: "доп", ...(operation === null ? {} : { operating: operation }) },
  });
const ofLastYear = { type: "self", date: "2025-12-30" } as const;
const corrected = (over: Partial<SaleReceipt>) => sale({ correction: ofLastYear, lines: [item({ tax: 1 })], ...over });

function markOf(serial: string): string {
  return Buffer.from(`0104601234567893215${serial}\u001d93dGVz`, "latin1").toString("base64");
}

const fiscal: Orders = {
  "a plain sale": [plainSale],
  "a return": [sale({ operation: "return" })],
  "a payment of each type": [
    sale({ payments: [0, 1, 2, 3, 4].map((typeClose) => ({ typeClose, sum: kopecks(2_000 + typeClose) })) }),
  ],
  "a weighed position": [one(weighed)],
  "a position whose price does not meet its sum, with a country": [
    one({ quantity: quantity(3_000_000), total: kopecks(20_000), ...country }),
  ],
  "the order's mark": [plainSale, { context: { mark: "A-1 0badcafe" } }],
  "an order with a tag 1084 of its own": [sale({ requisites: { userProperty: { name: "Стол", value: "5" } } })],
  "the order's own cashier with INN": [sale({ cashier })],
  "no cashier at all": [plainSale, { context: { cashier: null } }],
  "an internet receipt with its place": [sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } })],
  "a place of settlement of 256 letters": [sale({ settlementPlace: "x".repeat(256) })],
  "a return of a marked piece beside a plain one": [sale({ operation: "return", lines: [item(), item(marked)] }), in12],
  "marked goods by weight": [lines(markedByWeight), in12],
  "a return of marked goods by weight": [sale({ operation: "return", lines: [markedByWeight] }), in12],
  "the default tax where the order names none": [one({ tax: null }), { context: { defaultTax: 4 } }],
  "the order's tax system before the setting's": [
    sale({ taxSystem: 1 }),
    { identity: { taxSystems: 0x21 }, context: { taxSystem: 32 } },
  ],
  "the setting's tax system where the order names none": [
    plainSale,
    { identity: { taxSystems: 0x21 }, context: { taxSystem: 32 } },
  ],
  "the only tax system of the registration": [plainSale, { identity: { taxSystems: 0x20 } }],
  "a shift that is closed, with a cashier": [plainSale, { context: { shift: "closed", cashier } }],
  "a letter that the register cannot hold": [one({ name: "Crème" })],
};

/** Compiled for format 1.05 and for 1.2. */
const inBothFormats: Orders = {
  "a buyer with INN": [sale({ requisites: { buyer } })],
  "a measure by its code alone": [one({ measure: 11 })],
  "a measure with the order's own word": [one({ measure: 11, unit: "kg" })],
  "a measure that has no name": [one({ measure: 255 })],
  "an agent's position": [lines(item({ agent }), item({ name: "Своё" }))],
  "a goods code": [one({ goodsCode: "AQI=" })],
  "a country and a customs declaration": [one({ ...country, customsDeclaration: "10/1" })],
  "every requisite that few orders name": [every(operating)],
  "every requisite but the operating one": [every(null)],
  "a marked piece": [one(marked)],
  "a correction of one's own accord": [corrected({})],
  "a correction of a return, by an order of the tax office": [
    corrected({ operation: "return", correction: { ...ofLastYear, type: "instruction", number: "12-5" } }),
  ],
};

const withFlags = (...flags: readonly ModelFlag[]): Over => ({
  shtrih: { parameters: { ...shtrihFacts.parameters, has: (flag) => flags.includes(flag) } },
});

const fiscalOnShtrih: Orders = {
  "a correction with positions": [corrected({}), { ...in12, ...withFlags("itemCorrections") }],
  "a marked piece on a SHTRIH-NANO-F": [one(marked), { ...in12, shtrih: { nanoTaxCodes: true } }],
  "tags before their item on a cash core": [one({ agent, ...country }), { shtrih: { tagsBeforeItem: true } }],
  "tags set to go before their item": [one(country), { options: { tagsBeforeItem: "yes" } }],
  "tags set to go behind their item on a cash core": [
    one(country),
    { shtrih: { tagsBeforeItem: true }, options: { tagsBeforeItem: "no" } },
  ],
  "7/107 by the other code of the option": [one({ tax: 10 }), { options: { tax7of107As90: true } }],
  "22/122 by the code that the option sets": [one({ tax: 12 }), { options: { nanoTaxCodes: true } }],
  "passwords of the options": [
    one(country),
    { options: { operatorPassword: 1, adminPassword: 2 }, context: { mark: "A-1 0badcafe" } },
  ],
  "a supplier of exactly what one command takes": [
    by({ supplierName: "Б".repeat(126), supplierPhones: longPhones(5) }),
  ],
  "taxes that the register expects from us": [plainSale, { shtrih: { taxesByHost: true } }],
  "a supplier's name beyond one command": [by({ supplierName: "Б".repeat(242), supplierPhones: [] })],
};
const fiscalOnPirit: Orders = {
  "another flag for an internet receipt": [internet, { options: { internetFlag: 4 } }],
  "an internet receipt that no option allows": [internet, { options: { internetFlag: null } }],
  "an industry requisite without any other": [one({ requisites: { industry: ofItem.industry } }), in12],
};
const fiscalOnAtol: Orders = {
  "a prepaid composite subject of a commission agent": [one({ subject: 12, method: 1, agent: { ...agent, type: 32 } })],
  "an internet receipt that the option forbids": [internet, { options: { internetByParameter: false } }],
  "a quantity of four decimals": [one({ quantity: quantity(1_000_100) })],
  "an internet receipt where the register is not for such": [internet, { atol: { registeredForInternet: false } }],
};

const refused: Orders = {
  "a shift of more than 24 hours": [plainSale, { context: { shift: "expired" } }],
  "no tax and no default": [one({ tax: null })],
  "a tax row that is not in the list": [one({ tax: 13 })],
  "a payment type that is not known": [sale({ payments: [{ typeClose: 5, sum: kopecks(10_000) }] })],
  "two pieces with one mark": [one({ markingCode: markOf("abc") }), in12],
  "a name that begins with //": [one({ name: "//Чай" })],
  "a total of zero": [one({ total: kopecks(0) })],
  "no tax system where the register has two": [plainSale, { identity: { taxSystems: 3 } }],
  "a tax system that is not registered": [sale({ taxSystem: 32 })],
  "eleven phones of one supplier": [by({ supplierPhones: longPhones(11) })],
  "a phone longer than its tag": [by({ supplierPhones: ["+7495", "+7495000000000000000"] })],
  "a cashier's name longer than its tag": [sale({ cashier: { name: "К".repeat(65), inn: null } })],
  "a Z report whose cashier's name is longer than its tag": [
    service([report("z")]),
    { context: { cashier: { name: "К".repeat(65), inn: null } } },
  ],
  "a contact longer than its tag": [sale({ contact: `${"a".repeat(60)}@b.ru` })],
  "a place longer than its tag": [sale({ settlementPlace: "г".repeat(257) })],
  "a unit longer than its tag": [one({ unit: "килограммы-и-граммы" })],
  "a customs declaration longer than its tag": [one({ customsDeclaration: "1".repeat(33) })],
  "a supplier's name longer than its tag": [by({ supplierName: "Б".repeat(257) })],
};

/** Three rows of four dots at the left edge. */
const paintText: PaintText = (_rows, width) => painted(width, [0xf0, 0x90, 0x90], 0);
const drawn: Over = { context: { paintText } };

/** Rows of dots with one byte each. */
function painted(width: number, bytes: readonly number[], column: number) {
  const rows = new Uint8Array((width / 8) * bytes.length);
  for (const [y, byte] of bytes.entries()) rows[(y * width) / 8 + column] = byte;
  return { width, height: bytes.length, rows };
}

const bars = { type: "barcode", heightMm: 10, printText: false, alignment: "left" } as const;
const code: BarcodeLine = { ...bars, symbology: "code39", data: "A1" };
const image = { type: "image", source: "a.png", alignment: "left" } as const;
const italic = text("а", { italic: true });
const looks = [text("а", { italic: true, underline: true }), text("б", { italic: true, rotation: 1 })];
const twoFonts = [text("а", { newLine: false }), text("б", { font: 1, alignment: "right" })];
const noGraphics: Over = { shtrih: { parameters: unknownModelParameters } };
const switchAt = (table: number, field: number, owner: number): Over => ({
  shtrih: { printSwitch: { field: { table, row: 1, field }, owner } },
});

const onPaper: Orders = {
  "an electronic receipt with a text": [{ ...electronic, lines: [text("привет"), item()] }],
  "no paper asked for and no contact": [sale({ printDoc: false })],
  "texts, cut and footer around the items of a receipt": [
    lines({ type: "cut" }, item(), text("спасибо"), { type: "footer" }, { type: "cut" }),
  ],
  "texts in three fonts, empty, joined, and with a wide spacing": [
    paper(
      ...[text("да"), text("да", { font: 1 }), text("да", { font: 3 }), text("")],
      ...[text("а", { newLine: false }), text("б"), text("в", { maxLineSpacing: true })],
    ),
  ],
  "a full line, and a text at the right edge with a character that becomes several": [
    paper({ ...text(""), content: { kind: "trait" } }, text("26.60 ₽", { alignment: "right" })),
  ],
  "bold texts, one of them longer than a row of wider letters": [
    paper(text("да", { bold: true }), text("семнадцать знаков", { bold: true })),
  ],
  "looks that nothing prints or draws": [
    paper(...looks, text("д", { doubleHeight: true }), text("ж", { bold: true, font: 1 })),
    noGraphics,
  ],
  "two fonts in one row that nothing draws": [paper(...twoFonts)],
  "two looks in one row that nothing draws": [
    paper(text("а", { doubleHeight: true, newLine: false }), text("б", { bold: true })),
  ],
  "a linear bar code": [paper(code)],
  "a linear bar code with its text in the middle": [paper({ ...code, printText: true, alignment: "center" })],
  "an EAN-13 of twelve digits with its text": [
    paper({ ...bars, symbology: "ean13", data: "460000000000", printText: true }),
  ],
  "a bar code wider than the paper": [paper({ ...code, data: "A".repeat(48) })],
  "a QR code of 65 bytes at the right edge": [
    paper({ ...bars, symbology: "qr", data: "x".repeat(65), alignment: "right" }),
  ],
  "a picture at the left edge": [paper(image)],
  "a picture that is missing, and one that is too large": [
    paper({ ...image, source: "b.png" }, image),
    { context: { images: new Map([["a.png", { width: 385, height: 1, rows: new Uint8Array(49) }]]) } },
  ],
  "header, footer and cut of a slip": [
    paper({ type: "header" }, text("а"), { type: "cut" }, text("б"), { type: "footer" }),
  ],
};

const paperOnShtrih: Orders = {
  "an electronic receipt where a cash core has its switch": [electronic, switchAt(1, 48, 0)],
  "an electronic receipt where the owner sends documents to a card": [electronic, switchAt(17, 7, 3)],
  "an electronic receipt where the owner prints nothing": [electronic, switchAt(17, 7, 2)],
  "an electronic receipt where the register has no switch": [electronic, { shtrih: { printSwitch: null } }],
  "paper that an earlier receipt has left off": [plainSale, { printIsOff: true }],
  "a text and reports where an earlier receipt has left the paper off": [
    service([text("а"), report("x"), report("z")]),
    { printIsOff: true },
  ],
  "a bold text longer than the bold command": [
    paper(text("а".repeat(24), { bold: true })),
    { shtrih: { fonts: [{ columns: 48 }, { columns: 24 }] } },
  ],
  "looks that are drawn": [paper(...looks), drawn],
  "texts that the fonts print are not drawn": [paper(text("да"), text("да", { bold: true })), drawn],
  "a bold text in a larger font, and one beside a plain one, that are drawn": [
    paper(text("а", { bold: true, font: 1 }), text("а", { bold: true, newLine: false }), text("б")),
    drawn,
  ],
  "two fonts in one row that are drawn": [paper(...twoFonts), drawn],
  "a drawn text where six lines go into a command": [paper(italic), { ...drawn, ...withFlags("graphicsBlocks") }],
  "a drawn text beyond the graphics lines, with two equal rows": [
    paper(italic),
    { context: { paintText: (_rows, width) => painted(width, [1, 3, 3], 47) } },
  ],
  "a drawn text as wide as F7 allows": [paper(italic), wideUpTo(63)],
  "a drawn text wider than F7 allows": [paper(italic), wideUpTo(64)],
  "a linear bar code where the model turns no bits": [paper(code), withFlags()],
  "bar codes where the model says nothing of its graphics": [
    paper({ ...bars, symbology: "ean13", data: "4601234567893" }, code),
    noGraphics,
  ],
  "a picture at the right edge": [paper({ ...image, alignment: "right" })],
  "a picture of one dot more than the graphics lines": [
    paper(image),
    { context: { images: new Map([["a.png", { width: 321, height: 1, rows: new Uint8Array(41) }]]) } },
  ],
};
const paperOnPirit: Orders = {
  "an electronic receipt where the firmware is too old": [electronic, { identity: { firmware: "665.4.12" } }],
};
const paperOnAtol: Orders = {
  "a look that is drawn by the option": [
    paper(text("а"), italic, text("в", { font: 1 })),
    { ...drawn, options: { pictures: true } },
  ],
  "a picture by the option": [paper({ ...image, alignment: "right" }), { options: { pictures: true } }],
};

function wideUpTo(column: number): Over {
  return {
    shtrih: { printWidth: 576 },
    context: { paintText: (_rows, width) => painted(width, [1], column) },
  };
}

const services: Orders = {
  "cash in and out": [
    service([
      { type: "cash", direction: "in", sum: kopecks(12_345) },
      { type: "cash", direction: "out", sum: kopecks(1) },
    ]),
  ],
  "the X report": [service([report("x")])],
  "the report by sections": [service([report("sections")])],
  "the report by cashiers": [service([report("cashiers")])],
  "the report by hours": [service([report("hours")])],
  "the Z report": [service([report("z")])],
  "a Z report without a cashier": [service([report("z")]), { context: { cashier: null } }],
  "a Z report whose cashier has a long name": [
    service([report("z")]),
    { context: { cashier: { name: "К".repeat(64), inn: null } } },
  ],
  "the clock with the shift closed": [service([{ type: "sync-time" }]), { context: { shift: "closed" } }],
  "the clock with the shift open": [service([{ type: "sync-time" }])],
  "the clock behind a Z report": [service([report("z"), { type: "sync-time" }])],
};

function of(group: Orders, only?: Maker): readonly GoldenOrder[] {
  return Object.entries(group).map(([title, [order, over]]) => ({
    ...{ title, order },
    ...(over === undefined ? {} : { over }),
    ...(only === undefined ? {} : { only: [only] }),
  }));
}

function inFormat(ffd: string): readonly GoldenOrder[] {
  return of(inBothFormats).map(({ title, order }) => ({
    ...{ title: `${title} in format ${ffd}`, order },
    over: { identity: { ffd } },
  }));
}

export const orders: readonly GoldenOrder[] = [
  ...[...of(fiscal), ...inFormat("1.05"), ...inFormat("1.2")],
  ...[...of(fiscalOnShtrih, "shtrih"), ...of(fiscalOnPirit, "pirit"), ...of(fiscalOnAtol, "atol")],
  ...[...of(refused), ...of(onPaper)],
  ...[...of(paperOnShtrih, "shtrih"), ...of(paperOnPirit, "pirit"), ...of(paperOnAtol, "atol")],
  ...of(services),
];

/** A slip and a receipt with 102 drawn texts each; the receipt's texts have an item in their middle. */
const many = Array.from({ length: 51 }, () => italic);
export const manyDrawn = { orders: [paper(...many, ...many), lines(...many, item(), ...many)], over: drawn };
