import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { testDialogues } from "../dialogue.js";
import { makeShtrih, SYS } from "./make-shtrih.js";

const text = (answer: string, from: number) =>
  new TextDecoder("windows-1251")
    .decode(Buffer.from(answer.replaceAll(" ", ""), "hex").subarray(from))
    .replace(/\0+$/, "");

test.each([
  ["desktop", "12"],
  ["smartpos", "0D"],
])("the emulated Shtrih-M (%s) has its identity in table %s, the table of the fiscal drive", (model, table) => {
  const { ask } = makeShtrih({ model });
  expect(["02", "03", "04"].map((field) => text(ask(`1F ${SYS} ${table} 0100 ${field}`), 2))).toEqual([
    ...["7700000000", "0001234567012345", "9999078900000001"],
  ]);
});

test("the emulated Shtrih-M describes a table", () => {
  const { ask } = makeShtrih();
  const table = ask(`2D ${SYS} 06`);
  expect(text(table, 2)).toMatch(/^НАЛОГОВЫЕ СТАВКИ/);
  // The table has 12 rows and 2 fields.
  expect(table).toMatch(/ 0C 00 02$/);
});

test("the emulated Shtrih-M's tax table has all twelve rates", () => {
  const { ask } = makeShtrih();
  const names = Array.from({ length: 12 }, (_, row) =>
    text(ask(`1F ${SYS} 06 ${(row + 1).toString(16).padStart(2, "0")}00 02`), 2),
  );
  expect(names).toEqual([
    ...["НДС 20%", "НДС 10%", "НДС 0%", "Без НДС", "НДС 20/120", "НДС 10/110"],
    ...["НДС 5%", "НДС 7%", "НДС 5/105", "НДС 7/107", "НДС 22%", "НДС 22/122"],
  ]);
  expect(ask(`1F ${SYS} 06 0B00 01`)).toBe("1F 00 98 08");
});

testDialogues(makeShtrih, {
  "the emulated Shtrih-M keeps what is written into a table": [
    `1E SYS 11 0100 07 02 -> 1E 00; 1F SYS 11 0100 07 -> 1F 00 02`,
    { after: ({ core }) => expect(core.makerSetting("table.17.1.7")).toBe("02") },
  ],
  "the emulated Shtrih-M accepts the literal frame that writes table 17": [
    `1E SYS 11 0100 07 02; ${toHex(dataOf(v1Frames.printSwitchRequest))} -> 1E 00; 1F SYS 11 0100 07 -> 1F 00 00`,
  ],
  "the emulated Shtrih-M refuses to write fields that are missing, fixed or of another size, and taxes in an open shift":
    [
      `1F SYS 63 0100 01 -> 1F 5D; 1F SYS 06 0D00 01 -> 1F 5D; 1F SYS 06 0100 03 -> 1F 5D;
     1E SYS 12 0100 03 31 -> 1E 7A; 1E SYS 05 0100 01 31 -> 1E 7A; 1E SYS 11 0100 07 0000 -> 1E 7E;
     1E SYS 06 0100 01 D007 -> 1E 00; E0 OP; 1E SYS 06 0100 01 D007 -> 1E C7`,
    ],
  "the emulated Shtrih-M refuses a write into a table while a receipt is open if its switch says so": [
    `8D OP 00; 1E SYS 11 0100 07 01 -> 1E 73`,
    { unconfirmed: { "write-table-in-receipt": "refused" } },
  ],
  "the emulated Shtrih-M allows a write into a table while a receipt is open if its switch says so": [
    `8D OP 00; 1E SYS 11 0100 07 01 -> 1E 00`,
    { unconfirmed: { "write-table-in-receipt": "allowed" } },
  ],
  "the emulated Shtrih-M requires a password that was changed in table 2": [
    `1E SYS 02 0100 01 39300000 -> 1E 00; 10 39 30 00 00 -> 10 00 01...; 10 OP -> 10 4F`,
  ],
  "the emulated Shtrih-M's clock is set with the shift closed, and its date only when confirmed": [
    `21 SYS 0C 22 38 -> 21 00; 22 SYS 15 0B 1A -> 22 00; 10 SYS -> 10 00 1E 92 02 06...;
     23 SYS 16 0B 1A -> 23 7C; 23 SYS 15 0B 1A -> 23 00; 10 SYS -> 10 00 1E 92 02 04...`,
    { after: ({ core }) => expect(core.now()).toBe("2026-11-21T12:34:56") },
  ],
  "the emulated Shtrih-M refuses impossible times, and any setting of the clock while the shift is open": [
    `21 SYS 19 00 00 -> 21 33; 22 SYS 1F 02 1A -> 22 7D; E0 OP; 21 SYS 0C 00 00 -> 21 73;
     22 SYS 15 0B 1A -> 22 73`,
  ],
});
