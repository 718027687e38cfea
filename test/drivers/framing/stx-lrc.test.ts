import { createStxLrcDecoder, encodeStxLrc } from "@fiscald/drivers/framing/stx-lrc.js";
import fc from "fast-check";
import { hex } from "../vectors/hex.js";
import { dataOf, v1Frames } from "../vectors/shtrih-frames.js";
import { decodeAll, everyCut } from "./collect.js";

const decode = (...pieces: Uint8Array[]) => decodeAll(createStxLrcDecoder, pieces);
const frame = (payload: Uint8Array) => ({ kind: "frame", payload });

describe("frames of the link protocol 1", () => {
  test.each(Object.entries(v1Frames))(
    "%s, a frame of a real device over link protocol 1, is read and written",
    (_, bytes) => {
      expect(decode(bytes)).toEqual([frame(dataOf(bytes))]);
      expect(encodeStxLrc(dataOf(bytes))).toEqual(bytes);
    },
  );

  test("a link protocol 1 frame is read the same wherever the bytes are cut", () => {
    for (const pieces of everyCut(v1Frames.statusAnswer)) {
      expect(decode(...pieces)).toEqual([frame(dataOf(v1Frames.statusAnswer))]);
    }
  });

  test("an ACK and the link protocol 1 frame after it are both read although they come in one piece", () => {
    expect(decode(hex("06 02 02 25 50 77"))).toEqual([{ kind: "control", byte: 0x06 }, frame(hex("25 50"))]);
  });

  test("two link protocol 1 frames in one piece are both read", () => {
    expect(decode(hex("02 02 25 50 77 02 02 25 50 77"))).toHaveLength(2);
  });

  test("the filler FF that TCP devices send between frames of link protocol 1 is ignored", () => {
    expect(decode(hex("FF FF 15 FF"))).toEqual([{ kind: "control", byte: 0x15 }]);
  });

  test("a link protocol 1 frame with wrong bits in one byte is never read as the right frame", () => {
    const { statusAnswer } = v1Frames;
    for (const at of statusAnswer.keys()) {
      for (let bit = 1; bit < 0x100; bit <<= 1) {
        const wrong = statusAnswer.map((byte, place) => (place === at ? byte ^ bit : byte));
        expect(decode(wrong)).not.toContainEqual(frame(dataOf(statusAnswer)));
      }
    }
  });

  test("control bytes inside a frame of link protocol 1 belong to the frame", () => {
    expect(decode(encodeStxLrc(hex("05 06 15 02 FF")))).toEqual([frame(hex("05 06 15 02 FF"))]);
  });

  test("a byte outside a frame of link protocol 1 that is no control byte is reported as noise", () => {
    expect(decode(hex("41 06"))).toEqual([
      { kind: "noise", bytes: hex("41") },
      { kind: "control", byte: 0x06 },
    ]);
  });

  test("a link protocol 1 frame with a wrong checksum is reported as damaged, and the next frame is read", () => {
    expect(decode(hex("02 02 25 50 78 02 02 25 50 77"))).toEqual([
      { kind: "damaged", reason: "LRC" },
      frame(hex("25 50")),
    ]);
  });

  test("a link protocol 1 frame with the length zero is reported as damaged", () => {
    expect(decode(hex("02 00"))).toEqual([{ kind: "damaged", reason: "length zero" }]);
  });

  test("a reset of the link protocol 1 decoder drops a frame whose rest does not come", () => {
    const events: unknown[] = [];
    const decoder = createStxLrcDecoder((event) => events.push(event));
    decoder.push(hex("02 05 10 1E"));
    expect(decoder.midFrame).toBe(true);
    decoder.reset();
    expect(decoder.midFrame).toBe(false);
    decoder.push(hex("02 02 25 50 77"));
    expect(events).toEqual([frame(hex("25 50"))]);
  });

  test("any data survives writing and reading in a frame of link protocol 1 that is cut anywhere", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 255 }), fc.nat(260), (data, at) => {
        const bytes = encodeStxLrc(data);
        expect(decode(bytes.slice(0, at), bytes.slice(at))).toEqual([frame(Uint8Array.from(data))]);
      }),
    );
  });

  test("the link protocol 1 decoder reads any bytes without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        for (const event of decode(bytes)) if (event.kind === "frame") expect(event.payload.length).toBeGreaterThan(0);
      }),
    );
  });

  test.each([0, 256])("writing data of %i bytes into a frame of link protocol 1 is refused", (length) => {
    expect(() => encodeStxLrc(new Uint8Array(length))).toThrow(RangeError);
  });
});
