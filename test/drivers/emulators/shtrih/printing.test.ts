import { renderText } from "@fiscald/shared/paper/render.js";
import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { ADMIN, closeCommand, itemCommand, le, makeShtrih, OP, type Shtrih, SYS, sell } from "./make-shtrih.js";

const paper = ({ core }: Shtrih) => renderText(core.tape.rows, { columns: core.tape.columns });
/** "ПРИВЕТ" in CP1251. */
const HELLO = "CFD0C8C2C5D2";
const status = ({ ask }: Shtrih) => ask(`10 ${OP}`).split(" ").slice(5, 7).join(" ");

/** Opens the shift and waits until its report is on paper. */
async function openShift({ ask, clock }: Shtrih): Promise<void> {
  ask(`E0 ${OP}`);
  await clock.advance(10_000);
}

describe("printing of the emulated Shtrih-M", () => {
  test("a text of the emulated Shtrih-M comes out at once, or between the lines of an open receipt", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    expect(ask(`17 ${OP} 02 ${HELLO} 00000000`)).toBe("17 00 01");
    expect(paper(shtrih)).toBe("ПРИВЕТ\n");
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100, name: "C1" }));
    ask(`2F ${OP} 02 01 ${HELLO}`);
    ask(itemCommand({ price: 200, name: "C2" }));
    expect(paper(shtrih).split("ПРИВЕТ")).toHaveLength(2);
    ask(closeCommand({ 1: 300 }));
    expect(paper(shtrih)).toMatch(/Б .*\n.*=1\.00\nПРИВЕТ\nВ .*\n.*=2\.00\nИТОГ +=3\.00/);
  });

  test("the emulated Shtrih-M's fonts differ in size and weight, and a font that it lacks is refused", () => {
    const { ask, core } = makeShtrih();
    for (const font of ["01", "02", "03", "04", "05", "07"]) ask(`2F ${OP} 02 ${font} ${HELLO}`);
    expect(
      core.tape.rows.map((row) => (row.type === "text" ? { ...row.spans[0]?.style, columns: row.columns } : null)),
    ).toEqual([
      expect.objectContaining({ bold: false, doubleWidth: false, doubleHeight: false, columns: 48 }),
      expect.objectContaining({ bold: true, doubleWidth: true, doubleHeight: false, columns: 48 }),
      expect.objectContaining({ bold: true, doubleWidth: false, doubleHeight: false, columns: 48 }),
      expect.objectContaining({ bold: false, doubleWidth: true, doubleHeight: true, columns: 48 }),
      expect.objectContaining({ bold: false, doubleWidth: false, doubleHeight: false, columns: 64 }),
      expect.objectContaining({ bold: false, doubleWidth: false, doubleHeight: true, columns: 48 }),
    ]);
    expect(ask(`2F ${OP} 02 08 ${HELLO}`)).toBe("2F 33");
    expect(ask(`12 ${OP} 02 ${HELLO}`)).toBe("12 7E");
    expect(ask(`12 ${OP} 02 ${HELLO} ${"00".repeat(14)}`)).toBe("12 00 01");
    expect(core.tape.rows.at(-1)).toMatchObject({ spans: [{ style: { bold: true } }] });
  });

  test("a text for the journal roll alone is taken by the emulated Shtrih-M and not printed", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`17 ${OP} 01 ${HELLO}`)).toBe("17 00 01");
    expect(core.tape.rows).toEqual([]);
  });

  test("the emulated Shtrih-M cuts, feeds, rings, opens the drawer, and prints header and end", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    expect(ask(`13 ${OP}`)).toBe("13 00 01");
    expect(ask(`28 ${OP} 00`)).toBe("28 00 01");
    expect(ask(`29 ${OP} 02 03`)).toBe("29 00 01");
    expect(ask(`29 ${OP} 02 00`)).toBe("29 33");
    expect(ask(`25 ${OP} 00`)).toBe("25 00 01");
    expect(ask(`52 ${OP}`)).toBe("52 00 01");
    expect(ask(`53 ${OP} 00`)).toBe("53 00 01");
    expect(ask(`54 ${OP}`)).toBe("54 00 01");
    expect(core.tape.rows.map(({ type }) => type)).toEqual(["text", "text", "text", "cut", "text", "cut"]);
  });

  test("the emulated Shtrih-M draws loaded lines as a picture", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`C4 ${OP} 0100 ${"F0".repeat(40)}`)).toBe("C4 00 01");
    expect(ask(`C4 ${OP} 0200 ${"0F".repeat(80)}`)).toBe("C4 00 01");
    expect(ask(`C3 ${OP} 0100 0300 00`)).toBe("C3 00 01");
    expect(core.tape.rows).toEqual([
      {
        type: "image",
        alignment: "left",
        // This model's F7h has bit 26: the lowest bit of a byte is its left dot.
        bitmap: { width: 320, height: 3, rows: Uint8Array.from([...Array(40).fill(0x0f), ...Array(80).fill(0xf0)]) },
      },
    ]);
    expect(ask(`C4 ${OP} 0200 ${"0F".repeat(64)}`)).toBe("C4 00 01");
    expect(ask(`C3 ${OP} 0200 0200`)).toBe("C3 00 01");
    expect(core.tape.rows.at(-1)).toMatchObject({ bitmap: { width: 512, height: 1 } });
    expect(ask(`C5 ${OP} 0A00 00 ${"AA".repeat(40)}`)).toBe("C5 00 01");
    expect(core.tape.rows.at(-1)).toMatchObject({ bitmap: { width: 320, height: 10 } });
    expect(ask(`C3 ${OP} 0300 0100`)).toBe("C3 33");
    expect(ask(`C4 ${OP} 0200 ${"0F".repeat(41)}`)).toBe("C4 7E");
  });

  test("the emulated Shtrih-M prints linear bar codes and QR codes", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`C2 ${OP} ${le(460123456789, 5)}`)).toBe("C2 00 01");
    const data = Buffer.from("https://shop.example/?q=1").toString("hex").padEnd(128, "0");
    expect(ask(`DD ${OP} 00 05 ${data}`)).toBe("DD 00 01");
    expect(ask(`DE ${OP} 03 1900 05 ${le(0, 5)} 01`)).toMatch(/^DE 00 01( [0-9A-F]{2}){9}$/);
    expect(ask(`DE ${OP} 03 1900 7F ${le(0, 5)} 01`)).toMatch(/^DE 00 01|^DE D1/);
    expect(ask(`DD ${OP} 00 80 ${data}`)).toBe("DD 33");
    expect(core.tape.rows.slice(0, 2)).toEqual([
      expect.objectContaining({ type: "barcode", symbology: "ean13", data: "460123456789" }),
      expect.objectContaining({ type: "barcode", symbology: "qr", data: "https://shop.example/?q=1" }),
    ]);
  });

  test("the emulated Shtrih-M prints a copy of the last receipt, and refuses one before the first receipt", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    ask(`E0 ${OP}`);
    expect(ask(`8C ${OP}`)).toBe("8C 56");
    sell(shtrih, 4242);
    const before = paper(shtrih);
    expect(ask(`8C ${OP}`)).toBe("8C 00 01");
    expect(paper(shtrih).slice(before.length)).toMatch(/КОПИЯ[\s\S]*=42\.42/);
  });
});

describe("the submode of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's submode goes 5 to 0 while a document prints, and printing commands must wait", async () => {
    const shtrih = makeShtrih({ msPerRow: 20 });
    await openShift(shtrih);
    sell(shtrih, 100);
    expect(status(shtrih)).toBe("02 05");
    expect(shtrih.ask(toHex(dataOf(v1Frames.cutRequest)))).toBe(toHex(dataOf(v1Frames.cutRefused)));
    expect(shtrih.ask(`8D ${OP} 00`)).toBe("8D 50");
    await shtrih.clock.advance(10_000);
    expect(status(shtrih)).toBe("02 00");
    expect(shtrih.ask(`8D ${OP} 00`)).toBe("8D 00 01");
  });

  test("the emulated Shtrih-M's submode is 1 without paper or with an open cover, and 0 again afterwards", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`E0 ${OP}`);
    core.printer.removePaper();
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 12 02 02 01/);
    expect(ask(`17 ${OP} 02 ${HELLO}`)).toBe("17 6B");
    expect(ask(`8D ${OP} 00`)).toBe("8D 6B");
    core.printer.loadPaper();
    core.printer.setCover(true);
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 92 06 02 01/);
    core.printer.setCover(false);
    expect(ask(`8D ${OP} 00`)).toBe("8D 00 01");
  });

  test("the emulated Shtrih-M's submode goes 2, then 3 when paper ends in a signed document; B0h prints it again", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 777 }));
    core.printer.removePaperInNextPrint();
    expect(ask(closeCommand({ 1: 777 }))).toMatch(/^FF 45 00/);
    expect(core.find(3)).toMatchObject({ total: 777 });
    expect(status(shtrih)).toBe("02 02");
    expect(ask(`B0 ${OP}`)).toBe("B0 6B");
    expect(ask(`17 ${OP} 02 ${HELLO}`)).toBe("17 6B");
    core.printer.loadPaper();
    expect(status(shtrih)).toBe("02 03");
    expect(ask(`17 ${OP} 02 ${HELLO}`)).toBe("17 58");
    expect(ask(`8D ${OP} 00`)).toBe("8D 72");
    const halted = paper(shtrih);
    expect(halted).toContain("ПЕЧАТЬ ПРЕРВАНА");
    expect(ask(`B0 ${OP}`)).toBe("B0 00 01");
    expect(paper(shtrih).slice(halted.length)).toContain("=7.77");
    expect(status(shtrih)).toBe("02 00");
    expect(ask(`B0 ${OP}`)).toBe("B0 72");
    expect(core.lastFd).toBe(3);
  });

  test("the emulated Shtrih-M refuses FF3Ah while a receipt prints, unless its switch allows the reading", async () => {
    const request = `FF3A ${SYS} ${le(3, 4)}`;
    const strict = makeShtrih({ msPerRow: 20 });
    await openShift(strict);
    sell(strict, 100);
    expect(strict.ask(request)).toBe(toHex(dataOf(v1Frames.readDocumentRefused)));
    await strict.clock.advance(10_000);
    expect(strict.ask(request)).toMatch(/^FF 3A 00 03 00/);
    const free = makeShtrih({ msPerRow: 20, unconfirmed: { "read-while-printing": "allowed" } });
    await openShift(free);
    sell(free, 100);
    expect(free.ask(request)).toMatch(/^FF 3A 00 03 00/);
  });

  test("the emulated Shtrih-M prints reports for the administrator alone", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    expect(ask(`40 ${ADMIN}`)).toBe("40 73");
    sell(shtrih, 12_345);
    expect(ask(`40 ${ADMIN}`)).toBe("40 00 1D");
    expect(ask(`40 ${OP}`)).toBe("40 4F");
    for (const code of ["42", "43", "44", "45"]) expect(ask(`${code} ${ADMIN}`)).toBe(`${code} 00 1D`);
    expect(paper(shtrih)).toMatch(/БЕЗ ГАШЕНИЯ[\s\S]*ПРИХОД 1 .*=123\.45/);
  });
});
