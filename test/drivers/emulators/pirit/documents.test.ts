import { kopecks } from "@fiscald/shared/amounts.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import { makePirit, type Pirit, type PiritOptions, sell } from "./make-pirit.js";

/** A PIRIT whose shift and sale are open. */
function selling(options: PiritOptions = {}): Pirit {
  const pirit = makePirit(options);
  pirit.ask("23", "Иванов");
  expect(pirit.ask("30", 2, 1, "771234567890&Иванов И.И.", 0, 0)).toBe("00");
  return pirit;
}

function reasonAfter({ ask }: Pirit, answer: string): string | undefined {
  return `${answer}/${ask("06", 1).split("|")[2]}`;
}

describe("a receipt of the emulated PIRIT", () => {
  test("a sale on the emulated PIRIT goes through its states and ends in the fiscal memory", () => {
    const pirit = selling();
    const { ask, core } = pirit;
    expect(ask("00")).toBe("00|0|4|18");
    expect(ask("24", "", "", "", 64, "7712345678", "+79990000001,+79990000002", "ООО Поставщик")).toBe("00|");
    expect(ask("42", "Сахар", "", "1.237", "459.90", 1, "", 3, "", "кг", "", 1, 4, "643", "10702030/1")).toBe(
      "00|51.7200",
    );
    expect(ask("44")).toBe("00");
    expect(ask("00")).toBe("00|0|4|34");
    expect(ask("52", "568.90")).toBe("00");
    expect(ask("52", "568.91")).toBe("03");
    expect(ask("47", 1, "500.00")).toBe("00");
    expect(ask("00")).toBe("00|0|4|50");
    expect(ask("47", 0, "100.00")).toBe("00");
    expect(ask("00")).toBe("00|0|4|66");
    expect(ask("03", 1)).toBe("00|1|568.90|0.00|0.00");
    const answer = ask("31", 0, "a@b.ru", 0, "https://shop", "", "", "Заказ", "A-1 0badcafe").split("|");
    const [document] = core.documents.filter(({ type }) => type === "receipt");
    expect(answer.slice(4)).toEqual([String(document?.fd), String(document?.fiscalSign), "1", "1", "201126", "150000"]);
    expect(ask("00")).toBe("00|0|4|0");
    expect(document).toMatchObject({
      operation: "sale",
      total: 56_890,
      taxSystem: 1,
      change: 3_110,
      payments: [
        { typeClose: 1, sum: 50_000 },
        { typeClose: 0, sum: 6_890, given: 10_000 },
      ],
      tags: [
        { tag: 1021, text: "Иванов И.И." },
        { tag: 1203, text: "771234567890" },
        { tag: 1008, text: "a@b.ru" },
        { tag: 1187, text: "https://shop" },
        {
          tag: 1084,
          items: [
            { tag: 1085, text: "Заказ" },
            { tag: 1086, text: "A-1 0badcafe" },
          ],
        },
      ],
    });
    expect(document?.lines[0]).toMatchObject({
      name: "Сахар",
      quantity: 1_237_000,
      sum: 56_890,
      department: 3,
      method: 1,
      subject: 4,
      tags: [
        { tag: 1197, text: "кг" },
        { tag: 1230, text: "643" },
        { tag: 1231, text: "10702030/1" },
        { tag: 1222, number: 64 },
        { tag: 1224, items: [{ tag: 1225, text: "ООО Поставщик" }, { tag: 1171 }, { tag: 1171 }] },
        { tag: 1226, text: "7712345678" },
      ],
    });
    expect(ask("03", 2).split("|").slice(2, 7)).toEqual([
      "2",
      String(core.through),
      "1",
      String(core.through),
      "568.90",
    ]);
  });

  test("commands of a receipt in the wrong state are refused by the emulated PIRIT, each with its extended reason", () => {
    const pirit = selling();
    const { ask } = pirit;
    expect(reasonAfter(pirit, ask("30", 2, 1, "Иванов"))).toBe("01/9");
    expect(reasonAfter(pirit, ask("31"))).toBe("01/14");
    expect(reasonAfter(pirit, ask("47", 0, "1"))).toBe("01/26");
    expect(reasonAfter(pirit, ask("48", "", "1"))).toBe("01/17");
    expect(reasonAfter(pirit, ask("40", "текст"))).toBe("01/18");
    expect(reasonAfter(pirit, ask("42", "Чай", "", 1, "1.00", 55))).toBe("03/48");
    expect(reasonAfter(pirit, ask("42", "Чай", "", 0, "1.00", 1))).toBe("03/46");
    expect(reasonAfter(pirit, ask("21", "Иванов"))).toBe("01/9");
    ask("42", "Чай", "", 1, "1.00", 1);
    expect(reasonAfter(pirit, ask("47", 1, "1.01"))).toBe("03/56");
    ask("47", 0, "0.50");
    expect(reasonAfter(pirit, ask("42", "Чай", "", 1, "1.00", 1))).toBe("01/11");
    expect(ask("32")).toBe("00");
    expect(reasonAfter(pirit, ask("32"))).toBe("01/8");
    expect(reasonAfter(pirit, ask("30", 9, 1, "Иванов"))).toBe("03/40");
    expect(reasonAfter(pirit, ask("30", 2, 1, "Иванов", 0, 5))).toBe("03/43");
    expect(reasonAfter(pirit, ask("30", 2, 1, ""))).toBe("01/33");
  });

  test("the emulated PIRIT refuses a receipt while the shift is closed (20) and when the shift is too old (0A)", () => {
    const pirit = makePirit();
    expect(reasonAfter(pirit, pirit.ask("30", 2, 1, "Иванов"))).toBe("01/20");
    pirit.ask("23", "Иванов");
    pirit.core.advanceClock(24 * 3600);
    expect(pirit.ask("30", 2, 1, "Иванов")).toBe("0A");
    expect(pirit.ask("00")).toBe("00|0|12|0");
  });

  test("the emulated PIRIT rounds a receipt by kopecks only, once, after a subtotal", () => {
    const { ask, core } = selling();
    ask("42", "Чай", "", 1, "10.99", 1);
    expect(ask("45", 1, "", "0.99")).toBe("01");
    ask("44");
    expect(ask("45", 1, "", "1.00")).toBe("03");
    expect(ask("45", 1, "", "0.99")).toBe("00");
    expect(ask("45", 1, "", "0.01")).toBe("01");
    ask("47", 0, "10.00");
    ask("31");
    expect(core.documents.at(-1)).toMatchObject({ total: 1_000, change: 0 });
  });

  test.each([
    ["6", "201126"],
    ["8", "20112026"],
  ])("the emulated PIRIT tells the date of a close in %s digits, as its switch says", (value, date) => {
    const pirit = makePirit({ unconfirmed: { "close-date": value } });
    expect(sell(pirit, "1.00").split("|").at(-2)).toBe(date);
  });
});

describe("paper of the emulated PIRIT that ends", () => {
  test("paper that ends at the close leaves the emulated PIRIT in state 8, where 32 is refused and 31 goes on", () => {
    const pirit = selling();
    const { ask, core } = pirit;
    ask("42", "Чай", "", 1, "1.00", 1);
    ask("47", 0, "1.00");
    core.printer.removePaperInNextPrint();
    expect(ask("31")).toBe("08");
    expect(ask("00")).toBe(`00|0|4|${8 * 16 + 2}`);
    const { lastFd } = core;
    expect(reasonAfter(pirit, ask("32"))).toBe("01/15");
    expect(ask("31")).toBe("08");
    core.printer.loadPaper();
    expect(ask("31").split("|")[4]).toBe(String(lastFd));
    expect(ask("00")).toBe("00|0|4|0");
    expect(core.lastFd).toBe(lastFd);
  });

  test("the emulated PIRIT reports missing paper before a receipt as 08 and an open cover as 09", () => {
    const { ask, core } = makePirit();
    ask("23", "Иванов");
    core.printer.removePaper();
    expect(ask("30", 2, 1, "Иванов")).toBe("08");
    core.printer.loadPaper();
    core.printer.setCover(true);
    expect(ask("30", 2, 1, "Иванов")).toBe("09");
  });

  test.each(["kept", "dropped"])(
    "an open receipt of the emulated PIRIT is %s over a loss of power, as the switch says",
    (value) => {
      const { ask, makerProtocol } = selling({ unconfirmed: { "receipt-after-power-cut": value } });
      ask("42", "Чай", "", 1, "1.00", 1);
      ask("47", 0, "0.50");
      makerProtocol.powerCut();
      expect(ask("00")).toBe(`00|0|5|${value === "kept" ? 50 : 0}`);
    },
  );
});

describe("batch mode of the emulated PIRIT", () => {
  test("the emulated PIRIT in batch mode is silent while all goes well, and answers 31 as usual", () => {
    const { ask } = makePirit();
    ask("23", "Иванов");
    expect(ask("30", 2 + 16, 1, "Иванов")).toBe("00");
    expect(ask("42", "Чай", "", 1, "1.00", 1)).toBe("");
    expect(ask("49", 0, 0, "текст")).toBe("");
    expect(ask("47", 0, "1.00")).toBe("");
    expect(ask("31").split("|")).toHaveLength(10);
    expect(ask("44")).toBe("01");
  });

  test("the emulated PIRIT in batch mode answers the command that fails, and 01 to every later one until 32", () => {
    const { ask } = makePirit();
    ask("23", "Иванов");
    ask("30", 2 + 16, 1, "Иванов");
    expect(ask("42", "Чай", "", 1, "1.00", 77)).toBe("03");
    expect(ask("42", "Чай", "", 1, "1.00", 1)).toBe("01");
    expect(ask("47", 0, "1.00")).toBe("01");
    expect(ask("32")).toBe("00");
    expect(ask("30", 2, 1, "Иванов")).toBe("00");
    expect(ask("42", "Чай", "", 1, "1.00", 1)).toBe("00|0.0900");
  });
});

describe("cash and plain documents of the emulated PIRIT", () => {
  test("the emulated PIRIT moves cash by documents 4 and 5, and refuses a payout without enough cash", () => {
    const pirit = makePirit({ cash: kopecks(1_000) });
    const { ask, core } = pirit;
    ask("23", "Иванов");
    ask("30", 4, 1, "Иванов");
    expect(reasonAfter(pirit, ask("31"))).toBe("01/26");
    expect(ask("48", "", "5.00")).toBe("00");
    expect(core.cash).toBe(1_000);
    expect(ask("31").split("|")).toHaveLength(3);
    expect(core.cash).toBe(1_500);
    ask("30", 5, 1, "Иванов");
    ask("48", "", "15.01");
    expect(ask("31")).toBe("0E");
    expect(ask("00")).toBe("00|0|4|21");
    ask("32");
    expect(ask("01", 8)).toBe("00|8|0.00|0.00|5.00|0.00");
  });

  test("a service document of the emulated PIRIT takes texts and bar codes and no requisites", () => {
    const pirit = makePirit();
    const { ask, core } = pirit;
    expect(ask("30", 1, 1, "")).toBe("00");
    expect(ask("40", "Привет", 0x10)).toBe("00");
    expect(reasonAfter(pirit, ask("49", 0, 0, "нет"))).toBe("01/19");
    expect(ask("40", "шрифта 2 нет", 2)).toBe("03");
    expect(ask("41", 0, 3, 80, 2, "4601234567893")).toBe("00");
    expect(ask("41", 0, 1, 80, 2, "4601234567893")).toBe("03");
    expect(ask("34")).toBe("01");
    expect(ask("31", 1).split("|")).toHaveLength(3);
    expect(ask("34")).toBe("00");
    expect(renderText(core.tape.rows, { columns: 48 })).toContain("Привет");
    expect(core.tape.rows.filter(({ type }) => type === "barcode")).toHaveLength(1);
    expect(core.lastFd).toBe(1);
  });

  test("a requisite line that begins with & is continued in the same row of the emulated PIRIT's paper", () => {
    const { ask, core } = selling();
    ask("49", 0, 0, "&Итого: ");
    ask("49", 0, 0, "сто");
    ask("42", "Чай", "", 1, "1.00", 1);
    ask("47", 0, "1.00");
    ask("31");
    expect(renderText(core.tape.rows, { columns: 48 })).toContain("Итого: сто");
  });
});

test("the emulated PIRIT refuses to register a drive that is registered", () => {
  const pirit = makePirit();
  expect(reasonAfter(pirit, pirit.ask("60", 0, "0001234567012345"))).toBe("01/5");
});
