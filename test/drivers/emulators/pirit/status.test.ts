import { kopecks } from "@fiscald/shared/amounts.js";
import { testDialogues } from "../dialogue.js";
import { command, makePirit } from "./make-pirit.js";

const sale = (price: string) => `30 2|1|Иванов|0|0; 42 Чай||1|${price}|1; 47 0|${price}; 31 0`;
const notStarted = { started: false } as const;

testDialogues(makePirit, {
  "the emulated PIRIT shows by flag 0 that work has not started, and refuses documents with reason 1": [
    "00 -> 00|0|1|0; 23 Иванов -> 01; 06 1 -> 00|1|1|ПРИЧИНА 1; 10 201126|150000 -> 00; 00 -> 00|0|0|0",
    notStarted,
  ],
  "the emulated PIRIT accepts the host's time if it differs by less than eight minutes": [
    "10 201126|150759 -> 00; 13 -> 00|201126|150759",
    notStarted,
  ],
  "the emulated PIRIT answers 0B to a time eight minutes away and keeps its own clock": [
    "10 201126|150800 -> 0B; 00 -> 00|0|0|0; 13 -> 00|201126|150000",
    notStarted,
  ],
  "the emulated PIRIT answers 0C to a date before the last document and does not start work": [
    "10 191126|150000 -> 0C; 00 -> 00|0|1|0",
    notStarted,
  ],
  "the emulated PIRIT sets its clock only while the shift is closed, and more than a day ahead only when asked twice": [
    `14 221126|120000 -> 0A; 14 221126|120001 -> 0A; 14 221126|120001 -> 00; 13 -> 00|221126|120001; 23 Иванов;
     14 221126|120100 -> 0F`,
  ],
  "the emulated PIRIT without paper answers the printer's mask with error 00 if its switch says so": [
    "04 -> 00|0; (paper out); 04 -> 00|3; (paper in); (cover open); 04 -> 00|5",
    { unconfirmed: { "printer-status-error": "00" } },
  ],
  "the emulated PIRIT without paper answers the printer's mask with error 09 if its switch says so": [
    "04 -> 00|0; (paper out); 04 -> 09|3; (paper in); (cover open); 04 -> 09|5",
    { unconfirmed: { "printer-status-error": "09" } },
  ],
  // CP866 F1 is a small yo.
  "the emulated PIRIT refuses an unknown command, a wrong field type and a byte above F0": [
    "71 Иванов -> 02; 01 abc -> 03; 23 ё -> 03",
    {
      after({ makerProtocol }) {
        const answer = makerProtocol.perform(Buffer.from("ABCD 00", "latin1"));
        expect(Buffer.from(answer).toString("latin1")).toBe(" 0006");
      },
    },
  ],
  "the emulated PIRIT requires a new password as soon as item 20 is written": [
    "12 20|0|QWER -> 00; 00 -> 06",
    {
      after({ makerProtocol }) {
        const answer = makerProtocol.perform(Buffer.from("QWER 1120\u001c0\u001c", "latin1"));
        expect(Buffer.from(answer).toString("latin1")).toBe(" 1100QWER\u001c");
      },
    },
  ],
  "the emulated PIRIT answers command 02 with its serial number, INN, registration number and model": [
    `02 3 -> 00|3|7700000000; 02 4 -> 00|4|0001234567012345; 02 18 -> 00|18|48; 02 18|1 -> 00|18|64;
     02 21 -> 00|21|5; 02 23 -> 00|23|1|0|0; 02 70 -> 00|70|665.4.20; 02 99 -> 03; 06 1 -> 00|1|66|ПРИЧИНА 66`,
    { after: ({ ask, core }) => expect(ask("02", 1)).toBe(`00|1|${core.registration.serial}`) },
  ],
  "the emulated PIRIT lists tax names and percents, with no name in row 3": [
    `11 40|0 -> 00|НДС 20%; 11 41|0 -> 00|20; 11 40|3 -> 00|; 11 41|3 -> 00|0; 11 40|4 -> 00|НДС 20/120;
     11 41|4 -> 00|20; 11 40|12 -> 03; 12 40|0|НДС 1% -> 03`,
  ],
  "the emulated PIRIT counts the open shift, and reports the last Z report once the shift is closed": [
    `23 Иванов; ${sale("100.00")}; ${sale("50.50")}; 01 1 -> 00|1|1; 01 3 -> 00|3|150.50|0.00...;
     01 7 -> 00|7|2|0|0|0|0|0; 02 7 -> 00|7|150.50; 21 Иванов|0; 01 3 -> 00|3|0.00...;
     01 12 -> 00|12|5|5|150.50|2|150.50|0|0.00|0|0.00|0|0.00|0|0.00`,
    { cash: kopecks(0) },
  ],
});

test("a fault can choose the emulated PIRIT's closing command by the kind of the open document", () => {
  const { makerProtocol, ask } = makePirit();
  expect(makerProtocol.namesOf(command("42"))).toEqual(["42", "item"]);
  expect(makerProtocol.namesOf(command("30", [2]))).toEqual(["30", "open-receipt"]);
  ask("23", "Иванов");
  ask("30", 4, 1, "Иванов");
  expect(makerProtocol.namesOf(command("31"))).toEqual(["31", "cash-in"]);
  ask("32");
  expect(makerProtocol.namesOf(command("31"))).toEqual(["31", "close-receipt"]);
});
