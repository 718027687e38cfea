import { hex, toHex } from "../../vectors/hex.js";
import { v2Frames } from "../../vectors/shtrih-frames.js";
import { talk, testDialogues } from "../dialogue.js";
import { makeLink as makeAnyLink } from "./make-link.js";

/** The link after a host has asked for its number, which is now `counted`. */
function makeLink({ counted = 1 }: { readonly counted?: number } = {}) {
  const link = makeAnyLink("v2");
  for (let next = 2; next <= counted; next++) link.hear(frameOf(next));
  return link;
}
type Link = ReturnType<typeof makeLink>;

/** A numbered frame, empty or with data; its checksum is computed here bit by bit. */
function frameOf(number: number, ...data: readonly number[]): Uint8Array {
  const body = [2 + data.length, 0, number & 0xff, number >> 8, ...data];
  let crc = 0xffff;
  for (const byte of body) {
    for (let bit = 7; bit >= 0; bit--) {
      const high = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (high === 1 ? 0x1021 : 0);
    }
  }
  const stuffed = [...body, crc & 0xff, crc >> 8].flatMap((byte) =>
    byte === 0x8f ? [0x9f, 0x81] : byte === 0x9f ? [0x9f, 0x83] : [byte],
  );
  return Uint8Array.of(0x8f, ...stuffed);
}

const commandFrame = (number: number) => frameOf(number, 0xfc);
const FIRST = toHex(commandFrame(2));
const ANSWER = toHex(frameOf(2, 0xfc, 0x37));
const SYNC = "8F 00 00 0F 1D";
const once = ({ executed }: Link) => expect(executed).toHaveLength(1);

testDialogues(makeLink, {
  "the emulated Shtrih-M's link v2 answers the literal sync after power-on with the literal empty frame": [
    `${SYNC} -> 8F 02 00 01 00 99 5A`,
  ],
  "the emulated Shtrih-M's link v2 executes a number once and repeats its answer for a wrong number and sync": [
    `${FIRST}; (answer FC 37) -> ${ANSWER}; ${FIRST} -> ${ANSWER}; ${toHex(commandFrame(9))} -> ${ANSWER};
     ${SYNC} -> ${ANSWER}`,
    { after: once },
  ],
  "the emulated Shtrih-M's link v2 does not answer a wrong checksum, a broken escape or a wrong length": [
    `${toHex(commandFrame(2).with(-1 + commandFrame(2).length, 0x55))} -> nothing; 8F 9F 00 00 00 -> nothing;
     8F 01 00 00 00 00 -> nothing`,
    { after: ({ executed }) => expect(executed).toEqual([]) },
  ],
  "the emulated Shtrih-M's link v2 forgets an unfinished frame, and the late rest of it makes no command": [
    `${FIRST.slice(0, 11)} -> nothing; (100 ms later); ${FIRST.slice(12)} -> nothing`,
    { after: ({ executed }) => expect(executed).toEqual([]) },
  ],
  "the emulated Shtrih-M's link v2 accepts a frame after an unfinished one whose rest came too late": [
    `${FIRST.slice(0, 11)} -> nothing; (100 ms later); ${FIRST.slice(12)} -> nothing; ${FIRST}`,
    { after: once },
  ],
  "a start byte always begins a new frame of the emulated Shtrih-M's link v2": [
    `8F 03 00 02 00; ${FIRST}`,
    { after: once },
  ],
  "the emulated Shtrih-M's link v2 ignores bytes while it works": [
    `${FIRST}; ${FIRST} -> nothing; ${SYNC} -> nothing`,
    { after: once },
  ],
  "the emulated Shtrih-M's link v2 stuffs the bytes 8F and 9F in both directions": [
    `${toHex(commandFrame(0x8f))}; (answer FC 8F 9F) -> ${toHex(frameOf(0x8f, 0xfc, 0x8f, 0x9f))}`,
    { counted: 0x8e, after: once },
  ],
});

const withData = v2Frames.filter(({ data }) => data.length > 0);
const isRequest = ({ name }: { readonly name: string }) => name.endsWith("request");

test.each(withData.filter(isRequest))(
  "the emulated Shtrih-M's link v2 reads the example frame $name",
  ({ frame, data, number }) => {
    const { hear, executed } = makeLink({ counted: (number ?? 0) - 1 });
    hear(frame);
    expect(executed).toEqual([toHex(data)]);
  },
);

test.each(withData.filter((row) => !isRequest(row)))(
  "the emulated Shtrih-M's link v2 writes the example frame $name",
  ({ frame, data, number }) => {
    const { hear, answer } = makeLink({ counted: (number ?? 0) - 1 });
    // Any command with this number will do.
    hear(commandFrame(number ?? 0));
    expect(answer(data)).toBe(toHex(frame));
  },
);

test("the frames that this test makes are stuffed like the frames of the emulated Shtrih-M's link v2", () => {
  const bytes = frameOf(0x8f, ...hex("FC 8F 9F"));
  expect(bytes.slice(1).includes(0x8f)).toBe(false);
  expect(toHex(bytes)).toContain("FC 9F 81 9F 83");
});

test.each([
  ["v1", `00 05 -> 15; ${SYNC} -> 15 | 15 | 15 | 15 | 15`],
  ["v2", `${SYNC} -> 8F 02 00 01 00 99 5A; 05 -> nothing`],
])("an emulated Shtrih-M that knows both links stays with the link %s of the first byte", (_link, dialogue) =>
  talk(makeAnyLink("auto"), dialogue),
);
