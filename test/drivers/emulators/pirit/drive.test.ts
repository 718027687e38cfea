import { testDialogues } from "../dialogue.js";
import { command, makePirit, sell } from "./make-pirit.js";

const sale = (price: string) => `23 Иванов; 30 2|1|Иванов|0|0; 42 Чай||1|${price}|1; 47 0|${price}; 31 0`;

testDialogues(makePirit, {
  "the drive queries of the emulated PIRIT give its number, its state, its last document and the shift": [
    `78 1 -> 00|1|9999078900000001; 78 2 -> 00|2|3|0|0; 78 6 -> 00|6|0|0|0; ${sale("1.00")}; 78 2 -> 00|2|35|0|0;
     78 3 -> 00|3|3; 78 6 -> 00|6|1|1|1; 78 7 -> 00|7|0|0|0||; 78 17 -> 00|17|2;
     78 14 -> 00|14|fn_v_1_1_emulator|0|2|001|2`,
  ],
  "the drive query 7 of the emulated PIRIT counts the documents that wait for the OFD": [
    `${sale("1.00")}; 78 7 -> 00|7|2|3|1|201126|150000`,
    { ofdConnected: false },
  ],
});

test.each([
  ["with-type", "03"],
  ["without-type", ""],
])(
  "the drive query 11 of the emulated PIRIT gives a document in the layout of the drive's archive (%s)",
  (value, type) => {
    const pirit = makePirit({ unconfirmed: { "archive-block": value } });
    sell(pirit, "10.50");
    const sign = pirit.core.find(3)?.fiscalSign ?? 0;
    const signHex = Buffer.from(Uint32Array.of(sign).buffer).toString("hex").toUpperCase();
    // The block has 2026-11-20 15:00, document 3, its sign, the sale and 1050 kopecks.
    expect(pirit.ask("78", 11, 3)).toBe(`00|11|1|${type}1A0B140F0003000000${signHex}011A04000000`);
    expect(pirit.ask("78", 11, 4)).toBe("48");
  },
);

test("the fault that makes documents unreadable refuses only the emulated PIRIT's queries for documents", () => {
  const { makerProtocol } = makePirit();
  const refused = (query: number) => makerProtocol.refuseReading(command("78", [query])) !== null;
  expect([1, 3, 11, 15, 16].map(refused)).toEqual([false, false, true, true, true]);
  expect(makerProtocol.refuseReading(command("00"))).toBeNull();
});
