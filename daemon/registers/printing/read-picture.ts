/** Reads a PNG or JPEG file as black and white dots, no larger than the paper allows. No native module. */
import type { Bitmap } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { orderReasons } from "../../messages/reasons/order-reasons.js";

export interface PictureLimits {
  readonly maxWidth: number;
  readonly maxHeight: number;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each dot: red, green, blue, opacity. */
  readonly data: Uint8Array;
}

const MAX_MEGAPIXELS = 4;
const MAX_MEMORY_MB = 128;
/** A darker dot is black: thermal paper has no grey. */
const THRESHOLD = 128;
const pngSignature = "89504e470d0a1a0a";
const jpegSignature = "ffd8";

/** Throws `receipt.image` for another format, a larger picture or a damaged file. */
export function readPicture(file: Buffer, limits: PictureLimits): Bitmap {
  return toBitmap(decode(file), limits);
}

function decode(file: Buffer): Picture {
  if (file.toString("hex", 0, 8) === pngSignature) {
    const megapixels = file.length < 24 ? 0 : (file.readUInt32BE(16) * file.readUInt32BE(20)) / 1e6;
    if (megapixels > MAX_MEGAPIXELS) {
      throw new Fault("receipt.image", { message: orderReasons.pictureMegapixels({ max: MAX_MEGAPIXELS }) });
    }
    return PNG.sync.read(file);
  }
  if (file.toString("hex", 0, 2) === jpegSignature) {
    return jpeg.decode(file, {
      useTArray: true,
      maxResolutionInMP: MAX_MEGAPIXELS,
      maxMemoryUsageInMB: MAX_MEMORY_MB,
    });
  }
  throw new Fault("receipt.image", { message: orderReasons.pictureFormat });
}

/** Scales the picture down to fit, never up: each dot is the mean of the dots that it stands for. */
function toBitmap(picture: Picture, { maxWidth, maxHeight }: PictureLimits): Bitmap {
  const scale = Math.min(1, maxWidth / picture.width, maxHeight / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const rowBytes = Math.ceil(width / 8);
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = sourceRange(y, height, picture.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = sourceRange(x, width, picture.width);
      const isDark = meanGrey(picture, { top, bottom, left, right }) < THRESHOLD;
      if (isDark) rows[y * rowBytes + (x >> 3)] = (rows[y * rowBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return { width, height, rows };
}

/** The source dots of one target dot, at least one. `to` is not included. */
function sourceRange(at: number, size: number, sourceSize: number): readonly [from: number, to: number] {
  const from = Math.floor((at * sourceSize) / size);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * sourceSize) / size))];
}

function meanGrey(
  { width, data }: Picture,
  { top, bottom, left, right }: Record<"top" | "bottom" | "left" | "right", number>,
): number {
  let sum = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) sum += greyOnWhite(data, (y * width + x) * 4);
  }
  return sum / ((bottom - top) * (right - left));
}

/** The brightness of a dot by ITU-R BT.601. A transparent dot is white paper. */
function greyOnWhite(data: Uint8Array, at: number): number {
  const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(at, at + 4);
  const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
  return 255 - ((255 - grey) * opacity) / 255;
}
