import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { makeShtrih, OP, SYS } from "./make-shtrih.js";

const text = (answer: string, from: number) =>
  new TextDecoder("windows-1251")
    .decode(Buffer.from(answer.replaceAll(" ", ""), "hex").subarray(from))
    .replace(/\0+$/, "");

describe("tables of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's table of the fiscal storage has its identity, under the model's own number", () => {
    for (const [model, table] of [
      ["desktop", "12"],
      ["smartpos", "0D"],
    ] as const) {
      const { ask } = makeShtrih({ model });
      expect(text(ask(`1F ${SYS} ${table} 0100 02`), 2)).toBe("7700000000");
      expect(text(ask(`1F ${SYS} ${table} 0100 03`), 2)).toBe("0001234567012345");
      expect(text(ask(`1F ${SYS} ${table} 0100 04`), 2)).toBe("9999078900000001");
    }
  });

  test("the emulated Shtrih-M describes a table and its fields", () => {
    const { ask } = makeShtrih();
    const table = ask(`2D ${SYS} 06`);
    expect(text(table, 2)).toMatch(/^НАЛОГОВЫЕ СТАВКИ/);
    // The table has 12 rows and 2 fields.
    expect(table).toMatch(/ 0C 00 02$/);
    // Field 1 is BIN of 2 bytes from 0 to FFFF, field 2 is CHAR of 64 with two zero bytes after the size.
    expect(ask(`2E ${SYS} 06 01`)).toMatch(/ 00 02 00 00 FF FF$/);
    expect(ask(`2E ${SYS} 06 02`)).toMatch(/ 01 40 00 00$/);
  });

  test("the emulated Shtrih-M's tax table has all twelve rates", () => {
    const { ask } = makeShtrih();
    const names = Array.from({ length: 12 }, (_, row) =>
      text(ask(`1F ${SYS} 06 ${(row + 1).toString(16).padStart(2, "0")}00 02`), 2),
    );
    expect(names).toEqual([
      "НДС 20%",
      "НДС 10%",
      "НДС 0%",
      "Без НДС",
      "НДС 20/120",
      "НДС 10/110",
      "НДС 5%",
      "НДС 7%",
      "НДС 5/105",
      "НДС 7/107",
      "НДС 22%",
      "НДС 22/122",
    ]);
    expect(ask(`1F ${SYS} 06 0B00 01`)).toBe("1F 00 98 08");
  });

  test("the emulated Shtrih-M keeps what is written into a table, and takes the literal write of table 17", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`1E ${SYS} 11 0100 07 02`)).toBe("1E 00");
    expect(ask(`1F ${SYS} 11 0100 07`)).toBe("1F 00 02");
    expect(core.makerSetting("table.17.1.7")).toBe("02");
    expect(ask(toHex(dataOf(v1Frames.printSwitchRequest)))).toBe("1E 00");
    expect(ask(`1F ${SYS} 11 0100 07`)).toBe("1F 00 00");
  });

  test("the emulated Shtrih-M refuses writes of missing, fixed or missized fields, and of taxes in an open shift", () => {
    const { ask } = makeShtrih();
    expect(ask(`1F ${SYS} 63 0100 01`)).toBe("1F 5D");
    expect(ask(`1F ${SYS} 06 0D00 01`)).toBe("1F 5D");
    expect(ask(`1F ${SYS} 06 0100 03`)).toBe("1F 5D");
    expect(ask(`1E ${SYS} 12 0100 03 31`)).toBe("1E 7A");
    expect(ask(`1E ${SYS} 05 0100 01 31`)).toBe("1E 7A");
    expect(ask(`1E ${SYS} 11 0100 07 0000`)).toBe("1E 7E");
    expect(ask(`1E ${SYS} 06 0100 01 D007`)).toBe("1E 00");
    ask(`E0 ${OP}`);
    expect(ask(`1E ${SYS} 06 0100 01 D007`)).toBe("1E C7");
  });

  test.each([
    ["refused", "1E 73"],
    ["allowed", "1E 00"],
  ])(
    "a write into a table of the emulated Shtrih-M while a receipt is open is %s, as its switch says",
    (value, answer) => {
      const { ask } = makeShtrih({ unconfirmed: { "write-table-in-receipt": value } });
      ask(`8D ${OP} 00`);
      expect(ask(`1E ${SYS} 11 0100 07 01`)).toBe(answer);
    },
  );

  test("the emulated Shtrih-M goes by a password that was changed in table 2", () => {
    const { ask } = makeShtrih();
    expect(ask(`1E ${SYS} 02 0100 01 39300000`)).toBe("1E 00");
    expect(ask("10 39 30 00 00")).toMatch(/^10 00 01/);
    expect(ask(`10 ${OP}`)).toBe("10 4F");
  });
});

describe("the clock of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's clock is set with the shift closed, its date only when confirmed", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`21 ${SYS} 0C 22 38`)).toBe("21 00");
    expect(core.now()).toBe("2026-11-20T12:34:56");
    expect(ask(`22 ${SYS} 15 0B 1A`)).toBe("22 00");
    expect(ask(`10 ${SYS}`)).toMatch(/^10 00 1E 92 02 06/);
    expect(ask(`23 ${SYS} 16 0B 1A`)).toBe("23 7C");
    expect(ask(`23 ${SYS} 15 0B 1A`)).toBe("23 00");
    expect(core.now()).toBe("2026-11-21T12:34:56");
    expect(ask(`10 ${SYS}`)).toMatch(/^10 00 1E 92 02 04/);
  });

  test("the emulated Shtrih-M refuses impossible times, and any setting of the clock while the shift is open", () => {
    const { ask } = makeShtrih();
    expect(ask(`21 ${SYS} 19 00 00`)).toBe("21 33");
    expect(ask(`22 ${SYS} 1F 02 1A`)).toBe("22 7D");
    ask(`E0 ${OP}`);
    expect(ask(`21 ${SYS} 0C 00 00`)).toBe("21 73");
    expect(ask(`22 ${SYS} 15 0B 1A`)).toBe("22 73");
  });
});
