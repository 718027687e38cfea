import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { createGunzip } from "node:zlib";
import { maskText } from "../../logging/mask.js";
import { ofLastDays } from "../../logging/tidy-log-folder.js";

export interface LogTailFile {
  readonly name: string;
  readonly text: string;
}

const days = 3;
const bytesPerFile = 1_000_000;

/** The lines are masked again, because another program may have written to the files. */
export async function readLogTails(files: readonly string[]): Promise<readonly LogTailFile[]> {
  const tails: LogTailFile[] = [];
  for (const file of ofLastDays(files, days)) {
    const text = await readEnd(file);
    tails.push({ name: basename(file).replace(/\.gz$/, ""), text: text.split(/\r?\n/).map(maskText).join("\n") });
  }
  return tails;
}

async function readEnd(file: string): Promise<string> {
  const packed = file.endsWith(".gz");
  const start = packed ? 0 : Math.max(0, statSync(file).size - bytesPerFile);
  const stream = createReadStream(file, { start });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of packed ? stream.pipe(createGunzip()) : stream) {
    chunks.push(chunk);
    size += chunk.length;
    while (size - (chunks[0]?.length ?? 0) > bytesPerFile) size -= chunks.shift()?.length ?? 0;
  }
  return wholeLines(Buffer.concat(chunks), packed ? size > bytesPerFile : start > 0);
}

/** Drops an incomplete first line, because masking would not recognise a part of an address. */
function wholeLines(bytes: Buffer, isCut: boolean): string {
  const text = bytes.toString("utf8");
  return isCut ? text.slice(text.indexOf("\n") + 1) : text;
}
