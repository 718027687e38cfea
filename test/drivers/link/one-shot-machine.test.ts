import { createTextLineDecoder, encodeTextLine } from "@fiscald/drivers/framing/text-line.js";
import { createOneShotProtocol } from "@fiscald/drivers/link/one-shot-machine.js";
import { hex } from "../vectors/hex.js";
import { play, request } from "./machine-script.js";

const protocol = createOneShotProtocol({
  createDecoder: createTextLineDecoder,
  encode: (payload) => encodeTextLine(Buffer.from(payload).toString("utf8")),
});
const payload = hex("41");
const frame = (bytes: string) => ({ kind: "frame", payload: hex(bytes) }) as const;
const damaged = { kind: "damaged", reason: "line over 64 bytes" } as const;
const SEND = "write 41 0A | wait 3000";

describe("a request with one answer and nothing between them", () => {
  test("a request over a plain line takes the answer that belongs to its command and drops other answers", () => {
    expect(play(protocol.begin(request(payload)), [frame("42"), frame("41 30")])).toEqual([
      SEND,
      "nothing",
      "answer 41 30",
    ]);
  });

  test("a repeatable request over a plain line is sent three times at most, then it fails", () => {
    expect(play(protocol.begin(request(payload)), ["timeout", damaged, "timeout"])).toEqual([
      SEND,
      SEND,
      SEND,
      "failed link.timeout",
    ]);
  });

  test.each([
    ["timeout", "failed link.timeout"],
    [damaged, "failed link.corrupt"],
  ] as const)(
    "a request over a plain line that may not be repeated fails at the first damaged or missing answer",
    (trouble, outcome) => {
      const machine = protocol.begin(request(payload, { repeatable: false }));
      expect(play(machine, [trouble])).toEqual([SEND, outcome]);
    },
  );

  test("a request over a plain line needs no greeting before the first request", () => {
    expect(protocol.greet()).toBeNull();
  });
});
