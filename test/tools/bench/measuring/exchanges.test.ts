import { encodeStxLrc } from "@fiscald/drivers/framing/stx-lrc.js";
import { exchangesIn, requestNames, splitByNeed } from "./exchanges.js";
import type { WirePiece } from "./replay-dialogue.js";

const sent = (...bytes: readonly number[]): WirePiece => ({ direction: "in", bytes: Uint8Array.from(bytes) });
const heard = (...bytes: readonly number[]): WirePiece => ({ direction: "out", bytes: Uint8Array.from(bytes) });
const status = encodeStxLrc(Uint8Array.of(0x11, 30, 0, 0, 0));
const operation = encodeStxLrc(Uint8Array.of(0xff, 0x46));

const dialogue = [
  ...[sent(0x05), heard(0x15), sent(...status), heard(0x06, 0x02), heard(0x03), sent(0x06)],
  ...[sent(...operation), heard(0x06), sent(0x06)],
];

test("an ENQ on a Shtrih-M's wire belongs to the exchange after it, and a last ACK to the exchange before it", () => {
  const exchanges = exchangesIn(dialogue, requestNames["shtrih-v1"] ?? (() => null));
  expect(exchanges).toEqual([
    { name: "11", bytes: 2 + status.length + 3, trips: 2 },
    { name: "ff46", bytes: 1 + operation.length + 2, trips: 1 },
  ]);
});

test("exchanges beyond the necessary ones are counted separately, and a missing necessary exchange stops the measurement", () => {
  const exchanges = ["a", "b", "b", "c", "c"].map((name) => ({ name, bytes: 1, trips: 1 }));
  const { needed, beyond } = splitByNeed(exchanges, "a b c*");
  expect([needed, beyond].map((some) => some.map(({ name }) => name))).toEqual([["a", "b", "c", "c"], ["b"]]);
  expect(() => splitByNeed(exchanges, "a d")).toThrow("not on the wire: d");
});
