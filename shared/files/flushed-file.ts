/** Files that are written once and must outlast a power cut: each is on the disk, with its name, when the call returns. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Never overwrites an existing file. */
export function writeNewFlushed(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: "wx", flush: true });
  flushFolder(dirname(path));
}

/** Whole or not at all: whoever reads it finds the old or the new text. */
export function replaceFlushed(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.part`, text, { mode, flush: true });
  renameSync(`${path}.part`, path);
  flushFolder(dirname(path));
}

/** Windows opens no folders: there the file system keeps the names by itself. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
