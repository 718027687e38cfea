import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { isFault } from "@fiscald/shared/fault.js";
import { fontFromWoff } from "@fiscald/shared/paper/woff.js";

const { resolve } = createRequire(import.meta.url);
const file = resolve("@fontsource/pt-mono/files/pt-mono-cyrillic-400-normal.woff");

/** Sum of big-endian words, as the sfnt format checks a table. */
function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at < bytes.byteLength; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

test("unpacks every table so that its own checksum holds", async () => {
  const font = fontFromWoff(await readFile(file));
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const count = view.getUint16(4);
  expect(count).toBeGreaterThan(8);
  for (let index = 0; index < count; index++) {
    const at = 12 + index * 16;
    const tag = String.fromCharCode(...font.subarray(at, at + 4));
    const offset = view.getUint32(at + 8);
    const length = view.getUint32(at + 12);
    const table = font.slice(offset, offset + ((length + 3) & ~3));
    // The head table's checksum is counted with its own adjustment field as zero.
    if (tag === "head") table.fill(0, 8, 12);
    expect([tag, checksum(table)]).toEqual([tag, view.getUint32(at + 4)]);
  }
});

test("refuses what is no WOFF file", () => {
  try {
    fontFromWoff(new Uint8Array(100));
    throw new Error("was taken for a font");
  } catch (error) {
    expect(isFault(error)).toBe(true);
  }
});
