/** Pictures of `Image` lines: read from one folder and nowhere else, scaled to the paper, reduced to black and white. */
import { once } from "node:events";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Bitmap } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
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
/** The site reads this message: it does not name the folder. */

/**
 * A picture that cannot be had is left out with a warning: it never stops a paid receipt. Nothing is fetched, and no path out
 * of the folder is read.
 */
export function createImageLoader({ folder, log }: ImageLoaderOptions): LoadImages {
  return async (receipt, capabilities) => {
    const images = new Map<string, Bitmap>();
    for (const source of sourcesOf(receipt)) {
      const limits = capabilities.paper?.image ?? null;
      if (limits === null) continue;
      try {
        const path = await confine(folder, pathOf(folder, source), source);
        images.set(source, await readBitmap(path, limits));
      } catch (error) {
        const fault = toFault(error, "receipt.image", { place: source });
        log.warn("a picture is left out", { order: receipt.orderId, fault });
      }
    }
    return images;
  };
}

function sourcesOf(receipt: Receipt): ReadonlySet<string> {
  return new Set(receipt.lines.flatMap((line) => (line.type === "image" ? [line.source] : [])));
}

/** The spec's "URL of a picture on the same machine": a `file:` URL or a plain path, both inside the folder. */
function pathOf(folder: string, source: string): string {
  let path = source;
  if (/^[a-z][a-z0-9+.-]+:/i.test(source)) {
    if (!/^file:/i.test(source)) throw forbidden(source, orderReasons.pictureAddress(source));
    try {
      path = fileURLToPath(source);
    } catch (error) {
      throw forbidden(
        source,
        orderReasons.noFileAddress(source, error instanceof Error ? error.message : String(error)),
      );
    }
  }
  const full = isAbsolute(path) ? resolve(path) : resolve(folder, path);
  if (!isInside(folder, full)) throw forbidden(source, orderReasons.pictureOutside(source));
  return full;
}

/** A link inside the folder must not lead out of it either. */
async function confine(folder: string, path: string, source: string): Promise<string> {
  const [realFolder, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (!isInside(realFolder, real)) throw forbidden(source, orderReasons.pictureOutside(source));
  const { size } = await stat(real);
  if (size <= MAX_FILE_BYTES) return real;
  throw new Fault("receipt.image", { message: orderReasons.pictureBytes(source, size, MAX_FILE_BYTES), place: source });
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

function forbidden(source: string, message: FaultText): Fault {
  return new Fault("receipt.image", { message, place: source });
}

/** In a thread of its own, which is loaded when the first picture comes: most shops print none. */
async function readBitmap(path: string, limits: PictureLimits): Promise<Bitmap> {
  const worker = new Worker(new URL("./picture-worker.js", import.meta.url), { workerData: { path, ...limits } });
  try {
    const [bitmap] = bitmaps.parse(await once(worker, "message", { signal: AbortSignal.timeout(MAX_READING_MS) }));
    return bitmap;
  } finally {
    await worker.terminate();
  }
}
