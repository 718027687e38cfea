/** Worker thread of load-images.ts. A picture of four megapixels takes a second, during which other registers print. */
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { readPicture } from "./read-picture.js";

const { path, maxWidth, maxHeight } = z
  .object({ path: z.string(), maxWidth: z.number(), maxHeight: z.number() })
  .parse(workerData);
parentPort?.postMessage(readPicture(readFileSync(path), { maxWidth, maxHeight }));
