import { renderText } from "@fiscald/shared/paper/render.js";
import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { talk, testDialogues } from "../dialogue.js";
import { makeShtrih, OP, type Shtrih } from "./make-shtrih.js";

const paper = ({ core }: Shtrih) => renderText(core.tape.rows, { columns: core.tape.columns });
/** "ПРИВЕТ" in CP1251. */
const HELLO = "CFD0C8C2C5D2";
const literal = (name: keyof typeof v1Frames) => toHex(dataOf(v1Frames[name]));
const shiftIsOpen = "E0 OP\n(10000 ms of printing)";
const sale = (price: number) => `8D OP 00\nITEM ${price}\nPAY 1=${price}`;
const URL = Buffer.from("https://shop.example/?q=1").toString("hex").padEnd(128, "0");

test("a text of the emulated Shtrih-M is printed at once, or between the lines of an open receipt", async () => {
  const shtrih = makeShtrih();
  await talk(shtrih, `2F OP 02 01 ${HELLO} 00000000 -> 2F 00 01`);
  expect(paper(shtrih)).toBe("ПРИВЕТ\n");
  await talk(shtrih, `8D OP 00; ITEM 100 name=C1; 2F OP 02 01 ${HELLO}; ITEM 200 name=C2`);
  expect(paper(shtrih).split("ПРИВЕТ")).toHaveLength(2);
  await talk(shtrih, "PAY 1=300");
  expect(paper(shtrih)).toMatch(/Б .*\n.*=1\.00\nПРИВЕТ\nВ .*\n.*=2\.00\nИТОГ +=3\.00/);
});

test("the emulated Shtrih-M's fonts differ in size and weight, and an unknown font is refused", async () => {
  const shtrih = makeShtrih();
  const { ask, core } = shtrih;
  for (const font of ["01", "02", "03", "04", "05", "07"]) ask(`2F ${OP} 02 ${font} ${HELLO}`);
  const looks = core.tape.rows.map((row) => {
    const {
      bold = false,
      doubleWidth = false,
      doubleHeight = false,
    } = (row.type === "text" && row.spans[0]?.style) || {};
    return [bold, doubleWidth, doubleHeight, row.type === "text" ? row.columns : 0];
  });
  expect(looks).toEqual([
    [false, false, false, 48],
    [true, true, false, 48],
    [true, false, false, 48],
    [false, true, true, 48],
    [false, false, false, 64],
    [false, false, true, 48],
  ]);
  await talk(shtrih, `2F OP 02 08 ${HELLO} -> 2F 33; 12 OP 02 ${HELLO} -> 12 7E`);
  await talk(shtrih, `12 OP 02 ${HELLO} ${"00".repeat(14)} -> 12 00 01`);
  expect(core.tape.rows.at(-1)).toMatchObject({ spans: [{ style: { bold: true } }] });
});

testDialogues(makeShtrih, {
  "the emulated Shtrih-M accepts a text for the journal roll alone and does not print it on the receipt roll": [
    `2F OP 01 01 ${HELLO} -> 2F 00 01`,
    { after: ({ core }) => expect(core.tape.rows).toEqual([]) },
  ],
  "the emulated Shtrih-M rings, cuts, and prints header and advert": [
    `13 OP -> 13 00 01; 25 OP 00 -> 25 00 01; 52 OP -> 52 00 01; 54 OP -> 54 00 01`,
    { after: ({ core }) => expect(core.tape.rows.map(({ type }) => type).join(" ")).toBe("cut text") },
  ],
  // This model's F7h has bit 26: the lowest bit of a byte is its left dot.
  "the emulated Shtrih-M draws loaded lines as a picture": [
    `C4 OP 0100 ${"F0".repeat(40)} -> C4 00 01; C4 OP 0200 ${"0F".repeat(80)} -> C4 00 01;
     C3 OP 0100 0300 00 -> C3 00 01; C4 OP 0200 ${"0F".repeat(64)} -> C4 00 01; C3 OP 0200 0200 -> C3 00 01;
     C5 OP 0A00 00 ${"AA".repeat(40)} -> C5 00 01; C3 OP 0300 0100 -> C3 33;
     C4 OP 0200 ${"0F".repeat(41)} -> C4 7E`,
    {
      after({ core }) {
        const rows = Uint8Array.from([...Array(40).fill(0x0f), ...Array(80).fill(0xf0)]);
        expect(core.tape.rows).toMatchObject([
          { type: "image", alignment: "left", bitmap: { width: 320, height: 3, rows } },
          { bitmap: { width: 512, height: 1 } },
          { bitmap: { width: 320, height: 10 } },
        ]);
      },
    },
  ],
  "the emulated Shtrih-M prints linear bar codes and QR codes": [
    `C2 OP 5:460123456789 -> C2 00 01; DD OP 00 05 ${URL} -> DD 00 01; DE OP 03 1900 05 5:0 01 -> DE 00 01...;
     DD OP 00 80 ${URL} -> DD 33`,
    {
      after: ({ core }) =>
        expect(core.tape.rows).toMatchObject([
          { type: "barcode", symbology: "ean13", data: "460123456789" },
          { type: "barcode", symbology: "qr", data: "https://shop.example/?q=1" },
        ]),
    },
  ],
  "the emulated Shtrih-M prints a copy of the last receipt, and refuses a copy before the first receipt": [
    `E0 OP; 8C OP -> 8C 56; ${sale(4242)}; 8C OP -> 8C 00 01`,
    { after: (shtrih) => expect(paper(shtrih)).toMatch(/=42\.42[\s\S]*КОПИЯ[\s\S]*=42\.42/) },
  ],
  "the emulated Shtrih-M's submode goes 5 to 0 while a document prints, and printing commands must wait": [
    `${shiftIsOpen}; ${sale(100)}; 10 OP -> 10 00 01 92 02 02 05...;
     ${literal("cutRequest")} -> ${literal("cutRefused")}; 8D OP 00 -> 8D 50; (10000 ms of printing);
     10 OP -> 10 00 01 92 02 02 00...; 8D OP 00 -> 8D 00 01`,
    { msPerRow: 20 },
  ],
  "the emulated Shtrih-M's submode is 1 without paper or with an open cover, and 0 after that": [
    `E0 OP; (paper out); 10 OP -> 10 00 01 12 02 02 01...; 2F OP 02 01 ${HELLO} -> 2F 6B; 8D OP 00 -> 8D 6B;
     (paper in); (cover open); 10 OP -> 10 00 01 92 06 02 01...; (cover closed); 8D OP 00 -> 8D 00 01`,
  ],
  "the emulated Shtrih-M's submode goes 2, then 3 when paper ends in a signed document; B0h prints it again": [
    `8D OP 00; ITEM 777; (paper out in the next print); PAY 1=777 -> FF 45 00...;
     10 OP -> 10 00 01 12 02 02 02...; B0 OP -> B0 6B; 2F OP 02 01 ${HELLO} -> 2F 6B; (paper in);
     10 OP -> 10 00 01 92 02 02 03...; 2F OP 02 01 ${HELLO} -> 2F 58; 8D OP 00 -> 8D 72; B0 OP -> B0 00 01;
     10 OP -> 10 00 01 92 02 02 00...; B0 OP -> B0 72`,
    {
      after(shtrih) {
        expect(paper(shtrih)).toMatch(/ПЕЧАТЬ ПРЕРВАНА[\s\S]*=7\.77/);
        expect(shtrih.core.documents.at(-1)).toMatchObject({ fd: 3, total: 777 });
      },
    },
  ],
  "the emulated Shtrih-M refuses FF3Ah while a receipt prints": [
    `${shiftIsOpen}; ${sale(100)}; FF3A SYS 4:3 -> ${literal("readDocumentRefused")}; (10000 ms of printing);
     FF3A SYS 4:3 -> FF 3A 00 03 00...`,
    { msPerRow: 20 },
  ],
  "the emulated Shtrih-M reads a document while a receipt prints if its switch allows that": [
    `${shiftIsOpen}; ${sale(100)}; FF3A SYS 4:3 -> FF 3A 00 03 00...`,
    { msPerRow: 20, unconfirmed: { "read-while-printing": "allowed" } },
  ],
  "the emulated Shtrih-M prints reports for the administrator only": [
    `40 ADMIN -> 40 73; ${sale(12_345)}; 40 ADMIN -> 40 00 1D; 40 OP -> 40 4F; 42 ADMIN -> 42 00 1D;
     44 ADMIN -> 44 00 1D; 45 ADMIN -> 45 00 1D`,
    { after: (shtrih) => expect(paper(shtrih)).toMatch(/БЕЗ ГАШЕНИЯ[\s\S]*ПРИХОД 1 .*=123\.45/) },
  ],
});
