/** The guides have screenshots as PNG files of at most 16 colours, which are a third of the usual size. */
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

/** Four bits tell 16 colours apart. */
const mostColours = 16;
/** Colours that differ by less, summed over three channels, look alike. */
const sameWithin = 36;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** `picture` is a PNG without transparency. */
export function smallPicture(picture: Uint8Array): Buffer {
  const { width, height, data } = PNG.sync.read(Buffer.from(picture));
  const palette = frequentColours(data);
  const nearest = new Map<number, number>();
  // A row has a byte for its filter (none), then two pixels in each byte.
  const rowLength = 1 + Math.ceil(width / 2);
  const rows = Buffer.alloc(height * rowLength);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = data.readUInt32BE((y * width + x) * 4) >>> 8;
      const index = nearest.get(colour) ?? indexOfNearest(palette, colour);
      nearest.set(colour, index);
      const at = y * rowLength + 1 + (x >>> 1);
      rows[at] = (rows[at] ?? 0) | (x % 2 === 0 ? index << 4 : index);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Four bits for each pixel, with a palette.
  head.set([4, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => channelsOf(colour)));
  const pixels = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    ...[chunk("IHDR", head), chunk("PLTE", colours), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))],
  ]);
}

/** The most frequent colours, each unlike the colours before it. */
function frequentColours(data: Buffer): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUInt32BE(at) >>> 8;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const chosen: number[] = [];
  for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
    if (chosen.length === mostColours) break;
    if (chosen.every((other) => distance(colour, other) >= sameWithin)) chosen.push(colour);
  }
  return chosen;
}

function indexOfNearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((other) => distance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

function channelsOf(colour: number): readonly [number, number, number] {
  return [colour >>> 16, (colour >>> 8) & 0xff, colour & 0xff];
}

function distance(one: number, other: number): number {
  const [red, green, blue] = channelsOf(one);
  const [otherRed, otherGreen, otherBlue] = channelsOf(other);
  return Math.abs(red - otherRed) + Math.abs(green - otherGreen) + Math.abs(blue - otherBlue);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
