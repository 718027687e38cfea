import { createStxCrcDecoder, encodeStxCrc, encodeStxCrcSync } from "@fiscald/drivers/framing/stx-crc-stuffed.js";
import fc from "fast-check";
import { hex } from "../vectors/hex.js";
import { v2Frames } from "../vectors/shtrih-frames.js";
import { decodeAll, everyCut, oneByOne } from "./collect.js";

const decode = (...pieces: Uint8Array[]) => decodeAll((emit) => createStxCrcDecoder(emit), pieces);
const frame = (number: number, payload: Uint8Array) => ({ kind: "frame", number, payload });

describe("frames of the link protocol 2", () => {
  test.each(v2Frames)(
    "$name, a frame of a real device over link protocol 2, is read and written",
    ({ frame: bytes, number, data }) => {
      if (number === null) {
        expect(encodeStxCrcSync()).toEqual(bytes);
        expect(decode(bytes)).toEqual([{ kind: "sync" }]);
        return;
      }
      expect(encodeStxCrc(number, data)).toEqual(bytes);
      for (const pieces of everyCut(bytes)) expect(decode(...pieces)).toEqual([frame(number, data)]);
      expect(decode(...oneByOne(bytes))).toEqual([frame(number, data)]);
    },
  );

  test("the bytes 8F and 9F inside a frame of link protocol 2 are stuffed", () => {
    const bytes = encodeStxCrc(1, hex("8F 9F 41"));
    expect(bytes.slice(0, 10)).toEqual(hex("8F 05 00 01 00 9F 81 9F 83 41"));
    expect(decode(bytes)).toEqual([frame(1, hex("8F 9F 41"))]);
  });

  test("a link protocol 2 frame that is cut short by the next frame is reported as damaged, and the next one is read", () => {
    const next = encodeStxCrc(2, hex("10"));
    expect(decode(hex("8F 05 00"), next)).toEqual([
      { kind: "damaged", reason: "cut short by the next frame" },
      frame(2, hex("10")),
    ]);
  });

  test.each([
    ["a wrong checksum", "8F 03 00 04 00 FC 8D 0E", "CRC"],
    ["a length of one", "8F 01 00", "length 1"],
    ["broken stuffing", "8F 9F 82", "broken stuffing"],
  ])("a link protocol 2 frame with %s is reported as damaged", (_, bytes, reason) => {
    expect(decode(hex(bytes))).toEqual([{ kind: "damaged", reason }]);
  });

  test("a byte outside a frame of link protocol 2 is reported as noise", () => {
    expect(decode(hex("05"))).toEqual([{ kind: "noise", bytes: hex("05") }]);
  });

  test("a reset of the link protocol 2 decoder drops an unfinished frame, even in a stuffed byte", () => {
    const events: unknown[] = [];
    const decoder = createStxCrcDecoder((event) => events.push(event));
    decoder.push(hex("8F 05 9F"));
    decoder.reset();
    expect(decoder.midFrame).toBe(false);
    decoder.push(encodeStxCrc(3, hex("81")));
    expect(events).toEqual([frame(3, hex("81"))]);
  });

  test("any number and data survive writing and reading in a frame of link protocol 2 that is cut anywhere", () => {
    fc.assert(
      fc.property(fc.nat(0xffff), fc.uint8Array({ maxLength: 400 }), fc.nat(400), (number, data, at) => {
        const bytes = encodeStxCrc(number, data);
        expect(decode(bytes.slice(0, at), bytes.slice(at))).toEqual([frame(number, Uint8Array.from(data))]);
      }),
    );
  });
});
