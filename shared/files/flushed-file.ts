/** Files that are written once and must outlast a power cut: each is on the disk, name included, after the call. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function writeNewFlushed(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: "wx", flush: true });
  flushFolder(dirname(path));
}

/** A reader finds the whole old or the whole new content. */
export function replaceFlushed(path: string, content: string | Uint8Array, mode: number): void {
  writeFileSync(`${path}.part`, content, { mode, flush: true });
  renameSync(`${path}.part`, path);
  flushFolder(dirname(path));
}

/** Windows opens no folders: its file system keeps the names by itself. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
