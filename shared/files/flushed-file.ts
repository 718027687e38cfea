/** Files that are written once and must outlast a power cut: each is on the disk, name included, after the call. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a new file; never overwrites an existing one. */
export function writeNewFlushed(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: "wx", flush: true });
  flushFolder(dirname(path));
}

/** Replaces a file as a whole or not at all: a reader finds the old or the new content. */
export function replaceFlushed(path: string, content: string | Uint8Array, mode: number): void {
  writeFileSync(`${path}.part`, content, { mode, flush: true });
  renameSync(`${path}.part`, path);
  flushFolder(dirname(path));
}

/** Flushes a folder. Windows opens no folders: its file system keeps the names by itself. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
