import { encodeStxCrc, type StxCrcEvent } from "@fiscald/drivers/framing/stx-crc-stuffed.js";
import type { LinkProtocol } from "@fiscald/drivers/link/exchange-machine.js";
import { createNumberedProtocol } from "@fiscald/drivers/link/numbered-machine.js";
import { hex, toHex } from "../vectors/hex.js";
import { play, request, timeouts } from "./machine-script.js";

const payload = hex("25 01");
const frame = (number: number, bytes: string): StxCrcEvent => ({ kind: "frame", number, payload: hex(bytes) });
const damaged: StxCrcEvent = { kind: "damaged", reason: "CRC" };
const lost = "timeout";
const SYNC = "write 8F 00 00 0F 1D | wait 100";
const send = (number: number) => `write ${toHex(encodeStxCrc(number, payload))} | wait 3000`;

/** A protocol whose device reported in the greeting that its last reply had the number `last`. */
function synchronised(last = 7): LinkProtocol<StxCrcEvent> {
  const protocol = createNumberedProtocol(timeouts);
  const greeting = protocol.greet();
  if (greeting === null) throw new Error("no greeting");
  expect(play(greeting, [frame(last, "")])).toEqual([SYNC, "ready"]);
  return protocol;
}

describe("a request over the link protocol 2", () => {
  const cases: [string, boolean, (StxCrcEvent | "timeout")[], string[]][] = [
    [
      "an exchange without trouble is one request and its answer",
      false,
      [frame(8, "25 00")],
      [send(8), "answer 25 00"],
    ],
    [
      "a late repetition of the previous reply is dropped",
      false,
      [frame(7, "25 00"), frame(8, "25 00")],
      [send(8), "nothing", "answer 25 00"],
    ],
    [
      "a lost answer is fetched by a sync request, and the request itself is not written again",
      false,
      [lost, frame(8, "25 00")],
      [send(8), SYNC, "answer 25 00"],
    ],
    [
      "a damaged answer is fetched by a sync request",
      true,
      [damaged, frame(8, "25 00")],
      [send(8), SYNC, "answer 25 00"],
    ],
    [
      "a repeatable request that was never executed is written again under the same number",
      true,
      [lost, frame(7, "10 00"), frame(8, "25 00")],
      [send(8), SYNC, send(8), "answer 25 00"],
    ],
    [
      "a request that may not be repeated and was never executed fails",
      false,
      [lost, frame(7, "10 00")],
      [send(8), SYNC, "failed link.timeout"],
    ],
    [
      "a request fails without a second execution when the device has forgotten its number in a power loss",
      false,
      [lost, frame(1, "")],
      [send(8), SYNC, "failed link.timeout"],
    ],
    [
      "another command's answer with the request's number is not accepted",
      false,
      [frame(8, "11 00")],
      [send(8), "failed link.corrupt"],
    ],
    [
      "a silent device gets three sync requests",
      true,
      [lost, lost, lost, lost],
      [send(8), SYNC, SYNC, SYNC, "failed link.timeout"],
    ],
  ];

  test.each(cases)("over link protocol 2, %s", (_, repeatable, inputs, outputs) => {
    expect(play(synchronised().begin(request(payload, { repeatable })), inputs)).toEqual(outputs);
  });

  test("the numbers of requests over link protocol 2 follow one another and wrap after 65535", () => {
    const protocol = synchronised(65_534);
    for (const number of [65_535, 0, 1]) {
      expect(play(protocol.begin(request(payload)), [frame(number, "25 00")])).toEqual([send(number), "answer 25 00"]);
    }
  });
});

describe("the greeting of the link protocol 2", () => {
  test("the greeting of link protocol 2 sends three sync requests to a silent device", () => {
    const greeting = createNumberedProtocol(timeouts).greet();
    if (greeting === null) throw new Error("no greeting");
    expect(play(greeting, [lost, lost, lost])).toEqual([SYNC, SYNC, SYNC, "failed link.timeout"]);
  });
});
