import { kopecks } from "@fiscald/shared/amounts.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import { talk, testDialogues } from "../dialogue.js";
import { makePirit, type Pirit, sell } from "./make-pirit.js";

const open = "23 Иванов; 30 2|1|771234567890&Иванов И.И.|0|0 -> 00";
const tea = "42 Чай||1|1.00|1";
const inReceipt = `23 Иванов; 30 2|1|Иванов; ${tea}; 47 0|1.00`;
/** A refusal, and its reason as 06 reports it. */
const refused = (command: string, error: string, reason: number) =>
  `${command} -> ${error}; 06 1 -> 00|1|${reason}|ПРИЧИНА ${reason}`;
const paper = ({ core }: Pirit) => renderText(core.tape.rows, { columns: 48 });

test("a sale on the emulated PIRIT goes through its states and ends in the fiscal memory", async () => {
  const pirit = makePirit();
  await talk(
    pirit,
    `${open}; 00 -> 00|0|4|18; 24 |||64|7712345678|+79990000001,+79990000002|ООО Поставщик -> 00|;
     42 Сахар||1.237|459.90|1||3||кг||1|4|643|10702030/1 -> 00|51.7200;
     52 568.90 -> 00; 52 568.91 -> 03; 47 1|500.00 -> 00; 00 -> 00|0|4|50; 47 0|100.00 -> 00; 00 -> 00|0|4|66;
     03 1 -> 00|1|568.90|0.00|0.00`,
  );
  const answer = pirit.ask("31", 0, "a@b.ru", 0, "https://shop", "", "", "Заказ", "A-1 0badcafe").split("|");
  const [document] = pirit.core.documents.filter(({ type }) => type === "receipt");
  expect(answer.slice(4)).toEqual([String(document?.fd), String(document?.fiscalSign), "1", "1", "201126", "150000"]);
  await talk(pirit, "00 -> 00|0|4|0");
  const { tags, lines, ...rest } = document ?? { tags: [], lines: [] };
  expect(rest).toMatchObject({ operation: "sale", total: 56_890, taxSystem: 1, change: 3_110 });
  expect(rest).toMatchObject({
    payments: [
      { typeClose: 1, sum: 50_000 },
      { typeClose: 0, sum: 6_890, given: 10_000 },
    ],
  });
  const requisite = [...[{ tag: 1085, text: "Заказ" }], ...[{ tag: 1086, text: "A-1 0badcafe" }]];
  expect(tags).toMatchObject([
    ...[{ tag: 1021, text: "Иванов И.И." }, ...[{ tag: 1203, text: "771234567890" }]],
    ...[{ tag: 1008, text: "a@b.ru" }, ...[{ tag: 1187, text: "https://shop" }]],
    { tag: 1084, items: requisite },
  ]);
  const item = { name: "Сахар", quantity: 1_237_000, sum: 56_890, department: 3, method: 1, subject: 4 };
  expect(lines).toMatchObject([item]);
  expect(lines[0]?.tags).toMatchObject([
    { tag: 1197, text: "кг" },
    { tag: 1230, text: "643" },
    { tag: 1231, text: "10702030/1" },
    { tag: 1222, number: 64 },
    { tag: 1224, items: [{ tag: 1225, text: "ООО Поставщик" }, { tag: 1171 }, { tag: 1171 }] },
    { tag: 1226, text: "7712345678" },
  ]);
});

test.each([
  ["6", "201126"],
  ["8", "20112026"],
])("the emulated PIRIT answers a close with a date of %s digits, as its switch says", (value, date) => {
  const pirit = makePirit({ unconfirmed: { "close-date": value } });
  expect(sell(pirit, "1.00").split("|").at(-2)).toBe(date);
});

test("paper that ends at the close leaves the emulated PIRIT in state 8, in which 31 continues the print and 32 is refused", async () => {
  const pirit = makePirit();
  await talk(pirit, `${inReceipt}; (paper out in the next print); 31 -> 08; 00 -> 00|0|4|${8 * 16 + 2}`);
  const { lastFd } = pirit.core;
  await talk(pirit, `${refused("32", "01", 15)}; 31 -> 08; (paper in)`);
  expect(pirit.ask("31").split("|")[4]).toBe(String(lastFd));
  await talk(pirit, "00 -> 00|0|4|0");
  expect(pirit.core.lastFd).toBe(lastFd);
});

test.each([
  ["kept", 50],
  ["dropped", 0],
])("an open receipt of the emulated PIRIT is %s over a loss of power, as the switch says", async (value, state) => {
  const pirit = makePirit({ unconfirmed: { "receipt-after-power-cut": value } });
  await talk(pirit, `${open}; ${tea}; 47 0|0.50`);
  pirit.makerProtocol.powerCut();
  await talk(pirit, `00 -> 00|0|5|${state}`);
});

test("the emulated PIRIT moves cash by documents of the types 4 and 5, and refuses a payout without enough cash", async () => {
  const pirit = makePirit({ cash: kopecks(1_000) });
  await talk(pirit, `23 Иванов; 30 4|1|Иванов; ${refused("31", "01", 26)}; 48 |5.00 -> 00`);
  expect(pirit.core.cash).toBe(1_000);
  expect(pirit.ask("31").split("|")).toHaveLength(3);
  expect(pirit.core.cash).toBe(1_500);
  await talk(pirit, "30 5|1|Иванов; 48 |15.01; 31 -> 0E; 00 -> 00|0|4|21; 32; 01 8 -> 00|8|0.00|0.00|5.00|0.00");
});

testDialogues(makePirit, {
  "the emulated PIRIT refuses commands of a receipt in the wrong state, each with its extended reason": [
    `${open};
     ${refused("30 2|1|Иванов", "01", 9)};
     ${refused("31", "01", 14)};
     ${refused("47 0|1", "01", 26)};
     ${refused("48 |1", "01", 17)};
     ${refused("40 текст", "01", 18)};
     ${refused("42 Чай||1|1.00|55", "03", 48)};
     ${refused("42 Чай||0|1.00|1", "03", 46)};
     ${refused("21 Иванов", "01", 9)};
     ${tea};
     ${refused("47 1|1.01", "03", 56)};
     47 0|0.50;
     ${refused(tea, "01", 11)};
     32 -> 00;
     ${refused("32", "01", 8)};
     ${refused("30 9|1|Иванов", "03", 40)};
     ${refused("30 2|1|Иванов|0|5", "03", 43)};
     ${refused("30 2|1|", "01", 33)}`,
  ],
  "the emulated PIRIT refuses a receipt while the shift is closed (20) and when the shift is too old (0A)": [
    `${refused("30 2|1|Иванов", "01", 20)}; 23 Иванов; (86400 seconds later); 30 2|1|Иванов -> 0A; 00 -> 00|0|12|0`,
  ],
  "the emulated PIRIT reports missing paper before a receipt as 08 and an open cover as 09": [
    "23 Иванов; (paper out); 30 2|1|Иванов -> 08; (paper in); (cover open); 30 2|1|Иванов -> 09",
  ],
  "a service document of the emulated PIRIT takes texts and bar codes and no requisites": [
    `30 1|1| -> 00; 40 Привет|16 -> 00; ${refused("49 0|0|нет", "01", 19)}; 40 шрифта 2 нет|2 -> 03;
     41 0|3|80|2|4601234567893 -> 00; 41 0|1|80|2|4601234567893 -> 03; 34 -> 01; 31 1 -> 00|...; 34 -> 00`,
    {
      after(pirit) {
        expect(paper(pirit)).toContain("Привет");
        expect(pirit.core.tape.rows.filter(({ type }) => type === "barcode")).toHaveLength(1);
        expect(pirit.core.lastFd).toBe(1);
      },
    },
  ],
  "a requisite line of the emulated PIRIT that begins with & is continued in the same row of paper": [
    `${open}; 49 0|0|&Итого: ; 49 0|0|сто; ${tea}; 47 0|1.00; 31`,
    { after: (pirit) => expect(paper(pirit)).toContain("Итого: сто") },
  ],
});
