import type { StxLrcEvent } from "@fiscald/drivers/framing/stx-lrc.js";
import { createEnquiryProtocol, type EnquiryOptions } from "@fiscald/drivers/link/enquiry-machine.js";
import { hex } from "../vectors/hex.js";
import { play, request, timeouts } from "./machine-script.js";

const ack: StxLrcEvent = { kind: "control", byte: 0x06 };
const nak: StxLrcEvent = { kind: "control", byte: 0x15 };
const enq: StxLrcEvent = { kind: "control", byte: 0x05 };
const frame = (bytes: string): StxLrcEvent => ({ kind: "frame", payload: hex(bytes) });
const damaged: StxLrcEvent = { kind: "damaged", reason: "LRC" };
const noise: StxLrcEvent = { kind: "noise", bytes: hex("41") };
const lost = "timeout";

const ENQ = "write 05 | wait 100";
const SEND = "write 02 02 25 01 26 | wait 100";
const ANSWER = "write 06 | answer 25 00";
const payload = hex("25 01");

type Course = readonly [inputs: readonly (StxLrcEvent | "timeout")[], outputs: readonly string[]];

/** The device's inputs, and the machine's actions at the beginning and after each input. */
const courses: Record<string, Course> = {
  "an exchange without trouble": [
    [nak, ack, frame("25 00")],
    [ENQ, SEND, "wait 3000", ANSWER],
  ],
  "an answer that waited from an earlier request is read, acknowledged and forgotten, even for the same command": [
    [ack, frame("25 00"), nak, ack, frame("25 00")],
    [ENQ, "wait 3000", `write 06 | ${ENQ}`, SEND, "wait 3000", ANSWER],
  ],
  "an earlier answer that nobody requested is not taken for the answer": [
    [frame("25 00"), nak, ack, frame("25 00")],
    [ENQ, `write 06 | ${ENQ}`, SEND, "wait 3000", ANSWER],
  ],
  "an answer to another command is stale": [
    [nak, ack, frame("11 00"), ack, frame("25 00")],
    [ENQ, SEND, "wait 3000", `write 06 | ${ENQ}`, "wait 3000", ANSWER],
  ],
  "an answer whose ACK was lost is accepted": [
    [nak, frame("25 00")],
    [ENQ, SEND, ANSWER],
  ],
  "an ENQ that is not heard is repeated": [
    [lost, nak, ack, frame("25 00")],
    [ENQ, ENQ, SEND, "wait 3000", ANSWER],
  ],
  "a NAK to the first of two ENQs that is heard late is no refusal of the request": [
    [lost, nak, nak, ack, frame("25 00")],
    [ENQ, ENQ, SEND, "nothing", "wait 3000", ANSWER],
  ],
  "a lost answer is requested again by ENQ": [
    [nak, ack, lost, ack, frame("25 00")],
    [ENQ, SEND, "wait 3000", ENQ, "wait 3000", ANSWER],
  ],
  "a damaged answer is refused and requested again": [
    [nak, ack, damaged, ack, frame("25 00")],
    [ENQ, SEND, "wait 3000", `write 15 | ${ENQ}`, "wait 3000", ANSWER],
  ],
  "noise, ENQ and a second ACK change nothing": [
    [noise, nak, noise, enq, ack, ack, noise, frame("25 00")],
    [ENQ, "nothing", SEND, "nothing", "nothing", "wait 3000", "nothing", "nothing", ANSWER],
  ],
};

/** Courses of requests that may be repeated. */
const repeats: Record<string, Course> = {
  "a request that arrived damaged is sent again": [
    [nak, nak, ack, frame("25 00")],
    [ENQ, SEND, SEND, "wait 3000", ANSWER],
  ],
  "a request that the device does not know is sent again": [
    [nak, lost, nak, ack, frame("25 00")],
    [ENQ, SEND, ENQ, SEND, "wait 3000", ANSWER],
  ],
  "a request is sent three times at most": [
    [nak, nak, nak, nak],
    [ENQ, SEND, SEND, SEND, "failed link.corrupt"],
  ],
};

const failures: Record<string, Course> = {
  "a silent device gets ENQ five times": [
    [lost, lost, lost, lost, lost],
    [ENQ, ENQ, ENQ, ENQ, ENQ, "failed link.timeout"],
  ],
  "a device that answers ENQ with something else has another protocol": [
    [noise, lost, lost, lost, lost, lost],
    [ENQ, "nothing", ENQ, ENQ, ENQ, ENQ, "failed link.foreign"],
  ],
  "the exchange fails when a device announces an answer again and again and sends none": [
    [ack, lost, ack, lost, ack, lost, ack, lost],
    [ENQ, "wait 3000", ENQ, "wait 3000", ENQ, "wait 3000", ENQ, "wait 3000", "failed link.timeout"],
  ],
  "the exchange fails when all answers are damaged": [
    [nak, ack, damaged, ack, damaged, ack, damaged, ack, damaged],
    [
      ENQ,
      SEND,
      "wait 3000",
      `write 15 | ${ENQ}`,
      "wait 3000",
      `write 15 | ${ENQ}`,
      "wait 3000",
      `write 15 | ${ENQ}`,
      "wait 3000",
      "failed link.corrupt",
    ],
  ],
  "the exchange fails when a device keeps sending answers to other commands": [
    [nak, frame("11 00"), frame("11 00"), frame("11 00"), frame("11 00")],
    [ENQ, SEND, `write 06 | ${ENQ}`, `write 06 | ${ENQ}`, `write 06 | ${ENQ}`, "failed link.corrupt"],
  ],
};

const machine = (repeatable: boolean) => createEnquiryProtocol(timeouts).begin(request(payload, { repeatable }));

describe("a request over the link protocol 1", () => {
  test.each(Object.entries({ ...courses, ...repeats, ...failures }))(
    "with a repeatable request over link protocol 1, %s",
    (_, [inputs, outputs]) => {
      expect(play(machine(true), inputs)).toEqual(outputs);
    },
  );

  test.each(Object.entries({ ...courses, ...failures }))(
    "with a request that is not repeatable over link protocol 1, %s",
    (_, [inputs, outputs]) => {
      expect(play(machine(false), inputs)).toEqual(outputs);
    },
  );

  test.each(Object.entries(repeats))(
    "a request over link protocol 1 that may not be repeated is written once and fails, unlike a repeatable one: %s",
    (_, [inputs]) => {
      const outputs = play(machine(false), inputs);
      expect(outputs.filter((output) => output.startsWith("write 02"))).toHaveLength(1);
      expect(outputs.some((output) => /^failed link\.(timeout|corrupt)$/.test(output))).toBe(true);
    },
  );
});

describe("a request after another one on the same connection", () => {
  const other = request(hex("11 1E"), { isAnswer: ([code]: Uint8Array) => code === 0x11 });
  const clean = [nak, ack, frame("11 00")];

  /** The first action of the second of two requests. */
  function second(
    inputs: readonly (StxLrcEvent | "timeout")[],
    options?: EnquiryOptions,
    next = request(payload, { repeatable: false }),
  ) {
    const protocol = createEnquiryProtocol(timeouts, options);
    const outputs = play(protocol.begin(other), inputs);
    expect(outputs.at(-1)).toContain("answer 11 00");
    return protocol.begin(next);
  }

  test("a later request over link protocol 1 is sent without ENQ when the earlier ones went well", () => {
    const protocol = createEnquiryProtocol(timeouts);
    play(protocol.begin(other), clean);
    const next = protocol.begin(request(payload, { repeatable: false }));
    expect(play(next, [ack, frame("25 00")])).toEqual([SEND, "wait 3000", ANSWER]);
    expect(play(protocol.begin(other), [])).toEqual(["write 02 02 11 1E 0D | wait 100"]);
  });

  test.each<[string, readonly (StxLrcEvent | "timeout")[]]>([
    ["the ENQ of the request before had to be repeated", [lost, nak, ack, frame("11 00")]],
    ["an older answer came before the answer to the request before", [ack, frame("25 00"), nak, ack, frame("11 00")]],
    ["the ACK of the request before was missing", [nak, frame("11 00")]],
    ["the answer to the request before was asked for again", [nak, ack, lost, ack, frame("11 00")]],
    ["the answer to the request before was damaged at first", [nak, ack, damaged, ack, frame("11 00")]],
    ["there was noise in the request before", [nak, noise, ack, frame("11 00")]],
    ["the request before had one ACK too many", [nak, ack, ack, frame("11 00")]],
    ["the request before was refused once", [nak, nak, ack, frame("11 00")]],
  ])("a later request over link protocol 1 begins with ENQ when %s", (_, inputs) => {
    expect(play(second(inputs), [])).toEqual([ENQ]);
  });

  test("a second request of the same kind over link protocol 1 begins with ENQ, because the two answers look alike", () => {
    expect(play(second(clean, undefined, other), [])).toEqual([ENQ]);
  });

  test("every request over link protocol 1 begins with ENQ when the setting enquiry is always", () => {
    expect(play(second(clean, { enquiry: "always" }), [])).toEqual([ENQ]);
  });

  test("an earlier answer that the device still keeps is not taken for the present one, and the request is not sent again", () => {
    expect(play(second(clean), [lost, ack, frame("11 00"), nak])).toEqual([
      SEND,
      ENQ,
      "wait 3000",
      `write 06 | ${ENQ}`,
      "failed link.timeout",
    ]);
  });
});

describe("the greeting of the link protocol 1", () => {
  const greet = () => {
    const greeting = createEnquiryProtocol(timeouts).greet();
    if (greeting === null) throw new Error("no greeting");
    return greeting;
  };

  test("the greeting of link protocol 1 takes an idle device for ready", () => {
    expect(play(greet(), [nak])).toEqual([ENQ, "ready"]);
  });

  test("the greeting of link protocol 1 reads and forgets an answer left from an earlier connection", () => {
    expect(play(greet(), [ack, frame("FF 45 00"), nak])).toEqual([ENQ, "wait 100", `write 06 | ${ENQ}`, "ready"]);
  });
});
