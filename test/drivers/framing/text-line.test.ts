import { createTextLineDecoder, encodeTextLine } from "@fiscald/drivers/framing/text-line.js";
import { decodeAll, everyCut, oneByOne } from "./collect.js";

const utf8 = (text: string) => Uint8Array.from(Buffer.from(text, "utf8"));
const decode = (...pieces: Uint8Array[]) => decodeAll((emit) => createTextLineDecoder(emit, { maxBytes: 64 }), pieces);
const line = (text: string) => ({ kind: "frame", payload: utf8(text) });

describe("lines of text", () => {
  test("a text line is read the same wherever the bytes are cut, even inside a Cyrillic letter", () => {
    const bytes = encodeTextLine("Чек 1");
    for (const pieces of everyCut(bytes)) expect(decode(...pieces)).toEqual([line("Чек 1")]);
    expect(decode(...oneByOne(bytes))).toEqual([line("Чек 1")]);
  });

  test("two text lines in one piece are read as two, and a CR before the line end is dropped", () => {
    expect(decode(utf8("one\r\ntwo\nthree"))).toEqual([line("one"), line("two")]);
  });

  test("an overlong text line is reported as damaged up to its end, and the next line is read", () => {
    const events = decode(utf8("x".repeat(40)), utf8("x".repeat(40)), utf8("x\nok\n"));
    expect(events).toEqual([{ kind: "damaged", reason: "line over 64 bytes" }, line("ok")]);
  });

  test("a reset of the text line decoder drops an unfinished line", () => {
    const events: unknown[] = [];
    const decoder = createTextLineDecoder((event) => events.push(event));
    decoder.push(utf8("half"));
    expect(decoder.midFrame).toBe(true);
    decoder.reset();
    expect(decoder.midFrame).toBe(false);
    decoder.push(utf8("whole\n"));
    expect(events).toEqual([line("whole")]);
  });

  test("writing a text with a line end as one line is refused", () => {
    expect(() => encodeTextLine("a\nb")).toThrow(RangeError);
  });
});
