import { createStxEtxDecoder, encodeStxEtx } from "@fiscald/drivers/framing/stx-etx-crc.js";
import fc from "fast-check";
import { hex } from "../vectors/hex.js";
import { bodyOf, piritFrames } from "../vectors/pirit-frames.js";
import { decodeAll, everyCut } from "./collect.js";

const decode = (...pieces: Uint8Array[]) => decodeAll(createStxEtxDecoder, pieces);
const frame = (payload: Uint8Array) => ({ kind: "frame", payload });
const answer = frame(bodyOf(piritFrames.statusAnswer));

describe("frames of PIRIT", () => {
  test.each(Object.entries(piritFrames))("the example PIRIT frame %s is read and written", (_, bytes) => {
    expect(decode(bytes)).toEqual([frame(bodyOf(bytes))]);
    expect(encodeStxEtx(bodyOf(bytes))).toEqual(bytes);
  });

  test("a PIRIT frame is read the same wherever the bytes are cut", () => {
    for (const pieces of everyCut(piritFrames.statusAnswer)) expect(decode(...pieces)).toEqual([answer]);
  });

  test("a PIRIT frame with a checksum in small letters is read", () => {
    expect(decode(hex("02 20 30 30 30 30 30 1C 34 1C 30 1C 03 30 62"))).toEqual([answer]);
  });

  test("an ACK before, between and after PIRIT frames is read as an ACK", () => {
    const ack = { kind: "control", byte: 0x06 };
    const glued = Uint8Array.of(0x06, ...piritFrames.statusAnswer, 0x06, ...piritFrames.statusAnswer);
    expect(decode(glued)).toEqual([ack, answer, ack, answer]);
  });

  test("bytes outside a PIRIT frame are reported as noise", () => {
    expect(decode(hex("15 FF"))).toEqual([
      { kind: "noise", bytes: hex("15") },
      { kind: "noise", bytes: hex("FF") },
    ]);
  });

  test("a PIRIT frame with a wrong checksum is reported as damaged, and the next frame is read", () => {
    const wrong = piritFrames.statusAnswer.with(-1, 0x43);
    expect(decode(wrong, piritFrames.statusAnswer)).toEqual([{ kind: "damaged", reason: "checksum" }, answer]);
  });

  test("a PIRIT frame with any one wrong byte is never read as the right frame", () => {
    for (const at of piritFrames.statusAnswer.keys()) {
      const wrong = piritFrames.statusAnswer.map((byte, place) => (place === at ? byte ^ 0x5a : byte));
      expect(decode(wrong)).not.toContainEqual(answer);
    }
  });

  test("a PIRIT frame that is cut short by the next frame is reported as damaged, and the next one is read", () => {
    expect(decode(piritFrames.statusAnswer.slice(0, 9), piritFrames.statusAnswer)).toEqual([
      { kind: "damaged", reason: "cut short by the next frame" },
      answer,
    ]);
  });

  test("a PIRIT frame without an end is reported as damaged when it is longer than any frame", () => {
    const [event] = decode(Uint8Array.of(0x02, ...new Array(9_000).fill(0x41)));
    expect(event).toMatchObject({ kind: "damaged" });
  });

  test("an empty PIRIT frame is reported as damaged", () => {
    expect(decode(hex("02 03 30 33"))).toEqual([{ kind: "damaged", reason: "empty" }]);
  });

  test("a reset of the PIRIT decoder drops a frame whose rest does not come", () => {
    const events: unknown[] = [];
    const decoder = createStxEtxDecoder((event) => events.push(event));
    decoder.push(piritFrames.statusAnswer.slice(0, -1));
    expect(decoder.midFrame).toBe(true);
    decoder.reset();
    expect(decoder.midFrame).toBe(false);
    decoder.push(piritFrames.statusAnswer);
    expect(events).toEqual([answer]);
  });

  test("any body survives writing and reading in a PIRIT frame that is cut anywhere", () => {
    const byte = fc.integer({ min: 0, max: 255 }).filter((value) => value !== 2 && value !== 3);
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 300 }), fc.nat(305), (body, at) => {
        const bytes = encodeStxEtx(Uint8Array.from(body));
        expect(decode(bytes.slice(0, at), bytes.slice(at))).toEqual([frame(Uint8Array.from(body))]);
      }),
    );
  });

  test("the PIRIT decoder reads any bytes without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        for (const event of decode(bytes)) if (event.kind === "frame") expect(event.payload.length).toBeGreaterThan(0);
      }),
    );
  });

  test.each([
    ["no byte", hex("")],
    ["STX", hex("41 02")],
    ["ETX", hex("03")],
  ])("writing a PIRIT frame whose body has %s is refused", (_, body) => {
    expect(() => encodeStxEtx(body)).toThrow(RangeError);
  });
});
