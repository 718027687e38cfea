import { PNG } from "pngjs";
import { smallPicture } from "./small-picture.js";

function picture(rows: readonly (readonly number[])[]): Buffer {
  const png = new PNG({ width: rows[0]?.length ?? 0, height: rows.length });
  rows.flat().forEach((colour, index) => {
    png.data.writeUInt32BE(((colour << 8) | 0xff) >>> 0, index * 4);
  });
  return PNG.sync.write(png);
}

function coloursOf(png: Uint8Array): readonly number[] {
  const { data } = PNG.sync.read(Buffer.from(png));
  return Array.from({ length: data.length / 4 }, (_, index) => data.readUInt32BE(index * 4) >>> 8);
}

test("a picture of few colours keeps every pixel, even when its rows are an odd number of pixels", () => {
  const rows = [
    [0xffffff, 0xb0101a, 0x1e7e34],
    [0x000000, 0xffffff, 0xb0101a],
  ];
  expect(coloursOf(smallPicture(picture(rows)))).toEqual(rows.flat());
});

test("a picture of many colours keeps the most frequent colours, and maps any other to the nearest of these", () => {
  const greys = Array.from({ length: 256 }, (_, grey) => grey * 0x010101);
  const colours = coloursOf(smallPicture(picture([[...greys, ...greys.map(() => 0xffffff)]])));
  expect(new Set(colours).size).toBeLessThanOrEqual(16);
  expect(colours.slice(256)).toEqual(greys.map(() => 0xffffff));
  expect(colours[250]).toBe(0xffffff);
});
