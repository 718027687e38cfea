/** Pictures of `Image` lines are read from one folder only, scaled to the paper, and reduced to black and white. */
import { once } from "node:events";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Bitmap } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { LoadImages } from "../register-context.js";
import type { PictureLimits } from "./read-picture.js";

export interface ImageLoaderOptions {
  readonly folder: string;
  readonly log: Logger;
}

const MAX_FILE_BYTES = 5_000_000;
const MAX_READING_MS = 10_000;
const bitmaps = z.tuple([z.object({ width: z.int(), height: z.int(), rows: z.instanceof(Uint8Array) })]);

/** Leaves out, with a warning, a picture that cannot be loaded. Nothing is fetched or read outside the folder. */
export function createImageLoader({ folder, log }: ImageLoaderOptions): LoadImages {
  return async (receipt, capabilities) => {
    const images = new Map<string, Bitmap>();
    const sources = new Set(receipt.lines.flatMap((line) => (line.type === "image" ? [line.source] : [])));
    for (const source of sources) {
      const limits = capabilities.paper?.image ?? null;
      if (limits === null) continue;
      try {
        images.set(source, await readBitmap(await pathOf(folder, source), limits));
      } catch (error) {
        const fault = toFault(error, "receipt.image", { place: source });
        log.warn("a picture is left out", { order: receipt.orderId, fault });
      }
    }
    return images;
  };
}

/** A picture's address is a `file:` URL or a plain path. Links are followed, but must end inside the folder. */
async function pathOf(folder: string, source: string): Promise<string> {
  if (/^(?!file:)[a-z][a-z0-9+.-]+:/i.test(source)) throw unfit(source, orderReasons.pictureAddress({ source }));
  const path = resolve(folder, /^file:/i.test(source) ? fileURLToPath(source) : source);
  // The text of the path is checked first: touching a path on another machine opens a connection.
  if (!isInside(folder, path)) throw unfit(source, orderReasons.pictureOutside({ source }));
  const [realFolder, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (!isInside(realFolder, real)) throw unfit(source, orderReasons.pictureOutside({ source }));
  const { size } = await stat(real);
  if (size > MAX_FILE_BYTES) throw unfit(source, orderReasons.pictureBytes({ source, size, max: MAX_FILE_BYTES }));
  return real;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

function unfit(source: string, message: FaultText): Fault {
  return new Fault("receipt.image", { message, place: source });
}

/** The thread is loaded with the first picture, because most shops print none. */
async function readBitmap(path: string, limits: PictureLimits): Promise<Bitmap> {
  const worker = new Worker(new URL("./picture-worker.js", import.meta.url), { workerData: { path, ...limits } });
  try {
    const [bitmap] = bitmaps.parse(await once(worker, "message", { signal: AbortSignal.timeout(MAX_READING_MS) }));
    return bitmap;
  } finally {
    await worker.terminate();
  }
}
