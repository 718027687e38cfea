/** Corrections on the emulated Shtrih-M register, by the maker's manual (8.7). */
import { numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import { testDialogues } from "../dialogue.js";
import { makeShtrih } from "./make-shtrih.js";

/** Tags 1178 (2024-05-08), 1179 (`12-3`) and 1173 (self), as bytes of the format. */
const DAY = "9A04 0400 80C03A66";
const DAY_WITH_TIME = "9A04 0400 2C894562";
const NUMBER = "9B04 0400 31322D33";
const SELF = "9504 0100 00";
const sums = (values: readonly number[]) => values.map((value) => `5:${value}`).join(" ");
/** FF4Ah: type, sign, total, five payments, six rates, tax system. Here 261.50 by card, 43.58 of it tax of 20/120. */
const make = (sign: string, over: { readonly type?: string } = {}) =>
  `FF4A SYS ${over.type ?? "00"} ${sign} ${sums([26_150, 0, 26_150, 0, 0, 0, 0, 0, 0, 0, 4_358, 0])} 01`;
const made = "FF 4A 00 01 00 03 00 00 00...";

testDialogues(makeShtrih, {
  "the emulated Shtrih-M makes a correction from sums in FFD 1.05, and FF01h and FF0Ah show it as a correction": [
    `FF35 SYS -> FF 35 00; FF01 SYS -> FF 01 00 03 14 01 01...; FF0C SYS ${DAY} -> FF 0C 00;
     FF0C SYS ${NUMBER} -> FF 0C 00; ${make("01", { type: "01" })} -> ${made};
     FF01 SYS -> FF 01 00 03 00 00 01...; FF0A SYS 4:3 -> FF 0A 00 1F...`,
    {
      after: ({ core }) => {
        const document = core.find(3);
        if (document === null) throw new Error("no document");
        expect(document).toMatchObject({ type: "correction", operation: "sale", total: 26_150, lines: [] });
        const body = core.bodyOf(document);
        const basis = body.find(({ tag }) => tag === 1174);
        const inside = basis !== undefined && "items" in basis ? basis.items : [];
        expect([numberOf(inside, 1178), textOf(inside, 1179)]).toEqual([1_715_126_400, "12-3"]);
        expect([1173, 1106, 1081].map((tag) => numberOf(body, tag))).toEqual([1, 4_358, 26_150]);
      },
    },
  ],
  "the paper of the emulated Shtrih-M shows day, reason, order and tax of a correction of sums": [
    `FF35 SYS; FF0C SYS ${DAY}; FF0C SYS ${NUMBER}; ${make("01", { type: "01" })}`,
    {
      after: ({ core }) => {
        const paper = renderText(core.tape.rows, { columns: core.tape.columns }).replaceAll(/ +/g, " ");
        for (const row of ["ТИП КОРРЕКЦИИ ПО ПРЕДПИСАНИЮ", "ДАТА РАСЧЕТА 08.05.2024", "ПРЕДПИСАНИЕ 12-3"])
          expect(paper).toContain(row);
        expect(paper).toContain("СУММА НДС 20/120 =43.58");
      },
    },
  ],
  "the emulated Shtrih-M makes a correction with 5, 22 and 22/122 by FF7Ch, and its paper shows their sums": [
    `FF35 SYS; FF7C SYS 00 01 ${sums([349, 349, ...new Array<number>(10).fill(0), 5, 0, 0, 0, 22, 24])} 01 -> FF 7C 00 01 00...`,
    {
      after: ({ core }) => {
        const paper = renderText(core.tape.rows, { columns: core.tape.columns }).replaceAll(/ +/g, " ");
        expect(paper).toMatch(/СУММА НДС 5% =0\.05\nСУММА НДС 22% =0\.22\nСУММА НДС 22\/122 =0\.24/);
      },
    },
  ],
  "the emulated Shtrih-M refuses the operations 2, 3 and 4 of a correction from sums with 5Eh": [
    `FF35 SYS -> FF 35 00; ${make("02")} -> FF 4A 5E; ${make("04")} -> FF 4A 5E; ${make("03")} -> FF 4A 5E`,
  ],
  "the emulated Shtrih-M refuses the day of a correction with a time of day": [
    `FF35 SYS; FF0C SYS ${DAY_WITH_TIME} -> FF 0C 33; FF0C SYS ${DAY} -> FF 0C 00`,
  ],
  "the emulated Shtrih-M refuses the day of a correction in a receipt": [`8D OP 00; FF0C SYS ${DAY} -> FF 0C 33`],
  "the emulated Shtrih-M cancels a correction of sums by FF08h, and makes no correction without FF35h": [
    `FF35 SYS; FF08 SYS -> FF 08 00; FF01 SYS -> FF 01 00 03 00...; ${make("01")} -> FF 4A 02`,
  ],
  "the emulated Shtrih-M shows the mode of no document after FF35h if its switch says so": [
    `FF35 SYS; 8D OP 00 -> 8D 4A; FF08 SYS -> FF 08 00`,
    { unconfirmed: { "correction-mode": "unchanged" } },
  ],
  "the emulated Shtrih-M refuses the tags of a correction of sums in FFD 1.2": [
    `FF35 SYS -> FF 35 00; FF0C SYS ${DAY} -> FF 0C 33`,
    { ffd: 4 },
  ],
  "the emulated Shtrih-M opens a correction with positions in FFD 1.2, and refuses one in FFD 1.05": [
    `8D OP 82 -> 8D 00 01; FF01 SYS -> FF 01 00 03 14...; FF0C SYS ${SELF} -> FF 0C 00; FF0C SYS ${DAY} -> FF 0C 00;
     ITEM 900 operation=2 -> FF 46 00; PAY 2=900 -> FF 45 00...; FF0A SYS 4:3 -> FF 0A 00 1F...`,
    {
      ffd: 4,
      after: ({ core }) => expect(core.find(3)).toMatchObject({ type: "correction", operation: "return", total: 900 }),
    },
  ],
  "the emulated Shtrih-M has no corrections with positions in FFD 1.05": ["8D OP 80 -> 8D 5E"],
  "the emulated Shtrih-M has no corrections with positions if its firmware is too old": [
    "8D OP 80 -> 8D 5E",
    { ffd: 4, unconfirmed: { "item-corrections": "no" } },
  ],
  "the emulated POSCENTER registers the tax of 22 % in a correction of sums when 20 % is sent": [
    `FF35 SYS; FF4A SYS 00 01 ${sums([12_000, 12_000, 0, 0, 0, 0, 2_000, 0, 0, 0, 0, 0])} 01 -> FF 4A 00...`,
    {
      model: "poscenter",
      after: ({ core }) => {
        const document = core.find(3);
        expect(document === null ? [] : document.tags.map(({ tag }) => tag)).toContain(1115);
      },
    },
  ],
  "the emulated Shtrih-M makes a correction with 5 % by FF77h": [
    `FF35 SYS; FF77 SYS 00 01 ${sums([105, 105, ...new Array<number>(10).fill(0), 5, 0, 0, 0])} 01 -> FF 77 00 01 00...`,
  ],
});
