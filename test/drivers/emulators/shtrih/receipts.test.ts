import { kopecks } from "@fiscald/shared/amounts.js";
import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { closeCommand, itemCommand, le, makeShtrih, OP, SYS, sell } from "./make-shtrih.js";

describe("a receipt of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M opens a receipt by the literal command and opens the shift by itself", () => {
    const { ask, core } = makeShtrih();
    expect(ask(toHex(dataOf(v1Frames.openReceiptRequest)))).toBe(toHex(dataOf(v1Frames.openReceiptAnswer)));
    expect(core.documents.map(({ type }) => type)).toEqual(["registration", "shift-open"]);
    expect(core.receipt?.operation).toBe("sale");
  });

  test("the emulated Shtrih-M refuses payments that do not fit in the literal way and keeps the receipt open", () => {
    const { ask, core } = makeShtrih();
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 900 }));
    expect(ask(closeCommand({ 2: 901 }))).toBe(toHex(dataOf(v1Frames.closeRefused)));
    expect(ask(closeCommand({ 1: 899 }))).toBe("FF 45 45");
    expect(ask(closeCommand({ 1: 900 }, { taxSystem: "02" }))).toBe("FF 45 33");
    expect(ask(closeCommand({ 1: 900 }, { rounding: 100 }))).toBe("FF 45 33");
    expect(core.lastFd).toBe(2);
    expect(ask(`89 ${OP}`)).toBe("89 00 01 84 03 00 00 00");
    expect(ask(closeCommand({ 1: 900 }))).toMatch(/^FF 45 00/);
  });

  test("the emulated Shtrih-M rounds a total down to whole roubles when the close asks for it", () => {
    const { ask, core } = makeShtrih();
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 999 }));
    ask(closeCommand({ 2: 900 }, { rounding: 99 }));
    expect(core.find(3)).toMatchObject({ total: 900 });
  });

  test("the emulated Shtrih-M takes a line sum one kopeck off, and refuses two kopecks", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 00`);
    const third = { quantity: 333_333, price: 1000 };
    expect(ask(itemCommand({ ...third, sum: le(334, 5) }))).toBe("FF 46 00");
    expect(ask(itemCommand({ ...third, sum: le(332, 5) }))).toBe("FF 46 00");
    expect(ask(itemCommand({ ...third, sum: le(335, 5) }))).toBe("FF 46 33");
    expect(ask(itemCommand({ quantity: 0, price: 1000 }))).toBe("FF 46 33");
    expect(
      ask(`FF46 ${OP} 01 ${"FF".repeat(6)} ${"FF".repeat(5)} ${"FF".repeat(5)} ${"FF".repeat(5)} 01 01 04 01 C0`),
    ).toBe("FF 46 33");
  });

  test("the emulated Shtrih-M refuses every tax byte that stands for no rate", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 00`);
    const known = new Set([0, 1, 2, 4, 8, 0x10, 0x20, 0x81, 0x82, 0x84, 0x88, 0xcb, 0xcc]);
    for (let byte = 0; byte < 256; byte++) {
      if (!known.has(byte)) expect(ask(itemCommand({ price: 1, tax: le(byte, 1) }))).toBe("FF 46 33");
    }
  });

  test("the emulated Shtrih-M Nano, and a switch for 7/107, have tax bytes of their own", () => {
    const nano = makeShtrih({ model: "nano" });
    nano.ask(`8D ${OP} 00`);
    expect(nano.ask(itemCommand({ price: 1, tax: "90" }))).toBe("FF 46 00");
    expect(nano.core.receipt?.lines[0]).toMatchObject({ vat: 11 });
    expect(nano.ask(itemCommand({ price: 1, tax: "CB" }))).toBe("FF 46 33");
    const other = makeShtrih({ unconfirmed: { "vat-7-107": "90" } });
    other.ask(`8D ${OP} 00`);
    expect(other.ask(itemCommand({ price: 1, tax: "90" }))).toBe("FF 46 00");
    expect(other.core.receipt?.lines[0]).toMatchObject({ vat: 10 });
    expect(other.ask(itemCommand({ price: 1, tax: "88" }))).toBe("FF 46 33");
  });

  test.each([
    ["00", 1, "sale", 1500],
    ["01", 3, "purchase", -1500],
    ["02", 2, "return", -1500],
    ["03", 4, "purchase-return", 1500],
  ])("type %s of 8Dh and operation %i of FF46h make a %s on the emulated Shtrih-M", (type, operation, name, cash) => {
    const { ask, core } = makeShtrih();
    ask(`8D ${OP} ${type}`);
    expect(ask(itemCommand({ operation, price: 1500 }))).toBe("FF 46 00");
    expect(ask(closeCommand({ 1: 1500 }))).toMatch(/^FF 45 00/);
    expect(core.find(3)).toMatchObject({ operation: name });
    expect(core.cash - 10_000_000).toBe(cash);
  });

  test("the emulated Shtrih-M refuses an item of another operation than its receipt's, unless its switch allows any", () => {
    const strict = makeShtrih();
    strict.ask(`8D ${OP} 00`);
    expect(strict.ask(itemCommand({ operation: 2, price: 1 }))).toBe("FF 46 49");
    expect(strict.ask(itemCommand({ operation: 5, price: 1 }))).toBe("FF 46 33");
    const free = makeShtrih({ unconfirmed: { "item-operation": "any" } });
    free.ask(`8D ${OP} 00`);
    expect(free.ask(itemCommand({ operation: 2, price: 1 }))).toBe("FF 46 00");
  });

  test("a refund in cash needs cash in the emulated Shtrih-M's drawer, unless the drawer is not watched", () => {
    const { ask, core } = makeShtrih({ cash: kopecks(1000) });
    ask(`8D ${OP} 02`);
    ask(itemCommand({ operation: 2, price: 1001 }));
    expect(ask(closeCommand({ 1: 1001 }))).toBe("FF 45 46");
    expect(ask(closeCommand({ 2: 1001 }))).toMatch(/^FF 45 00/);
    expect(core.cash).toBe(1000);
    const careless = makeShtrih({ cash: kopecks(0), cashControl: false });
    careless.ask(`8D ${OP} 02`);
    careless.ask(itemCommand({ operation: 2, price: 1001 }));
    expect(careless.ask(closeCommand({ 1: 1001 }))).toMatch(/^FF 45 00/);
  });

  test("the emulated Shtrih-M needs 8Dh before FF46h, unless its switch opens receipts by the item", () => {
    const strict = makeShtrih();
    expect(strict.ask(itemCommand({ price: 1 }))).toBe("FF 46 73");
    const lenient = makeShtrih({ unconfirmed: { "item-opens-receipt": "yes" } });
    expect(lenient.ask(itemCommand({ price: 1 }))).toBe("FF 46 00");
    expect(lenient.core.receipt?.lines).toHaveLength(1);
  });

  test("the emulated Shtrih-M refuses commands of a receipt in the wrong order", () => {
    const { ask } = makeShtrih();
    expect(ask(closeCommand({ 1: 1 }))).toBe("FF 45 73");
    expect(ask(`88 ${OP}`)).toBe("88 73");
    expect(ask(`89 ${OP}`)).toBe("89 73");
    expect(ask(`85 ${OP} ${le(0, 26)}`)).toBe("85 73");
    ask(`8D ${OP} 00`);
    expect(ask(`8D ${OP} 00`)).toBe("8D 4A");
    expect(ask(`41 ${SYS}`)).toBe("41 73");
    expect(ask(`E0 ${OP}`)).toBe("E0 73");
    expect(ask(`50 ${OP} ${le(1, 5)}`)).toBe("50 73");
    expect(ask(closeCommand({ 1: 1 }))).toBe("FF 45 8E");
    expect(ask(`8D ${OP} 04`)).toBe("8D 4A");
  });

  test("the emulated Shtrih-M's open receipt belongs to the operator who opened it", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 00`);
    expect(ask(itemCommand({ price: 1, password: "02000000" }))).toBe("FF 46 59");
    expect(ask("88 02 00 00 00")).toBe("88 59");
    expect(ask("89 1E 00 00 00")).toBe("89 59");
    // Service commands of the system administrator may go into another operator's receipt.
    expect(ask(itemCommand({ price: 1, password: SYS }))).toBe("FF 46 00");
    expect(ask(`88 ${OP}`)).toBe("88 00 01");
  });

  test("a receipt that is cancelled by either command leaves nothing behind in the emulated Shtrih-M", () => {
    for (const cancel of [`88 ${OP}`, `FF08 ${SYS}`]) {
      const { ask, core } = makeShtrih();
      ask(`8D ${OP} 00`);
      ask(itemCommand({ price: 1 }));
      expect(ask(cancel)).toMatch(/^(88 00 01|FF 08 00)$/);
      expect(core.lastFd).toBe(2);
      expect(core.receipt).toBeNull();
      expect(ask(`1B ${OP} 9D`)).toBe("1B 00 01 01 00");
    }
  });

  test("the emulated Shtrih-M refuses to open and to close a receipt in a shift of 24 hours", async () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    core.advanceClock(24 * 3600);
    expect(ask(closeCommand({ 1: 100 }))).toBe("FF 45 16");
    expect(ask(`88 ${OP}`)).toBe("88 00 01");
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 92 02 03/);
    expect(ask(`8D ${OP} 00`)).toBe("8D 4E");
    expect(ask(`80 ${OP} ${le(1000, 5)} ${le(100, 5)} 01 ${le(0, 4)} C0`)).toBe("80 4E");
    expect(ask(`41 ${SYS}`)).toBe("41 00 1E");
    expect(sell(shtrih, 100)).toMatch(/^FF 45 00/);
  });

  test("the emulated Shtrih-M needs paper to close a receipt, except when nothing is to be printed", () => {
    const { ask, core } = makeShtrih();
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    core.printer.removePaper();
    expect(ask(closeCommand({ 1: 100 }))).toBe("FF 45 6B");
    core.printer.loadPaper();
    expect(ask(`88 ${OP}`)).toBe("88 00 01");
    expect(ask(`1E ${SYS} 11 0100 07 02`)).toBe("1E 00");
    core.printer.removePaper();
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    expect(ask(closeCommand({ 1: 100 }))).toMatch(/^FF 45 00/);
    expect(core.find(3)).toMatchObject({ printed: false });
  });

  test("table 17 field 7 = 1 of the emulated Shtrih-M keeps one document off the paper and is then 0", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`E0 ${OP}`);
    ask(`1E ${SYS} 11 0100 07 01`);
    sell(shtrih, 100);
    sell(shtrih, 200);
    expect(core.documents.slice(2).map(({ printed }) => printed)).toEqual([false, true]);
  });

  test("the emulated Shtrih-M refuses a receipt on a full or dead drive, or 30 days without the OFD", () => {
    const full = makeShtrih({ driveCapacity: 2 });
    expect(sell(full, 100)).toBe("FF 45 06");

    const dead = makeShtrih();
    dead.core.advanceClock(471 * 86_400);
    expect(dead.ask(`8D ${OP} 00`)).toBe("8D 05");

    const alone = makeShtrih({ ofdConnected: false });
    alone.core.advanceClock(31 * 86_400);
    expect(alone.ask(`8D ${OP} 00`)).toBe("8D 15");

    const wrongClock = makeShtrih();
    wrongClock.core.advanceClock(-3600);
    expect(wrongClock.ask(`8D ${OP} 00`)).toBe("8D 07");
  });

  test("the emulated Shtrih-M's extended answers carry the time of the document", () => {
    const shtrih = makeShtrih();
    shtrih.ask(`1E ${SYS} 11 0100 24 01`);
    expect(sell(shtrih, 100)).toMatch(/ 1A 0B 14 0F 00$/);
  });

  test("the emulated Shtrih-M's classic commands make the same kind of document", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`80 ${OP} ${le(1500, 5)} ${le(1000, 5)} 01 02000000 ${"C0".padEnd(80, "0")}`)).toBe("80 00 01");
    expect(ask(`82 ${OP} ${le(1500, 5)} ${le(1000, 5)} 01 02000000 C0`)).toBe("82 49");
    expect(ask(`85 ${OP} ${le(2000, 5)} ${le(0, 15)} 0000 ${le(0, 4)}`)).toBe("85 00 01 F4 01 00 00 00");
    expect(core.find(3)).toMatchObject({ total: 1500, lines: [{ name: "А", tax: 2, quantity: 1_500_000 }] });
    ask(`80 ${OP} ${le(1000, 5)} ${le(1000, 5)} 01 00000000 C0`);
    expect(ask(`8E ${OP} ${le(0, 5)} ${le(1000, 5)} ${le(0, 70)} 0000 ${le(0, 4)}`)).toBe("8E 00 01 00 00 00 00 00");
    expect(core.find(4)).toMatchObject({ total: 1000, lines: [{ tax: 4 }] });
  });

  test("the emulated Shtrih-M refuses names and texts that are longer than the command may be", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 00`);
    expect(ask(itemCommand({ price: 1, name: "C0".repeat(129) }))).toBe("FF 46 7E");
    expect(ask(itemCommand({ price: 1, name: "C0".repeat(128) }))).toBe("FF 46 00");
    expect(ask(`${closeCommand({ 1: 1 })} ${"C0".repeat(65)}`)).toBe("FF 45 7E");
    expect(ask(`${closeCommand({ 1: 1 })} ${"C0".repeat(64)}`)).toMatch(/^FF 45 00/);
  });

  test("the emulated Shtrih-M's receipt holds five hundred lines and refuses one more", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 00`);
    const answers = Array.from({ length: 501 }, () => ask(itemCommand({ price: 1 })));
    expect(answers.slice(0, 500).every((answer) => answer === "FF 46 00")).toBe(true);
    expect(answers[500]).toBe("FF 46 4B");
  });
});

describe("requisites of a receipt of the emulated Shtrih-M", () => {
  /** Tag and text, CP866, as TLV hex. */
  const tlv = (tag: number, value: string) => `${le(tag, 2)}${le(value.length / 2, 2)}${value}`;
  const ascii = (text: string) => Buffer.from(text, "latin1").toString("hex");

  test("the emulated Shtrih-M prefers the cashier sent with the receipt to that of table 2", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`1E ${SYS} 12 0100 17 ${ascii("123456789012")}`);
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    ask(`FF0C ${SYS} ${tlv(1021, ascii("Ivanova"))}`);
    ask(closeCommand({ 1: 100 }));
    expect(core.find(3)?.tags).toEqual([
      { tag: 1021, text: "Ivanova" },
      { tag: 1203, text: "123456789012" },
    ]);
  });

  test("the emulated Shtrih-M refuses broken TLV, its own requisites, overlong values, and any without a document", () => {
    const { ask } = makeShtrih();
    expect(ask(`FF0C ${SYS} ${tlv(1008, ascii("a@b.ru"))}`)).toBe("FF 0C 02");
    ask(`8D ${OP} 00`);
    expect(ask(`FF0C ${SYS} F0030600 61`)).toBe("FF 0C 09");
    expect(ask(`FF0C ${SYS} ${tlv(1040, "01000000")}`)).toBe("FF 0C 09");
    expect(ask(`FF0C ${SYS} ${tlv(1008, "61".repeat(65))}`)).toBe("FF 0C 10");
    expect(ask(`FF0C ${SYS} ${tlv(1084, tlv(1086, "61".repeat(200)))}`)).toBe("FF 0C 00");
    expect(ask(`FF4D ${OP} ${tlv(1226, "31")}`)).toBe("FF 4D 02");
  });

  test("a name that begins with // goes to the emulated Shtrih-M's drive and not onto its paper", () => {
    const shtrih = makeShtrih();
    sell(shtrih, 100, "2F2FD1E5EAF0E5F2");
    expect(shtrih.core.find(3)?.lines[0]?.name).toBe("Секрет");
    expect(JSON.stringify(shtrih.core.tape.rows)).not.toContain("Секрет");
  });
});
