/** Files that people write: strict UTF-8, with or without a byte order mark. */
import { readFileSync } from "node:fs";
import { Fault } from "@fiscald/shared/fault.js";

/** Fault `config.invalid`, which names the encoding that the file seems to have; the file system's errors as they are. */
export function readUtf8(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const message = `${path} is not UTF-8 but ${guessEncoding(bytes)}: save it as UTF-8`;
    throw new Fault("config.invalid", { message, place: path });
  }
}

function guessEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? "UTF-16" : "an 8-bit encoding, probably windows-1251";
}
