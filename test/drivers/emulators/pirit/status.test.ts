import { kopecks } from "@fiscald/shared/amounts.js";
import { command, makePirit, sell } from "./make-pirit.js";

describe("status and start of work of the emulated PIRIT", () => {
  test("the emulated PIRIT says by flag 0 that work has not started, and refuses documents with reason 1", () => {
    const { ask } = makePirit({ started: false });
    expect(ask("00")).toBe("00|0|1|0");
    expect(ask("23", "Иванов")).toBe("01");
    expect(ask("06", 1)).toBe("00|1|1|ПРИЧИНА 1");
    expect(ask("10", "201126", "150000")).toBe("00");
    expect(ask("00")).toBe("00|0|0|0");
  });

  test("the emulated PIRIT takes the host's time when it differs by less than eight minutes", () => {
    const { ask } = makePirit({ started: false });
    expect(ask("10", "201126", "150759")).toBe("00");
    expect(ask("13")).toBe("00|201126|150759");
  });

  test("the emulated PIRIT answers 0B to a time eight minutes away and works on its own clock", () => {
    const { ask } = makePirit({ started: false });
    expect(ask("10", "201126", "150800")).toBe("0B");
    expect(ask("00")).toBe("00|0|0|0");
    expect(ask("13")).toBe("00|201126|150000");
  });

  test("the emulated PIRIT answers 0C to a date before the last document and does not start work", () => {
    const { ask } = makePirit({ started: false });
    expect(ask("10", "191126", "150000")).toBe("0C");
    expect(ask("00")).toBe("00|0|1|0");
  });

  test("the emulated PIRIT sets its clock with the shift closed only, and a leap of a day when asked twice", () => {
    const { ask } = makePirit();
    expect(ask("14", "221126", "120000")).toBe("0A");
    expect(ask("14", "221126", "120001")).toBe("0A");
    expect(ask("14", "221126", "120001")).toBe("00");
    expect(ask("13")).toBe("00|221126|120001");
    ask("23", "Иванов");
    expect(ask("14", "221126", "120100")).toBe("0F");
  });

  test.each([
    ["00", "00|3"],
    ["09", "09|3"],
  ])(
    "the emulated PIRIT without paper answers the printer's mask with error %s, as its switch says",
    (error, answer) => {
      const { ask, core } = makePirit({ unconfirmed: { "printer-status-error": error } });
      expect(ask("04")).toBe("00|0");
      core.printer.removePaper();
      expect(ask("04")).toBe(answer);
      core.printer.loadPaper();
      core.printer.setCover(true);
      expect(ask("04")).toBe(`${error}|5`);
    },
  );

  test("the emulated PIRIT refuses a wrong password, an unknown command, a wrong field type and a byte above F0", () => {
    const { ask, makerProtocol } = makePirit();
    expect(Buffer.from(makerProtocol.perform(Buffer.from("ABCD 00", "latin1"))).toString("latin1")).toBe(" 0006");
    expect(ask("71", "Иванов")).toBe("02");
    expect(ask("01", "abc")).toBe("03");
    // CP866 F1 is a small yo.
    expect(ask("23", "ё")).toBe("03");
  });

  test("the emulated PIRIT goes by a new password as soon as item 20 is written", () => {
    const { ask, makerProtocol } = makePirit();
    expect(ask("12", 20, 0, "QWER")).toBe("00");
    expect(ask("00")).toBe("06");
    const answer = makerProtocol.perform(Buffer.from("QWER 11 20\u001c0\u001c".replace(" 11 ", " 11"), "latin1"));
    expect(Buffer.from(answer).toString("latin1")).toBe(" 1100QWER\u001c");
  });
});

describe("identity, settings and counters of the emulated PIRIT", () => {
  test("the emulated PIRIT answers command 02 with its serial number, INN, registration number and model", () => {
    const { ask, core } = makePirit();
    expect(ask("02", 1)).toBe(`00|1|${core.registration.serial}`);
    expect(ask("02", 3)).toBe("00|3|7700000000");
    expect(ask("02", 4)).toBe("00|4|0001234567012345");
    expect(ask("02", 18)).toBe("00|18|48");
    expect(ask("02", 18, 1)).toBe("00|18|64");
    expect(ask("02", 21)).toBe("00|21|5");
    expect(ask("02", 23)).toBe("00|23|1|0|0");
    expect(ask("02", 70)).toBe("00|70|665.4.20");
    expect(ask("02", 99)).toBe("03");
    expect(ask("06", 1)).toBe("00|1|66|ПРИЧИНА 66");
  });

  test("the emulated PIRIT lists tax names and percents, and row 3 has no name", () => {
    const { ask } = makePirit();
    expect([0, 3, 4].map((row) => [ask("11", 40, row), ask("11", 41, row)])).toEqual([
      ["00|НДС 20%", "00|20"],
      ["00|", "00|0"],
      ["00|НДС 20/120", "00|20"],
    ]);
    expect(ask("11", 40, 12)).toBe("03");
    expect(ask("12", 40, 0, "НДС 1%")).toBe("03");
  });

  test("the emulated PIRIT counts the open shift, and reports the last Z report afterwards", () => {
    const pirit = makePirit({ cash: kopecks(0) });
    sell(pirit, "100.00");
    sell(pirit, "50.50");
    const { ask } = pirit;
    expect(ask("01", 1)).toBe("00|1|1");
    expect(ask("01", 3).split("|").slice(0, 4)).toEqual(["00", "3", "150.50", "0.00"]);
    expect(ask("01", 7)).toBe("00|7|2|0|0|0|0|0");
    expect(ask("02", 7)).toBe("00|7|150.50");
    ask("21", "Иванов", 0);
    expect(ask("01", 3).split("|")[2]).toBe("0.00");
    expect(ask("01", 12).split("|").slice(4)).toEqual([
      "150.50",
      "2",
      "150.50",
      "0",
      "0.00",
      "0",
      "0.00",
      "0",
      "0.00",
      "0",
      "0.00",
    ]);
  });

  test("the emulated PIRIT names commands for faults by the document that is open", () => {
    const { makerProtocol, ask } = makePirit();
    expect(makerProtocol.namesOf(command("42"))).toEqual(["42", "item"]);
    expect(makerProtocol.namesOf(command("30", [2]))).toEqual(["30", "open-receipt"]);
    ask("23", "Иванов");
    ask("30", 4, 1, "Иванов");
    expect(makerProtocol.namesOf(command("31"))).toEqual(["31", "cash-in"]);
    ask("32");
    expect(makerProtocol.namesOf(command("31"))).toEqual(["31", "close-receipt"]);
  });
});
