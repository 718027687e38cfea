import { encodeStxEtx, type StxEtxEvent } from "@fiscald/drivers/framing/stx-etx-crc.js";
import { createPacketProtocol, PacketIds } from "@fiscald/drivers/pirit/protocol/packet-protocol.js";
import { play, request, timeouts } from "../../link/machine-script.js";
import { hex, toHex } from "../../vectors/hex.js";

const ack: StxEtxEvent = { kind: "control", byte: 0x06 };
const noise: StxEtxEvent = { kind: "noise", bytes: hex("15") };
const damaged: StxEtxEvent = { kind: "damaged", reason: "checksum" };
const frame = (id: string, body = "4200"): StxEtxEvent => ({
  kind: "frame",
  payload: Buffer.from(id + body, "latin1"),
});
const lost = "timeout";

const ENQ = "write 05 | wait 100";
const SEND = (id: string) => `write ${toHex(encodeStxEtx(Buffer.from(`PIRI${id}42`, "latin1")))} | wait 3000`;
const LONGER = "wait 3000";
const ANSWER = "answer 34 32 30 30";
const payload = Buffer.from("42", "latin1");
const isAnswer = (answer: Uint8Array) => Buffer.from(answer).toString("latin1").startsWith("42");

type Course = readonly [inputs: readonly (StxEtxEvent | "timeout")[], outputs: readonly string[]];

function protocol(ids = new PacketIds(0)) {
  return createPacketProtocol({ password: "PIRI", ids, timeouts });
}

/** Packet ids begin with 21, `!`; a second frame has `"`. */
const common: Record<string, Course> = {
  "an exchange without trouble is one request and its answer": [[frame("!")], [SEND("!"), ANSWER]],
  "an answer with another packet id belongs to an earlier request and is dropped": [
    [frame(" "), frame("!")],
    [SEND("!"), "nothing", ANSWER],
  ],
  "an answer with the right packet id to another command is not accepted": [
    [frame("!", "0000"), frame("!")],
    [SEND("!"), "nothing", ANSWER],
  ],
  "noise and an unexpected ACK change nothing": [
    [noise, ack, frame("!")],
    [SEND("!"), "nothing", "nothing", ANSWER],
  ],
  "an answer that comes while an ENQ is unanswered is accepted": [
    [lost, frame("!")],
    [SEND("!"), ENQ, ANSWER],
  ],
  "a device that does not answer ENQ gets it five times and then counts as switched off": [
    [lost, lost, lost, lost, lost, lost],
    [SEND("!"), ENQ, ENQ, ENQ, ENQ, ENQ, "failed link.timeout"],
  ],
};

const repeatable: Record<string, Course> = {
  "a repeatable request whose answer is lost is sent again under a new id": [
    [lost, ack, frame('"')],
    [SEND("!"), ENQ, SEND('"'), ANSWER],
  ],
  "the late answer to the first request is not taken for the answer to the second": [
    [lost, ack, frame("!"), frame('"')],
    [SEND("!"), ENQ, SEND('"'), "nothing", ANSWER],
  ],
  "after a damaged answer a repeatable request is sent again": [
    [damaged, ack, frame('"')],
    [SEND("!"), ENQ, SEND('"'), ANSWER],
  ],
  "a repeatable request is sent three times at most": [
    [lost, ack, lost, ack, lost, ack],
    [SEND("!"), ENQ, SEND('"'), ENQ, SEND("#"), ENQ, "failed link.timeout"],
  ],
};

const once: Record<string, Course> = {
  "when a device answers ENQ but not the request, the answer is awaited once more and nothing is sent again": [
    [lost, ack, lost, ack],
    [SEND("!"), ENQ, LONGER, ENQ, "failed link.timeout"],
  ],
  "a busy device may answer later": [
    [lost, ack, frame("!")],
    [SEND("!"), ENQ, LONGER, ANSWER],
  ],
  "a damaged answer to a request that is not repeatable fails the exchange": [
    [damaged, ack],
    [SEND("!"), ENQ, "failed link.corrupt"],
  ],
};

describe("a request over the PIRIT link", () => {
  describe.each([true, false])("a repeatable request over the PIRIT link: %s", (isRepeatable) => {
    test.each(Object.entries({ ...common, ...(isRepeatable ? repeatable : once) }))(
      "over the PIRIT link, %s",
      (_, [inputs, outputs]) => {
        const machine = protocol().begin(request(payload, { repeatable: isRepeatable, isAnswer }));
        expect(play(machine, inputs)).toEqual(outputs);
      },
    );
  });

  test("each request over the PIRIT link has the next packet id, also across connections", () => {
    const ids = new PacketIds(0);
    const first = (count: number) =>
      Array.from({ length: count }, () => play(protocol(ids).begin(request(payload)), [])[0]);
    expect(first(3)).toEqual([SEND("!"), SEND('"'), SEND("#")]);
    expect(new Set(first(208)).size).toBe(208);
  });

  test("the packet ids of the PIRIT link stay between 20h and F0h", () => {
    const ids = new PacketIds(0.999);
    const seen = Array.from({ length: 500 }, () => ids.next());
    expect([Math.min(...seen), Math.max(...seen)]).toEqual([0x20, 0xf0]);
  });
});

describe("the greeting of the PIRIT link", () => {
  const greetings: Record<string, Course> = {
    "a device that answers ENQ is present": [[ack], [ENQ, "ready"]],
    "an answer from an earlier connection is ignored": [
      [frame("!"), ack],
      [ENQ, "nothing", "ready"],
    ],
    "ENQ is repeated": [
      [lost, lost, ack],
      [ENQ, ENQ, ENQ, "ready"],
    ],
    "a silent device counts as switched off": [
      [lost, lost, lost, lost, lost],
      [ENQ, ENQ, ENQ, ENQ, ENQ, "failed link.timeout"],
    ],
    "a device that sends only noise speaks another protocol": [
      [noise, lost, lost, lost, lost, lost],
      [ENQ, "nothing", ENQ, ENQ, ENQ, ENQ, "failed link.foreign"],
    ],
  };
  test.each(Object.entries(greetings))("at the greeting of the PIRIT link, %s", (_, [inputs, outputs]) => {
    const machine = protocol().greet();
    expect(machine === null ? null : play(machine, inputs)).toEqual(outputs);
  });
});
